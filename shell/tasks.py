"""The task of a page: the button that begins and ends it, and its line under the stage.

A course leads the reader, a moment has its line to say where the button stands, and a hall has no room for it: there a
task is neither offered nor shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from lessons.record import APART, TASK
from lessons.task import NO_TASK
from shell.links import permalink
from shell.links.pending import prepare
from shell.notation import translate as symbols
from shell.session import session

if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.record import Lesson, Values
    from lessons.task import Facts, Task


def chosen(lesson: Lesson) -> Task | None:
    """Return the task that the page is at, None without one."""
    return next((task for task in lesson.tasks if task.key == st.session_state.get(TASK)), None)


def _offered(lesson: Lesson, hall: bool) -> bool:
    led = hall or session().course or st.session_state.get("moment")
    return bool(lesson.tasks) and not led and not permalink.hidden(TASK)


def button(lesson: Lesson, *, hall: bool) -> None:
    """Draw the button that begins the page's task, goes to the next one, or ends the last.

    Args:
        hall: lecture type.
    """
    if not _offered(lesson, hall):
        return
    keys = [NO_TASK, *(task.key for task in lesson.tasks)]
    now = chosen(lesson)
    after = keys[(keys.index(now.key if now else NO_TASK) + 1) % len(keys)]
    st.button(
        "End the task" if after == NO_TASK else "Try another" if now else "Try it",
        on_click=_go,
        args=(lesson, after),
        key="task_next",
        icon=":material/flag:",
        help="Controls stay as they are." if after == NO_TASK else "A goal to reach with the page's own controls.",
    )


def line(lesson: Lesson, values: Values, facts: Callable[[], Facts], *, hall: bool) -> bool:
    """Draw the chosen task with what the engine says about the page as it stands; return whether there is one.

    Args:
        values: of all knobs.   facts: returns those of the last frame.   hall: lecture type.
    """
    task = chosen(lesson) if _offered(lesson, hall) else None
    if task is None:
        return False
    verdict, changed = task.judge(values, facts()), task.changed(lesson.knobs, values)
    settings = f"{changed} setting{'s' * (changed != 1)} changed"
    told = f"**Done, with {settings}:**" if verdict.done else "**Not yet:**"
    with st.container(key="task_line"):
        icon = ":material/check_circle:" if verdict.done else ":material/flag:"
        symbols.markdown(f"{icon} {task.goal} {told} {verdict.said}.")
    return True


def _go(lesson: Lesson, key: str) -> None:
    """Begin a task where the page opens; end one where the page stands."""
    if key == NO_TASK:
        st.session_state[TASK] = NO_TASK
        return
    prepare({k: knob.default for k, knob in lesson.knobs.items() if k not in APART} | {TASK: key}, lesson.t)
    st.session_state["moment"] = None
