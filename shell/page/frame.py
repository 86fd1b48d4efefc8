"""The frame around every lesson: title, menu, live sentence, moments, bet.

Every page begins with `open_lesson`, so that a link into a fresh server draws the whole frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from answers import link
from lessons.record import CLOSED, GROUPS, LECTURE, Lesson, label_of, lesson_of
from shell.glossary import notes
from shell.hall import embed
from shell.hall.bets import bet
from shell.hall.course import bar as course_bar
from shell.hall.course.walk import parse, walk
from shell.hall.room import room
from shell.links import address, pending, permalink
from shell.links.parse import apply_link, toast_dropped
from shell.links.words import words_of
from shell.notation import translate as symbols
from shell.page import sheet, tasks
from shell.page.knobs import draw, reset_invalid
from shell.page.layout import Places
from shell.page.moments import choose_moment
from shell.page.page import LessonPage
from shell.runs.run_panel import close_page
from shell.server.scripts import asset
from shell.session import session
from shell.stage import skeleton
from shell.stage.player import screens


def page_config(title: str, icon: str) -> None:
    """Set title and wide layout of a page, whose stage takes one screen of a phone unless its scene says more."""
    st.set_page_config(
        page_title=f"{title} · drifting rewards lab", page_icon=icon, layout="wide", initial_sidebar_state="collapsed"
    )
    screens(1)


GLOSSARY = "pages/Glossary.py"


def menu(carried: Mapping[str, str], lessons: Sequence[Lesson]) -> None:
    """Draw the menu of all pages; its links take the visitor's World (`carried`) along."""
    with st.popover("Lessons", icon=":material/menu:", key="menu", on_change="rerun") as box:
        if box.open:
            with st.container(gap="xxsmall", width=symbols.MENU_PIXELS):
                for group in ("", *GROUPS):
                    if group:
                        st.caption(group)
                    for lesson in (one for one in lessons if one.group == group):
                        st.page_link(
                            lesson.file, label=label_of(lesson, lessons), query_params=link_parameters(carried, lesson)
                        )
                st.caption("Courses")
                course_bar.course_links(lessons)
                st.caption("Words and letters")
                glossary_link(carried)
                symbols.switch()
                st.caption("For your teacher")
                sheet.button("sheet_menu")


def glossary_link(carried: Mapping[str, str]) -> None:
    """Draw the link to the glossary."""
    permalink.page_link(GLOSSARY, "Glossary", icon=":material/book_2:", query_params=link_parameters(carried))


def link_parameters(carried: Mapping[str, str], lesson: Lesson | None = None) -> dict[str, str] | None:
    """Return what a link to another page takes along: the visitor's World (`carried`) and the letters in use.

    Args:
        lesson: of that page, whose knobs may not allow a value that others do; None for a page without knobs.
    """
    return {**(link.fitting(carried, lesson) if lesson else carried), **symbols.link_words()} or None


def begin_plain(name: str, file: str, title: str, icon: str, lessons: Sequence[Lesson]) -> None:
    """Begin a page that is no lesson: read its link once, and keep the theme that it asks for.

    Args:
        name, file: of the page in the session.   lessons: all of them, in the order of the menu.
    """
    page_config(title, icon)
    words = words_of(st.query_params)
    here, wrong = parse({key: raws[-1] for key, raws in words.items()}, lessons)
    session().course.words = here.words() if here else {}
    if session().page != name or address.stepped():
        st.session_state["menu"] = False
        close_page()
        # A course that is opened, and not walked back to, is for a hall.
        opens = ["true"] if here and "stop" not in words else ()
        lecture, problem = link.setting(LECTURE, words.get(LECTURE.key, opens))
        toast_dropped([*wrong, problem] if problem else wrong)
        st.session_state["lecture"] = bool(lecture or st.session_state.get("lecture"))
        permalink.apply_words(
            display := permalink.link_words(), lecture=bool(lecture), whole="v" in display or address.stepped()
        )
        address.read(file)
        session().page = name
    permalink.apply_theme()


def open_glossary(lessons: Sequence[Lesson]) -> None:
    """Draw the page of the glossary.

    Args:
        lessons: all of them, in the order of the menu.
    """
    begin_plain(GLOSSARY, GLOSSARY, "Glossary", "📖", lessons)
    with st.container(key="topbar", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        _heading("Glossary", "What do the words mean?")
        menu(session().world, lessons)
    _way_back(lessons)
    notes.mount(lessons)
    _way_back(lessons)
    address.write(None)


def _way_back(lessons: Sequence[Lesson]) -> None:
    """Draw the link to the page that the reader came from, as it stood; to the first lesson for who came from none."""
    key, address = session().left or (lessons[0].key, {})
    lesson = lesson_of(key, lessons)
    label = f"Back to {label_of(lesson, lessons)}"
    permalink.page_link(lesson.file, label, icon=":material/arrow_back:", query_params=address or None)


def open_lesson(lesson: Lesson, lessons: Sequence[Lesson], start: Callable[[], None] | None = None) -> LessonPage:
    """Draw the frame around a page and return it; the first call of every page.

    Args:
        lessons: all of them, in the order of the menu.
        start: draws, beside the question, where a newcomer begins; in a course, at a bet or a task one has begun.
    """
    page_config(lesson.title, lesson.icon)
    session().marked = {}
    here = walk(lessons)
    session().course.words = here.words() if here else {}
    if session().page != lesson.key:
        st.session_state["menu"] = st.session_state["more"] = False  # closed, however the last page was left
        session().visit += 1
        session().scene, session().past = 0, []
        pending.forget()
        close_page()
        session().page = None  # first and last: after a run that is stopped between, any page reads its link
        apply_link(lesson, lessons)
        session().page = lesson.key
    elif address.stepped():
        apply_link(lesson, lessons)
    pending.restore()
    reset_invalid((*lesson.knobs.values(), LECTURE))
    permalink.apply_theme()
    bet.keep(lesson)
    betting = bet.state(lesson) != CLOSED
    with st.container(key="topbar", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        slot = _draw_question(lesson) if betting else _heading(lesson.title, lesson.question)
        if start is not None and not (here or betting or permalink.embedded() or tasks.open_task(lesson)):
            start()
        lecture = draw(LECTURE)
        address.along(lesson)
        if not permalink.hidden("menu"):
            menu(session().world, lessons)
    if here and not permalink.embedded():
        course_bar.draw(here, lessons, lesson)
    held: tuple[DeltaGenerator, ...] = ()
    if not betting:
        slot, held = skeleton.first(st.container(key="finding_spot"), skeleton.SENTENCE, bool(lecture))
    session().runs.wait_spot = st.empty()
    if lecture:
        st.html(f"<style>{asset('lecture.css')}</style>")
    if permalink.embedded():
        embed.draw(lesson, asks=betting)
    # Moments and live sentence would tell the answer of a bet.
    moment = None if betting else choose_moment(lesson, lessons, hall=bool(lecture))
    dark = permalink.dark()
    notes.mount()
    if not betting:
        room.wall(seen=False)
    session().view = None  # films of a hundred visitors would fill the memory
    time, places = session().t, Places(held=held)
    return LessonPage(lesson, lessons, dark, lecture, moment, time, pending.scene_name(), slot, places)


def _heading(name: str, question: str) -> DeltaGenerator:
    """Draw the page's name, small, before its question."""
    with st.container(key="heading", horizontal=True, vertical_alignment="center", gap="small"):
        if not permalink.embedded():
            st.markdown(name, width="content")
        return st.title(question, anchor=False)


def _draw_question(lesson: Lesson) -> DeltaGenerator:
    """Draw the question of a bet, and return the place over it for the answer (assets/bet.css)."""
    with st.container(key="asked"):
        st.title(symbols.to_markdown(lesson.bet.question), anchor=False)
        return st.container(key="answered")
