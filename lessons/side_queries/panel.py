"""Side queries on their page: what is there at once, and the runs that are still to come."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from common import cache
from lessons.shared import stored_runs
from lessons.side_queries import model, pickers, words
from lessons.side_queries.model import FirstSeed, RegretVsQueries, Setting
from lessons.side_queries.pickers import TwoPickers
from shell.player import screens
from shell.run_panel import RunSet, available_results, computed, panel, run_set
from shell.runs import RUNS

PAGE = "side_queries"  # the name of the run set
LONG_SECONDS = 12.0  # longer work waits for a button that says so


def follow(setting: Setting) -> tuple[FirstSeed, RegretVsQueries, TwoPickers | None, RunSet]:
    """Return the first seed in full and the others as far as they have come; order what is missing unless it is long.

    The third is there where two ways to pick are on the stage.

    Raises:
        ValueError: a world that cannot be, or what a method refuses.
    """
    first = model.first_seed(setting, computed)
    pair = pickers.first_seeds(first, computed) if setting.view == "picks" else {}
    runs = run_set(PAGE, setting, lambda: _run_set(setting, first, pair))
    runs.look()
    runs.begin(model.seconds, LONG_SECONDS)
    key = ("side queries", repr(setting), runs.mark)
    costs = cache.kept(key, lambda: model.regret_vs_queries(setting, runs.results))
    if not pair:
        return first, costs, None, runs
    return first, costs, cache.kept(("pickers", *key), lambda: pickers.two_pickers(setting, pair, runs.results)), runs


def swiped(view: str) -> None:
    """On a phone give all views but the first, which fits on one screen, four of them beside each other."""
    if view != "questions":
        screens(4)


def _run_set(setting: Setting, first: FirstSeed, pair: Mapping[str, FirstSeed]) -> RunSet:
    """Return the runs; those of the first seed are on the page in full, so they are there."""
    wanted, whole = model.jobs(setting), model.first_runs(setting, first)
    if pair:
        wanted, whole = wanted + pickers.jobs(setting), whole | pickers.first_runs(setting, pair)
    runs = RunSet(setting, tuple(wanted))
    runs.learn(available_results(runs.jobs, partial(stored_runs.runs, file=model.FILE)) | whole)
    for job, run in whole.items():
        RUNS.keep(job, run)
    return runs


def progress(runs: RunSet) -> None:
    """Draw what is still to come; the page is drawn anew when all has come in."""
    panel(
        PAGE,
        runs,
        paused=words.pause(runs.cancelled),
        start=words.start(len(runs.missing), model.seconds(runs.missing) / RUNS.workers),
        seconds=model.seconds,
        progress=lambda done, left: words.progress(runs.setting.seeds, done, len(runs.jobs), left),
    )
