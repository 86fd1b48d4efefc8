"""The floor of a Markov reward: what is lost even by who is shown yesterday's reward whole."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tvbo_core as tv
from tvbo_core.kernels import make_kernel
from tvbo_core.policies.index import GPUCB, RGPUCB, TVGPUCB
from tvbo_core.theory.finite import markov_floor
from tvbo_core.worlds import draws

FAR = np.array([[0.0], [1e6]])  # two arms that say nothing about each other
SE = make_kernel("se", 2.5, 0.2)


def test_of_two_independent_arms_the_floor_is_a_closed_form():
    most = 1.0 / math.sqrt(math.pi)  # E max of two independent standard normals
    for T, epsilon in ((1, 0.3), (50, 0.0), (50, 0.36), (50, 1.0)):
        exact = most * (1.0 + (T - 1) * (1.0 - math.sqrt(1.0 - epsilon)))
        assert markov_floor(SE, FAR, T, epsilon) == pytest.approx(exact, rel=0.04)  # 3 standard errors of the draws


def test_one_arm_costs_nothing_and_the_order_is_that_of_theorem_4_1():
    x = np.linspace(0.0, 1.0, 30)[:, None]
    assert markov_floor(SE, x[:1], 100, 0.5) == 0.0
    for epsilon in (0.001, 0.03, 0.5, 1.0):
        still = markov_floor(SE, x, 1, epsilon)  # E max
        grown = markov_floor(SE, x, 10_001, epsilon) - still
        assert 0.5 * epsilon * still <= grown / 10_000 <= epsilon * still * (1 + 1e-9)


@pytest.mark.parametrize(("kernel", "nu"), [("se", 2.5), ("matern", 0.5)])
def test_who_is_shown_yesterday_s_reward_plays_the_floor_and_no_smoothness_is_asked_for(kernel, nu):
    k, x, T, epsilon = make_kernel(kernel, nu, 0.2), np.linspace(0.0, 1.0, 40)[:, None], 60, 0.1
    lost = []
    for seed in range(600):
        f = draws.markov(k, x, T, epsilon, np.random.default_rng([seed, 77]))
        chosen = np.append(0, f[:-1].argmax(axis=1))  # nothing is known in the first round
        lost.append((f.max(axis=1) - f[np.arange(T), chosen]).sum())
    error = np.std(lost, ddof=1) / math.sqrt(len(lost))
    assert abs(np.mean(lost) - markov_floor(k, x, T, epsilon)) < 4 * error


@pytest.mark.parametrize("policy", [TVGPUCB(epsilon=0.05, width=1.0), RGPUCB(restart=20, width=1.0), GPUCB(width=1.0)])
def test_no_policy_goes_below_the_floor(policy):
    T, epsilon, lost = 80, 0.05, []
    for seed in range(60):
        problem = tv.make_problem(tv.World(kind="markov", horizon=T, arms=40, epsilon=epsilon, seed=seed))
        lost.append(tv.play(problem, policy, tv.observe.play_rng(seed)).regret.sum())
    error = np.std(lost, ddof=1) / math.sqrt(len(lost))
    assert np.mean(lost) > markov_floor(problem.kernel, problem.x, T, epsilon) - 3 * error
