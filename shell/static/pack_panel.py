"""The pack in the export drawer: choice of moments or a course, what it leaves out, progress, download."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from common.formats import plural
from lessons.record import Lesson
from shell.hall.course.courses import COURSES, Course, Stop
from shell.notation import translate as symbols
from shell.runs.jobs import Job
from shell.runs.run_panel import RunSet, panel, run_set
from shell.session import session
from shell.static import build

PAGE = "pack"  # the name of the run set
SOME, ALL = "Moments of your choice", "All moments of all lessons"
OWN = "My course"


def draw(lesson: Lesson, lessons: Sequence[Lesson]) -> None:
    """Draw the progress of a pack under way, else the choice of what goes in and the download of the last pack."""
    runs = run_set(PAGE, None, lambda: RunSet(None, (), "the films of the pack", _seconds))
    runs.poll()
    if runs.missing and not runs.cancelled:
        panel(PAGE, runs)
        return
    if runs.jobs and not runs.missing:
        course, paper = session().pack.course
        session().pack.made = build.file_name(course), *build.archive(course, lessons, runs.results, paper)
        runs.jobs, runs.results, runs.order = (), {}, None  # the zip holds them now
    course = _choice(lesson, lessons)
    if course:
        st.caption(build.left_out(course, lessons))
    count = "this course" if course and course.key else plural(len(course.stops) if course else 0, "moment")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Make the pack of {count}",
            on_click=_order,
            args=(course, lessons, runs),
            disabled=course is None,
            key="pack_make",
            icon=":material/inventory_2:",
        )
        if session().pack.made:
            name, saved, missing = session().pack.made
            st.download_button(
                f"Save {name} ({len(saved) / 1e6:.1f} MB)",
                saved,
                name,
                "application/zip",
                key="pack_save",
                icon=":material/download:",
                type="primary",
                on_click="ignore",
            )
            for sentence in missing:
                st.warning(sentence, icon=":material/warning:")
    if runs.cancelled:
        st.info("The pack was stopped; nothing was kept.", icon=":material/info:")


def _choice(lesson: Lesson, lessons: Sequence[Lesson]) -> Course | None:
    """Draw the choice of what goes in, and return it as a course; None where no moment is chosen."""
    mine = session().course.own
    courses = COURSES | ({OWN: mine} if mine and mine.stops else {})
    what = st.selectbox(
        "What goes in", [SOME, ALL, *courses], format_func=_titled, key="pack_what", persist_state="page"
    )
    if what in courses:
        return courses[what]
    if what == ALL:
        return build.course_of_moments(["all"], lessons)
    titles = {
        Stop(one.key, moment.key).name: f"{n}.{k} · {moment.title}"
        for n, one in enumerate(lessons)
        for k, moment in enumerate(one.moments, start=1)
    }
    own = [name for name in titles if name.startswith(f"{lesson.key}.")]
    names = st.multiselect("Moments", list(titles), own, titles.__getitem__, key="pack_moments", persist_state="page")
    return build.course_of_moments(names, lessons) if names else None


def _order(course: Course, lessons: Sequence[Lesson], runs: RunSet) -> None:
    """Order the films of a pack; a pack without any is made at once."""
    session().pack.course = course, symbols.paper()
    runs.results = {}
    runs.set_jobs(build.packed(course, lessons, symbols.paper()))
    if runs.missing:
        runs.start()
    else:
        session().pack.made = build.file_name(course), *build.archive(course, lessons, {})


def _titled(what: str) -> str:
    """Return what goes in, as the choice writes it."""
    return f"The course “{COURSES[what].title}”" if what in COURSES else what


def _seconds(films: Iterable[Job]) -> float:
    """Return about how long these films take on one core, in both looks."""
    return 2 * build.FILM_SECONDS * len(list(films))
