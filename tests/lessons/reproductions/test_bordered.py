"""Regularised fits of decomposed observations with a border are those of one dense solve of all of them."""

from __future__ import annotations

import numpy as np
import pytest

from lessons.reproductions.experiments import flynn
from lessons.reproductions.experiments.fresh import Bordered, Curves, decomposed
from tvbo_core.kernels import make_kernel

ALPHA = np.array([1e-3, 0.01, 0.3])


def data(first: int, newer: int, nu: float = 2.5) -> tuple[Bordered, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng, n = np.random.default_rng([first, newer]), first + newer
    kernel = make_kernel("matern", nu, 0.4)
    X, Z, y = rng.uniform(size=(n, 3)), rng.uniform(size=(7, 3)), rng.standard_normal(n)
    K, cross, prior = kernel(X, X), kernel(X, Z), kernel.diag(Z)
    return Bordered(*decomposed(K[:first, :first]), K, y, cross, prior), K, y, cross, prior


@pytest.mark.parametrize(("first", "newer"), [(30, 0), (40, 9), (1, 5)])
def test_bordered_fits_are_dense_solves(first, newer):
    fits, K, y, cross, prior = data(first, newer)
    mean, variance, quad = fits.at(ALPHA, slice(None))
    inverse, L, z, same = fits.data(ALPHA)
    np.testing.assert_array_equal(quad, same)
    for some, whole in zip(fits.at(ALPHA, np.array([5, 2]))[:2], (mean, variance), strict=True):
        np.testing.assert_allclose(some, whole[:, [5, 2]], rtol=1e-12)  # some arms alone are those of all
    for i, alpha in enumerate(ALPHA):
        A = K + alpha * np.eye(len(y))
        solved = np.linalg.solve(A, np.column_stack([y, cross]))
        np.testing.assert_allclose(mean[i], cross.T @ solved[:, 0], rtol=1e-9, atol=1e-10)
        # The dense solve cancels the prior: about 1e-12 of it is left of variances from 1e-3 on.
        np.testing.assert_allclose(variance[i], prior - (cross * solved[:, 1:]).sum(axis=0), rtol=1e-7, atol=1e-11)
        assert quad[i] == pytest.approx(y @ solved[:, 0], rel=1e-9)
        assert fits.weights_sq(inverse, L, z)[i] == pytest.approx(solved[:, 0] @ solved[:, 0], rel=1e-8)
        assert fits.log_det(alpha, L[i]) == pytest.approx(np.linalg.slogdet(np.eye(len(y)) + K / alpha)[1], rel=1e-10)


@pytest.mark.parametrize(("norm", "sound"), [(10.0, True), (0.3, False)])
def test_sets_are_sound_where_a_function_is(norm, sound):
    # Rewards of norm 10: a bound of 0.3 is broken by every function that comes near the answers.
    problem = flynn.world("Matern 5/2, 0.5", 1, 40, 3)
    band = flynn.band_of("CMM", flynn.scale_of("Matern 5/2, 0.5", 40, 3), 40, norm)
    rng = np.random.default_rng(0)
    X, y = problem.x[np.arange(40), 0], problem.f[:, 0] + 0.1 * rng.standard_normal(40)
    K, cross = problem.kernel(X, X), problem.kernel(X, problem.x[0])
    fits = Bordered(*decomposed(K[:33, :33]), K, y, cross, problem.kernel.diag(problem.x[0]))
    curves = Curves(band, fits, 40.0)
    assert curves.sound == sound == (not band.band(problem.kernel, X, y, problem.x[0]).empty)
    if sound:
        exact = band.band(problem.kernel, X, y, problem.x[0])
        np.testing.assert_allclose(curves.lowest(np.arange(100)), exact.upper, atol=1e-10)  # of 10, the norm bound
        relaxed = band.relaxed.band(problem.kernel, X, y, problem.x[0])
        np.testing.assert_allclose(curves.lower, np.maximum(relaxed.lower, -10.0), atol=1e-10)
