"""One band after 0, 1, ..., n observations.

At a fixed regulariser all times come from one Cholesky factor: the leading t x t block of the factor of
I + K_n / alpha is the factor of I + K_t / alpha, so every posterior is a running sum over its rows. CMM needs
one eigendecomposition a time.

>>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
>>> film = tv.film.band_film(tv.AMM(B=3.0, sigma=0.1, delta=0.01, c=1.0), k, X, y, X)
>>> tv.film.missed(film, np.array([1.0, -0.5])).any(axis=1).tolist()
[False, False, False]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from tvbo_core.bands.base import Bound
from tvbo_core.gp.over_time import prefix_fits
from tvbo_core.gp.spectral import gram, prefix_spectra
from tvbo_core.records import Band, BandFilm
from tvbo_core.threads import one_thread
from tvbo_core.validation import as_floats, short_repr

if TYPE_CHECKING:
    from tvbo_core.kernels import Kernel

TIMES_AT_ONCE = 64  # whose decompositions are in memory together: those of 1000 times are 3 GB
MISS_TOLERANCE = (
    1e-9  # a curve this far outside (relative to its largest value, at least 1) is outside by rounding only
)


def films(
    bands: Mapping[str, Bound],
    kernel: Kernel,
    X: np.ndarray,
    y: np.ndarray,
    Z: np.ndarray,
    times: Sequence[int] | None = None,
) -> dict[str, BandFilm]:
    """Films of several bands on the same data, sharing the Gram matrix, the factors and the spectra.

    Args:
        bands: name -> band.   X: (n, d) inputs; n may be 0.   y: (n,) rewards.   Z: (m, d).
        times: at which bands without a fixed regulariser are computed, the other rows NaN; all when left out. Bands
            with one have all times from one factor.
    Raises:
        ValueError: shapes disagree or a value is not finite.
        BoundError: a fixed regulariser is too small for double precision.

    >>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
    >>> bands = {one.name: one(B=3.0, sigma=0.1, delta=0.01, c=1.0) for one in (tv.AMM, tv.CMM)}
    >>> {name: film.upper.shape for name, film in tv.films(bands, k, X, y, X).items()}
    {'AMM': (3, 2), 'CMM': (3, 2)}
    """
    for band in bands.values():
        if not isinstance(band, Bound):
            raise ValueError(f"a band must derive from tvbo_core.bands.Bound, got {short_repr(band)}")
    matrices = gram(kernel, X, y, Z)
    with one_thread():
        fit_at = cache(lambda alpha: prefix_fits(*matrices, alpha))
        return {name: film_of(name, band, matrices, fit_at, times) for name, band in bands.items()}


def band_film(band: Bound, kernel: Kernel, X: np.ndarray, y: np.ndarray, Z: np.ndarray) -> BandFilm:
    """The film of one band; arguments and errors as `films`.

    >>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
    >>> film = tv.band_film(tv.AMM(B=3.0, sigma=0.1, delta=0.01, c=1.0), k, X, y, X)
    >>> film.name, np.round(film.half_width, 2).tolist()
    ('AMM', [4.27, 2.62, 0.52])
    """
    name = getattr(band, "name", "")
    return films({name: band}, kernel, X, y, Z)[name]


def film_of(name: str, band: Bound, matrices: tuple, fit_at, times: Sequence[int] | None = None) -> BandFilm:
    """The film of one band from the Gram matrices and the fits at a regulariser.

    Args:
        times: of the spectra; all when left out.
    """
    if band.fixed_regularisers:
        return BandFilm(name, *band.from_fits(fit_at))
    K, y, Kxz, kzz = matrices
    rows = list(range(len(y) + 1) if times is None else times)
    known: list[Band | None] = [None] * len(rows)
    outer = band.outer(float(np.trace(K)))
    if outer is not None:
        film = BandFilm(name, *outer.from_fits(fit_at))
        known = [film.at(t) for t in rows]
    frames: list[Band] = []
    for first in range(0, len(rows), TIMES_AT_ONCE):
        some = slice(first, first + TIMES_AT_ONCE)
        frames += band.from_spectra(prefix_spectra(K, y, Kxz, kzz, rows[some]), known[some])
    stack = {key: np.full((len(y) + 1, len(kzz)), np.nan) for key in ("mean", "lower", "upper")}
    empty = np.zeros(len(y) + 1, bool)
    for key, rows_of in stack.items():
        rows_of[rows] = [getattr(f, key) for f in frames]
    empty[rows] = [f.empty for f in frames]
    return BandFilm(name, **stack, empty=empty, times=None if times is None else tuple(rows))


def missed(film: BandFilm, truth: np.ndarray) -> np.ndarray:
    """(n+1, m) True where the truth does not lie inside the band; everywhere at a time when the band is empty.

    Args:
        film: n+1 frames of m points.
        truth: (m,) a still curve, or (n+1, m) the curve of each frame.
    Raises:
        ValueError: the shapes disagree.
    """
    if not isinstance(film, BandFilm):
        raise ValueError(f"film must be a BandFilm, got {short_repr(film)}")
    truth = as_floats("truth", truth)
    if not np.isfinite(truth).all():
        raise ValueError("truth must be finite everywhere")
    if truth.shape not in (film.mean.shape, film.mean.shape[1:]):
        raise ValueError(f"truth must have shape {film.mean.shape} or {film.mean.shape[1:]}, got {truth.shape}")
    slack = MISS_TOLERANCE * max(1.0, float(np.abs(truth).max(initial=0.0)))
    inside = (truth >= film.lower - slack) & (truth <= film.upper + slack)
    return (~inside | film.empty[:, None]) & film.computed[:, None]


def first_miss(film: BandFilm, truth: np.ndarray) -> int | None:
    """The first t at which the truth leaves the band anywhere or the band is empty; None if never.

    Arguments and errors as `missed`.

    >>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
    >>> film = tv.band_film(tv.AMM(B=3.0, sigma=0.1, delta=0.01, c=1.0), k, X, y, X)
    >>> tv.first_miss(film, np.array([1.0, -0.5])), tv.first_miss(film, np.array([1.0, 2.0]))
    (None, 2)
    """
    bad = missed(film, truth).any(axis=1)
    return int(bad.argmax()) if bad.any() else None
