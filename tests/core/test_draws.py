"""Worlds by their draws: kernel sums of the stated norm, random drifts, travelling and reshaped hills."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tvbo_core as tv
from lessons.drift.words import budget_note
from lessons.shared.reshaped import HANDLES, MOST, Reshaped
from tests.strategies import DRAWN, LAW
from tvbo_core import worlds
from tvbo_core.kernels import Matern
from tvbo_core.records import World
from tvbo_core.worlds import draws, make_problem, reachable_budget

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


@LAW
@given(
    st.integers(0, 10**6),
    st.floats(0.05, 3.0),
    st.integers(3, 150),
    st.sampled_from(["se", "matern"]),
    st.floats(0.1, 0.5),
    st.integers(2, 120),
)
def test_norm_is_constant_and_budget_is_met(seed, share, horizon, kernel, lengthscale, arms):
    world = tv.World("travel", None, horizon, kernel=kernel, lengthscale=lengthscale, seed=seed, arms=arms)
    most = reachable_budget(world)
    asked = replace(world, budget=share * most)
    problem = make_problem(asked)
    norms = draws.norms(problem.kernel, problem.centres, problem.coefficients)
    np.testing.assert_allclose(norms, asked.norm_bound, rtol=1e-12)
    np.testing.assert_allclose(problem.coefficients @ problem.kernel(problem.centres, problem.x), problem.f, atol=1e-12)
    # The budget is a root of one equation; a part in 10^9 is what its solver is asked for.
    assert problem.sup_variation == pytest.approx(min(share, 1.0) * most, rel=1e-9, abs=1e-9)
    assert bool(budget_note(asked, problem)) == (share > 1.0 + 1e-9) or share == pytest.approx(1.0)


# --- reshaped ------------------------------------------------------------

BENDS = st.tuples(*[st.integers(-MOST, MOST)] * len(HANDLES))


@given(start=BENDS, end=BENDS, drift=st.sampled_from([0.0, 0.2, 4.0]), horizon=st.sampled_from([1, 2, 56, 300]))
@LAW
def test_reshaped_world_is_a_kernel_sum(start, end, drift: float, horizon: int) -> None:
    problem = tv.make_problem(Reshaped(horizon=horizon, drift=drift, start=start, end=end))
    sums = problem.coefficients @ problem.kernel(problem.centres, problem.x)
    np.testing.assert_allclose(sums, problem.f, atol=1e-6)
    assert problem.norm_bound == pytest.approx(problem.norms.max())
    steps = np.abs(np.diff(problem.f, axis=0)).max(axis=1, initial=0.0)
    assert problem.sup_variation == pytest.approx(steps.sum())
