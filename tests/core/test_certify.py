"""The conic program and the one-dimensional dual are two independent ways to the same exact bound."""

from __future__ import annotations

import numpy as np
import pytest

from tvbo_core.bands import CMM, BoundError
from tvbo_core.bands.certify import socp_bounds
from tvbo_core.kernels import Matern, SquaredExponential, Tabulated

# 1e-6 of B sqrt(k): bounds lie in [-B sqrt(k), B sqrt(k)] and cross 0, where a share of their own value means
# nothing. The solver stops between 1e-10 and 1e-8 of the same unit.
AGREE = 1e-6


def random_case(seed):
    """Kernels of every roughness, 1 to 50 observations, repeated points, z at and between the data."""
    rng = np.random.default_rng(seed)
    n = 50 if seed % 20 == 0 else int(rng.choice([1, 2, 3, 5, 8, 12, 20]))
    d, lengthscale = int(rng.integers(1, 4)), float(np.exp(rng.uniform(np.log(0.05), np.log(3))))
    variance = float(np.exp(rng.uniform(-2, 2)))
    nu = (np.inf, 0.5, 1.5, 2.5, 0.8)[seed % 5]
    kernel = Matern(nu, lengthscale, variance) if np.isfinite(nu) else SquaredExponential(lengthscale, variance)
    X = rng.uniform(0, 1, (n, d))
    if seed % 3 == 0:
        X = X[rng.integers(0, n, n)]
    B = float(np.exp(rng.uniform(-1, 3)))
    sigma = float(np.sqrt(variance) * np.exp(rng.uniform(np.log(0.01), np.log(0.7))))
    delta, c = float(rng.choice([0.001, 0.01, 0.1, 1.0])), float(np.exp(rng.uniform(-2, 2)))
    centres, a = rng.uniform(0, 1, (8, d)), rng.normal(size=8)
    a *= B * rng.uniform(0.05, 1.0) / np.sqrt(a @ kernel(centres, centres) @ a)
    y = kernel(X, centres) @ a + sigma * rng.normal(size=n)
    z = X[0] if seed % 4 == 0 else rng.uniform(-0.3, 1.3, d)
    return kernel, X, y, z, B, sigma, delta, c


def test_cmm_agrees_with_the_conic_program():
    """Eq. 10 and eq. 12 of Flynn & Reeb, strong duality."""
    compared, at_norm_bound = 0, 0
    for seed in range(215):
        kernel, X, y, z, B, sigma, delta, c = random_case(seed)
        band = CMM(B, sigma, delta, c).band(kernel, X, y, z[None])
        if band.empty:
            continue
        lower, upper = socp_bounds(kernel, X, y, z, B, sigma, delta, c)
        ceiling = B * float(np.sqrt(kernel.diag(z[None])[0]))
        assert abs(upper - band.upper[0]) <= AGREE * ceiling, (seed, upper - band.upper[0])
        assert abs(lower - band.lower[0]) <= AGREE * ceiling, (seed, lower - band.lower[0])
        compared += 1
        at_norm_bound += band.upper[0] == ceiling or band.lower[0] == -ceiling
    assert compared >= 200
    assert compared - at_norm_bound >= 150  # the agreement is about the search, not about B sqrt(k)


def test_both_ways_call_the_same_sets_empty():
    empty = 0
    for seed in range(40):
        kernel, X, y, z, B, sigma, delta, c = random_case(seed)
        sigma *= 0.3
        y = y + 2 * sigma * (1 + seed % 10) * (-1.0) ** np.arange(len(y))
        band = CMM(B, sigma, delta, c).band(kernel, X, y, z[None])
        if not band.empty:
            socp_bounds(kernel, X, y, z, B, sigma, delta, c)
            continue
        empty += 1
        with pytest.raises(BoundError, match="the confidence set is empty"):
            socp_bounds(kernel, X, y, z, B, sigma, delta, c)
    assert 10 <= empty <= 30  # both answers occur


def test_conic_bound_without_data_is_the_norm_bound():
    kernel = SquaredExponential(0.5, variance=4.0)
    bounds = socp_bounds(kernel, np.zeros((0, 2)), np.zeros(0), np.zeros(2), 3.0, 0.1, 0.1)
    assert bounds == pytest.approx((-6.0, 6.0), abs=6 * AGREE)


def test_conic_bound_vanishes_with_the_kernel():
    kernel = Tabulated(np.diag([1.0, 0.0]))
    assert socp_bounds(kernel, np.array([[0.0]]), np.array([0.3]), np.array([1.0]), 2.0, 0.1, 0.1) == (
        0.0,
        0.0,
    )


def test_norm_bound_zero_leaves_zero_or_no_function():
    kernel, X = Matern(1.5, 0.3), np.linspace(0, 1, 5)[:, None]
    bounds = socp_bounds(kernel, X, np.full(5, 0.01), X[0], 0.0, 0.1, 0.1)
    assert bounds == pytest.approx((0.0, 0.0), abs=0)
    with pytest.raises(BoundError, match="empty"):
        socp_bounds(kernel, X, np.full(5, 3.0), X[0], 0.0, 0.1, 0.1)
