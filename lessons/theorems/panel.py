"""The theorems page in the session: where its sweep opens, and the runs that are still to come."""

from __future__ import annotations

import streamlit as st

from lessons.shared.durations import duration
from lessons.theorems import bound_vs_regret
from lessons.theorems.bound_vs_regret import BoundVsRegret, RunSetting
from lessons.theorems.knobs import RATES
from lessons.theorems.model import OPENING_FRAMES
from shell.run_panel import RunSet, available_results, panel, run_set
from shell.runs import RUNS

PAGE = "meeting"  # the name of the run set
FIRST_SECONDS, LATER_SECONDS = 0.25, 0.05  # of play in place: when the page opens, and after a slider has been moved
LONG_SECONDS = 60.0  # runs that take longer wait for a button that says so


def start(view: str, measure: str, t: int, reset: str) -> int:
    """Return the frame at which the film opens: another view or measure begins at its own one, else where it was."""
    before = st.session_state.get("_sweep")
    st.session_state["_sweep"] = (view, measure, reset)
    turned = before is not None and before[2] == reset and before[:2] != (view, measure)
    if not turned:
        return t
    return OPENING_FRAMES[measure] if view == RATES else bound_vs_regret.MOST_HORIZONS


def follow(setting: RunSetting) -> tuple[BoundVsRegret, RunSet]:
    """Return what is proved at once, and the runs as far as they have come.

    Raises:
        ValueError: a world that cannot be.
    """
    bound_vs_regret.proved(setting)  # a world that cannot be is refused before it is played
    short = LATER_SECONDS if PAGE in st.session_state.get("_run_sets", {}) else FIRST_SECONDS
    runs = run_set(PAGE, setting, lambda: _run_set(setting, short))
    runs.look()
    runs.begin(bound_vs_regret.job_seconds, LONG_SECONDS)
    return bound_vs_regret.gather(setting, runs.results), runs


def _run_set(setting: RunSetting, short: float) -> RunSet:
    """Return the runs, all of them played in place where that takes at most so many seconds."""
    runs = RunSet(setting, tuple(job for _, job in bound_vs_regret.jobs(setting)))
    runs.learn(available_results(runs.jobs, bound_vs_regret.FILE))
    if runs.missing and bound_vs_regret.seconds(setting) <= short:
        runs.play(runs.missing)
    return runs


def progress(found: BoundVsRegret, runs: RunSet) -> None:
    """Draw the progress while runs are under way; the page is drawn anew when they are done."""
    name, cost = found.setting.rule.name, bound_vs_regret.job_seconds(runs.missing) / RUNS.workers
    panel(
        PAGE,
        runs,
        paused=f"{found.done} of {found.total} runs are there.",
        start=f"Run the rest: {len(runs.missing)} runs, {duration(cost)}",
        seconds=bound_vs_regret.job_seconds,
        progress=lambda done, left: f"Playing {name}: {done}/{found.total} runs done, {duration(left)}",
    )
