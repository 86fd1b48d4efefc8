"""Fiedler's band against its printed formula, and its place among the others."""

from __future__ import annotations

import numpy as np
import pytest

from tvbo_core.bands import ALL
from tvbo_core.gp import posterior
from tvbo_core.gp.spectral import spectrum
from tvbo_core.kernels import Matern

KERNEL, Z = Matern(1.5, 0.2), np.linspace(0, 1, 15)[:, None]
X = np.random.default_rng(0).uniform(size=(30, 1))
Y = np.sin(6 * X[:, 0]) + 0.1 * np.random.default_rng(1).standard_normal(30)


@pytest.mark.parametrize("ridge", [0.01, 1.0, 3.0])
def test_band_and_terms_are_the_printed_ones(ridge: float) -> None:
    band = ALL["FST"].make(2.0, 0.1, 0.05, ridge=ridge)
    mean, sd = posterior(KERNEL, X, Y, Z, ridge)
    bar = max(1.0, ridge)
    inside = np.linalg.slogdet(bar / ridge * KERNEL(X, X) + bar * np.eye(30))[1] - 2 * np.log(0.05)
    width = 2.0 + 0.1 / np.sqrt(ridge) * np.sqrt(inside)
    found = band.band(KERNEL, X, Y, Z)
    np.testing.assert_allclose(found.upper, mean + width * sd, atol=1e-8)
    terms = band.terms(spectrum(KERNEL, X, Y, Z), 4)
    assert terms.bound(1) == pytest.approx(found.upper[4], abs=1e-8)
