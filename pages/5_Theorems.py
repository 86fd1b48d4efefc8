"""Theorems: is this already as good as possible, or is there room to improve?"""

import streamlit as st

from figures.theme import Theme
from lessons import LESSONS
from lessons.theorems import adversary, bound_vs_regret, model, panel, tables, words
from lessons.theorems import bound_vs_regret_words as runs_words
from lessons.theorems.knobs import visible
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
        shown, more = visible(st.session_state["measure"])
        value = visit.draw(shown) | visit.more(more)
    setting = model.chosen(value)

    with left:
        sweep = model.sweep(setting)
        scene = drawn(sweep, panel.start(setting.measure, visit.t, visit.reset), theme)
        frame = visit.show(scene)
        for note in words.notes(sweep, frame):
            visit.note(note)
        visit.caption(scene.caption)

    first, second = st.columns([1, 1], gap="large")
    with first:
        value |= visit.draw(("card",))
        markdown(words.card(setting, frame, value["card"])[1])
    with second:
        markdown(f"##### Every bound at {tables.label(setting, frame)}, d = {setting.d}")
        markdown(words.bounds(setting, frame))
        caption(words.TABLE_NOTE)

    markdown(runs_words.HEADING)
    for column, key in zip(st.columns([2, 1, 2]), ("case", "arena"), strict=False):
        with column:
            value |= visit.draw((key,))
    found, runs = visit.or_stop(lambda: panel.follow(bound_vs_regret.chosen(value)))
    scene = with_runs(scene, found, theme)
    markdown(runs_words.finding(found))
    visit.picture(scene, "meeting", frame)
    panel.progress(found, runs)
    caption(runs_words.caption(found))

    visit.heading(scene, "adversary")
    visit.picture(scene, "adversary", frame)
    link = adversary.race_link(adversary.hidden_bump(found.setting))
    race = next(one for one in LESSONS if one.number == 4)
    st.page_link(race.file, label="Race any algorithm in this world", icon=":material/flag:", query_params=link)
    return {"Data table": lambda: bound_vs_regret.table(found),
                           "Bounds as a table": lambda: tables.table(setting, frame)}  # fmt: skip


lesson_page(THEOREMS_LESSON, LESSONS, page)
