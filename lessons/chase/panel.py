"""The chase on the page: its controls beside the stage, the sentence above it, the set-up below."""

from __future__ import annotations

import streamlit as st

from answers.state import State
from lessons.chase.knobs import BY_HAND, CHASE
from shell.page.page import LessonPage


def _restore_hill() -> None:
    for key in BY_HAND:
        st.session_state[key] = CHASE[key].default


def show(page: LessonPage) -> State:
    """Draw the lesson and return the state that is shown."""
    stage, controls = page.columns()
    with controls:
        values = page.all_knobs()
        if values["clicks"] != CHASE["clicks"].default:
            st.button(
                "Leave my game's world",
                on_click=_restore_hill,
                icon=":material/logout:",
                key="as_drawn",
                width="stretch",
                help="Returns to the page's own hill, without your queries.",
            )
    with stage:
        shown = page.show(page.state(values))
        page.notes_and_caption(shown)
    return shown
