"""The drift-aware band: its parts against explicit features, its promise against adversaries."""

from __future__ import annotations

import numpy as np
import pytest

from tvbo_core.bands.drift_aware import drift_aware_band
from tvbo_core.kernels import Matern, SquaredExponential


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


def violations(aware: bool) -> float:
    """Share of 300 runs in which a band leaves f_t of a gliding curve somewhere, picks adaptive."""
    rng = np.random.default_rng(1)
    kernel, Z = SquaredExponential(0.25), np.linspace(0, 1, 25)[:, None]
    K, n, misses = kernel(Z, Z), 25, 0
    for _ in range(300):
        ends = rng.normal(size=(2, 25)) @ np.linalg.cholesky(K + 1e-9 * np.eye(25)).T
        norms = np.sqrt(np.einsum("ei,ij,ej->e", ends, np.linalg.inv(K + 1e-6 * np.eye(25)), ends))
        ends *= (2.0 / norms)[:, None]
        path = ends[0] + np.linspace(0, 1, n)[:, None] * (ends[1] - ends[0])
        picks, y, mean = [], [], np.zeros(25)
        for t in range(n):
            arm = int(np.argmax(mean)) if t % 2 else int(rng.integers(25))
            picks.append(arm)
            y.append(path[t, arm] + 0.1 * rng.normal())
            mean = K[:, picks] @ np.linalg.solve(K[np.ix_(picks, picks)] + 0.1 * np.eye(t + 1), y)
        moved = np.abs(path[-1] - path).max(axis=1) if aware else np.zeros(n)
        band = drift_aware_band(kernel, Z[picks], np.array(y), Z, 2.0, 0.1, 0.1, 0.1, 0.9, moved)
        misses += bool(((path[-1] < band.lower) | (path[-1] > band.upper)).any())
    return misses / 300


def test_drift_aware_band_covers_gliding_curves():
    """The curve glides through the ball of norm 2 (up to a jitter that only shrinks the norm)."""
    # delta = .1; three standard errors of a share at .1 over 300 runs are .052
    assert violations(aware=True) <= 0.1 + 0.052


def test_undrifted_band_misses_gliding_curves():
    assert violations(aware=False) > 0.1 + 0.052


def test_strong_discounts_over_long_pasts_stay_finite():
    X = np.linspace(0, 1, 400)[:, None]
    band = drift_aware_band(Matern(), X, np.ones(400), X[:3], 1.0, 0.1, 0.1, 0.01, 0.5, np.ones(400))
    assert np.isfinite([band.lower, band.upper]).all()
