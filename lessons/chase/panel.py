"""The chase on the page: its controls beside the stage, the sentence above it, the set-up below."""

from __future__ import annotations

import streamlit as st

from common.cache import kept
from figures.theme import Theme
from lessons.chase import component, model, words
from lessons.chase.knobs import BY_HAND, CHASE, SHOWN
from lessons.chase.model import Chase
from shell.visit import Visit, paused_frame, remember_time

BESIDE_THE_BAR = component.ASSETS / "hall.css"


def _as_drawn() -> None:
    for key in BY_HAND:
        st.session_state[key] = CHASE[key].default


def show(visit: Visit) -> Chase:
    """Draw the lesson and return its film."""
    stage, controls = visit.columns(film=False)
    spot = stage.container(key="stage_own")
    if visit.lecture:
        st.html(BESIDE_THE_BAR)
        visit.lead_slot.append(stage.container(key="player_row", horizontal=True).container(key="lead"))
    with controls:
        drawn = SHOWN if st.session_state["clicks"] == "none" else visit.acting(SHOWN)
        values = visit.values | visit.draw(drawn) | visit.more(("hill",))
        touched = any(values[key] != CHASE[key].default for key in BY_HAND)
        if touched:
            st.button(
                "Take my changes back" if len(drawn) == len(SHOWN) else "Leave my game's world",
                on_click=_as_drawn,
                icon=":material/undo:",
                key="as_drawn",
                width="stretch",
                help="The hill as it was drawn, and no question of yours.",
            )
    with stage:
        film = visit.or_stop(lambda: model.chase(model.setting(values)))
        theme = Theme(visit.dark, visit.lecture)
        start = paused_frame(film.frames)
        with spot:
            frame = component.stage(
                film,
                bool(values["unseen"]),
                theme,
                start,
                visit.reset,
                visit.question(),
            )
        remember_time(frame)
        said = kept((film.setting, values["unseen"], "chase"), lambda: words.finding(film, bool(values["unseen"])))
        visit.live_sentence(said, frame, lambda: model.facts(film, film.frames - 1))
        visit.caption(words.caption(film))
    return film
