"""Undo of the last change of a control, and the way back to the page as it opens."""

from __future__ import annotations

import streamlit as st

from answers.state import State
from lessons.record import BET_KNOBS, Lesson
from shell.links import pending
from shell.session import session

MAX_STEPS = 50  # changes that can be taken back


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
    """Add the state of now, without its bet, to this visit's and return them; another time alone is no change."""
    chosen, past = st.session_state, session().past
    values = {key: value for key, value in lesson.settings(chosen).items() if key not in BET_KNOBS}
    now = State(lesson, values, session().t, moment=chosen.get("moment"))
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
