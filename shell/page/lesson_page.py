"""A lesson's page: the frame, what the lesson draws, and the drawers under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from answers.state import State
from lessons.record import Lesson, RunPlan, Values
from shell.hall.bets import bet
from shell.hall.bets import page as bet_page
from shell.links import address, pending, permalink
from shell.page import drawers
from shell.page.frame import open_lesson
from shell.page.knobs import reset_invalid
from shell.page.page import LessonPage
from shell.runs.run_panel import RunSet, follow, plan_panel, planned
from shell.session import session

Body = Callable[[LessonPage], State | None]


def draw_lesson(page: LessonPage) -> State:
    """Draw what a lesson's record says, and return the state that is shown."""
    left, values = page.controls()
    with left:
        plan = page.lesson.runs
        if plan and page.or_stop(lambda: plan.setting(values)) is not None:
            state, runs = state_so_far(page, plan, values)
        else:
            state, plan = page.state(values), None
        shown = page.show(state)
        if plan:
            plan_panel(page.lesson.key, plan, runs)
        page.notes_and_caption(shown)
    page.drawers(shown)
    return shown


def state_so_far(page: LessonPage, plan: RunPlan, values: Values) -> tuple[State, RunSet]:
    """Return the state with a plan's runs as far as they have come; where they show nothing (yet), say why and stop."""
    key = page.lesson.key
    if page.or_stop(lambda: page.lesson.has_address(values)):
        runs = page.or_stop(lambda: planned(key, plan, values))
        return page.state(values), runs  # whose scene its film shares
    found, runs = page.or_stop(lambda: follow(key, plan, values))
    scene = page.or_stop(
        lambda: plan.scene_of(values, found, page.theme, runs.mark), lambda: plan_panel(key, plan, runs)
    )
    return page.state(values, scene), runs


def lesson_page(
    lesson: Lesson,
    lessons: Sequence[Lesson],
    body: Body = draw_lesson,
    start: Callable[[], None] | None = None,
    welcome: Callable[[], None] | None = None,
    beyond: Callable[[], None] | None = None,
) -> None:
    """Draw the page of a lesson.

    The body is a fragment: a move of one of its knobs draws it again and nothing else. Only while something around it
    shows what the knobs say (an open drawer), every move draws the whole page. A bet has a page of its own.

    Args:
        lessons: all of them, in the order of the menu.
        body: draws what stands between the frame and the drawers of help and tables, and returns the state shown.
        start: see `open_lesson`.   welcome: draws a line above the page, for who comes alone and on a screen.
        beyond: draws what follows the body, with links that take the World along.
    """
    above = st.empty() if welcome else None
    opened = open_lesson(lesson, lessons, start)
    if bet.state(lesson) != bet.CLOSED:
        bet_page.draw(opened)
        return
    if above and welcome and not (opened.lecture or permalink.embedded() or session().course.words):
        with above:
            welcome()
    middle, after = st.container(), st.container(key="beyond") if beyond else None
    below, end = st.container(key="drawers", gap="xsmall"), st.container()
    whole = True  # the first drawing belongs to this run of the whole page

    def draw() -> State | None:
        nonlocal whole
        # First, and whatever becomes of the body: all places outside that the fragment ever writes to.
        session().runs.wait_spot.empty()
        links = end.container(key="neighbours", horizontal=True)
        spot = after and after.container()
        page = opened.in_fragment()
        if not whole:  # else `open_lesson` has
            pending.restore()
            # Also those that are not drawn: a browser may still send the value of another page's control.
            reset_invalid(lesson.knobs.values())
            address.along(lesson)
        whole, page = False, page.refreshed()
        shown = None  # of a body that stops before it returns
        with page.body():
            shown = body(page)
            session().runs.waits = {}
        pending.discard()  # also where the body stopped by itself: what is set from here on is the reader's
        address.write(lesson)
        if not permalink.hidden("drawers"):
            with links:
                drawers.neighbours(page)
            if spot and beyond:
                with spot:
                    beyond()
        return shown

    with middle:
        if drawers.any_open():
            with st.container():  # as a fragment has one: the charts stay the same elements
                shown = draw()
        else:
            shown = st.fragment(draw)()
    with below:
        drawers.fold(opened.refreshed(), shown)
