"""The race: who should I bet on if the world might move?"""

import streamlit as st

from figures.theme import Theme
from lessons import LESSONS
from lessons.race import model, panel, words
from lessons.race.knobs import RACE_MORE, RACE_SHOWN, idle
from lessons.race.lesson import RACE
from lessons.race.scene import drawn
from shell.bets.reveal import show_bet
from shell.lesson_page import Tables, lesson_page
from shell.visit import Visit


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    show_bet(visit)
    left, right = visit.columns()
    with right:
        off = idle(st.session_state["kind"], st.session_state["pair"], st.session_state["scale"])
        value = visit.draw(RACE_SHOWN, off) | visit.more(RACE_MORE, off)
    setting = model.chosen(value)

    with left:
        race, runs = visit.or_stop(lambda: panel.follow(setting))
        if race is None or not race.lanes:
            for sentence in [words.WAIT] if race is None else words.refused(race):
                st.info(sentence, icon=":material/info:")
            panel.desk(runs)
            st.stop()
        pins = {pin: st.session_state[pin] for pin in ("pin1", "pin2")}
        scene = drawn(race, value | pins, visit.t, Theme(visit.dark, visit.lecture), runs.mark)
        frame = visit.show(scene)
        panel.desk(runs)
        visit.under(scene)

    visit.heading(scene, "looks")
    with st.container(horizontal=True, key="pins"):
        visit.draw(("pin1", "pin2"))
    visit.picture(scene, "looks", frame)
    first, second = st.columns(2)
    with first:
        visit.heading(scene, "duels")
        visit.picture(scene, "duels", frame)
    with second:
        visit.heading(scene, "ledger")
        visit.picture(scene, "ledger", frame)
    return {"Data table": lambda: model.table(race, words.titles(race.lanes))}


lesson_page(RACE, LESSONS, page)
