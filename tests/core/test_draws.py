"""Draws: functions have the norm they claim, random drifts the covariance they claim."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import DRAWN, LAW
from tvbo_core import worlds
from tvbo_core.kernels import Matern, SquaredExponential
from tvbo_core.records import World
from tvbo_core.worlds import draws

# --- drawn functions (oracles 43 and 45) --------------------------------------------------------------------


def test_drawn_rewards_are_their_kernel_sums():
    for kind in DRAWN:
        problem = worlds.make_problem(World(kind=kind, arms=7, horizon=9, centres=5))
        sums = [
            [
                sum(
                    c * math.exp(-float(((x - z) ** 2).sum()) / (2 * 0.2**2))
                    for c, z in zip(row, problem.centres, strict=True)
                )
                for x in problem.x
            ]
            for row in problem.coefficients
        ]
        np.testing.assert_allclose(problem.f, sums, atol=1e-11)  # sums of a dozen coefficients of size 10


def test_unscaled_functions_report_their_largest_norm():
    world = World(kind="jumps", horizon=500, switches=2, budget=None, norm_bound=math.inf)  # Deng's set-up
    problem = worlds.make_problem(world)
    c = problem.coefficients
    assert np.abs(c).max() <= 1.0
    assert ((c != 0).sum(axis=1) == 20).all()
    gram = problem.kernel(problem.centres, problem.centres)
    assert problem.norm_bound == pytest.approx(max(math.sqrt(a @ gram @ a) for a in c[[0, 100, 200]]), rel=1e-12)
    assert (np.flatnonzero(problem.steps) + 1).tolist() == [100, 200]


def test_cyclic_coefficients_turn_as_printed():
    path = draws.cyclic(SquaredExponential(0.25), np.zeros((1, 1)), horizon=4, centres=3, norm_bound=1.0)
    direction = np.array([[math.sin(0.3 * t + i) for i in (1, 2, 3)] for t in (1, 2, 3, 4)])
    unit = direction / np.sqrt((direction**2).sum(axis=1, keepdims=True))
    # The same directions, all of one length (rounding only).
    np.testing.assert_allclose(path.coefficients / np.linalg.norm(path.coefficients[0]), unit, atol=1e-14)


# --- when to jump ------------------------------------------------------------------------------------------


@given(st.integers(2, 300), st.data())
@LAW
def test_jumps_fall_on_distinct_inner_rows(horizon, data):
    jumps = data.draw(st.integers(1, horizon - 1))
    rows = draws.jump_rows(horizon, jumps)
    assert len(rows) == jumps
    assert rows[0] >= 1 and rows[-1] <= horizon - 1
    assert (np.diff(rows) >= 1).all()


# --- random drifts ------------------------------------------------------------------------------------------


class Basis:
    """Stands in for a generator: its normal draws are the unit vectors, so covariances come out exactly."""

    def __init__(self) -> None:
        self.drawn = 0

    def standard_normal(self, shape: tuple[int, int]) -> np.ndarray:
        rows = np.arange(shape[0])
        z = np.zeros(shape)
        z[rows, self.drawn + rows] = 1.0
        self.drawn += shape[0]
        return z


@given(st.integers(1, 40), st.one_of(st.floats(0.02, 1.98), st.just(1.0)))
@LAW
def test_fractional_brownian_motion_has_its_covariance(steps, alpha):
    # 2 x 2 steps normals feed a path: with unit vectors as normals, the paths are the columns of a factor A
    # of the covariance, which must be the one that a Cholesky sampler would factor.
    A = draws.fractional_brownian(steps, alpha, 4 * steps, Basis())
    t = np.arange(steps + 1.0)
    covariance = 0.5 * (t[:, None] ** alpha + t**alpha - np.abs(t[:, None] - t) ** alpha)
    # 1e-11: sums of up to 1600 products, of a covariance up to 40^2.
    np.testing.assert_allclose(A @ A.T, covariance, rtol=0, atol=1e-11 * max(1.0, covariance.max()))


def test_alpha_two_is_a_straight_line():
    line = draws.fractional_brownian(50, 2.0, 3, np.random.default_rng(0))
    np.testing.assert_allclose(np.diff(line, n=2, axis=0), 0.0, atol=1e-12)  # rounding of 50 z
    A = draws.fractional_brownian(30, 1.0, 120, Basis())
    increments = np.diff(A, axis=0)
    np.testing.assert_allclose(increments @ increments.T, np.eye(30), atol=1e-12)


@given(st.integers(1, 80), st.floats(0.05, 2.0), st.floats(0.1, 20.0), st.integers(0, 10_000))
@LAW
def test_rough_worlds_reach_their_norm_bound(horizon, alpha, norm_bound, seed):
    world = World(kind="rough", budget=None, horizon=horizon, alpha=alpha, norm_bound=norm_bound, seed=seed)
    # 1e-9: rounding of a quadratic form of twenty coefficients, scaled to the bound by its largest value.
    assert worlds.make_problem(world).norms.max() == pytest.approx(norm_bound, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.0, 0.01, 0.3, 1.0])
def test_markov_rewards_have_the_models_covariance(epsilon):
    kernel, x, T = Matern(1.5, 0.3), np.array([[0.0], [0.2], [0.7]]), 5

    class OneNormal:
        """All normals 0 but one: the rewards are then one column of a factor of their covariance."""

        def __init__(self, position: int) -> None:
            self.position = position

        def standard_normal(self, shape: tuple[int, int]) -> np.ndarray:
            return (np.arange(shape[0] * shape[1]) == self.position).astype(float).reshape(shape)

    A = np.stack([draws.markov(kernel, x, T, epsilon, OneNormal(i)).ravel() for i in range(3 * T)], axis=1)
    lag = np.abs(np.subtract.outer(np.arange(T), np.arange(T)))
    covariance = np.kron((1 - epsilon) ** (lag / 2), kernel(x, x))
    np.testing.assert_allclose(A @ A.T, covariance, atol=1e-13)  # rounding of fifteen products


def test_markov_worlds_have_no_norm():
    problem = worlds.make_problem(World(kind="markov"))
    assert problem.norm_bound is None
    assert problem.rkhs_variation is None
    assert problem.norms is None


def test_markov_worlds_stand_still_or_forget_at_extremes():
    still = worlds.make_problem(World(kind="markov", epsilon=0.0))
    assert still.sup_variation == 0.0
    fresh = worlds.make_problem(World(kind="markov", epsilon=1.0, arms=1, horizon=4000)).f[:, 0]
    # The lag-one autocorrelation of 4000 independent normals has standard error 1/sqrt(4000).
    assert abs(np.corrcoef(fresh[1:], fresh[:-1])[0, 1]) < 4.5 / math.sqrt(4000)
