"""The chase on the page: its controls beside the stage, the sentence above it, the set-up below."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from figures.theme import Theme
from lessons.chase import model
from lessons.chase.knobs import BY_HAND, CHASE, MORE, SHOWN
from lessons.chase.model import ARMS, ROUNDS, STEPS, Chase
from lessons.chase.scene import drawn
from shell.page.events import paused_frame
from shell.page.page import LessonPage


def _as_drawn() -> None:
    for key in BY_HAND:
        st.session_state[key] = CHASE[key].default


def ask() -> None:
    """Take a question of the reader: those of later rounds are played again without the reader."""
    said = st.session_state["player"].get("ask")
    if isinstance(said, Mapping) and _whole(said.get("t"), ROUNDS * len(STEPS)) and _whole(said.get("place"), ARMS):
        before = model.questions(str(st.session_state["asked"]))
        row = said["t"] // len(STEPS)
        st.session_state["asked"] = model.written(model.asked_here(before, row, said["place"]))


def _whole(value: object, below: int) -> bool:
    return type(value) is int and 0 <= value < below


def show(page: LessonPage) -> Chase:
    """Draw the lesson and return its film."""
    stage, controls = page.columns()
    with controls:
        shown = SHOWN if st.session_state["clicks"] == "none" else page.acting(SHOWN)
        values = page.values | page.draw(shown) | page.more_knobs(MORE)
        if values["clicks"] != CHASE["clicks"].default:
            st.button(
                "Leave my game's world",
                on_click=_as_drawn,
                icon=":material/logout:",
                key="as_drawn",
                width="stretch",
                help="The page's own hill, and no question of yours.",
            )
    with stage:
        film = page.or_stop(lambda: model.chase(model.setting_from(values)))
        scene = drawn(
            film,
            bool(values["unseen"]),
            paused_frame(film.frames),
            Theme(page.dark, page.lecture),
            bool(values["reshape"]),
        )
        page.show(scene, on_ask=ask)
        page.notes_and_caption(scene)
    return film
