"""Panels that wait for a result: coverage over repeated worlds, and the certificate by the conic program."""

from __future__ import annotations

import streamlit as st

from lessons.bands import coverage, model, words
from lessons.bands.coverage import Coverage
from lessons.bands.model import BandSetting
from lessons.shared.escape import safe_cells
from shell.run_panel import computed


def measured_coverage(still: BandSetting) -> Coverage:
    """Return how often each band covered, over repeated still worlds; from a worker where that takes long."""
    return computed(coverage.measured, still, seconds=coverage.expected_seconds(still))


def certify(setting: BandSetting, t: int, arm: int) -> None:
    """Draw the button that solves the conic program at this time and arm, and its answer once it was pressed."""
    asked = (setting, t, arm)
    if st.button("Certify with the conic program", icon=":material/verified:", help=words.CERTIFY_HELP):
        st.session_state["certified"] = asked
    if st.session_state.get("certified") == asked:
        with st.spinner("Solving six conic programs, a few seconds…"):
            answer = model.certificates(setting, t, arm)
        st.info(answer) if isinstance(answer, str) else st.dataframe(safe_cells(answer), hide_index=True)
