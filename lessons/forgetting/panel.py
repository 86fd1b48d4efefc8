"""Regret against memory on its page: the curves that are there at once, and the runs that are still to come."""

from __future__ import annotations

from functools import partial

from common import cache
from lessons.forgetting import model, words
from lessons.forgetting.model import MemorySweep, Setting
from lessons.forgetting.scene import Board, board
from lessons.record import Values
from lessons.shared import problems, stored_runs
from shell.run_panel import RunSet, available_results, panel, run_set
from shell.runs import RUNS

PAGE = "forgetting"  # the name of the run set
LONG_SECONDS = 15.0  # runs that take longer wait for a button that says so
FIRST_SECONDS = 0.4  # the first seed may take while the reader waits


def follow(values: Values, alone: bool) -> tuple[Board, RunSet]:
    """Return everything that is drawn as far as the runs have come, and order what is missing unless it takes long.

    Args:
        alone: whether the bowl on the stage is all that is shown: other methods and worlds are not played then.
    Raises:
        ValueError: a world that cannot be.
    """
    past, every = model.chosen(values)
    setting = every.bowl(past.world) if alone else every
    problems.problem(past.world)  # complains before anything is ordered
    runs = run_set(PAGE, setting, lambda: _run_set(setting))
    runs.look()
    runs.begin(model.seconds, LONG_SECONDS)
    key = ("forgetting", repr(setting), runs.mark)
    return board(values, cache.kept(key, lambda: model.finished(setting, runs.results))), runs


def _run_set(setting: Setting) -> RunSet:
    """Return the runs, with the first seed of the method on the stage where that is a matter of moments."""
    runs = RunSet(setting, tuple(model.jobs(setting)))
    runs.learn(available_results(runs.jobs, partial(stored_runs.runs, file=model.FILE)))
    first = [job for job in model.starter(setting) if job not in runs.results] if runs.missing else []
    if model.seconds(first) < FIRST_SECONDS:
        runs.play(first)
    return runs


def progress(sweep: MemorySweep, runs: RunSet) -> None:
    """Draw what is still to come; the page is drawn anew when another seed of a method has come in."""
    shown = {key: curve.seeds for key, curve in sweep.curves.items()}

    def fresh() -> bool:
        now = model.whole_seeds(runs.setting, runs.results)
        return {key: len(seeds) for key, seeds in now.items() if key[0] != "gp"} != shown

    cost = model.seconds(runs.missing) / RUNS.workers
    panel(
        PAGE,
        runs,
        paused=words.pause(sweep, runs.cancelled),
        start=words.start(len(runs.missing), cost, runs.cancelled),
        seconds=model.seconds,
        progress=lambda done, left: words.progress(runs.setting, done, len(runs.jobs), left),
        fresh=fresh,
    )
