"""The R-PERP page's runs share world and noise; its tables, restarts and coverage are those of the batches."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from lessons.rperp import coverage, words
from lessons.rperp.coverage import eq9_score
from lessons.rperp.model import PairedRuns, paired_runs
from lessons.rperp.setting import RPERPSetting, rule
from tvbo_core import World
from tvbo_core.designs import play_rng
from tvbo_core.worlds import make_problem

FOLLOWS = RPERPSetting(World(kind="still", budget=16.0, horizon=200, seed=81), True)
GLIDES = RPERPSetting(World(kind="glide", horizon=100, arms=40, seed=0), False, restart=50)


@cache
def fresh_runs(setting: RPERPSetting) -> PairedRuns:
    return paired_runs.__wrapped__(setting)


def test_theorem_five_fits_its_own_follower() -> None:
    runs = fresh_runs(replace(FOLLOWS, restart=0))
    assert runs.theorem_rounds == runs.H  # the drift of the follower of H asks for H again


def test_coverage_is_that_of_the_core() -> None:
    runs = fresh_runs(GLIDES)
    rows = coverage.rows(runs)
    assert list(rows) == [("2", True), ("2", False), ("theory", True), ("drift", True)]
    problems = [make_problem(replace(GLIDES.world, seed=s)) for s in range(12)]
    step = max(p.steps.max() for p in problems)
    for (width, shuffled), score in rows.items():
        made = rule(replace(GLIDES, width=width), 50, step, 0.1, shuffled)
        assert eq9_score(problems, made, play_rng) == score
    said = words.coverage(runs, rows)
    assert "12 worlds" in said and "at least 90 % of runs" in said
