"""Drifting rewards on a phone: how many screens the panels take."""

from __future__ import annotations

import streamlit as st


def swiped(view: str) -> None:
    """On a phone give the heat maps and the drift so far a screen each; the hills fit on one."""
    if view != "hills":
        st.html("<style>:root { --abreast: 3; }</style>")
