"""A learner's posterior can be drawn from: jointly, from any memory, with the mean and covariance of the formula."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW, kernels
from tvbo_core.gp import joint_draw, posterior, posterior_covariance
from tvbo_core.gp.learner_state import PosteriorState, make_state
from tvbo_core.gp.memory import Discount, Injected, Keep, Markov, Memory, Restart, Window
from tvbo_core.kernels import Matern, SquaredExponential
from tvbo_core.records import LearnerInfo

GRID = np.linspace(0, 1, 12)[:, None]
MEMORIES: list[Memory] = [Keep(), Restart(7), Window(6), Discount(0.8), Injected(0.5), Markov(0.1)]


class Unit:
    """A source of chance that says one unit vector after the other: draws are then the columns of a factor."""

    def __init__(self) -> None:
        self.next = 0

    def standard_normal(self, m: int) -> np.ndarray:
        self.next += 1
        return np.eye(m)[self.next - 1]


def heard(kernel, memory: Memory, arms: list[int], seed: int, dense: bool = False) -> PosteriorState:
    known = LearnerInfo(GRID, 200, 0.3, kernel, None, 0.0, None)
    state, rng = make_state(known, memory, 0.09, dense), np.random.default_rng(seed)
    for arm in arms:
        state.learn(arm, float(rng.normal()))
    return state


@pytest.mark.parametrize("memory", MEMORIES, ids=lambda m: m.name)
@given(kernels(), st.lists(st.integers(0, 11), max_size=40), st.integers(0, 99))
@LAW
def test_covariance_of_every_memory_is_dense(memory, kernel, arms, seed):
    fast, dense = (heard(kernel, memory, arms, seed, d).covariance() for d in (False, True))
    np.testing.assert_allclose(fast, dense, rtol=0, atol=1e-8 * float(kernel.diag(GRID).max()))


def test_folded_rows_stay_in_the_covariance():
    kernel, arms = Matern(1.5, 0.3), np.random.default_rng(0).integers(0, 12, 150).tolist()
    for memory in (Keep(), Markov(0.1), Window(6)):
        fast, dense = (heard(kernel, memory, arms, 1, d).covariance() for d in (False, True))
        np.testing.assert_allclose(fast, dense, rtol=0, atol=1e-9)


@pytest.mark.parametrize("kernel", [SquaredExponential(0.3), Matern(0.5, 0.2), SquaredExponential(1e3)])
def test_draws_have_the_posterior_covariance(kernel):
    X, noise = GRID[[2, 2, 9]], 0.01
    mean, sd = posterior(kernel, X, np.array([1.0, 2.0, -1.0]), GRID, noise)
    covariance, chance = posterior_covariance(kernel, X, GRID, noise), Unit()
    factor = np.array([joint_draw(mean, covariance, chance) - mean for _ in GRID])
    np.testing.assert_allclose(factor.T @ factor, covariance, rtol=0, atol=1e-12)
    np.testing.assert_allclose(np.diagonal(covariance), sd**2, rtol=0, atol=1e-12)


def test_known_points_and_twins_are_drawn_exactly():
    mean = np.array([1.0, -2.0, -2.0])
    covariance = np.array([[0.0, 0.0, 0.0], [0.0, 2.0, 2.0], [0.0, 2.0, 2.0]])
    one, other = (joint_draw(mean, covariance, np.random.default_rng(s)) for s in (1, 2))
    assert one[0] == other[0] == 1.0 and one[1] != other[1]
    assert one[1:] == pytest.approx(one[1], rel=1e-12) and other[1:] == pytest.approx(other[1], rel=1e-12)
