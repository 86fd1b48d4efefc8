"""Drifting rewards on a phone: how many panels stand beside each other."""

from __future__ import annotations

import streamlit as st

MAPS_ABREAST = 3


def swiped(view: str, worlds: int) -> None:
    """On a phone give each hill a screen, or the heat maps and the drift so far one each."""
    abreast = worlds if view == "hills" else MAPS_ABREAST
    st.html(f"<style>:root {{ --abreast: {abreast}; }}</style>")
