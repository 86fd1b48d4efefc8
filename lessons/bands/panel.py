"""Work of the page besides drawing: it measures coverage in a worker, and opens the closer look at a place."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from lessons.bands import coverage
from lessons.bands.coverage import Coverage
from lessons.bands.setting import BandSetting
from shell.page.events import move_place
from shell.page.page import CLOSER
from shell.runs.run_panel import compute


def measured_coverage(still: BandSetting) -> Coverage:
    """Return how often each band covered; where that takes long, a worker does it and the page says so."""
    return compute(coverage.measured, still, seconds=coverage.expected_seconds(still))


def look_closer(span: Sequence[float]) -> None:
    """Move the place to a click on the stage, and open the drawer that looks at it closely.

    Args:
        span: first and last place of the stage's axis.
    """
    move_place(span)
    st.session_state[f"{CLOSER}glass"] = True
