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
from tvbo_core.bands import AMM, CMM, BoundError
from tvbo_core.bands.over_time import band_film, films, first_miss, missed
from tvbo_core.gp.over_time import prefix_fits
from tvbo_core.gp.spectral import gram, prefix_spectra, spectrum
from tvbo_core.kernels import Matern, SquaredExponential
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
def test_every_frame_of_a_film_is_the_band_of_that_time(case):
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
def test_a_time_searched_among_others_is_the_time_searched_alone(case):
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
def test_the_prefix_factor_gives_the_fit_of_every_time(case, alpha):
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


@LAW
@given(case=experiments())
def test_a_film_never_widens_the_sd_as_data_arrive(case):
    kernel, X, y, Z, _, sigma = case
    sd = prefix_fits(*gram(kernel, X, y, Z), sigma**2).sd
    assert (np.diff(sd, axis=0) <= 1e-15 * np.sqrt(kernel.variance)).all()  # one rounding of a running sum


def test_films_of_many_bands_equal_the_films_of_each():
    rng = np.random.default_rng(0)
    kernel, X, Z = Matern(1.5, 0.3), rng.uniform(0, 1, (12, 1)), np.linspace(0, 1, 6)[:, None]
    y, bands = rng.normal(size=12), listed_bands(2.0, 0.3, 0.1)
    together = films(bands, kernel, X, y, Z)
    for name, bound in bands.items():
        alone = band_film(bound, kernel, X, y, Z)
        assert np.array_equal(alone.upper, together[name].upper)
        assert np.array_equal(alone.lower, together[name].lower)
        assert np.array_equal(alone.empty, together[name].empty)


def test_a_film_without_data_has_one_frame():
    empty = np.zeros((0, 1))
    for film in films(listed_bands(2.0, 0.1, 0.1), Matern(), empty, np.zeros(0), np.zeros((3, 1))).values():
        assert film.upper.shape == (1, 3) and film.empty.tolist() == [False]


def test_a_film_is_refused_where_its_last_band_would_be():
    X = np.linspace(0, 1, 30)[:, None]
    with pytest.raises(BoundError, match="too small for this kernel matrix"):
        band_film(AMM(1.0, 1e-6, 0.1), SquaredExponential(0.2), X, np.zeros(30), X)


def hand_film():
    """Three frames of two points: the truth (1, 1) is inside, at the edge, outside."""
    lower = np.array([[0.0, 0.0], [1.0, 0.0], [1.1, 0.0]])
    upper = np.array([[2.0, 2.0], [2.0, 1.0], [2.0, 2.0]])
    return BandFilm("hand", (lower + upper) / 2, lower, upper, np.zeros(3, bool))


def test_the_first_miss_is_the_first_time_the_truth_is_outside_anywhere():
    film = hand_film()
    assert missed(film, np.ones(2)).tolist() == [[False, False], [False, False], [True, False]]
    assert first_miss(film, np.ones(2)) == 2
    moving = np.array([[1.0, 1.0], [1.0, 1.5], [1.2, 1.0]])
    assert first_miss(film, moving) == 1
    assert first_miss(film, np.array([1.2, 1.0])) is None


def test_rounding_is_not_a_miss():
    assert first_miss(hand_film(), np.array([[1.0, 1.0], [1.0 - 1e-10, 1.0 + 1e-10], [1.1, 1.0]])) is None
    assert first_miss(hand_film(), np.array([[1.0, 1.0], [1.0 - 1e-8, 1.0], [1.1, 1.0]])) == 1


def test_an_empty_band_misses_everywhere():
    film = hand_film()
    film.empty[1] = True
    assert missed(film, np.ones(2))[1].all()
    assert first_miss(film, np.ones(2)) == 1


def test_a_truth_of_the_wrong_shape_is_refused():
    with pytest.raises(ValueError, match=r"truth must have shape \(3, 2\) or \(2,\), got \(3,\)"):
        missed(hand_film(), np.ones(3))


def test_a_long_film_holds_the_decompositions_of_a_few_times_only():
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
