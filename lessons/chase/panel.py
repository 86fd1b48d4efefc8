"""The chase on the page: its controls beside the stage, the sentence above it, the set-up below."""

from __future__ import annotations

import streamlit as st

from lessons.chase import model
from lessons.chase.knobs import BY_HAND, CHASE
from lessons.chase.model import Chase
from lessons.chase.setting import setting_from
from shell.page.page import LessonPage
from shell.session import session


def _restore_hill() -> None:
    for key in BY_HAND:
        st.session_state[key] = CHASE[key].default


def show(page: LessonPage) -> Chase:
    """Draw the lesson and return its film."""
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
        scene = page.scene(values)
        frame = page.show(scene, scene.at_time(session().t))
        page.notes_and_caption(scene, frame)
    return model.chase(setting_from(values))
