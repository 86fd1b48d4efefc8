"""The forgetting page's runs: the curves are the core's own runs, gathered by whole seeds."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

import tvbo_core as tv
from lessons.forgetting import experiment, memories, model, words
from lessons.forgetting.experiment import ForgettingSetting
from lessons.forgetting.knobs import MEMORY_STEPS
from lessons.forgetting.lesson import LESSON
from lessons.shared import stored_runs
from lessons.shared.knobs import METHODS
from lessons.shared.play_jobs import outcome
from tvbo_core import World
from tvbo_core.designs import play_rng
from tvbo_core.gp.memory import Discount, Markov, Restart, Window
from tvbo_core.play import play

DEFAULTS = LESSON.defaults
SMALL = World(kind="glide", budget=8.0, horizon=40, arms=12, seed=5)
WORLDS = tuple(replace(SMALL, kind=kind) for kind in ("glide", "jumps", "still"))
SETTING = ForgettingSetting(WORLDS, "sw", 2, beside=("gp",))


@cache
def results() -> dict:
    return {job: outcome(job) for job in experiment.jobs(SETTING)}


@cache
def sweep() -> model.MemorySweep:
    return model.gather(SETTING, results())


@cache
def opened(key: str = "") -> tuple:
    """Return (past, sweep, views, names) of the page as it opens, or of a moment, from the runs that ship."""
    past, setting = experiment.settings_from({**DEFAULTS, **(LESSON.moment(key).values if key else {})})
    jumps, restarts, horizon = memories.stops(past)
    rows = tuple(sorted({0, 20, horizon - 1, *jumps, *restarts}))
    runs = stored_runs.runs(experiment.jobs(setting), experiment.FILE)
    return past, model.gather(setting, runs), memories.views(past, rows), words.legend(past, setting)


def test_curve_is_the_regret_of_plain_plays():
    for w, world in enumerate(WORLDS):
        for k in (0, 3, len(MEMORY_STEPS) - 1):
            for s, seed in enumerate((5, 6)):
                problem = tv.make_problem(replace(world, seed=seed))
                played = play(problem, tv.SWGPUCB(window=min(MEMORY_STEPS[k], 40), width=2.0), play_rng(seed))
                np.testing.assert_array_equal(sweep().curves["sw", w].total[k, s], played.regret.cumsum())
    curve = sweep().curves["sw", 0]
    np.testing.assert_allclose(curve.median, curve.total.mean(axis=1))  # of two seeds
    assert curve.median[curve.best(), -1] == curve.median[:, -1].min()
    assert sweep().limit() == np.median(sweep().curves["gp", 0].total[0, :, -1])
    assert model.gather(replace(SETTING, front="rperp"), results()).limit() is None


def test_m_sets_every_memory_as_the_core_does():
    kinds = memories.tuned({**DEFAULTS, "m": 20}).memories
    assert kinds["R-GP-UCB"] == Restart(40) and kinds["SW-GP-UCB"] == Window(20)
    assert kinds["WGP-UCB"] == Discount(0.95) and kinds["TV-GP-UCB"] == Markov(0.1)
    known = tv.make_problem(SMALL).known
    for method in ("r", "sw", "wgp", "tv"):
        assert experiment.policy(method, 20, 1000).memory(known) == kinds[METHODS[method]]
