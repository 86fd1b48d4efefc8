"""Drifting rewards: if the best action keeps moving, how much has the world really changed?"""

import streamlit as st

from figures.theme import Theme
from lessons import LESSONS
from lessons.drift import knobs, model, words
from lessons.drift.lesson import DRIFT
from lessons.drift.scene import drawn
from shell.bets.reveal import show_bet
from shell.lesson_page import Tables, lesson_page
from shell.notation.translate import caption
from shell.visit import Visit


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    show_bet(visit)
    left, right = visit.columns()
    with right:
        scale = st.session_state["scale"]
        kinds = knobs.kinds(st.session_state["kind"], st.session_state["pair"])
        beside, drawer, idle = knobs.groups(kinds, scale)
        value = visit.draw(beside, idle)
        if not knobs.has_budget(kinds, scale):
            caption(words.no_budget(kinds, scale == "drawn"))
        value |= visit.more(drawer, idle)

    with left:
        drifts = visit.or_stop(lambda: model.chosen(value))
        scene = drawn(drifts, visit.t, Theme(visit.dark, visit.lecture))
        visit.show(scene)
        visit.under(scene)
    return {"Data table": lambda: model.table(drifts, [short for _, short in words.titles(drifts)])}


lesson_page(DRIFT, LESSONS, page)
