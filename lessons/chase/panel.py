"""The chase on the page: its controls beside the stage, the sentence above it, the set-up below."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from lessons.chase import model, setting
from lessons.chase.knobs import BY_HAND, CHASE
from lessons.chase.model import STEPS, Chase
from lessons.chase.setting import ARMS, ROUNDS
from shell.page.page import LessonPage
from shell.session import session


def _restore_hill() -> None:
    for key in BY_HAND:
        st.session_state[key] = CHASE[key].default


def ask() -> None:
    """Keep a query of the reader; those of later rounds are dropped."""
    query = st.session_state["player"].get("ask")
    if isinstance(query, Mapping) and _whole(query.get("t"), ROUNDS * len(STEPS)) and _whole(query.get("place"), ARMS):
        before = setting.queries(str(st.session_state["asked"]))
        row = query["t"] // len(STEPS)
        st.session_state["asked"] = setting.query_code(setting.with_query(before, row, query["place"]))


def _whole(value: object, below: int) -> bool:
    return type(value) is int and 0 <= value < below


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
        frame = page.show(scene, scene.at_time(session().t), on_ask=ask)
        page.notes_and_caption(scene, frame)
    return model.chase(setting.setting_from(values))
