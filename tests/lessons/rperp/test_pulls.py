"""The pulls of a batch add up to the error of its estimate, by the core's own posterior and by the normal equations."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import tvbo_core as tv
from lessons.rperp.lesson import LESSON
from lessons.rperp.model import PairedRuns, paired_runs, setting_from
from lessons.rperp.setting import RPERPSetting
from tvbo_core import World

OPENING = setting_from(LESSON.defaults)
WORLDS = {
    "the opening": OPENING,
    "five questions": replace(OPENING, restart=25),
    "glides": RPERPSetting(World(kind="glide", horizon=120, arms=30, seed=3), False, restart=50),
    "a table": RPERPSetting(World(kind="data", horizon=60), False),
    "another shuffle": replace(OPENING, shuffle=7),
    "Matérn": replace(OPENING, world=replace(OPENING.world, kernel="matern", nu=1.5, seed=8)),
}


@cache
def shown(setting: RPERPSetting) -> PairedRuns:
    return paired_runs.__wrapped__(setting)


def heard(runs: PairedRuns, index: int, times: np.ndarray, k: int) -> np.ndarray:
    """(N,) noise-free answers of the questions that are asked in the first k rounds, batch averages for the others."""
    b = runs.batches[index]
    f = runs.problem.f[b.start : b.end]
    return np.where(times < k, f[times, b.picks], f.mean(axis=0)[b.picks])


@pytest.mark.parametrize("name", WORLDS)
def test_error_is_that_of_the_posterior(name: str) -> None:
    runs = shown(WORLDS[name])
    p, b, found = runs.problem, runs.batches[0], runs.pulls(0)
    for times, pulls in ((np.arange(len(b.picks)), found.known), (b.permutation, found.shuffled)):
        path = found.path(pulls)
        for k in (0, 1, len(b.picks) // 2, len(b.picks)):
            mean = tv.posterior(p.kernel, p.x[b.picks], heard(runs, 0, times, k), p.x, runs.ridge)[0]
            assert path[k] == pytest.approx(mean[found.arm] - b.truth[found.arm], rel=1e-6, abs=1e-8)
        assert found.error(pulls) == pytest.approx(path[-1], abs=1e-12)


def test_no_order_matters_in_a_still_world() -> None:
    found = shown(RPERPSetting(World(kind="still", horizon=60, arms=20, seed=1), False, restart=50)).pulls(0)
    np.testing.assert_allclose([*found.known, *found.shuffled, *found.lifted], 0.0, atol=1e-9)
    assert found.error(found.known) == pytest.approx(found.bias, abs=1e-9)
