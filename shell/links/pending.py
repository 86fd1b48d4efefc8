"""Settings that a moment, a bet or the way back prepares for the page.

The next key can cut a run short before every control is drawn; Streamlit then takes the old value of such a control
from the browser again. So prepared values hold until their control was drawn with them, or a run came to its end.
And a pause that the browser told before it had heard of the new scene carries the old values of all controls: it
is known by the scene it names, and everything that was prepared is set once more.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st


def prepare(values: Mapping[str, object], t: int) -> None:
    """Set these knobs and the time, and begin a new scene: the player jumps to its start."""
    state = st.session_state
    state["_prepared"], state["_scenery"], state["_told"] = dict(values), (dict(values), t), _told()
    restore()
    state["_t"] = t
    state["_scene"] = state.get("_scene", 0) + 1


def restore() -> None:
    """At the start of a run: what was prepared and has not reached the browser yet."""
    state = st.session_state
    for key, value in state.get("_prepared", {}).items():
        state[key] = value
    values, t = state.get("_scenery", ({}, 0))
    if not values:
        return
    told = _told()
    if told is not None and told != state.get("_told") and told.get("reset", "").split(":")[:3] != scene().split(":"):
        for key, value in values.items():
            state[key] = value
        state["_t"] = t
    else:  # what the reader has moved since is the reader's
        state["_scenery"] = {k: v for k, v in values.items() if state.get(k) == v}, t
    state["_told"] = told


def scene() -> str:
    """The page, the visit and the moment that a time belongs to."""
    state = st.session_state
    return f"{state.get('_page', 0)}:{state.get('_visit', 0)}:{state.get('_scene', 0)}"


def _told() -> Mapping | None:
    """The last pause that the browser told: its time, and the scene it belongs to."""
    player = st.session_state.get("player")
    return player.get("t") if isinstance(player, Mapping) else None


def drawn(key: str) -> None:
    """This control stands on the page with its prepared value."""
    st.session_state.get("_prepared", {}).pop(key, None)


def settled() -> None:
    """The run has come to its end."""
    st.session_state.pop("_prepared", None)


def forget() -> None:
    """Another page has begun."""
    settled()
    st.session_state.pop("_scenery", None)
