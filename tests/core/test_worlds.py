"""Worlds: the drift is what was asked, the reward stays in its ball, chance comes from the seed alone."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import DRAWN, LAW, SYNTHETIC
from tvbo_core import worlds
from tvbo_core.kernels import SquaredExponential
from tvbo_core.records import Problem, World

BUDGETED = tuple(name for name, kind in worlds.ALL.items() if kind.has_budget)
# Kinds scaled to their budget; any other may solve for it, to the part in 10^9 that a solver is asked for.
EXACT = ("glide", "jumps", "cyclic", "rough")


@st.composite
def random_worlds(draw: st.DrawFn, kinds: tuple[str, ...] = DRAWN) -> World:
    dimension = draw(st.integers(1, 3))
    return World(
        kind=draw(st.sampled_from(kinds)),
        budget=draw(st.one_of(st.none(), st.just(0.0), st.floats(1e-3, 40.0))),
        horizon=draw(st.integers(1, 80)),
        kernel=draw(st.sampled_from(["se", "matern"])),
        nu=draw(st.sampled_from([0.5, 1.5, 2.5, 0.8])),
        lengthscale=draw(st.floats(0.03, 3.0)),
        dimension=dimension,
        arms=draw(st.one_of(st.integers(1, 30), st.tuples(*[st.integers(1, 5)] * dimension))),
        norm_bound=draw(st.floats(0.1, 20.0)),
        seed=draw(st.integers(0, 10_000)),
        switches=draw(st.integers(1, 5)),
        epsilon=draw(st.floats(0.0, 1.0)),
        alpha=draw(st.floats(0.05, 2.0)),
        centres=draw(st.integers(3, 20)),
    )


def rounding(problem: Problem) -> float:
    """Rounding that T subtractions of rewards may lose in double precision (4 ulp each)."""
    return 4 * np.finfo(float).eps * problem.horizon * float(np.abs(problem.f).max())


# --- the drift budget ---------------------------------------------------------------------------------------


def off_budget(world: World) -> bool:
    """Return whether a world moves by something else than its budget, or than the most it can where that is less."""
    problem = worlds.make_problem(world)
    reach = worlds.reachable_budget(world)
    if world.budget is None:
        return problem.sup_variation > reach + rounding(problem) + 2e-12 * reach
    asked = min(world.budget, reach)
    # 1e-12: the slack with which a leg counts as long enough.
    solved = 2e-12 if world.kind in EXACT else 1e-9
    return abs(problem.sup_variation - asked) > rounding(problem) + solved * asked


@given(random_worlds(BUDGETED))
@LAW
def test_worlds_move_by_exactly_their_budget(world):
    assert not off_budget(world)


@given(random_worlds())
@LAW
def test_sup_drift_never_exceeds_rkhs_drift(world):
    problem = worlds.make_problem(world)  # kappa = 1: both kernels have unit variance
    # 1e-9: the norm of a small difference of kernel sums loses a few digits when the Gram matrix is singular.
    assert problem.sup_variation <= problem.rkhs_variation * (1 + 1e-9) + rounding(problem)
    assert (np.abs(problem.f).max(axis=1) <= problem.norms * (1 + 1e-9) + 1e-12).all()


def leaves_the_ball(world: World) -> bool:
    problem = worlds.make_problem(world)
    # 1e-9: the norm of a kernel sum loses a few digits when the Gram matrix of its centres is singular.
    return problem.norm_bound != world.norm_bound or problem.norms.max() > world.norm_bound * (1 + 1e-9)


@given(random_worlds())
@LAW
def test_every_reward_stays_in_the_ball(world):
    assert not leaves_the_ball(world)


def test_glides_are_straight_legs_of_whole_steps():
    world = World(kind="glide", horizon=101, budget=None)
    one_leg = worlds.make_problem(world)
    length = one_leg.sup_variation
    line = one_leg.f[0] + np.linspace(0, 1, 101)[:, None] * (one_leg.f[-1] - one_leg.f[0])
    np.testing.assert_allclose(one_leg.f, line, atol=1e-13)  # rounding of one multiplication and one sum
    four_legs = worlds.make_problem(replace(world, budget=3.5 * length))
    turns = four_legs.f[[0, 25, 50, 75, 100]]
    assert np.array_equal(turns[0], turns[2])
    assert np.array_equal(turns[0], turns[4])
    assert np.array_equal(turns[1], turns[3])
    # The amplitude of each of the four legs is a quarter of the budget.
    assert np.abs(turns[1] - turns[0]).max() == pytest.approx(3.5 * length / 4, rel=1e-12)


# --- chance, edges, bad input -------------------------------------------------------------------------------


@given(random_worlds(SYNTHETIC))
@LAW
def test_worlds_repeat_without_global_chance(world):
    first = worlds.make_problem(world)
    np.random.seed(1)  # noqa: NPY002
    second = worlds.make_problem(replace(world))
    assert np.array_equal(first.f, second.f)
    assert np.array_equal(first.x, second.x)


@pytest.mark.parametrize("kind", SYNTHETIC)
def test_smallest_and_extreme_worlds_are_finite(kind):
    for horizon, arms, dimension in itertools.product((1, 2, 3), (1, 2), (1, 2)):
        world = World(kind=kind, horizon=horizon, arms=arms, dimension=dimension, switches=3, centres=1)
        problem = worlds.make_problem(world)
        assert problem.f.shape == (horizon, arms) and problem.x.shape == (arms, dimension)
        assert np.isfinite(problem.f).all() and worlds.events(problem).hops is not None
        assert worlds.reachable_budget(world) >= problem.sup_variation * (1 - 1e-12)
    for lengthscale, nu in itertools.product((1e-4, 1e4), (0.05, math.inf)):
        world = World(kind=kind, kernel="matern", nu=nu, lengthscale=lengthscale, arms=20, horizon=10)
        problem = worlds.make_problem(world)
        # 1e-6: with a lengthscale of 10,000 the Gram matrix is all ones, and coefficients that nearly cancel
        # are scaled up; the norm then keeps about half of the digits.
        assert np.isfinite(problem.f).all()
        assert problem.norms is None or problem.norms.max() <= world.norm_bound * (1 + 1e-6)


# --- what happens in a world --------------------------------------------------------------------------------


def _table(f: list[list[float]], x: list[float] | None = None) -> Problem:
    rewards = np.array(f, dtype=float)
    places = np.linspace(0, 1, rewards.shape[1]) if x is None else np.array(x)
    return Problem(x=places[:, None], f=rewards, noise_sd=0.1, kernel=SquaredExponential(), norm_bound=None)


def test_hops_are_far_moves_with_their_gain():
    problem = _table([[1.0, 0.9, 0.0], [1.0, 1.01, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]], x=[0.0, 0.05, 0.9])
    (hop,) = worlds.events(problem).hops  # 0 -> 0.05 is too near
    assert (hop.t, hop.before, hop.after) == (2, (0.05,), (0.9,))
    assert hop.distance == pytest.approx(0.85, rel=1e-12)
    assert hop.gain == pytest.approx(-0.01, rel=1e-9)


def test_outsized_steps_are_jumps():
    """Half of the steps may be jumps: the usual step is then the shorter one."""
    (jump,) = worlds.events(_table([[0.0, 0.0], [0.1, 0.0], [0.1, 2.0]])).jumps
    assert (jump.t, jump.size, jump.share) == (2, 2.0, pytest.approx(2.0 / 2.1))
    still = worlds.events(_table([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]])).jumps
    assert [one.t for one in still] == [2, 4]
    assert worlds.events(_table([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])).jumps == ()
