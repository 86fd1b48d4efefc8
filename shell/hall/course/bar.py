"""The bar of a course: which stop this is, what comes next, and the button that does the next thing of the stop.

Page Down, a clicker and the button are one. What they do next is decided in the browser (assets/course/course.js),
which knows whether a film runs; to another page they go by the links that stand here unseen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from answers.address import VERSION, question
from answers.state import BET, LESSON, State
from figures.theme import Theme
from lessons.record import CLOSED, Lesson, lesson_of
from shell.hall.bets import bet
from shell.hall.course.courses import COURSES, SHORT
from shell.hall.course.walk import Walk
from shell.links import address, pending, permalink
from shell.notation import translate as symbols
from shell.server.modules import component
from shell.server.scripts import asset
from shell.session import session

LAST = "What we have seen"  # title of the last page
# How often it ends like this is told once the film has come there.
UNTOLD = "html:not(.tvbo-told) :is(.st-key-odds_spot, .st-key-odds_spot *) { visibility: hidden; }"


def draw(here: Walk, lessons: Sequence[Lesson], lesson: Lesson | None = None) -> None:
    """Draw the bar of a page in a course.

    Args:
        lessons: all of them, in the order of the menu.   lesson: of the page; None on the title and on the last page.
    """
    aside = lesson is not None and not _at_stop(here, lesson)
    state = bet.state(lesson) if lesson is not None else CLOSED
    revealed, asks = state == bet.REVEALED, state == bet.COVERED
    after = here.after
    with st.container(key="course_links"):
        for name, there in (("before", here if revealed or aside else here.before), ("after", after)):
            with st.container(key=f"course_{name}"):
                link(there, lessons, title_of(there, lessons), over=there == here.before)
    plays = here.stop is not None and here.stop.plays and lesson is not None and not aside
    data = {
        "reset": f"{here.at}:{aside}:{state}",
        "scene": pending.scene_name(),
        "where": _where(here, aside),
        "next": "" if after == here else title_of(after, lessons),
        "begin": here.at == 0,
        "answers": len(lesson.bet.options) if asks else 0,
        "question": bet.question(here.words(), lesson) if asks or revealed else "",
        "version": VERSION,
        "hands": list(lesson.bet.counted(st.session_state["hands"])) if revealed else [],
        "ahead": None if asks else film_of(after, lessons),  # it may hold the answer
        "revealed": revealed,
        "plays": here.stop.moment_of(lesson).t if plays else None,
    }
    with st.container(key="course_bar"):
        st.html(f"<style>{asset('course/frame.css')}{UNTOLD if plays else ''}</style>")
        mount = component("tvbo_course", "course/course")
        mount(key=bet.HALL, data=data, default={"hands": ""}, on_hands_change=lambda: None)


def _at_stop(here: Walk, lesson: Lesson) -> bool:
    """Return whether the page shows its stop; another page, another moment and a bet that was left are looks aside."""
    stop = here.stop
    if stop is None or stop.lesson != lesson.key:
        return False
    return bet.state(lesson) != CLOSED if stop.asks else (st.session_state.get("moment") or "") == stop.moment


def _where(here: Walk, aside: bool) -> str:
    """Return which stop this is, or from a look aside the one to which a step back leads."""
    if here.stop is None:
        return ""
    return f"{'back to ' if aside else ''}{here.at} of {len(here.course.stops)}"


def film_of(here: Walk, lessons: Sequence[Lesson]) -> dict | None:
    """Return what the browser needs to ask for the film with which a stop opens; None where that has no address."""
    if here.stop is None:
        return None
    lesson, bets = lesson_of(here.stop.lesson, lessons), here.stop.asks
    values = lesson.bet.opens_with if bets else here.stop.moment_of(lesson).values
    return film_question(lesson, values, BET if bets else LESSON)


def film_question(lesson: Lesson, values: Mapping[str, object], view: str) -> dict | None:
    """Return what the browser needs to ask for a film of a lesson, in the look of now; None where it has no address.

    Args:
        values: those that are not the lesson's defaults.   view: of `answers.state`.
    """
    values = lesson.defaults | dict(values)
    if not lesson.has_address(values):
        return None
    theme = Theme(permalink.dark(), bool(st.session_state.get("lecture")))
    return question(State(lesson, values, lesson.t, view, theme, symbols.paper()))


def course_view(here: Walk, lessons: Sequence[Lesson]) -> dict:
    """Return what the speaker window shows of a course: its stops with minutes, where we are, and what comes next."""
    after = here.after
    return {
        "at": here.at,
        "stops": [(outline(one, lessons), one.stop.minutes, one.stop.spare) for one in here.stops],
        "next": "" if after == here else title_of(after, lessons),
        "line": _line(after, lessons) if after.stop else "",
    }


def _line(here: Walk, lessons: Sequence[Lesson]) -> str:
    """Return the line of a stop for the lecturer, or the question of its bet."""
    lesson = lesson_of(here.stop.lesson, lessons)
    return symbols.to_plain(here.stop.moment_of(lesson).script)


def title_of(here: Walk, lessons: Sequence[Lesson]) -> str:
    """Return what a page of a course is called."""
    stop = here.stop
    if stop is None:
        return LAST if here.at else here.course.title
    return lesson_of(stop.lesson, lessons).title


def outline(here: Walk, lessons: Sequence[Lesson]) -> str:
    """Return a stop in a few words, with what it shows."""
    lesson = lesson_of(here.stop.lesson, lessons)
    return f"{lesson.title}: {symbols.to_plain(here.stop.moment_of(lesson).title)}"


def link(here: Walk, lessons: Sequence[Lesson], label: str, *, over: bool = False, hall: bool = False) -> None:
    """Draw the link to a page of a course; it keeps the look of this one.

    Args:
        over: whether the film of its stop has come to its end.   hall: it opens in lecture type.
    """
    stop = here.stop
    words = here.words() | (stop.query(over) if stop else {}) | permalink.display_words()
    words |= {"lecture": "true"} if hall else {}
    # As a step in the history has: two stops may be on one page, and a question is a step back from its answer.
    words |= address.as_step()
    file = lesson_of(stop.lesson, lessons).file if stop else lessons[0].file  # title and last page are the front page's
    permalink.page_link(file, label, query_params=words)


def course_links(lessons: Sequence[Lesson]) -> None:
    """Draw a link to the title of each course, the reader's own last; it asks who walks it (`pages.py`)."""
    mine = session().course.own
    for course in [*COURSES.values(), *([mine] if mine and mine.stops else [])]:
        name = SHORT.get(course.key, course.title)  # a title of somebody's own is whole
        words = course.words() | {"stop": "0"} | permalink.display_words() | address.as_step()
        permalink.page_link(lessons[0].file, name, query_params=words, help=course.title)
