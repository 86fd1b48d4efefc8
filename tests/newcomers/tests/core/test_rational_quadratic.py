"""The rational quadratic kernel is a scale mixture of squared exponentials."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import gamma

from tvbo_core.kernels import ALL, make_kernel


@pytest.mark.parametrize("r", [0.0, 0.1, 0.5])
def test_it_is_the_mixture_of_squared_exponentials_over_a_gamma_of_inverse_squared_lengthscales(r: float) -> None:
    ell = 0.2
    mixed, _ = quad(lambda tau: gamma.pdf(tau, 1.0, scale=1 / ell**2) * np.exp(-0.5 * tau * r * r), 0, np.inf)
    found = make_kernel("rq", np.inf, ell)(np.array([[0.0]]), np.array([[r]]))[0, 0]
    assert found == pytest.approx(mixed, abs=1e-7) and ALL["rq"].said(np.inf) == "RQ"
