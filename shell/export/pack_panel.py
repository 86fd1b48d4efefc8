"""The lecture pack in the export drawer: choice of moments, progress, download."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from common.durations import duration
from lessons.record import Lesson
from shell.export import lecture_pack
from shell.jobs import Job
from shell.run_panel import RunSet, panel, run_set
from shell.session import session

PAGE = "pack"  # the name of the run set


def draw(lesson: Lesson, lessons: Sequence[Lesson]) -> None:
    """Draw the progress of a pack under way, else the choice of moments and the download of the last pack."""
    known = lecture_pack.entries(lessons)
    runs = run_set(PAGE, None, lambda: RunSet(None))
    runs.look()
    if runs.missing and not runs.cancelled:
        panel(
            PAGE,
            runs,
            paused="",
            start="",
            seconds=_seconds,
            progress=lambda done, left: f"{done} of {len(runs.jobs)} moments are written, {duration(left)} to go",
        )
        return
    if runs.jobs and not runs.missing:
        wanted = [known[name] for name in session().pack_names]
        session().pack = lecture_pack.archive(wanted, runs.results)
        runs.jobs, runs.results, runs.order = (), {}, None  # the zip holds them now
    own = [name for name, entry in known.items() if entry.lesson.key == lesson.key]
    names = list(known)
    if not st.toggle("All moments of all lessons", key="pack_all"):
        names = st.multiselect("Moments", names, own, lambda name: known[name].title, key="pack_moments")
    count = f"{len(names)} moment{'s' if len(names) != 1 else ''}"
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


def _order(names: list[str], lessons: Sequence[Lesson]) -> None:
    """Order the pages of a pack; without any page the pack is an index, made at once."""
    wanted = lecture_pack.chosen(names, lessons)
    session().pack_names = [entry.name for entry in wanted]
    runs = run_set(PAGE, None, lambda: RunSet(None))
    runs.results = {}
    runs.want(lecture_pack.jobs(wanted))
    if runs.missing:
        runs.start(_seconds)
    else:
        session().pack = lecture_pack.archive(wanted, {})


def _seconds(pages: Iterable[Job]) -> float:
    """Return about how long these pages take on one core."""
    return lecture_pack.PAGE_SECONDS * len(list(pages))
