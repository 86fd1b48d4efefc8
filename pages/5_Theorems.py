"""Theorems: is this already as good as possible, or is there room to improve?"""

import streamlit as st

from figures.theme import Theme
from lessons import LESSONS
from lessons.theorems import adversary, bound_vs_regret, model, panel, tables, words
from lessons.theorems.knobs import KEYS, RUNS, idle, visible
from lessons.theorems.lesson import THEOREMS_LESSON
from lessons.theorems.scene import drawn, with_runs
from shell.bets.reveal import show_bet
from shell.lesson_page import Tables, lesson_page
from shell.notation.translate import caption, markdown
from shell.visit import Visit


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    theme = Theme(visit.dark, visit.lecture)
    show_bet(visit)
    left, right = visit.columns()
    with right:
        value = visit.draw(("view",))
        view = value["view"]
        shown, more = visible(view, st.session_state["measure"])
        off = idle(st.session_state["case"]) if view == RUNS else set()
        value |= visit.draw(shown, off) | visit.more(key for key in more if key not in off)
    visit.keep(key for key in KEYS if key not in value and key != "card")
    value = THEOREMS_LESSON.settings(st.session_state)
    start = panel.start(view, value["measure"], visit.t, visit.reset)

    if view == RUNS:
        visit.keep(("card",))
        with left:
            found, runs = visit.or_stop(lambda: panel.follow(bound_vs_regret.chosen(value)))
            scene = with_runs(found, start, theme)
            frame = visit.show(scene)
            panel.progress(found, runs)
            visit.under(scene)
        for key in ("terms", "adversary"):
            visit.heading(scene, key)
            visit.picture(scene, key, frame)
        link = adversary.race_link(adversary.hidden_bump(found.setting))
        race = next(one for one in LESSONS if one.number == 4)
        st.page_link(race.file, label="Race any algorithm in this world", icon=":material/flag:", query_params=link)
        return {"Data table": lambda: bound_vs_regret.table(found)}

    setting = model.chosen(value)
    with left:
        scene = drawn(model.sweep(setting), start, theme)
        frame = visit.show(scene)
        for note in words.notes(model.sweep(setting), frame):
            visit.note(note)
        visit.caption(scene.caption)
    first, second = st.columns([1, 1], gap="large")
    with first:
        card = visit.draw(("card",))["card"]
        markdown(words.card(setting, frame, card)[1])
    with second:
        markdown(f"##### Every bound at {tables.label(setting, frame)}, d = {setting.d}")
        markdown(words.bounds(setting, frame))
        caption(words.TABLE_NOTE)
    return {"Bounds as a table": lambda: tables.table(setting, frame)}


lesson_page(THEOREMS_LESSON, LESSONS, page)
