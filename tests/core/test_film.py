"""Films of bands, the drift-aware band, the mixture behind them, and the conic program they agree with."""

from __future__ import annotations

import numpy as np
import pytest

import tvbo_core as tv
from lessons.bands.mixture import log_mixture, squared_radius
from tvbo_core.bands import CMM, BoundError
from tvbo_core.bands.certify import socp_bounds
from tvbo_core.bands.drift_aware import drift_aware_band
from tvbo_core.kernels import Matern, SquaredExponential

# --- drift ------------------------------------------------------------


def example(n=12, seed=0):
    rng = np.random.default_rng(seed)
    X, Z = rng.uniform(0, 1, (n, 1)), np.linspace(0, 1, 5)[:, None]
    return X, rng.normal(size=n), Z


def test_drift_aware_band_matches_explicit_features():
    """The sds from explicit features (an eigen-square-root), not from weights."""
    kernel, (X, y, Z) = Matern(1.5, 0.4), example()
    B, sigma, delta, ridge, discount = 2.0, 0.3, 0.05, 0.2, 0.9
    band = drift_aware_band(kernel, X, y, Z, B, sigma, delta, ridge, discount, np.zeros(12))
    joint = np.vstack([X, Z])
    eigenvalues, Q = np.linalg.eigh(kernel(joint, joint))
    phi = Q * np.sqrt(np.maximum(eigenvalues, 0))
    phi, phi_z = phi[:12], phi[12:]
    w = discount ** np.arange(11.0, -1.0, -1.0)
    V = (phi.T * w) @ phi + ridge * np.eye(17)
    V2 = (phi.T * w**2) @ phi + ridge * np.eye(17)
    theta = np.linalg.solve(V, phi.T @ (w * y))
    tight = np.sqrt(ridge * np.einsum("zi,zi->z", np.linalg.solve(V, phi_z.T).T @ V2, np.linalg.solve(V, phi_z.T).T))
    noise_part = np.linalg.norm((phi * w[:, None]) @ np.linalg.solve(V, phi_z.T), axis=0)
    bias = np.linalg.norm(phi_z.T - (phi.T * w) @ phi @ np.linalg.solve(V, phi_z.T), axis=0)
    log_det = np.linalg.slogdet(np.eye(17) + (phi.T * w**2) @ phi / ridge)[1]
    root = np.sqrt(log_det - 2 * np.log(delta))
    assert tight == pytest.approx(np.sqrt(ridge * noise_part**2 + bias**2), rel=1e-8)
    assert band.mean == pytest.approx(phi_z @ theta, abs=1e-9)
    # eigen-square-roots of a matrix of condition 1e4 keep ten digits
    assert band.upper - band.mean == pytest.approx(B * bias + sigma / np.sqrt(ridge) * tight * root, rel=1e-8)
    assert (band.upper - band.mean <= (B + sigma / np.sqrt(ridge) * root) * tight * (1 + 1e-9)).all()


def test_drift_term_is_weights_times_capped_movement():
    kernel, (X, y, Z) = SquaredExponential(0.3, variance=2.0), example()
    arguments = (kernel, X, y, Z, 1.5, 0.3, 0.05, 0.2, 1.0)
    still = drift_aware_band(*arguments, np.zeros(12))
    moved = np.linspace(9.0, 0.0, 12)
    band = drift_aware_band(*arguments, moved)
    a = np.linalg.solve(kernel(X, X) + 0.2 * np.eye(12), kernel(X, Z))
    extra = np.abs(a).T @ np.minimum(2 * 1.5 * np.sqrt(2.0), moved)
    assert band.upper - still.upper == pytest.approx(extra, rel=1e-9)  # one solve of condition 1e2
    assert still.lower - band.lower == pytest.approx(extra, rel=1e-9)
    assert np.array_equal(band.mean, still.mean)


# --- mixture ------------------------------------------------------------

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


# --- certify ------------------------------------------------------------

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
    """Eq. 10 and eq. 12 of Flynn & Reeb, strong duality; both find no function where there is none."""
    empty, at_norm_bound = 0, 0
    for seed in range(40):
        kernel, X, y, z, B, sigma, delta, c = random_case(seed)
        if seed % 2:  # noise that is larger than assumed
            sigma *= 0.3
            y = y + 2 * sigma * (1 + seed % 10) * (-1.0) ** np.arange(len(y))
        band = CMM(B, sigma, delta, c).band(kernel, X, y, z[None])
        if band.empty:
            empty += 1
            with pytest.raises(BoundError, match="the confidence set is empty"):
                socp_bounds(kernel, X, y, z, B, sigma, delta, c)
            continue
        lower, upper = socp_bounds(kernel, X, y, z, B, sigma, delta, c)
        ceiling = B * float(np.sqrt(kernel.diag(z[None])[0]))
        assert abs(upper - band.upper[0]) <= AGREE * ceiling, (seed, upper - band.upper[0])
        assert abs(lower - band.lower[0]) <= AGREE * ceiling, (seed, lower - band.lower[0])
        at_norm_bound += band.upper[0] == ceiling or band.lower[0] == -ceiling
    assert 5 <= empty <= 15 and at_norm_bound <= 12  # the agreement is about the search, not about B sqrt(k)


def test_strong_discounts_over_long_pasts_stay_finite():
    X = np.linspace(0, 1, 400)[:, None]
    band = drift_aware_band(Matern(), X, np.ones(400), X[:3], 1.0, 0.1, 0.1, 0.01, 0.5, np.ones(400))
    assert np.isfinite([band.lower, band.upper]).all()
