"""The task of a page: the button that begins and ends it, and its line in the place of the headline.

A course leads the reader, and a moment has its line to say where the button stands: there a task is neither offered nor
shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from common.formats import plural
from lessons.record import APART, TASK, beside, label_of
from lessons.task import NO_TASK
from shell.links import permalink
from shell.links.pending import prepare
from shell.notation import translate as symbols
from shell.page import sheet
from shell.session import session

if TYPE_CHECKING:
    from lessons.record import Lesson
    from lessons.task import Task


def current_task(lesson: Lesson) -> Task | None:
    """Return the task that is begun on this page, None without one."""
    return next((task for task in lesson.tasks if task.key == st.session_state.get(TASK)), None)


def _offered(lesson: Lesson) -> bool:
    led = permalink.embedded() or session().course.words or st.session_state.get("moment")
    return bool(lesson.tasks) and not led and not permalink.hidden(TASK)


def button(lesson: Lesson) -> None:
    """Draw the button that begins the page's task, goes to the next one, or ends the last."""
    if not _offered(lesson):
        return
    keys = [NO_TASK, *(task.key for task in lesson.tasks)]
    now = current_task(lesson)
    after = keys[(keys.index(now.key if now else NO_TASK) + 1) % len(keys)]
    st.button(
        "End the task" if after == NO_TASK else "Try another" if now else "Try it",
        on_click=_go,
        args=(lesson, after),
        key="task_next",
        icon=":material/flag:",
    )


def open_task(lesson: Lesson) -> Task | None:
    """Return the task that is shown, None without one."""
    return current_task(lesson) if _offered(lesson) else None


def line(lesson: Lesson, lessons: Sequence[Lesson], task: Task, verdict: Mapping[str, Any]) -> None:
    """Draw a task with its verdict (`answers.page.judged`).

    One that is done says why and what comes next, which opens without this page's settings; it goes onto the reader's
    sheet.
    """
    settings = f"{plural(verdict['changed'], 'setting')} changed"
    state = f"**Done, with {settings}:**" if verdict["done"] else "**Not yet:**"
    with st.container(key="task_line", horizontal=True, vertical_alignment="center"):
        icon = ":material/check_circle:" if verdict["done"] else ":material/flag:"
        symbols.markdown(f"{icon} {task.goal}\n\n{state} {verdict['measurement']}. {verdict['why']}".rstrip())
        if not verdict["done"]:
            return
        for after in beside(lesson, lessons)[1]:
            label, look = f"Next: {label_of(after, lessons)}", symbols.link_words() or None
            permalink.page_link(after.file, label, icon=":material/arrow_forward:", query_params=look)
        if not st.session_state.get("lecture"):
            sheet.after_task(lesson, task, verdict["measurement"])


def _go(lesson: Lesson, key: str) -> None:
    """Begin a task where the page opens, at the time that it names; end one where the page stands."""
    if key == NO_TASK:
        st.session_state[TASK] = NO_TASK
        return
    begins = next(task.t for task in lesson.tasks if task.key == key)
    opening = {k: value for k, value in lesson.defaults.items() if k not in APART}
    prepare(opening | {TASK: key}, lesson.t if begins is None else begins)
