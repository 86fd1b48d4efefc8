"""The theorems page in the session: where its sweep opens, and the runs that are still to come."""

from __future__ import annotations

from functools import partial

from common.durations import duration
from lessons.shared import stored_runs
from lessons.theorems.knobs import ONE, RATES
from lessons.theorems.one_bound.model import OneSetting
from lessons.theorems.rates.model import OPENING_FRAMES
from lessons.theorems.runs import model
from lessons.theorems.runs.model import BoundVsRegret, RunSetting
from shell.player import film_before, screens
from shell.run_panel import RunSet, available_results, panel, run_set
from shell.runs import RUNS
from shell.session import session

PAGE = "meeting"  # the name of the run set
FIRST_SECONDS, LATER_SECONDS = 0.25, 0.05  # of play in place: when the page opens, and after a slider has been moved
LONG_SECONDS = 60.0  # runs that take longer wait for a button that says so


def swiped(view: str) -> None:
    """Open a phone at the exponents of the rates; the other views open at their second screen."""
    if view == RATES:
        screens(2)


def start(view: str, measure: str, t: int, reset: str) -> int:
    """Return the frame at which the film opens: another view or measure begins at its own one, else where it was."""
    if film_before((view, measure), reset) in (None, (view, measure)):
        return t
    return OPENING_FRAMES[measure] if view == RATES else model.MOST_HORIZONS


def start_at_own_horizon(setting: OneSetting, t: int, reset: str) -> int:
    """Return the frame at which one bound opens: the reader's own horizon, unless a link or a pause says another."""
    name = (ONE, setting.world.horizon)
    same = film_before(name, reset) in (name, None if session().timed else name)
    return t if same else setting.frame


def follow(setting: RunSetting) -> tuple[BoundVsRegret, RunSet]:
    """Return what is proved at once, and the runs as far as they have come.

    Raises:
        ValueError: a world that cannot be.
    """
    model.proved(setting)  # a world that cannot be is refused before it is played
    short = LATER_SECONDS if PAGE in session().run_sets else FIRST_SECONDS
    runs = run_set(PAGE, setting, lambda: _run_set(setting, short))
    runs.look()
    runs.begin(model.job_seconds, LONG_SECONDS)
    return model.gather(setting, runs.results), runs


def _run_set(setting: RunSetting, short: float) -> RunSet:
    """Return the runs, all of them played in place where that takes at most so many seconds."""
    runs = RunSet(setting, tuple(job for _, job in model.jobs(setting)))
    runs.learn(available_results(runs.jobs, partial(stored_runs.runs, file=model.FILE)))
    if runs.missing and model.seconds(setting) <= short:
        runs.play(runs.missing)
    return runs


def progress(found: BoundVsRegret, runs: RunSet) -> None:
    """Draw the progress while runs are under way; the page is drawn anew when they are done."""
    name, cost = found.setting.rule.name, model.job_seconds(runs.missing) / RUNS.workers
    panel(
        PAGE,
        runs,
        paused=f"{found.done} of {found.total} runs are there.",
        start=f"Run the rest: {len(runs.missing)} runs, {duration(cost)}",
        seconds=model.job_seconds,
        progress=lambda done, left: f"Playing {name}: {done}/{found.total} runs done, {duration(left)}",
    )
