"""The row of prepared moments under the live sentence, with the buttons of the bet and of the task."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

import streamlit as st

from lessons.record import APART
from shell.hall import speaker
from shell.hall.bets import bet
from shell.links import permalink
from shell.links.pending import set_moment, settle
from shell.notation import translate as symbols
from shell.page import tasks
from shell.session import session

if TYPE_CHECKING:
    from lessons.record import Lesson

CIRCLED = "①②③④⑤⑥⑦⑧⑨"
# The moment at which an untouched page stands looks as one that is chosen.
OPENED = """<style>.st-key-moments [data-testid="stButtonGroup"] button:nth-of-type({}) {{
  --chosen: light-dark(#3b5bdb, #8fa8ff); z-index: 1; color: var(--chosen); border-color: var(--chosen);
  background: color-mix(in srgb, var(--chosen) 10%, transparent); }}</style>"""
# The line to say takes one of the screen, which the stage leaves it.
WITH_ITS_LINE = "<style>:root { --moments: 5.65rem; }</style>"


def choose_moment(lesson: Lesson, lessons: Sequence[Lesson], *, hall: bool) -> str | None:
    """Draw the row and return the key of the chosen moment, None without one.

    A choice sets every knob but those of the bet, and the time. The line to say stands beside the moments; in lecture
    type it is for the speaker window.

    Args:
        lessons: all of them, in the order of the menu.   hall: lecture type.
    """
    titles = {one.key: f"{circle} {one.title}" for circle, one in zip(CIRCLED, lesson.moments, strict=False)}

    settle("moment")
    if permalink.embedded():
        return st.session_state["moment"]
    shown = not permalink.hidden("moments")
    row = {"horizontal": True, "vertical_alignment": "center", "gap": "small"}
    with st.container(key="moments", **row) if shown else nullcontext():
        if shown:
            st.segmented_control(
                "Prepared moments",
                list(titles),
                format_func=titles.__getitem__,
                key="moment",
                persist_state="session",
                on_change=set_moment,
                args=(lesson,),
                label_visibility="collapsed",
            )
        moment = st.session_state["moment"]
        if shown and not moment and _untouched(lesson):
            st.html(OPENED.format(1 + lesson.moments.index(lesson.opening)))
        if not permalink.hidden("bet"):
            bet.button(lesson)
        tasks.button(lesson)
        if moment and shown and not hall:
            symbols.caption(f"“{lesson.moment(moment).script}”")
            if not session().course.words:  # there the row stands below the figure
                st.html(WITH_ITS_LINE)
        speaker.button(lesson, lessons, moment, hall)
    return moment


def _untouched(lesson: Lesson) -> bool:
    """Return whether the page stands where it opens."""
    knobs = {key: knob for key, knob in lesson.knobs.items() if key not in APART}
    asis = all(knob.text(st.session_state[key]) == knob.text(knob.default) for key, knob in knobs.items())
    return asis and not lesson.opening.values and session().t == lesson.t
