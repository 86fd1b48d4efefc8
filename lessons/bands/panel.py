"""Panels that wait for a result: coverage over repeated worlds, and the certificate by the conic program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from common.escape import safe_cells
from lessons.bands import coverage, place, words
from lessons.bands.coverage import Coverage
from lessons.bands.setting import BandSetting
from shell.page.events import move_place
from shell.page.page import CLOSER
from shell.runs.run_panel import compute
from shell.session import of_lesson


@dataclass
class BandsSession:
    """State that this lesson keeps: setting, time and arm that were asked to be certified."""

    certified: tuple[BandSetting, int, int] | None = None


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


def certify(setting: BandSetting, t: int, arm: int) -> None:
    """Draw the button that solves the conic program at this time and arm, and its answer once it was pressed."""
    asked = (setting, t, arm)
    if st.button("Certify with the conic program", icon=":material/verified:", help=words.CERTIFY_HELP):
        of_lesson(BandsSession).certified = asked
    if of_lesson(BandsSession).certified == asked:
        with st.spinner("Solving six conic programs, a few seconds…"):
            answer = place.certificates(setting, t, arm)
        st.info(answer) if isinstance(answer, str) else st.dataframe(safe_cells(answer), hide_index=True)
