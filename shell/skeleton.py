"""Skeletons: what holds the place of the stage and the sentence, in their size, until they are drawn.

Only the first drawing of a visit has one: later a chart stays where it is while a new one is computed.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

STAGE, SENTENCE = "skeleton", "skeleton sentence"  # classes of assets/style.css


def is_due(lecture: bool) -> bool:
    """Return whether no stage was drawn yet in this visit and type size."""
    return st.session_state.get("_staged") != (st.session_state.get("_visit"), lecture)


def is_over(lecture: bool) -> None:
    """Note that the stage is drawn."""
    st.session_state["_staged"] = (st.session_state.get("_visit"), lecture)


def held(box: DeltaGenerator, kind: str) -> DeltaGenerator:
    """Return the first place in a container, with a skeleton in it: whatever is drawn there replaces it."""
    place = box.empty()
    place.html(f'<div class="{kind}" aria-hidden="true"></div>')
    return place
