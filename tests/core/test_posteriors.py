"""Posteriors of every form against the dense formula, closed forms and rational limits; memories and draws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW, kernels, observations
from tvbo_core.gp import (
    factor,
    grid_posterior,
    joint_draw,
    log_det,
    posterior,
    posterior_covariance,
    weighted_sd,
)
from tvbo_core.gp.learner_state import PosteriorState, make_state
from tvbo_core.gp.memory import Discount, Injected, Keep, Markov, Memory, Restart, Window
from tvbo_core.kernels import Matern, SquaredExponential
from tvbo_core.records import LearnerInfo


@LAW
@given(observations())
def test_posterior_equals_the_plain_solve(data):
    K, Kz = data.kernel(data.X, data.X), data.kernel(data.X, data.Z)
    solved = np.linalg.solve(K + np.diag(data.noise), np.column_stack([data.y, Kz]))
    mean, sd = posterior(data.kernel, data.X, data.y, data.Z, data.noise)
    # 1e-8: the plain solve has condition number up to 15 * 20 / 1e-4 = 3e6 before its weights multiply y.
    assert mean == pytest.approx(Kz.T @ solved[:, 0], abs=1e-8)
    assert sd**2 == pytest.approx(data.kernel.diag(data.Z) - (Kz * solved[:, 1:]).sum(axis=0), abs=1e-8)


@pytest.mark.parametrize("variance", [0.1, 0.2212, 0.7, 1.0, 3.0, 10.0])
def test_rounding_never_makes_negative_variances(variance):
    # At the data both are differences of equal numbers: truly 1e-12 or less, with rounding of either sign
    # (of 1e-16 times a variance of at most 10, whose root is far below the 1e-6 allowed for it).
    kernel, X = SquaredExponential(0.05, variance), np.linspace(0, 1, 10)[:, None]
    for noise in (1e-12, 1e-18):
        _, sd = posterior(kernel, X[:1], np.zeros(1), X[:1], noise)
        bias = weighted_sd(kernel, X, X, noise, 0.0)
        assert 0 <= sd[0] <= 2e-6 and ((bias >= 0) & (bias <= 2e-6)).all()


# --- repeats ------------------------------------------------------------

X = np.linspace(0, 1, 25)[:, None]
KERNEL = Matern(1.5, 0.3, 2.0)


def test_merged_repeats_give_the_dense_posterior() -> None:
    rng, gram = np.random.default_rng(0), KERNEL(X, X)
    sizes = (0, 1, 5, 40, 0, 3)
    seen = [(rng.integers(0, 25, n), rng.normal(size=n), rng.uniform(0.01, 4.0, n)) for n in sizes]
    for arms, y, noise in seen:
        one = grid_posterior(gram, arms, y, noise)
        dense = posterior(KERNEL, X[arms], y, X, noise)
        assert one[0] == pytest.approx(dense[0], abs=1e-9) and one[1] == pytest.approx(dense[1], abs=1e-9)


# --- learner state ------------------------------------------------------------

FEW_ARMS = np.linspace(0, 1, 12)[:, None]
MEMORIES: list[Memory] = [Keep(), Restart(7), Window(6), Discount(0.8), Injected(0.5), Markov(0.1)]


class Unit:
    """A source of chance that says one unit vector after the other: draws are then the columns of a factor."""

    def __init__(self) -> None:
        self.next = 0

    def standard_normal(self, m: int) -> np.ndarray:
        self.next += 1
        return np.eye(m)[self.next - 1]


def posterior_after(kernel, memory: Memory, arms: list[int], seed: int, dense: bool = False) -> PosteriorState:
    known = LearnerInfo(FEW_ARMS, 200, 0.3, kernel, None, 0.0, None)
    state, rng = make_state(known, memory, 0.09, dense), np.random.default_rng(seed)
    for arm in arms:
        state.learn(arm, float(rng.normal()))
    return state


@pytest.mark.parametrize("memory", MEMORIES, ids=lambda m: m.name)
@given(kernels(), st.lists(st.integers(0, 11), max_size=40), st.integers(0, 99))
@LAW
def test_covariance_of_every_memory_is_dense(memory, kernel, arms, seed):
    fast, dense = (posterior_after(kernel, memory, arms, seed, d).covariance() for d in (False, True))
    np.testing.assert_allclose(fast, dense, rtol=0, atol=1e-8 * float(kernel.diag(FEW_ARMS).max()))


@pytest.mark.parametrize("kernel", [SquaredExponential(0.3), Matern(0.5, 0.2), SquaredExponential(1e3)])
def test_draws_have_the_posterior_covariance(kernel):
    X, noise = FEW_ARMS[[2, 2, 9]], 0.01
    mean, sd = posterior(kernel, X, np.array([1.0, 2.0, -1.0]), FEW_ARMS, noise)
    covariance, chance = posterior_covariance(kernel, X, FEW_ARMS, noise), Unit()
    factor = np.array([joint_draw(mean, covariance, chance) - mean for _ in FEW_ARMS])
    np.testing.assert_allclose(factor.T @ factor, covariance, rtol=0, atol=1e-12)
    np.testing.assert_allclose(np.diagonal(covariance), sd**2, rtol=0, atol=1e-12)


# --- matrices that are none -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "K",
    [
        np.array([[1.0, np.nan], [np.nan, 1.0]]),
        np.array([[1.0, 0.2], [0.2, np.inf]]),
        np.array([[np.nan]]),
        np.ones((2, 3)),
        np.ones((3, 2)),
        np.ones(2),
        np.ones((1, 1, 1)),
    ],
    ids=["NaN", "infinite", "one NaN", "wide", "tall", "a vector", "a stack"],
)
def test_no_covariance_matrix_is_refused(K):
    for call in (factor, log_det):
        with pytest.raises(ValueError, match=r"finite and have shape \(n, n\)"):
            call(K, 0.1)
