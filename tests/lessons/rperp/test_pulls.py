"""The pulls of a batch add up to the error of its estimate, by the core's own posterior and by the normal equations."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import tvbo_core as tv
from figures.theme import Theme
from lessons.rperp.knobs import QUESTIONS
from lessons.rperp.lesson import LESSON
from lessons.rperp.model import SHUFFLES, STILL, PairedRuns, paired_runs, setting_from
from lessons.rperp.setting import RPERPSetting
from tvbo_core import World

OPENING = setting_from(LESSON.defaults)
WORLDS = {
    "the opening": OPENING,
    "five questions": replace(OPENING, restart=25),
    "glides": RPERPSetting(World(kind="glide", horizon=120, arms=30, seed=3), False, restart=50),
    "another shuffle": replace(OPENING, shuffle=7),
    "Matérn": replace(OPENING, world=replace(OPENING.world, kernel="matern", nu=1.5, seed=8)),
}
TIGHT = {"rtol": 1e-7, "atol": 1e-9}  # two ways to solve one well-conditioned system of at most 20 equations


@cache
def fresh_runs(setting: RPERPSetting) -> PairedRuns:
    return paired_runs.__wrapped__(setting)


def noise_free_answers(runs: PairedRuns, index: int, times: np.ndarray, k: int) -> np.ndarray:
    """(N,) noise-free answers of the questions that are asked in the first k rounds, batch averages for the others."""
    b = runs.batches[index]
    f = runs.problem.f[b.start : b.end]
    return np.where(times < k, f[times, b.picks], f.mean(axis=0)[b.picks])


@pytest.mark.parametrize("name", WORLDS)
def test_error_is_that_of_the_posterior(name: str) -> None:
    runs = fresh_runs(WORLDS[name])
    p, b, found = runs.problem, runs.batches[0], runs.pulls(0)
    for times, order in ((np.arange(len(b.picks)), found.known), (b.permutation, found.shuffled)):
        path = order.path
        for k in (0, 1, len(b.picks) // 2, len(b.picks)):
            mean = tv.posterior(p.kernel, p.x[b.picks], noise_free_answers(runs, 0, times, k), p.x, runs.ridge)[0]
            assert path[k] == pytest.approx(mean[order.arm] - b.truth[order.arm], rel=1e-6, abs=1e-8)
        assert order.error == pytest.approx(path[-1], abs=1e-12)


@pytest.mark.parametrize("name", WORLDS)
def test_pull_is_weight_times_distance_from_average(name: str) -> None:
    runs = fresh_runs(WORLDS[name])
    p, b, found = runs.problem, runs.batches[0], runs.pulls(0)
    X, n = p.x[b.picks], len(b.picks)
    weights = np.linalg.solve(p.kernel(X, X) + runs.ridge * np.eye(n), p.kernel(X, p.x))
    known = np.array([p.f[b.start + m, b.picks] for m in range(n)]).diagonal() @ weights - b.truth
    for k in range(n):
        for arm_of_pick, order in ((k, found.known), (int(np.argsort(b.permutation)[k]), found.shuffled)):
            arm, pull = b.picks[arm_of_pick], order.pulls[k]
            want = weights[arm_of_pick, order.arm] * (p.f[b.start + k, arm] - b.truth[arm])
            assert pull == pytest.approx(want, rel=1e-6, abs=1e-9)
        assert found.lifted[k] == pytest.approx((p.f[b.start + k] - b.truth).mean(), abs=1e-12)
    mine = p.f[b.times, b.picks] @ weights - b.truth
    for order, errors in ((found.known, known), (found.shuffled, mine)):  # one measure: the largest error over x
        np.testing.assert_allclose(abs(order.error), np.abs(errors).max(), **TIGHT)


def test_largest_errors_of_shuffles_are_brute_force() -> None:
    """Every permutation is fed to the posterior, and read at its own worst x."""
    runs = fresh_runs(WORLDS["the opening"])
    found, b, p = runs.pulls(0), runs.batches[0], runs.problem
    n, f = len(b.picks), p.f[b.start : b.end]
    times = np.random.default_rng([4, 13, 0]).permuted(np.tile(np.arange(n), (SHUFFLES, 1)), axis=1)
    X = p.x[b.picks]
    weights = np.linalg.solve(p.kernel(X, X) + runs.ridge * np.eye(n), p.kernel(X, p.x))
    errors = np.array([f[each, b.picks] @ weights - f.mean(axis=0) for each in times])
    largest = np.abs(errors).max(axis=1)
    np.testing.assert_allclose(np.abs(found.others.error), largest, **TIGHT)
    assert found.median == pytest.approx(np.median(largest), rel=1e-6)
    assert found.less == int((largest < 0.5 * abs(found.known.error)).sum())


def test_five_questions_leave_more_error() -> None:
    few = LESSON.defaults | {"H": 25}
    numbers = [
        [LESSON.opening.claim.number({**values, "seed": seed}) for seed in range(2000, 2012)]
        for values in (LESSON.defaults, few)
    ]
    assert all(less < more for less, more in zip(*numbers, strict=True)), numbers


def test_no_order_matters_in_a_still_world() -> None:
    found = fresh_runs(RPERPSetting(World(kind="still", horizon=60, arms=20, seed=1), False, restart=50)).pulls(0)
    np.testing.assert_allclose([*found.known.pulls, *found.shuffled.pulls, *found.lifted], 0.0, atol=1e-9)
    assert found.known.error == pytest.approx(found.known.bias, abs=1e-9)


def test_rounding_noise_is_not_drawn_tall() -> None:
    values = LESSON.settings({"V": 0.0})
    film = LESSON.scene(values, Theme()).films["main"].draw(QUESTIONS)
    layout = film.figure.to_dict()["layout"]
    found = fresh_runs(setting_from(values)).pulls(0)
    noise = max(float(np.abs(order.pulls).max()) for order in (found.known, found.shuffled))
    assert 0 < noise < STILL  # of the size of rounding
    for axis in ("yaxis3", "yaxis4"):  # of the rows of bars, in both orders
        low, high = layout[axis]["range"]
        assert noise < 0.01 * (high - low), axis
