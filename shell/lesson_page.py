"""A lesson's page: the frame, what the lesson draws, and the drawers under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from lessons.record import Lesson
from shell import drawers, world_form
from shell.bets import bet
from shell.drawers import Tables
from shell.knobs import put_right
from shell.links import pending, permalink
from shell.page import open_lesson
from shell.visit import Visit


def lesson_page(lesson: Lesson, lessons: Sequence[Lesson], body: Callable[[Visit], Tables]) -> None:
    """Draw the page of a lesson.

    The body is a fragment: a move of one of its knobs draws it again and nothing else. Only while something around it
    shows what the knobs say (an open drawer, a bet), every move draws the whole page.

    Args:
        lessons: all of them, in the order of the menu.
        body: draws what stands between the frame and the drawers, and returns the data tables: title -> function.
    """
    opened = open_lesson(lesson, lessons)
    middle, below = st.container(), st.container(key="drawers")
    end = st.container(key="neighbours", horizontal=True)

    def draw() -> Tables:
        pending.restore()
        # Also those that are not drawn: a browser may still send the value of another page's control.
        put_right(lesson.knobs.values())
        st.session_state["_wait_spot"].empty()  # a fragment may write to a place outside where it has written before
        visit = opened.now()
        tables = body(visit)
        if not permalink.hidden("drawers"):
            st.session_state["_luggage"] = world_form.carried(lesson.knobs)
            with end:
                drawers.neighbours(visit)
        pending.discard()
        st.session_state["_loose"] = set()
        st.session_state.pop("_waits", None)
        return tables

    with middle:
        if drawers.any_open() or bet.state(lesson) != bet.CLOSED:
            with st.container():  # as a fragment has one: the charts stay the same elements
                tables = draw()
        else:
            tables = st.fragment(draw)()
    with below:
        drawers.fold(opened.now(), tables)
