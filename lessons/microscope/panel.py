"""The microscope's page in the session: where its sweep opens."""

from __future__ import annotations

import streamlit as st

from lessons.microscope.model import MicroscopeResult
from lessons.record import CLOSED
from shell.stage.player import film_before


def start(found: MicroscopeResult, t: int, reset: str) -> int:
    """Return the frame at which the sweep opens: another statement begins where it says most, else at t."""
    if before := film_before(found.key, reset):
        return t if before == found.key else found.tells
    # A moment and a bet set the time; a link to a statement alone begins where the statement says most.
    knows = st.session_state.get("moment") or st.session_state.get("guess", CLOSED) != CLOSED
    return t if knows or "t" in st.query_params else found.tells
