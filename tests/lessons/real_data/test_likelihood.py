"""The likelihood of epsilon: its dense formula, its slope, the filter that must agree, and worlds it must recover."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from lessons.real_data.likelihood import filtered_log_likelihood, fit_epsilon
from tests.strategies import LAW
from tvbo_core.designs import play_rng, random_design
from tvbo_core.kernels import Tabulated
from tvbo_core.records import History, Problem


def case(seed: int, n: int = 25, m: int = 4) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A covariance of m arms, the arms that were asked, and rewards."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(m, m + 1))
    return root @ root.T, rng.integers(m, size=n), rng.normal(0, 2, n)


def markov(epsilon: float, seed: int, n: int = 400, m: int = 12, noise: float = 0.3) -> History:
    """A reward drawn from the model itself, and one random arm of it a round."""
    rng = np.random.default_rng(seed)
    x = np.linspace(0, 1, m)
    K = np.exp(-0.5 * ((x[:, None] - x) / 0.2) ** 2) + 1e-9 * np.eye(m)
    root = np.linalg.cholesky(K)
    f = [root @ rng.normal(size=m)]
    for _ in range(n - 1):
        f.append(math.sqrt(1 - epsilon) * f[-1] + math.sqrt(epsilon) * (root @ rng.normal(size=m)))
    problem = Problem(np.arange(m, dtype=float)[:, None], np.array(f), noise, Tabulated(K), None)
    return random_design(problem, n, play_rng(seed))


def joint_gaussian(K, arms, y, epsilon, noise):
    """Return the log-likelihood as scipy's, from the covariance of all observations."""
    kept = (1 - epsilon) ** (abs(np.subtract.outer(range(len(y)), range(len(y)))) / 2)
    return multivariate_normal.logpdf(y, cov=K[np.ix_(arms, arms)] * kept + noise * np.eye(len(y)))


@given(st.integers(0, 10_000), st.floats(0.0, 0.99), st.floats(0.05, 5.0))
@LAW
def test_filter_agrees_with_the_joint_gaussian(seed, epsilon, noise):
    K, arms, y = case(seed, n=90)  # more than one block of the engine
    dense = joint_gaussian(K, arms, y, epsilon, noise)
    # 1e-7: both factor matrices of condition number below 1e5.
    assert filtered_log_likelihood(K, arms, y, np.array([epsilon]), noise) == pytest.approx([dense], rel=1e-7, abs=1e-6)


def test_fitted_curve_is_the_joint_gaussian():
    for m in (12, 60):  # in step, and one by one
        h = markov(0.05, 3, n=120, m=m)
        fit, K = fit_epsilon(h), h.problem.kernel(h.problem.x, h.problem.x)
        dense = [joint_gaussian(K, h.arms, h.y, float(e), 0.09) for e in fit.grid]
        np.testing.assert_allclose(fit.curve, dense, rtol=1e-9)


@pytest.mark.parametrize("epsilon", [0.003, 0.03, 0.2])
def test_epsilon_is_recovered_within_its_interval(epsilon):
    fits = [fit_epsilon(markov(epsilon, seed, n=300)) for seed in range(16)]
    inside = sum(f.low <= epsilon <= f.high for f in fits)
    # A 95 % interval misses in more than 3 of 16 worlds with probability 0.007.
    assert inside >= 13
    assert np.median([f.epsilon for f in fits]) == pytest.approx(epsilon, rel=0.3)
