"""Title and last page of a course."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from lessons.record import LECTURE, Lesson, lesson_of
from shell.hall import speaker
from shell.hall.bets import bet
from shell.hall.course import bar, pictures
from shell.hall.course.walk import Walk, walk
from shell.hall.room import room
from shell.links import address, permalink, reach
from shell.links.share_drawer import draw_code, draw_hall
from shell.notation import translate as symbols
from shell.page.frame import begin_plain
from shell.page.knobs import draw as draw_knob
from shell.server.scripts import asset
from shell.session import session

HOW = "Press **Page Down**, a clicker or the button below to go on, **Page Up** to go back."
PICTURED = 6  # stops up to which the last page has room for pictures: more stand in two columns of text


def due(lessons: Sequence[Lesson]) -> Walk | None:
    """Return the walk where the address asks for its title or its last page; None on every other page."""
    here = walk(lessons)
    return here if here is not None and here.stop is None else None


def draw(here: Walk, lessons: Sequence[Lesson]) -> None:
    """Draw the title or the last page of a course.

    Args:
        lessons: all of them, in the order of the menu.
    """
    begin_plain(f"course {here.at}", lessons[0].file, here.course.title, "🧭", lessons)
    with st.container(key="topbar", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.title(bar.title_of(here, lessons), anchor=False)
        if draw_knob(LECTURE):
            st.html(f"<style>{asset('lecture.css')}</style>")
    st.html(f"<style>{asset('course/pages.css')}</style>")
    with st.container(key="course_page"):
        (_last if here.at else _title)(here, lessons)
    room.wall()
    speaker.button_of_course(here.course, lessons, bool(st.session_state.get("lecture")))
    bar.draw(here, lessons)
    address.write(None)


def _title(here: Walk, lessons: Sequence[Lesson]) -> None:
    """Draw what the course is good for, its stops with their minutes, and the way to it."""
    left, right = st.columns([2 if room.code() else 3, 1], gap="large")  # the code of a room is read from far away
    with left:
        st.markdown(here.course.promise)
        st.markdown("\n".join(f"1. {bar.outline(one, lessons)} · {one.stop.minutes} min" for one in here.stops))
        st.caption(HOW)
        if not st.session_state.get("lecture"):
            with st.container(key="course_who", horizontal=True, vertical_alignment="center"):
                st.markdown("**Alone or in a hall?**")
                bar.link(here.after, lessons, "Alone")
                bar.link(here, lessons, "In a hall: large type, speaker window, phones", hall=True)
    with right, st.container(key="course_code"):
        if not room.code():
            there = permalink.link_with(here.course.words())
            draw_code(there, "QR code of the course")
            st.caption(there)
            if st.session_state.get("lecture") and reach.is_local(st.context.url or ""):
                draw_hall()
        if room.code() or st.session_state.get("lecture"):
            room.panel("title", narrow=True)


def _last(here: Walk, lessons: Sequence[Lesson]) -> None:
    """Draw what each stop has shown, with the way back to it, and how many hands of the hall were right there."""
    for there in here.stops:
        lesson, stop = lesson_of(there.stop.lesson, lessons), there.stop
        outline = bar.outline(there, lessons)
        with st.container(key=f"course_seen_{there.at}", gap="xxsmall"):
            bar.link(there, lessons, f"{there.at}. {outline}")
            symbols.markdown(session().course.hall.get(bet.question(there.words(), lesson), "") + stop.finding(lesson))
            if len(here.stops) <= PICTURED:
                pictures.draw(stop, lesson, f"Last picture of {outline}", f"course_picture_{there.at}")
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover("Where to read on: the five papers", icon=":material/menu_book:"):
            symbols.markdown(asset("words/papers.md"))
        permalink.page_link(lessons[0].file, "All lessons, to try it yourself", icon=":material/explore:")
    if room.code():
        room.panel("last")
