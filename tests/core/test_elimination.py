"""Phased elimination: schedule, picks and bands, what a shuffle does, and the world that follows the learner."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core.designs import play_rng
from tvbo_core.gp import grid_posterior, posterior, posterior_weights
from tvbo_core.kernels import Tabulated
from tvbo_core.play import play
from tvbo_core.policies.elimination.max_variance import argmax_variance
from tvbo_core.policies.elimination.policy import PE, RPERP
from tvbo_core.policies.elimination.schedule import (
    SHUFFLE_CONSTANT,
    batch_sizes,
    resolve_restart,
    restart_length,
    union_log,
)
from tvbo_core.policies.width import LogWidth
from tvbo_core.records import LearnerInfo, Problem, World
from tvbo_core.worlds import make_problem


def dense_max_variance(gram: np.ndarray, alive: np.ndarray, n: int, ridge: float) -> np.ndarray:
    """(n,) the same picks, each from a posterior computed anew: the reference form of `MaxVarianceDesign`."""
    candidates, picks = np.flatnonzero(alive), np.empty(n, dtype=int)
    for m in range(n):
        _, sd = grid_posterior(gram, picks[:m], np.zeros(m), ridge)
        picks[m] = candidates[argmax_variance(sd[candidates] ** 2)]
    return picks


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def moving_problem(T: int, seed: int = 0, noise_sd: float = 0.1) -> Problem:
    return make_problem(World(kind="jumps", horizon=T, arms=40, noise_sd=noise_sd, seed=seed, switches=4))


def learner_info(**changes) -> LearnerInfo:
    return replace(moving_problem(60).known, **changes)


# ------------------------------------------------------------------ schedule


PRINTED = {
    1: [1],
    2: [2],
    3: [2, 1],
    5: [3, 2],
    16: [4, 8, 4],
    17: [5, 10, 2],
    25: [5, 12, 8],
    50: [8, 20, 22],
    100: [10, 32, 57, 1],
    277: [17, 69, 139, 52],
    1000: [32, 179, 424, 365],
    5000: [71, 596, 1727, 2606],
}


def test_batch_sizes_are_those_of_the_paper() -> None:
    assert {T: batch_sizes(T) for T in PRINTED} == PRINTED


@LAW
@given(st.integers(1, 10**30))
def test_batch_sizes_are_integer_roots(T: int) -> None:
    sizes, before = batch_sizes(T), 1
    assert sum(sizes) == T
    for size in sizes[:-1]:  # in whole numbers: no float knows the root of 10**30
        assert (size - 1) ** 2 < T * before <= size**2
        before = size
    assert (sizes[-1] - 1) ** 2 < T * before


def test_restarts_are_those_of_the_paper() -> None:
    # nu = 5/2, d = 2: T^(14/19) V^(-14/19) ln^(12/19) T; squared exponential, d = 1: (T/V)^(2/3) ln T.
    assert restart_length(5000, 3.0, 2.5, 2) == pytest.approx((5000 / 3) ** (14 / 19) * math.log(5000) ** (12 / 19))
    assert restart_length(5000, 3.0, np.inf, 1) == pytest.approx((5000 / 3) ** (2 / 3) * math.log(5000))
    # A table of five arms counts as linear in them.
    linear = learner_info(kernel=Tabulated(np.eye(5)), x=np.arange(5.0)[:, None], horizon=10_000, sup_variation=500.0)
    log = math.log(10_000)
    assert resolve_restart("paper", linear) == math.ceil((10_000 / 500) ** (2 / 3) * (5 * log * log) ** (1 / 3))
    H = math.ceil(restart_length(2000, 40.0, np.inf, 1))
    assert resolve_restart("paper", learner_info(horizon=2000, sup_variation=40.0)) == H
    assert resolve_restart("unknown", learner_info(sup_variation=50.0)) == resolve_restart(
        "paper", learner_info(sup_variation=1.0)
    )
    for V, length in ((0.0, 60), (1e-9, 60), (1e9, 2)):  # between two rounds and the horizon
        assert resolve_restart("paper", learner_info(sup_variation=V)) == length
    assert [resolve_restart(restart, learner_info()) for restart in (1000, None, 7)] == [60, 60, 7]


# --------------------------------------------------------------- one run


RULES = [
    PE(width=1.0),
    RPERP(restart=50, width=1.0),
    RPERP(restart=33, width=0.5, shuffle=False),
    RPERP(restart=17, width=LogWidth(0.6)),
    RPERP(restart="paper", width="theory"),
]


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_batches_follow_the_algorithm_line_by_line(rule) -> None:
    problem = moving_problem(120, seed=1)
    history = play(problem, rule, rng(4))
    H, ridge, round_ = rule.restart_rounds(problem.known), problem.noise_sd**2, 0
    gram = problem.kernel(problem.x, problem.x)
    for batch in rule.batches(problem, rng(4)):
        interval = round_ // H
        sizes = batch_sizes(min(H, 120 - interval * H))
        number = list(np.cumsum([0, *sizes])).index(round_ - interval * H)
        assert (batch.interval, batch.number, batch.start) == (interval + 1, number + 1, round_)
        assert batch.sizes == tuple(sizes) and len(batch.picks) == sizes[number]
        assert batch.last == (number == len(sizes) - 1)
        if number == 0:
            alive = np.ones(len(problem.x), dtype=bool)
        assert np.array_equal(batch.alive, alive)
        assert np.array_equal(batch.picks, dense_max_variance(gram, alive, sizes[number], ridge))
        assert sorted(batch.permutation) == list(range(sizes[number]))
        assert np.array_equal(batch.picks, history.arms[batch.times])
        assert np.array_equal(batch.rewards, history.y[batch.times])
        # The band: this batch's rewards alone, in any order.
        mean, sd = posterior(problem.kernel, problem.x[batch.picks], batch.rewards, problem.x, ridge)
        # 1e-9: sums of up to 70 rewards of size 1, divided by a ridge of 0.01.
        np.testing.assert_allclose(batch.band.mean, mean, atol=1e-9)
        np.testing.assert_allclose(batch.band.upper - batch.band.mean, batch.width * sd, atol=1e-7)
        np.testing.assert_allclose(batch.band.mean - batch.band.lower, batch.width * sd, atol=1e-7)
        kept = alive & (batch.band.upper >= batch.band.lower[alive].max())
        assert np.array_equal(batch.survivors, alive if batch.last else kept)
        alive, round_ = batch.survivors, round_ + sizes[number]
    assert round_ == 120


# ------------------------------------------------------------------- width


def exceeds(F: np.ndarray, w: np.ndarray, C: float) -> float:
    """Largest ratio of P(|Z - EZ| >= t) to its bound over all t, with every permutation counted.

    The bound 2 exp(-t^2/(C^2 B^2 |w|^2)) is C sqrt(ln(2/delta)) of the width read backwards.
    """
    n = len(w)
    Z = np.array([F[list(psi), np.arange(n)] @ w for psi in permutations(range(n))])
    error = np.sort(np.abs(Z - F.mean(axis=0) @ w))
    # 1e-9: equal errors that differ by rounding must count as reaching each other.
    tail = 1.0 - np.searchsorted(error, error - 1e-9) / len(error)
    bound = 2.0 * np.exp(-(error**2) / (C**2 * np.abs(F).max() ** 2 * (w @ w)))
    return float((tail / bound).max())


@LAW
@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.booleans())
def test_shuffle_error_has_the_promised_tail(seed: int, n: int, signs: bool) -> None:
    """Oracle 24, exactly: all permutations, entries that depend on both the query and its time."""
    draw = rng(seed)
    F = draw.choice([-1.0, 1.0], (n, n)) if signs else draw.uniform(-1, 1, (n, n))
    w = draw.normal(size=n) * draw.choice([0.1, 1.0, 5.0], n)
    assert exceeds(F, w, SHUFFLE_CONSTANT) <= 1.0


# --- shuffles ------------------------------------------------------------


def world(kind: str = "jumps", T: int = 50, seed: int = 0, **more: object) -> Problem:
    return make_problem(World(kind=kind, horizon=T, arms=30, seed=seed, switches=4, **more))


def test_drift_form_is_its_formula() -> None:
    problem, step = world("glide", T=60, seed=2), 0.05
    rule = RPERP(restart=30, width="theory", form="drift", step=step)
    L = union_log(30, 60, 30, rule.delta)
    for batch in rule.batches(problem, play_rng(1)):
        X = problem.x[batch.picks]
        _, sd = posterior(problem.kernel, X, batch.rewards, problem.x, 0.01)
        w = np.linalg.norm(posterior_weights(problem.kernel, X, problem.x, 0.01), axis=0)
        D = min(2 * problem.norm_bound, (len(X) - 1) * step)
        want = problem.norm_bound * sd + (D + 0.1) * w * math.sqrt(2 * L)
        np.testing.assert_allclose(batch.band.upper - batch.band.mean, want, atol=1e-7)  # as the sd of a band
        assert batch.width == pytest.approx((want / sd).max())
        assert batch.width <= rule.theory_width(problem.known) * (1 + 1e-9)
