r"""One frame of a film of bands, and who has missed the truth when, without computing the whole film.

CMM is the costly band. Whether it misses $f_t$ follows almost always from less: its confidence set is
$\{f:\|f(X)-y\|^2\le R_t^2,\ \|f\|_{\mathcal H}\le B\}$, so a truth inside the set is covered by definition, and a
truth outside DMM's band, which contains CMM's, is missed. Only the frames in between are solved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from tvbo_core.bands.base import Bound
from tvbo_core.bands.over_time import film_of, missed
from tvbo_core.bands.theorems import CMM
from tvbo_core.gp.over_time import prefix_fits
from tvbo_core.gp.spectral import gram, prefix_spectra
from tvbo_core.records import BandFilm, History
from tvbo_core.threads import one_thread

if TYPE_CHECKING:
    from tvbo_core.kernels import Kernel

ROOM = 1e-9  # relative: a truth this close to the border of the confidence set is decided by its band


@dataclass(frozen=True, eq=False)
class Glance:
    """What a still picture of one frame needs.

    Attributes:
        films: name -> film; exact at the frame asked for. Of CMM's other frames some are DMM's, which holds CMM.
        misses: name -> (n+1, m) bool. Exact at that frame, and everywhere exact in whether anything is missed.
    """

    films: Mapping[str, BandFilm]
    misses: Mapping[str, np.ndarray]


def glance(
    bands: Mapping[str, Bound], kernel: Kernel, history: History, truth: np.ndarray, norms: np.ndarray | None, t: int
) -> Glance:
    """The bands at frame t, and who misses the truth in every frame.

    Args:
        bands: name -> band; a CMM is asked through the DMM of its own assumptions.
        history: n observations at fixed arms.   truth: (n+1, m) curve of each frame.
        norms: (n+1,) its RKHS norms, or None when nobody knows.   t: a frame, from 0 to n.
    Raises:
        ValueError, BoundError: as `films`.
    """
    matrices = gram(kernel, history.X, history.y, history.problem.x)
    with one_thread():
        fit_at = cache(lambda alpha: prefix_fits(*matrices, alpha))
        films = {name: film_of(name, band, matrices, fit_at, []) for name, band in bands.items() if _cheap(band)}
        misses = {name: missed(film, truth) for name, film in films.items()}
        for name, band in bands.items():
            if name not in films:
                inside = _inside(band, fit_at, history, truth, norms)
                films[name], misses[name] = _costly(name, band, matrices, fit_at, truth, inside, t)
    return Glance({name: films[name] for name in bands}, {name: misses[name] for name in bands})


def _cheap(band: Bound) -> bool:
    return not isinstance(band, CMM)


def _inside(band: CMM, fit_at, history: History, truth: np.ndarray, norms: np.ndarray | None) -> np.ndarray:
    """(n+1,) whether the truth of each frame surely lies in CMM's confidence set."""
    if norms is None or not band.relaxes(float(fit_at(band.anchor).trace[-1])):
        return np.zeros(len(truth), dtype=bool)
    fit = fit_at(band.anchor)
    radius = band.sigma**2 * (fit.log_det - 2.0 * np.log(band.delta)) + fit.misfit
    seen = np.arange(len(history.y)) < np.arange(len(truth))[:, None]
    error = np.where(seen, (truth[:, history.arms] - history.y) ** 2, 0.0).sum(axis=1)
    return (error <= radius * (1.0 - ROOM)) & (norms <= band.B * (1.0 - ROOM))


def _costly(
    name: str, band: CMM, matrices: tuple, fit_at, truth: np.ndarray, inside: np.ndarray, t: int
) -> tuple[BandFilm, np.ndarray]:
    """CMM's film and misses, solved at frame t and where neither the set nor DMM decides."""
    if not band.relaxes(float(np.trace(matrices[0]))):
        film = film_of(name, band, matrices, fit_at, [])
        return film, missed(film, truth)
    relaxed = BandFilm(name, *band.relaxed.from_fits(fit_at))
    misses = missed(relaxed, truth)
    open_ = ~inside & ~misses.any(axis=1)
    open_[t] = True
    film = replace(relaxed, **{key: getattr(relaxed, key).copy() for key in ("mean", "lower", "upper", "empty")})

    def solve(frames: list[int]) -> None:
        """Put the band itself into these frames; neighbours are searched together (see `descent`)."""
        found = band.from_spectra(prefix_spectra(*matrices, frames), [relaxed.at(i) for i in frames])
        for i, frame in zip(frames, found, strict=True):
            film.mean[i], film.lower[i], film.upper[i] = frame.mean, frame.lower, frame.upper
            film.empty[i] = frame.empty

    solve(np.flatnonzero(open_).tolist())
    if film.empty[t]:  # since when?
        before = np.flatnonzero(~open_[:t])
        film.empty[before] |= band.voids(prefix_spectra(*matrices, before.tolist()))
        back = t
        while back and film.empty[back]:
            back -= 1
            if not (film.empty[back] or open_[back]):  # the bounds may cross where rounding hides an empty set
                solve([back])
    return film, missed(film, truth)
