"""The bands against other ways to compute them, the laws that order them, laws of every band, and the edges."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.bands.dual_curve import ucb_curve
from tests.core.test_every_band import CLOSE, cases
from tests.strategies import LAW
from tvbo_core.bands import AMM, AY, CMM, DMM, IGP
from tvbo_core.bands.dual_search import CHUNK_NUMBERS
from tvbo_core.gp.spectral import spectrum
from tvbo_core.kernels import Matern, SquaredExponential

# --- closed forms and golden numbers ---------------------------------------------------------------


def test_bands_of_one_observation_match_hand_calculation():
    """k = 1, y = 2, B = 3, sigma = 1/2, delta = 1/10, c = 1, so alpha_0 = 1/4 and K = 1."""
    arm, y = np.zeros((1, 1)), np.array([2.0])
    kernel, common = SquaredExponential(1.0), {"B": 3.0, "sigma": 0.5, "delta": 0.1}
    # mu = 2 / 1.25 = 1.6, rho^2 = .2, ln det = ln 5, 2 ln(1/delta) = ln 100
    # AMM: sqrt(9 + ln 5 + ln 100) sqrt(.2); AY: (3 + sqrt(ln 500)) sqrt(.2); IGP at 1.5:
    # mu = .8, rho^2 = .6, (3 + .5 sqrt(ln(5/3) + .5 + ln 100)) sqrt(.6); CMM: min(3, 2 + R) with
    # R^2 = 4/5 + (ln 5 + ln 100) / 4 the last constraint alone
    expected = {
        (1.6, 1.7443972081): AMM(**common),
        (1.6, 2.4565047332): AY(**common, ridge=0.25),
        (0.8, 3.2416131778): IGP(**common, eta=0.5),
    }
    for (mean, half), bound in expected.items():
        band = bound.band(kernel, arm, y, arm)
        assert band.mean[0] == pytest.approx(mean, abs=1e-12)
        assert band.upper[0] - mean == pytest.approx(half, abs=1e-9)  # ten decimals were written down
    band = CMM(**common).band(kernel, arm, y, arm)
    assert band.upper[0] == 3.0
    assert band.lower[0] == pytest.approx(2.0 - np.sqrt(0.8 + np.log(500.0) / 4), abs=1e-9)


@LAW
@given(
    n=st.integers(1, 30),
    B=st.floats(0.1, 20),
    sigma=st.floats(0.02, 3),
    delta=st.floats(1e-4, 1),
    c=st.floats(0.05, 20),
    seed=st.integers(0, 2**32 - 1),
)
def test_cmm_of_one_arm_is_its_closed_form(n, B, sigma, delta, c, seed):
    """All functions are constants; where the interval around the average misses [-B, B], none is left."""
    rng = np.random.default_rng(seed)
    y = rng.uniform(-1.3, 1.3) * B + sigma * rng.normal(size=n)
    total, power = y.sum(), (y**2).sum()
    R2 = power - c * total**2 / (sigma**2 + c * n) + sigma**2 * (np.log1p(c * n / sigma**2) - 2 * np.log(delta))
    half = np.sqrt(R2 / n - power / n + (total / n) ** 2)
    arm = np.zeros((n, 1))
    band = CMM(B, sigma, delta, c).band(SquaredExponential(1.0), arm, y, arm[:1])
    low, high = max(-B, total / n - half), min(B, total / n + half)
    if abs(high - low) < 1e-6 * B:  # which side of empty is decided by rounding
        return
    assert band.empty == (low > high)
    if not band.empty:
        assert band.upper[0] == pytest.approx(high, abs=CLOSE * B)
        assert band.lower[0] == pytest.approx(low, abs=CLOSE * B)


# --- the laws that order the bands -----------------------------------------------------------------


@LAW
@given(case=cases())
def test_tighter_bands_lie_in_wider_ones(case):
    """At the matched regulariser sigma^2 / c, both sides, wherever the sets are not empty."""
    kernel, X, y, Z, B, sigma, delta, c = case
    spec = spectrum(kernel, X, y, Z)
    bounds = [CMM(B, sigma, delta, c), DMM(B, sigma, delta, c), AMM(B, sigma, delta, c)]
    bands = [bound.from_spectrum(spec) for bound in [*bounds, AY(B, sigma, delta, sigma**2 / c)]]
    if bands[1].empty:
        assert bands[0].empty  # an empty set has no larger subset
    for inner, outer in pairwise(bands):
        if inner.empty or outer.empty:
            continue
        slack = 1e-12 * (np.abs(outer.upper) + np.abs(outer.lower))  # equal formulas, rounded differently
        assert (inner.upper <= outer.upper + slack).all()
        assert (inner.lower >= outer.lower - slack).all()


# --- the empty set ---------------------------------------------------------------------------------


@pytest.mark.parametrize("example", ["tvbo-lab@.service", "Containerfile"])
def test_search_arrays_stay_below_the_servers_threshold(example: str) -> None:
    """From the threshold of the examples on, glibc maps every array anew: the search took half as long again."""
    text = (Path(__file__).resolve().parents[2] / "docs" / "examples" / example).read_text()
    threshold = re.search(r"MALLOC_MMAP_THRESHOLD_=(\d+)", text)
    assert threshold is not None
    # A tenth: glibc's own words before an array, and chunks whose times differ in their number of eigenvalues.
    assert 1.1 * np.dtype(float).itemsize * CHUNK_NUMBERS <= int(threshold[1])


# --- the radius in its terms, and the curve --------------------------------------------------------


def example():
    rng = np.random.default_rng(5)
    kernel, X = Matern(1.5, 0.3), rng.uniform(0, 1, (15, 1))
    y = np.sin(5 * X[:, 0]) + 0.1 * rng.normal(size=15)
    return kernel, X, y, np.linspace(0, 1, 7)[:, None], 3.0, 0.1, 0.01, 0.7


@pytest.mark.parametrize("side", [1, -1])
def test_curve_holds_dmm_points_and_cmm_minimum(side):
    kernel, X, y, Z, B, sigma, delta, c = example()
    spec, bound = spectrum(kernel, X, y, Z), CMM(B, sigma, delta, c)
    cmm, dmm = bound.from_spectrum(spec), DMM(B, sigma, delta, c).from_spectrum(spec)
    for j in range(len(Z)):
        curve = ucb_curve(bound, spec, j, side)
        exact, five_points = (cmm.upper, dmm.upper) if side > 0 else (cmm.lower, dmm.lower)
        assert curve.best_value == pytest.approx(exact[j], rel=1e-12)
        assert (side * curve.value >= side * curve.best_value - 1e-12).all()  # rounding of equal formulas
        assert side * (side * curve.grid_value).min() == pytest.approx(five_points[j], rel=1e-9)
        assert curve.grid_alpha * c / sigma**2 == pytest.approx([0.1, 0.3, 1, 3, 10], rel=1e-14)
        assert not curve.empty and (curve.radius_sq > 0).all()
        assert curve.alpha.min() < curve.best_alpha < curve.alpha.max()


# --- edges -----------------------------------------------------------------------------------------


def test_norm_bound_zero_leaves_zero_or_nothing():
    kernel, X = SquaredExponential(0.2), np.linspace(0, 1, 10)[:, None]
    rng = np.random.default_rng(1)
    band = CMM(0.0, 0.1, 0.01).band(kernel, X, 0.1 * rng.normal(size=10), X)
    assert not band.empty and not band.upper.any() and not band.lower.any()
    assert CMM(0.0, 0.1, 0.01).band(kernel, X, np.ones(10), X).empty
