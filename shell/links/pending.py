"""Pending values of widgets, which a moment, a bet or the reset button has set.

A rerun can stop a run before every widget is drawn; Streamlit then takes the old value of such a widget from the
browser again. So pending values are set at the start of each run until their widget was drawn or a run was completed.
A pause that the browser sends before it knows the new scene carries the old values of all widgets: the name of its
scene tells, and all values of the new scene are set again.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st


def prepare(values: Mapping[str, object], t: int) -> None:
    """Set these knobs and the time, and begin a new scene, at whose time the player starts."""
    state = st.session_state
    state["_prepared"], state["_scenery"], state["_told"] = dict(values), (dict(values), t), _last_pause()
    restore()
    state["_t"] = t
    state["_scene"] = state.get("_scene", 0) + 1


def restore() -> None:
    """Set the pending values again, at the start of a run."""
    state = st.session_state
    for key, value in state.get("_prepared", {}).items():
        state[key] = value
    values, t = state.get("_scenery", ({}, 0))
    if not values:
        return
    pause = _last_pause()
    new = pause is not None and pause != state.get("_told")
    if new and str(pause.get("reset", "")).split(":")[:3] != scene_name().split(":"):
        for key, value in values.items():
            state[key] = value
        state["_t"] = t
    else:  # values that the reader has changed since are no longer set again
        state["_scenery"] = {k: v for k, v in values.items() if state.get(k) == v}, t
    state["_told"] = pause


def scene_name() -> str:
    """Return page, visit and scene that a time belongs to, as "page:visit:scene"."""
    state = st.session_state
    return f"{state.get('_page', 0)}:{state.get('_visit', 0)}:{state.get('_scene', 0)}"


def _last_pause() -> Mapping | None:
    """Return the last pause that the browser sent: its time and its scene."""
    player = st.session_state.get("player")
    pause = player.get("t") if isinstance(player, Mapping) else None
    return pause if isinstance(pause, Mapping) else None


def mark_drawn(key: str) -> None:
    """Note that this widget was drawn with its pending value."""
    st.session_state.get("_prepared", {}).pop(key, None)


def discard() -> None:
    """Drop the pending values, at the end of a run."""
    st.session_state.pop("_prepared", None)


def forget() -> None:
    """Drop everything that is pending, when another page begins."""
    discard()
    st.session_state.pop("_scenery", None)
