"""The race on its page: what is shown at once, and the runs that are still to come."""

from __future__ import annotations

from common import cache
from lessons.race import model as racing
from lessons.race import words as race_words
from lessons.race.model import Race, Setting
from lessons.shared import problems, stored_runs
from shell.run_panel import RunSet, available_results, panel, run_set
from shell.runs import RUNS

PAGE = "race"  # the name of the run set
LONG_SECONDS = 12.0  # a race that takes longer waits for a button that says so


def follow(setting: Setting) -> tuple[Race | None, RunSet]:
    """Return the race as far as it has come, and order what is missing unless that takes long.

    Raises:
        ValueError: a world that cannot be.
    """
    for stage in setting.stages:
        problems.problem(stage)  # complains once, before every method would
    runs = run_set(PAGE, setting, lambda: _run_set(setting))
    runs.look()
    runs.begin(racing.seconds, LONG_SECONDS)
    key = ("race", repr(setting), runs.mark)
    race = cache.kept(key, lambda: racing.gather(setting, runs.results, problems.problem))
    return race, runs


def _run_set(setting: Setting) -> RunSet:
    runs = RunSet(setting, tuple(racing.jobs(setting)))
    runs.learn(available_results(runs.jobs, stored_runs.runs))
    runs.play(job for job in racing.starter(setting) if job not in runs.results)
    return runs


def progress(runs: RunSet) -> None:
    """Draw what is still to come; the page is drawn anew with every whole seed."""
    setting = runs.setting
    whole = len(racing.whole_seeds(setting, runs.results))
    first = not runs.results

    def fresh() -> bool:
        return len(racing.whole_seeds(setting, runs.results)) > whole or (first and bool(runs.results))

    panel(
        PAGE,
        runs,
        paused=race_words.pause(setting, whole, runs.cancelled),
        start=race_words.start(len(runs.missing), racing.seconds(runs.missing) / RUNS.workers, runs.cancelled),
        seconds=racing.seconds,
        progress=lambda done, left: race_words.progress(setting, done, len(runs.jobs), left),
        fresh=fresh,
    )
