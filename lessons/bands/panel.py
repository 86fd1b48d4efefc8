"""Panels that wait for a result: coverage over repeated worlds, and the certificate by the conic program."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from common.escape import safe_cells
from lessons.bands import coverage, place, words
from lessons.bands.coverage import Coverage, CoverageJob
from lessons.bands.setting import BandSetting
from lessons.record import Scene
from shell.page.events import move_place
from shell.page.page import CLOSER
from shell.runs.run_panel import SHORT_SECONDS, RunSet, panel, run_set
from shell.session import of_lesson
from tvbo_core.jobs import Failure

PAGE = "coverage"  # the name of the run set


@dataclass
class BandsSession:
    """State that this lesson keeps: setting, time and arm that were asked to be certified."""

    certified: tuple[BandSetting, int, int] | None = None


def measured_coverage(still: BandSetting) -> Coverage:
    """Return how often each band covered, once `coverage_is_there`."""
    return _runs(still).results[CoverageJob(still)]


def exported(scene: Scene, still: BandSetting | None) -> Scene:
    """Return the scene with the charts that an export can draw now: the coverage once it is measured."""
    if still is None or isinstance(_runs(still).results.get(CoverageJob(still)), Coverage):
        return scene
    return replace(scene, stills={key: one for key, one in scene.stills.items() if key != "coverage"})


def coverage_is_there(still: BandSetting) -> bool:
    """Return whether the coverage has been measured; where that takes long, a worker does it and the page says so."""
    runs = _runs(still)
    if runs.missing and coverage.expected_seconds(still) < SHORT_SECONDS:
        runs.play(runs.missing)
    runs.poll()
    runs.begin(math.inf)
    panel(PAGE, runs)
    found = runs.results.get(CoverageJob(still))
    if isinstance(found, Failure):
        st.info(found.sentence, icon=":material/info:")
    return isinstance(found, Coverage)


def _runs(still: BandSetting) -> RunSet:
    what = f"the coverage in {coverage.WORLDS} worlds"
    seconds = coverage.expected_seconds(still)  # of a job
    return run_set(
        PAGE, still, lambda: RunSet(still, (CoverageJob(still),), what, lambda jobs: sum(seconds for _ in jobs))
    )


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
