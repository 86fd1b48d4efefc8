"""The R-PERP page in the session: where its film opens, and how many worlds test eq. 9."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from lessons.rperp import coverage
from lessons.rperp.coverage import FEW_WORLDS, MANY_WORLDS, CoverageRows
from lessons.rperp.model import PairedRuns, Walkthrough
from lessons.rperp.setting import RPERPSetting
from lessons.rperp.steps import frame_of
from shell.runs.run_panel import compute
from shell.session import of_lesson
from shell.stage.player import screens


@dataclass
class RperpSession:
    """State that this lesson keeps.

    Attributes:
        scene, grain, frames, batch: of the frame that was on screen: its scene, the size of its steps, the frames of
            its film, and its batch.
        many_worlds: setting whose worlds should be many.
    """

    scene: str = ""
    grain: str = ""
    frames: int = 0
    batch: int = 0
    many_worlds: RPERPSetting | None = None


def make_swipeable(order: str) -> None:
    """On a phone give Algorithm 1 three screens beside each other; the errors of both orders fit on one."""
    screens(1 if order == "both" else 3, many=True)


def start(walk: Walkthrough, visit: str, t: int) -> int:
    """Return the frame at which a film opens: at the batch that was on screen before another film of this visit."""
    was = of_lesson(RperpSession)
    if was.scene == visit and (was.grain, was.frames) != (walk.grain, len(walk.steps)):
        return frame_of(walk.steps, was.batch)
    return t


def remember(walk: Walkthrough, visit: str, frame: int) -> None:
    """Keep what is on screen, for another grain."""
    kept = of_lesson(RperpSession)
    kept.scene, kept.grain, kept.frames = visit, walk.grain, len(walk.steps)
    kept.batch = walk.steps[frame].batch


def world_count(setting: RPERPSetting) -> int:
    """Return in how many worlds the coverage of this setting is measured."""
    return MANY_WORLDS if of_lesson(RperpSession).many_worlds == setting else FEW_WORLDS


def coverage_rows(runs: PairedRuns) -> CoverageRows:
    """Return the rows of the coverage panel, from a worker where they take long."""
    worlds = world_count(runs.setting)
    seconds = coverage.seconds(runs, worlds)
    return coverage.rows(runs, worlds, lambda *row: compute(coverage.score, *row, seconds=seconds))


def more_worlds(runs: PairedRuns) -> None:
    """Draw a button for more worlds, which says how long they take."""
    if world_count(runs.setting) >= MANY_WORLDS:
        return
    seconds = max(1, round(coverage.seconds(runs, MANY_WORLDS) * len(coverage_rows(runs))))
    words = f"Measure {MANY_WORLDS} worlds, about {seconds} s"
    st.button(words, on_click=_ask, args=(runs.setting,), key="many_worlds", icon=":material/play_arrow:")


def _ask(setting: RPERPSetting) -> None:
    of_lesson(RperpSession).many_worlds = setting
