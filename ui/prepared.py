"""Settings that a moment, a bet or the way back prepares for the page.

The next key can cut a run short before every control is drawn; Streamlit then takes the old value of such a control
from the browser again. So prepared values hold until their control was drawn with them, or a run came to its end.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st


def prepare(values: Mapping[str, object], t: int) -> None:
    """Set these knobs and the time, and begin a new scene: the player jumps to its start."""
    st.session_state["_prepared"] = dict(values)
    restore()
    st.session_state["_t"] = t
    st.session_state["_scene"] = st.session_state.get("_scene", 0) + 1


def restore() -> None:
    """At the start of a run: what was prepared and has not been drawn yet."""
    for key, value in st.session_state.get("_prepared", {}).items():
        st.session_state[key] = value


def drawn(key: str) -> None:
    """This control stands on the page with its prepared value."""
    st.session_state.get("_prepared", {}).pop(key, None)


def settled() -> None:
    """The run has come to its end, or another page has begun."""
    st.session_state.pop("_prepared", None)
