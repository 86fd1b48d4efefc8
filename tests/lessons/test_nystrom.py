"""The rest that chosen points leave open, against the pseudo-inverse; the sparse posterior, against its formula."""

from __future__ import annotations

import numpy as np
import pytest

from lessons.microscope.statements.mauduit import through_points
from lessons.shared.nystrom import coordinates, nystrom_left
from tvbo_core.gp import grid_posterior
from tvbo_core.kernels import Matern, SquaredExponential


@pytest.mark.parametrize("kernel", [SquaredExponential(0.2), Matern(0.5, 0.3, 2.0)])
def test_residual_is_that_of_the_pseudo_inverse(kernel) -> None:
    rng, x = np.random.default_rng(3), np.linspace(0, 1, 40)[:, None]
    gram = kernel(x, x)
    for size in (0, 1, 3, 8):
        chosen = rng.choice(40, size, replace=False)
        there = gram[chosen]
        left = gram.diagonal() - (there * (np.linalg.pinv(gram[np.ix_(chosen, chosen)], hermitian=True) @ there)).sum(0)
        # 1e-6 of variances of size 1: the pseudo-inverses are cut at other places.
        assert nystrom_left(gram, coordinates(gram, chosen)) == pytest.approx(left, abs=1e-6)


@pytest.mark.parametrize("noise", [0.01, 0.5])
def test_variational_sd_is_its_formula(noise: float) -> None:
    """Titsias (2009), eq. 10, by plain linear solves."""
    rng, x, kernel = np.random.default_rng(0), np.linspace(0, 1, 12)[:, None], Matern(0.5, 0.4, 2.0)
    gram, arms, chosen = kernel(x, x), rng.integers(0, 12, 30), np.array([2, 3, 7, 11])
    sd, residual = through_points(gram, arms, chosen, noise)
    Kss, Ksx, K = gram[np.ix_(chosen, chosen)], gram[np.ix_(chosen, arms)], gram[np.ix_(arms, arms)]
    inner, Ksz = Kss + Ksx @ Ksx.T / noise, gram[chosen]
    variance = gram.diagonal() - (Ksz * np.linalg.solve(Kss, Ksz)).sum(0) + (Ksz * np.linalg.solve(inner, Ksz)).sum(0)
    # 1e-9: the matrices have condition numbers below 1e4.
    assert sd**2 == pytest.approx(variance, rel=1e-9)
    assert residual == pytest.approx(np.trace(K - Ksx.T @ np.linalg.solve(Kss, Ksx)), rel=1e-9)
    everything, _ = through_points(gram, arms, arms, noise)
    assert everything == pytest.approx(grid_posterior(gram, arms, np.zeros(30), noise)[1], abs=1e-6)
