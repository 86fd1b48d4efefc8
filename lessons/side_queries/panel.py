"""Side queries on their page: what is there at once, and the runs that are still to come."""

from __future__ import annotations

from collections.abc import Iterable

from lessons.shared import cache
from lessons.side_queries import model as asking
from lessons.side_queries import words as asking_words
from lessons.side_queries.model import Asked, Board, Setting
from shell.run_panel import RunSet, at_hand, panel, run_set
from shell.runs import RUNS
from tvbo_core.jobs import Job

PAGE = "asking"  # the name of the run set
LONG_SECONDS = 12.0  # longer work waits for a button that says so


def follow(setting: Setting) -> tuple[Asked, Board, RunSet]:
    """Return the first seed in full and the board as far as it has come; order what is missing unless it takes long.

    Raises:
        ValueError: a world that cannot be, or what a method refuses.
    """
    show = asking.asked(setting)
    runs = run_set(PAGE, setting, lambda: _run_set(setting, show))
    runs.look()
    runs.begin(seconds, LONG_SECONDS)
    board = cache.kept(("asking board", repr(setting), runs.mark), lambda: asking.board(setting, runs.results))
    return show, board, runs


def _run_set(setting: Setting, show: Asked) -> RunSet:
    """Return the runs; those of the first seed are on the page in full, so they are there."""
    runs = RunSet(setting, tuple(asking.jobs(setting)))
    first = {job: show.runs[job.name] for job in runs.jobs[: len(asking.METHODS)]}
    runs.learn(at_hand(runs.jobs, asking.FILE) | first)
    for job, run in first.items():
        RUNS.keep(job, run)
    return runs


def seconds(missing: Iterable[Job]) -> float:
    """Return about how long these runs take on one core."""
    return sum(asking.COST[j.name] * 1e-3 * (j.world.horizon / 500) ** 1.3 * (j.world.arms / 100) for j in missing)


def desk(runs: RunSet) -> None:
    """Draw what is still to come; the page is drawn anew when all has come in."""
    panel(
        PAGE,
        runs,
        paused=asking_words.pause(runs.cancelled),
        start=asking_words.start(len(runs.missing), seconds(runs.missing) / RUNS.workers),
        seconds=seconds,
        progress=lambda done, left: asking_words.progress(runs.setting.seeds, done, len(runs.jobs), left),
    )
