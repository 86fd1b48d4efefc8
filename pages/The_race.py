"""The race: who should I bet on if the world might move?"""

import streamlit as st

from figures.theme import Theme
from lessons import LESSONS
from lessons.race import model, panel, words
from lessons.race.knobs import PINS, RACE_MORE, RACE_SHOWN
from lessons.race.lesson import LESSON
from lessons.race.scene import drawn
from shell.lesson_page import Tables, lesson_page
from shell.stop import stop
from shell.visit import Visit


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    left, right = visit.columns()
    with right:
        value = visit.values | visit.draw(RACE_SHOWN) | visit.more(RACE_MORE)
    setting = model.chosen(value)

    with left:
        race, runs = visit.or_stop(lambda: panel.follow(setting))
        if race is None or not race.lanes:
            for sentence in [words.WAIT] if race is None else words.refused(race):
                st.info(sentence, icon=":material/info:")
            panel.progress(runs)
            stop()
        pins = {pin: visit.values[pin] for pin in PINS}  # drawn further down
        scene = drawn(race, value | pins, visit.t, Theme(visit.dark, visit.lecture), runs.mark)
        frame = visit.show(scene)
        panel.progress(runs)
        visit.under(scene)

    visit.closer(scene, ("curves",), frame)
    visit.closer(scene, ("looks",), frame)
    visit.closer(scene, ("duels", "ledger"), frame)
    return {"Data table": lambda: model.table(race, words.titles([lane.world for lane in race.lanes]))}


lesson_page(LESSON, LESSONS, page)
