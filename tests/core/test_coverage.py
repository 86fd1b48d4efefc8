"""Counting by hand: curves at the edge of a band, the norm of what is drawn, and Wilson's interval."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from tests.strategies import LAW
from tvbo_core.bands import AMM
from tvbo_core.bands.coverage import StillWorlds, draw_still_worlds, score, wilson
from tvbo_core.kernels import Matern


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(("reach", "covered"), [(0.9, 1), (0.9999, 1), (1.0001, 0), (1.1, 0)])
def test_curves_at_the_edge_are_counted_exactly(side, reach, covered):
    r"""One arm and one reward by hand: $|f-\mu|$ is `reach` times AMM's $\rho\sqrt{B^2+c(\ln\det+2\ln\frac1\delta)}$.

    The norm is above the assumed B, so that membership in the confidence set decides nothing.
    """
    B, sigma, delta, c, f = 1.0, 0.5, 0.1, 0.7, side * 1.2
    alpha = sigma**2 / c
    rho = np.sqrt(alpha / (1 + alpha))
    width = np.sqrt(B**2 + c * (np.log1p(1 / alpha) - 2 * np.log(delta)))
    mean = f - side * reach * width * rho
    noise = mean * (1 + alpha) - f
    drawn = StillWorlds(np.ones((1, 1)), np.array([[f]]), np.zeros((1, 1), int), np.array([[noise]]), 1.2)
    assert score({"AMM": AMM(B, sigma, delta, c)}, drawn).counts["AMM"].covered == covered


def test_drawn_curves_have_exactly_the_stated_norm():
    """By interpolation: f'K^-1 f of a rough kernel, whose matrix is well conditioned."""
    kernel, pool = Matern(0.5, 0.3), np.linspace(0, 1, 31)[:, None]
    drawn = draw_still_worlds(kernel, pool, 3, 6, 2.5, 0.1, np.random.default_rng(0))
    norms = np.sqrt(np.einsum("wi,ij,wj->w", drawn.f, np.linalg.inv(drawn.gram), drawn.f))
    assert norms == pytest.approx(np.full(6, 2.5), rel=1e-10)  # condition number 1e3
    assert drawn.y == pytest.approx(np.take_along_axis(drawn.f, drawn.picks, 1) + drawn.noise, abs=0)


@LAW
@given(n=st.integers(1, 10**6), share=st.floats(0, 1), level=st.floats(0.5, 0.999))
def test_wilson_ends_are_roots_of_the_test(n, share, level):
    hits = round(share * n)
    z = norm.ppf(0.5 + level / 2)
    for end in wilson(hits, n, level):
        assert 0 <= end <= 1
        left, right = (hits / n - end) ** 2, z**2 * end * (1 - end) / n
        assert left == pytest.approx(right, rel=1e-6, abs=1e-12)  # a difference of nearly equal shares
