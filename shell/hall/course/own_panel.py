"""The moments that a reader keeps, in the drawer of the link: a course of one's own, with order, minutes and title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from common.escape import unlinked
from common.formats import plural
from lessons.record import APART, Lesson
from shell.hall.course import bar
from shell.hall.course.courses import OWN_TITLE, Course, Stop
from shell.hall.course.own import LINE, MOST, NUMBERS, TITLE, base_of, kept_moment, toml
from shell.hall.course.walk import Walk
from shell.notation import translate as symbols
from shell.session import session

FILE = "my_course.toml"
WHAT = (
    "A moment keeps the settings and the time of this page, with a title and a sentence. Your moments and bets make a "
    "lecture that Page Down walks through. Its title page has its link and QR code. A server that is started with "
    f"`streamlit run app.py -- --with {FILE}` lists it on its front page."
)


def draw(lesson: Lesson, lessons: Sequence[Lesson]) -> None:
    """Draw the form that keeps the page as a moment, and the course of what is kept.

    Args:
        lessons: all of them, in the order of the menu.
    """
    st.markdown("**Keep as my moment**")
    st.caption(WHAT)
    course = _kept()
    base, full = base_of(lesson, st.session_state.get("moment")), len(course.stops) >= MOST
    row = {"horizontal": True, "vertical_alignment": "bottom"}
    with st.form("own_keep", border=False, clear_on_submit=True), st.container(**row):
        title = st.text_input("Title", key="own_title", placeholder=base.title, max_chars=TITLE)
        line = st.text_input("Sentence to say", key="own_line", placeholder=base.script, max_chars=LINE)
        plays = st.checkbox("Play the film up to here", key="own_plays")
        kept = st.form_submit_button("Keep as my moment", icon=":material/bookmark_add:", disabled=full)
    if kept:
        knobs = {key: knob for key, knob in lesson.knobs.items() if key not in APART and knob.linked}
        values = lesson.settings(st.session_state)
        changed = {key: values[key] for key, knob in knobs.items() if values[key] != knob.default}
        moment = kept_moment(title or base.title, line or base.script, session().t, changed)
        _add(Stop(lesson.key, plays=plays, kept=moment))
        st.rerun()
    if lesson.bet and all(one.name != f"{lesson.key}.bet" for one in course.stops):
        st.button("Add the bet of this lesson", on_click=_add, args=(Stop(lesson.key),), key="own_bet")
    if course.stops:
        _course(course, lessons)


def _course(course: Course, lessons: Sequence[Lesson]) -> None:
    """Draw title, order and minutes of the course, its file and the way to it."""
    st.text_input("Title of the course", course.title, key="own_course_title", max_chars=TITLE, on_change=_rename)
    row = {"horizontal": True, "vertical_alignment": "center"}
    for at, here in enumerate(Walk(course, 0).stops):
        with st.container(**row, key=f"own_stop_{at}"):
            symbols.markdown(f"{at + 1}. {bar.outline(here, lessons)}")
            key, most = f"own_minutes_{at}", NUMBERS["minutes"].high
            st.session_state[key] = here.stop.minutes
            st.number_input("Minutes", 1, most, key=key, on_change=_time, args=(at, key), width=140)
            st.button("Earlier", on_click=_lift, args=(at,), disabled=at == 0, key=f"own_up_{at}")
            st.button("Remove", on_click=_drop, args=(at,), key=f"own_drop_{at}")
    with st.container(**row):
        bar.link(Walk(course, 0), lessons, f"Begin: {plural(course.minutes, 'minute')}", hall=True)
        st.download_button("Save as a file", toml(course), FILE, "application/toml", key="own_save", on_click="ignore")


def _kept() -> Course:
    return session().course.own or Course("", OWN_TITLE, "", ())


def _set(stops: Sequence[Stop]) -> None:
    session().course.own = replace(_kept(), stops=tuple(stops))


def _add(stop: Stop) -> None:
    _set([*_kept().stops, stop])


def _rename() -> None:
    title = unlinked(st.session_state["own_course_title"], TITLE) or OWN_TITLE
    session().course.own = replace(_kept(), title=title)


def _time(at: int, number: str) -> None:
    _set([replace(one, minutes=st.session_state[number]) if i == at else one for i, one in enumerate(_kept().stops)])


def _lift(at: int) -> None:
    stops = list(_kept().stops)
    stops.insert(at - 1, stops.pop(at))
    _set(stops)


def _drop(at: int) -> None:
    _set([one for i, one in enumerate(_kept().stops) if i != at])
