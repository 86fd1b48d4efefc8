"""Floors: the hidden bumps of the adversary, and what yesterday's Markov reward still costs."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvbo_core as tv
from tests.strategies import LAW
from tvbo_core import adversary
from tvbo_core.designs import play_rng
from tvbo_core.kernels import make_kernel
from tvbo_core.play import play
from tvbo_core.theory.finite import markov_floor
from tvbo_core.worlds import draws, make_problem
from tvbo_core.worlds.lower_bound import hardest, shape, switching

WORLD = tv.World(kind="adversary", kernel="matern", nu=2.5, horizon=200, norm_bound=1.0, budget=4.0)


def test_bump_has_its_golden_numbers():
    one, two = shape(1), shape(2)
    assert one.top == pytest.approx(0.443993816, abs=1e-9) and one.zeta == pytest.approx(0.446479314, abs=1e-9)
    assert two.top == pytest.approx(0.466512393, abs=1e-9) and two.zeta == pytest.approx(0.494984202, abs=1e-9)
    assert one.omega == pytest.approx(2.1968, abs=5e-5) and two.omega == pytest.approx(2.1273, abs=5e-5)
    np.testing.assert_allclose(one.sums, [4.162, 6.049], atol=1e-3)  # printed rounded up


@given(
    st.floats(0.5, 10),
    st.floats(0.01, 1.0),
    st.floats(0.05, 0.5),
    st.sampled_from([0.5, 1.5, 2.5, math.inf]),
    st.integers(1, 2000),
)
@settings(LAW, max_examples=20)
def test_hardest_bumps_fit_and_keep_the_norm(B, sigma, ell, nu, T):
    b = hardest(T, B, sigma, nu, ell)
    assert b.count * b.width <= 1 + 1e-12
    assert b.eps * math.exp(shape(1).log_norm(b.width, nu, ell)) <= B * (1 + 1e-9)
    assert 0 <= b.lower_bound(T, sigma) <= 2 * b.eps * T


@given(st.floats(0, 30), st.integers(2, 1500), st.sampled_from([1.5, 2.5, math.inf]))
@LAW
def test_switching_uses_the_shortest_interval_within_budget(budget, T, nu):
    s = switching(T, budget, 3.0, 0.1, nu, 0.2)
    assert s.budget <= budget and sum(s.lengths) == T
    if s.length > 1:
        shorter = replace(s, bumps=hardest(s.length - 1, 3.0, 0.1, nu, 0.2), length=s.length - 1)
        assert shorter.budget > budget
    assert s.lower_bound(0.1) >= 0


# --- the world ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "world",
    [
        WORLD,
        replace(WORLD, kernel="se"),
        replace(WORLD, dimension=2, arms=300),
        replace(WORLD, low=-1.0, high=1.0, lengthscale=0.4),
    ],
)
def test_adversary_keeps_budget_norm_and_shape(world):
    p = make_problem(world)
    plan = adversary.plan(world)
    assert p.f.shape == (200, world.arms) and p.norm_bound == 1.0 and p.coefficients is None
    assert p.sup_variation <= plan.budget <= world.budget
    np.testing.assert_allclose(p.f.max(axis=1), 2 * plan.bumps.eps, rtol=1e-9)  # every peak is an arm
    jumps = np.flatnonzero(p.steps) + 1
    assert (jumps % plan.length == 0).all()  # it moves at the starts of intervals only
    assert np.array_equal(make_problem(world).f, p.f)
    assert not np.array_equal(make_problem(replace(world, seed=9)).f, p.f)


LEARNERS = {
    "GP-UCB": tv.GPUCB(width=2.0),
    "GP-UCB, bold": tv.GPUCB(width=0.5),
    "R-PERP": tv.RPERP(restart=14, width=1.0),
}


@pytest.mark.parametrize(("name", "budget"), [("GP-UCB", 0.0), ("GP-UCB, bold", 4.0), ("R-PERP", 4.0)])
def test_no_learner_beats_the_adversarys_floor(name, budget):
    world = replace(WORLD, budget=budget)
    runs = [replace(world, seed=s) for s in range(16)]
    regret = np.array([play(make_problem(w), LEARNERS[name], play_rng(w.seed)).regret.cumsum() for w in runs])
    floor = adversary.lower_bound(world, make_problem(world).x)
    assert floor.shape == (200,) and (np.diff(floor) >= -1e-12).all()
    error = regret.std(axis=0, ddof=1) / 4
    assert (regret.mean(axis=0) >= floor - 3 * error - 1e-9).all()  # the statement is about the mean over places


# --- markov floor ------------------------------------------------------------

FAR = np.array([[0.0], [1e6]])  # two arms that say nothing about each other
SE = make_kernel("se", 2.5, 0.2)


def test_floor_of_two_arms_is_closed_form():
    most = 1.0 / math.sqrt(math.pi)  # E max of two independent standard normals
    for T, epsilon in ((1, 0.3), (50, 0.0), (50, 0.36), (50, 1.0)):
        exact = most * (1.0 + (T - 1) * (1.0 - math.sqrt(1.0 - epsilon)))
        assert markov_floor(SE, FAR, T, epsilon) == pytest.approx(exact, rel=0.04)  # 3 standard errors of the draws


@pytest.mark.parametrize(("kernel", "nu"), [("se", 2.5), ("matern", 0.5)])
def test_yesterdays_reward_plays_the_floor(kernel, nu):
    k, x, T, epsilon = make_kernel(kernel, nu, 0.2), np.linspace(0.0, 1.0, 40)[:, None], 60, 0.1
    lost = []
    for seed in range(300):
        f = draws.markov(k, x, T, epsilon, np.random.default_rng([seed, 77]))
        chosen = np.append(0, f[:-1].argmax(axis=1))  # nothing is known in the first round
        lost.append((f.max(axis=1) - f[np.arange(T), chosen]).sum())
    error = np.std(lost, ddof=1) / math.sqrt(len(lost))
    assert abs(np.mean(lost) - markov_floor(k, x, T, epsilon)) < 4 * error
