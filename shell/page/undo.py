"""Undo of the last change of a control, and the way back to the page as it opens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from lessons.record import BET_KNOBS, Lesson
from shell.links import pending
from shell.session import session

MAX_STEPS = 50  # changes that can be taken back


@dataclass(frozen=True)
class State:
    """A state of a page: number of the visit, values of its knobs without the bet's, chosen moment, time."""

    visit: int
    values: Mapping[str, object]
    moment: str | None
    t: int


def buttons(lesson: Lesson) -> None:
    """Draw both buttons, and remember the state that the page has now."""
    past = _remember(lesson)
    with st.container(key="undo", gap="xxsmall"):
        st.button(
            "Undo",
            on_click=_undo,
            key="undo_last",
            icon=":material/undo:",
            shortcut="Ctrl+Z",
            type="tertiary",
            disabled=len(past) < 2,
            help="Takes back the last change of a control.",
        )
        st.button(
            "Reset",
            on_click=_as_opened,
            args=(lesson,),
            key="undo_all",
            type="tertiary",
            icon=":material/restart_alt:",
            help="Controls and time as on an untouched page.",
        )


def _remember(lesson: Lesson) -> list[State]:
    """Add the state of now to those of this visit, the latest last; another time alone is no change."""
    state = st.session_state
    values = {key: value for key, value in lesson.settings(state).items() if key not in BET_KNOBS}
    now = State(session().visit, values, state.get("moment"), session().t)
    past = session().past
    if past and past[-1].visit != now.visit:
        past.clear()
    if past and (past[-1].values, past[-1].moment) == (now.values, now.moment):
        past[-1] = now
    else:
        past.append(now)
    del past[: -MAX_STEPS - 1]  # the states before those changes, and the one of now
    return past


def _undo() -> None:
    past = session().past
    if len(past) < 2:
        return
    now, t = past.pop(), session().t
    back = past[-1]
    pending.prepare(back.values, t if now.moment == back.moment else back.t, back.moment)


def _as_opened(lesson: Lesson) -> None:
    pending.prepare(lesson.defaults, lesson.t)
