"""The floor of a Markov reward: what is lost even by who is shown yesterday's reward whole."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tvbo_core.kernels import make_kernel
from tvbo_core.theory.finite import markov_floor
from tvbo_core.worlds import draws

FAR = np.array([[0.0], [1e6]])  # two arms that say nothing about each other
SE = make_kernel("se", 2.5, 0.2)


def test_floor_of_two_arms_is_closed_form():
    most = 1.0 / math.sqrt(math.pi)  # E max of two independent standard normals
    for T, epsilon in ((1, 0.3), (50, 0.0), (50, 0.36), (50, 1.0)):
        exact = most * (1.0 + (T - 1) * (1.0 - math.sqrt(1.0 - epsilon)))
        assert markov_floor(SE, FAR, T, epsilon) == pytest.approx(exact, rel=0.04)  # 3 standard errors of the draws


def test_floor_has_the_order_of_theorem_4_1():
    x = np.linspace(0.0, 1.0, 30)[:, None]
    assert markov_floor(SE, x[:1], 100, 0.5) == 0.0
    for epsilon in (0.001, 0.03, 0.5, 1.0):
        still = markov_floor(SE, x, 1, epsilon)  # E max
        grown = markov_floor(SE, x, 10_001, epsilon) - still
        assert 0.5 * epsilon * still <= grown / 10_000 <= epsilon * still * (1 + 1e-9)


@pytest.mark.parametrize(("kernel", "nu"), [("se", 2.5), ("matern", 0.5)])
def test_yesterdays_reward_plays_the_floor(kernel, nu):
    k, x, T, epsilon = make_kernel(kernel, nu, 0.2), np.linspace(0.0, 1.0, 40)[:, None], 60, 0.1
    lost = []
    for seed in range(600):
        f = draws.markov(k, x, T, epsilon, np.random.default_rng([seed, 77]))
        chosen = np.append(0, f[:-1].argmax(axis=1))  # nothing is known in the first round
        lost.append((f.max(axis=1) - f[np.arange(T), chosen]).sum())
    error = np.std(lost, ddof=1) / math.sqrt(len(lost))
    assert abs(np.mean(lost) - markov_floor(k, x, T, epsilon)) < 4 * error
