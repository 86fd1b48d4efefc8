"""The pulls of a batch add up to the error of its estimate, by the core's own posterior and by the normal equations."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import tvbo_core as tv
from lessons.rperp.lesson import LESSON
from lessons.rperp.model import SHUFFLES, PairedRuns, paired_runs, setting_from
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
TIGHT = {"rtol": 1e-7, "atol": 1e-9}  # two ways to solve one well-conditioned system of at most 20 equations


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


@pytest.mark.parametrize("name", WORLDS)
def test_pull_is_weight_times_distance_from_average(name: str) -> None:
    runs = shown(WORLDS[name])
    p, b, found = runs.problem, runs.batches[0], runs.pulls(0)
    X, n = p.x[b.picks], len(b.picks)
    weights = np.linalg.solve(p.kernel(X, X) + runs.ridge * np.eye(n), p.kernel(X, p.x))
    known = np.array([p.f[b.start + m, b.picks] for m in range(n)]).diagonal() @ weights - b.truth
    assert abs(known[found.arm]) == pytest.approx(np.abs(known).max(), rel=1e-9)  # where the known order errs most
    for k in range(n):
        for arm_of_pick, pull in ((k, found.known[k]), (int(np.argsort(b.permutation)[k]), found.shuffled[k])):
            arm = b.picks[arm_of_pick]
            want = weights[arm_of_pick, found.arm] * (p.f[b.start + k, arm] - b.truth[arm])
            assert pull == pytest.approx(want, rel=1e-6, abs=1e-9)
        assert found.lifted[k] == pytest.approx((p.f[b.start + k] - b.truth).mean(), abs=1e-12)
    mine = p.f[b.times, b.picks] @ weights - b.truth
    np.testing.assert_allclose(found.largest[:2], [np.abs(known).max(), np.abs(mine).max()], **TIGHT)


def test_other_shuffles_are_the_repeats_without_noise() -> None:
    runs = shown(WORLDS["the opening"])
    found, spread, b = runs.pulls(0), runs.spreads[0], runs.batches[0]
    at = int(np.flatnonzero(spread.arms == found.arm)[0])
    X, p = runs.problem.x[b.picks], runs.problem
    weights = np.linalg.solve(p.kernel(X, X) + runs.ridge * np.eye(len(X)), p.kernel(X, p.x[[found.arm]]))[:, 0]
    noise = spread.fixed[:, at] - found.error(found.known)  # the same in both orders, by question
    np.testing.assert_allclose(spread.shuffled[:, at] - found.error(found.others), noise, atol=1e-9)
    assert noise.std() == pytest.approx(p.noise_sd * np.linalg.norm(weights), rel=0.2)  # 400 draws: 4 % is one SD
    ends = np.abs(found.error(found.others))
    assert found.less == int((ends < 0.5 * abs(found.error(found.known))).sum()) and len(ends) == SHUFFLES


def test_claim_holds_less_often_with_five_questions() -> None:
    claim, few = LESSON.claim, LESSON.defaults | {"H": 25}
    held = [
        sum(claim.holds(claim.number({**values, "seed": seed})) for seed in range(2000, 2012))
        for values in (LESSON.defaults, few)
    ]
    assert held[0] >= 10 > held[1] + 1, held  # of 12 seeds


def test_no_order_matters_in_a_still_world() -> None:
    found = shown(RPERPSetting(World(kind="still", horizon=60, arms=20, seed=1), False, restart=50)).pulls(0)
    np.testing.assert_allclose([*found.known, *found.shuffled, *found.lifted], 0.0, atol=1e-9)
    assert found.error(found.known) == pytest.approx(found.bias, abs=1e-9)
