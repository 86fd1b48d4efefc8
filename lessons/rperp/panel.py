"""The R-PERP page in the session: where its film opens, and how many worlds test eq. 9."""

from __future__ import annotations

import streamlit as st

from lessons.rperp import coverage
from lessons.rperp.coverage import FEW_WORLDS, MANY_WORLDS, CoverageRow
from lessons.rperp.model import PairedRuns, Walkthrough
from lessons.rperp.setting import Setting
from shell.run_panel import computed
from tvbo_core.policies.elimination.steps import frame_of


def open_shown_restart(reset: str) -> None:
    """From batches or restarts to lines, open the restart that was on screen. Call it before the controls."""
    was = st.session_state.get("_walkthrough")
    if was and was["visit"] == reset and was["grain"] != "line" and st.session_state.get("grain") == "line":
        st.session_state["interval"] = was["interval"]


def start(walk: Walkthrough, visit: str, t: int) -> int:
    """Return the frame at which a film opens: at the batch that was on screen before another film of this visit."""
    was = st.session_state.get("_walkthrough")
    if was and was["visit"] == visit and (was["grain"], was["frames"]) != (walk.grain, len(walk.steps)):
        return frame_of(walk.steps, was["batch"])
    return t


def remember(walk: Walkthrough, visit: str, frame: int) -> None:
    """Keep what is on screen, for another grain or restart."""
    batch = walk.steps[frame].batch
    st.session_state["_walkthrough"] = {"visit": visit, "grain": walk.grain, "frames": len(walk.steps),
                                        "batch": batch, "interval": walk.runs.batches[batch].interval}  # fmt: skip


def world_count(setting: Setting) -> int:
    """Return in how many worlds the coverage of this setting is measured."""
    return MANY_WORLDS if st.session_state.get("_many_worlds") == setting else FEW_WORLDS


def coverage_rows(runs: PairedRuns) -> list[CoverageRow]:
    """Return the rows of the coverage panel, from a worker where they take long."""
    worlds = world_count(runs.setting)
    seconds = coverage.seconds(runs, worlds)
    return coverage.rows(runs, worlds, lambda *row: computed(coverage.score, *row, seconds=seconds))


def more_worlds(runs: PairedRuns) -> None:
    """Draw a button for more worlds, which says how long they take."""
    if world_count(runs.setting) >= MANY_WORLDS:
        return
    seconds = max(1, round(coverage.seconds(runs, MANY_WORLDS) * len(coverage_rows(runs))))
    words = f"Measure {MANY_WORLDS} worlds, about {seconds} s"
    st.button(words, on_click=_ask, args=(runs.setting,), key="many_worlds", icon=":material/play_arrow:")


def _ask(setting: Setting) -> None:
    st.session_state["_many_worlds"] = setting
