"""Recorder of the page of this run, from which the export drawer writes its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from shell.export.snapshot import Chart, PageSnapshot, Reel

SPOT = "_snapshot"  # key of the record in the session
KEEP = "_snapshot_kept"  # key that keeps the record after the run


def begin(number: int, title: str, question: str, dark: bool, lecture: bool) -> None:
    """Start the record of a page, in place of that of the last run."""
    st.session_state[SPOT] = PageSnapshot(number, title, question, dark, lecture)


def current() -> PageSnapshot | None:
    """Return the record of the page that is drawn now, None where no lesson is open."""
    return st.session_state.get(SPOT)


def clear() -> None:
    """Drop the record at the end of a run, because the films of a hundred visitors would fill the memory."""
    if not st.session_state.get(KEEP):
        st.session_state.pop(SPOT, None)


def add_chart(key: str, figure: Any, alt: str) -> None:
    """Record a chart."""
    if page := current():
        page.charts[key] = Chart(figure, alt)


def add_film(head: Mapping[str, Any], packed: Mapping[str, Any], frame: int) -> None:
    """Record the film of the player."""
    if page := current():
        page.reel = Reel(head, packed, frame)


def add_sentences(sentences: Sequence[str], index: Sequence[int], dark: bool, hall: bool) -> None:
    """Record the live sentences."""
    if page := current():
        page.said = {"sentences": sentences, "index": index, "dark": dark, "hall": hall}


def add_caption(caption: str) -> None:
    """Record the set-up below the stage."""
    if page := current():
        page.caption = caption
