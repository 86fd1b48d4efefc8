"""The mixture martingale: its mean, its crossings, its closed form, and the ellipsoid it becomes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial.hermite_e import hermegauss

import tvbo_core as tv
from tvbo_core.bands.mixture import log_mixture, squared_radius

K = tv.Matern(1.5)
SIGMA, DELTA = 0.5, 0.2


def runs(n: int, reps: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gram matrix of n places, the truth there, and (reps, n) rewards."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 1))
    gram = K(X, X)
    truth = gram @ rng.normal(size=n) * 0.3
    return gram, truth, truth + SIGMA * rng.normal(size=(reps, n))


def test_mixture_is_the_ratio_of_predictions():
    """The prediction of each reward from those before it, by the posterior of another module."""
    rng = np.random.default_rng(1)
    X = rng.random((6, 1))
    truth, ratio = np.sin(5 * X[:, 0]), [0.0]
    y = truth + SIGMA * rng.normal(size=6)
    for s in range(6):
        mean, sd = tv.posterior(K, X[:s], y[:s], X[s : s + 1], SIGMA**2)
        var = float(sd[0]) ** 2 + SIGMA**2
        said = -0.5 * (y[s] - float(mean[0])) ** 2 / var - 0.5 * np.log(var)
        true = -0.5 * (y[s] - truth[s]) ** 2 / SIGMA**2 - np.log(SIGMA)
        ratio.append(ratio[-1] + said - true)
    np.testing.assert_allclose(log_mixture(K(X, X), truth - y, y, SIGMA), ratio, atol=1e-7)


def test_one_observation_is_an_integral():
    nodes, weights = hermegauss(80)
    y, truth, k, c = 0.7, 0.4, 1.3, 0.8
    g = np.sqrt(c * k) * nodes
    inside = np.exp(((truth - y) ** 2 - (g - y) ** 2) / (2 * SIGMA**2))
    expected = np.log((weights * inside).sum() / np.sqrt(2 * np.pi))
    found = log_mixture(np.array([[k]]), np.array([truth - y]), np.array([y]), SIGMA, c)[1]
    assert found == pytest.approx(expected, abs=1e-9)


def test_mixture_has_mean_one_always():
    gram, truth, y = runs(4, 200_000)
    M = np.exp(log_mixture(gram, truth - y, y, SIGMA, c=0.02))  # small: M then has a variance
    error = M.std(axis=0) / np.sqrt(len(M))
    assert (np.abs(M.mean(axis=0) - 1.0) <= 4 * error + 1e-12).all()  # 4 standard errors, of 5 times


@pytest.mark.parametrize("delta", [0.05, 0.2, 0.5])
def test_at_most_a_share_delta_crosses(delta):
    gram, truth, y = runs(60, 4000)
    ever = (log_mixture(gram, truth - y, y, SIGMA) > np.log(1 / delta)).any(axis=1).mean()
    assert 0 < ever <= delta + 3 * np.sqrt(delta * (1 - delta) / 4000)


def test_threshold_is_the_ellipsoid():
    gram, truth, y = runs(30, 50)
    path = log_mixture(gram, truth - y, y, SIGMA)
    errors = np.concatenate([np.zeros((50, 1)), np.cumsum((truth - y) ** 2, axis=1)], axis=1)
    radius = squared_radius(gram, y, SIGMA, DELTA)
    np.testing.assert_array_equal(path <= np.log(1 / DELTA), errors <= radius)
    assert (errors > radius).any() and (errors <= radius).any()
