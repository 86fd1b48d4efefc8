"""The bowls on their page: what is shown at once, and the runs that are still to come."""

from __future__ import annotations

import streamlit as st

from lessons.forgetting import model as forgetting
from lessons.forgetting import words as forgetting_words
from lessons.forgetting.model import Bowls, Setting
from lessons.shared import cache
from shell.run_panel import RunSet, at_hand, panel, run_set
from shell.runs import RUNS

PAGE = "bowls"  # the name of the run set
LONG_SECONDS = 15.0  # runs that take longer wait for a button that says so
MOMENT_SECONDS = 0.4  # the first seed may take while the reader waits


def follow(setting: Setting, rows: tuple[int, ...]) -> tuple[Bowls, RunSet]:
    """Return the bowls as far as they have come, and order what is missing unless that takes long."""
    runs = run_set(PAGE, setting, lambda: _run_set(setting))
    runs.look()
    runs.begin(forgetting.seconds, LONG_SECONDS)
    every = cache.kept(("bowls", repr(setting), runs.mark), lambda: forgetting.gathered(setting, runs.results))
    return every.at(rows), runs


def _run_set(setting: Setting) -> RunSet:
    """Return the runs, with the first seed of the method on the stage where that is a matter of moments."""
    runs = RunSet(setting, tuple(forgetting.jobs(setting)))
    runs.learn(at_hand(runs.jobs, forgetting.FILE))
    if runs.missing:
        first = forgetting.jobs(Setting(setting.worlds, setting.front, setting.width, 1), ("gp", setting.front))
        first = [job for job in first if job not in runs.results]
        if forgetting.seconds(first) < MOMENT_SECONDS:
            runs.play(first)
    return runs


def desk(bowls: Bowls, runs: RunSet) -> None:
    """Draw what is still to come; the page is drawn anew when another seed of a method has come in."""
    shown = {method: bowl.seeds for (method, _), bowl in bowls.bowls.items()}

    def fresh() -> bool:
        now = forgetting.whole(runs.setting, runs.results)
        return {method: len(seeds) for method, seeds in now.items() if seeds and method != "gp"} != shown

    cost = forgetting.seconds(runs.missing) / RUNS.workers
    panel(
        PAGE,
        runs,
        paused=forgetting_words.pause(bowls, runs.cancelled),
        start=forgetting_words.start(len(runs.missing), cost, runs.cancelled),
        seconds=forgetting.seconds,
        progress=lambda done, left: forgetting_words.progress(runs.setting, done, len(runs.jobs), left),
        fresh=fresh,
    )


def pin() -> None:
    """A click on a panel of the estimates moves the place; it is told as a share of the way."""
    share = st.session_state["player"].get("x")
    if share is not None:
        st.session_state["place"] = round(min(max(float(share), 0.0), 1.0), 2)
