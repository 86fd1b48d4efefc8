"""The lecture pack in the export drawer: choice of moments, progress, download."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import streamlit as st

from common.formats import plural
from lessons.record import Lesson
from shell.export import course_pack, lecture_pack
from shell.hall.course.courses import COURSES
from shell.runs.jobs import Job
from shell.runs.run_panel import RunSet, panel, run_set
from shell.session import session

PAGE = "pack"  # the name of the run set
SOME, ALL = "Moments of your choice", "All moments of all lessons"


def draw(lesson: Lesson, lessons: Sequence[Lesson]) -> None:
    """Draw the progress of a pack under way, else the choice of moments and the download of the last pack."""
    known = lecture_pack.entries(lessons)
    runs = _runs()
    runs.poll()
    if runs.missing and not runs.cancelled:
        panel(PAGE, runs)
        return
    if runs.jobs and not runs.missing:
        session().pack = _archive(session().pack_names, lessons, runs.results)
        runs.jobs, runs.results, runs.order = (), {}, None  # the zip holds them now
    own = [name for name, entry in known.items() if entry.lesson.key == lesson.key]
    what = st.selectbox(
        "What goes in", [SOME, ALL, *COURSES], format_func=_titled, key="pack_what", persist_state="page"
    )
    names = [what] if what in COURSES else list(known)
    if what == SOME:
        names = st.multiselect(
            "Moments", names, own, lambda name: known[name].title, key="pack_moments", persist_state="page"
        )
    count = "this course" if what in COURSES else plural(len(names), "moment")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Make the pack of {count}",
            on_click=_order,
            args=(names, lessons),
            disabled=not names,
            key="pack_make",
            icon=":material/inventory_2:",
        )
        if saved := session().pack:
            st.download_button(
                f"Save the last pack ({len(saved) / 1e6:.1f} MB)",
                saved,
                "lecture.zip",
                "application/zip",
                key="pack_save",
                icon=":material/download:",
                type="primary",
                on_click="ignore",
            )
    if runs.cancelled:
        st.info("The lecture pack was stopped; nothing was kept.", icon=":material/info:")


def _runs() -> RunSet:
    """Return the pages that the visitor has ordered; there are none at first."""
    return run_set(PAGE, None, lambda: RunSet(None, (), "the pages of the pack", _seconds))


def _order(names: list[str], lessons: Sequence[Lesson]) -> None:
    """Order the pages of a pack; without any page the pack is an index, made at once."""
    session().pack_names = names
    runs = _runs()
    runs.results = {}
    runs.want(lecture_pack.jobs(_wanted(names, lessons), walks=names[0] in COURSES))
    if runs.missing:
        runs.start()
    else:
        session().pack = _archive(names, lessons, {})


def _wanted(names: Sequence[str], lessons: Sequence[Lesson]) -> list[lecture_pack.PackEntry]:
    """Return the pages of a course, or of these moments."""
    course = COURSES.get(names[0])
    return course_pack.entries(course, lessons) if course else lecture_pack.chosen(names, lessons)


def _archive(names: Sequence[str], lessons: Sequence[Lesson], results: Mapping) -> bytes:
    """Return the zip of what was ordered."""
    return lecture_pack.archive(_wanted(names, lessons), results, COURSES.get(names[0]))


def _titled(what: str) -> str:
    """Return what goes in, as the choice writes it."""
    return f"The course “{COURSES[what].title}”" if what in COURSES else what


def _seconds(pages: Iterable[Job]) -> float:
    """Return about how long these pages take on one core."""
    return lecture_pack.PAGE_SECONDS * len(list(pages))
