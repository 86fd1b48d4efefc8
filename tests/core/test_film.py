"""A film is its band at every time, and its misses are where the truth leaves it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW, kernels, listed_bands, points
from tvbo_core.bands import CMM
from tvbo_core.bands.over_time import films, first_miss, missed
from tvbo_core.gp.over_time import prefix_fits
from tvbo_core.gp.spectral import gram, prefix_spectra, spectrum
from tvbo_core.records import BandFilm

ROOT = Path(__file__).resolve().parents[2]


@st.composite
def experiments(draw):
    """(kernel, X, y, Z, B, sigma): rewards of a function of norm at most 1.2 B, with noise."""
    n, m, d = draw(st.integers(0, 14)), draw(st.integers(1, 5)), draw(st.integers(1, 2))
    kernel, X, Z = draw(kernels()), draw(points(n, d)), draw(points(m, d))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    B, sigma = float(np.exp(rng.uniform(-1, 2))), float(np.exp(rng.uniform(-2, 0)) * np.sqrt(kernel.variance))
    centre = rng.uniform(-1, 1, (1, d))
    a = rng.uniform(-1.2, 1.2) * B / np.sqrt(kernel.variance)
    y = (a * kernel(X, centre)[:, 0] if n else np.zeros(0)) + sigma * rng.normal(size=n)
    return kernel, X, y, Z, B, sigma


@LAW
@given(case=experiments())
def test_every_frame_is_the_band_of_its_time(case):
    kernel, X, y, Z, B, sigma = case
    bands = listed_bands(B, sigma, 0.05, ridge=2 * sigma**2)
    made = films(bands, kernel, X, y, Z)
    # Cholesky against eigenvectors: eps * tr K / alpha = 1e-16 * 14 / (0.1 * e^-4) of a width, times its root
    # where a radius is nearly 0
    slack = 1e-7 * (B * np.sqrt(kernel.diag(Z)) + np.abs(y).max(initial=0.0))
    for name, bound in bands.items():
        assert made[name].name == name
        for t in range(len(y) + 1):
            frame, band = made[name].at(t), bound.band(kernel, X[:t], y[:t], Z)
            assert frame.empty == band.empty
            for one, two in ((frame.mean, band.mean), (frame.lower, band.lower), (frame.upper, band.upper)):
                assert (np.abs(one - two) <= slack).all()


@LAW
@given(case=experiments())
def test_searching_times_together_changes_nothing(case):
    kernel, X, y, Z, B, sigma = case
    bound = CMM(B, sigma, 0.05)
    spectra = prefix_spectra(*gram(kernel, X, y, Z))
    for spec, frame in zip(spectra, bound.from_spectra(spectra, [None] * len(spectra)), strict=True):
        band = bound.from_spectra([spec], [None])[0]
        assert frame.empty == band.empty
        for one, two in ((frame.mean, band.mean), (frame.lower, band.lower), (frame.upper, band.upper)):
            # the same steps; sums of other lengths differ by rounding, which a root of nearly 0 makes 1e-8 of it
            assert one == pytest.approx(two, rel=1e-9, abs=1e-8 * B * np.sqrt(kernel.variance))


@LAW
@given(case=experiments(), alpha=st.floats(1e-3, 1e3))
def test_prefix_factor_gives_every_times_fit(case, alpha):
    """Growing the factor equals computing afresh."""
    kernel, X, y, Z, *_ = case
    alpha *= kernel.variance
    running = prefix_fits(*gram(kernel, X, y, Z), alpha)
    for t in range(len(y) + 1):
        fresh = spectrum(kernel, X[:t], y[:t], Z).fit(alpha)
        size = np.sqrt(kernel.variance) + np.abs(y).max(initial=0.0)
        # condition number of I + K / alpha at most 2e4: eleven digits are left, seven after a root
        assert running.mean[t] == pytest.approx(fresh.mean, abs=1e-9 * size)
        assert running.sd[t] == pytest.approx(fresh.sd, abs=1e-6 * np.sqrt(kernel.variance))
        assert running.log_det[t] == pytest.approx(fresh.log_det, abs=1e-9)
        assert running.misfit[t] == pytest.approx(fresh.misfit, abs=1e-9 * (1 + float(y @ y)))
        assert running.trace[t] == pytest.approx(fresh.trace, rel=1e-12)
        assert running.count[t] == fresh.count == t


def hand_film():
    """Three frames of two points: the truth (1, 1) is inside, at the edge, outside."""
    lower = np.array([[0.0, 0.0], [1.0, 0.0], [1.1, 0.0]])
    upper = np.array([[2.0, 2.0], [2.0, 1.0], [2.0, 2.0]])
    return BandFilm("hand", (lower + upper) / 2, lower, upper, np.zeros(3, bool))


def test_first_miss_is_the_first_time_outside():
    film = hand_film()
    assert missed(film, np.ones(2)).tolist() == [[False, False], [False, False], [True, False]]
    assert first_miss(film, np.ones(2)) == 2
    moving = np.array([[1.0, 1.0], [1.0, 1.5], [1.2, 1.0]])
    assert first_miss(film, moving) == 1
    assert first_miss(film, np.array([1.2, 1.0])) is None


def test_rounding_is_not_a_miss():
    assert first_miss(hand_film(), np.array([[1.0, 1.0], [1.0 - 1e-10, 1.0 + 1e-10], [1.1, 1.0]])) is None
    assert first_miss(hand_film(), np.array([[1.0, 1.0], [1.0 - 1e-8, 1.0], [1.1, 1.0]])) == 1


def test_empty_bands_miss_everywhere():
    film = hand_film()
    film.empty[1] = True
    assert missed(film, np.ones(2))[1].all()
    assert first_miss(film, np.ones(2)) == 1


def test_long_films_keep_few_decompositions():
    """All 501 of them would be 330 MB; a process of its own, whose largest size is this film's."""
    code = """
import resource, numpy as np, tvbo_core as tv
rng = np.random.default_rng(0)
x, n = np.linspace(0, 1, 60)[:, None], 500
places = x[rng.integers(0, 60, n)]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
film = tv.band_film(tv.CMM(B=3.0, sigma=0.1, delta=0.01), tv.Matern(1.5), places, rng.standard_normal(n) / 10, x)
print(film.upper.shape, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    shape, grown = done.stdout.rsplit(" ", 1)
    assert shape == "(501, 60)" and int(grown) < 250
