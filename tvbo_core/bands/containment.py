r"""Containment of a still curve in a band at all times: by cheap tests where they decide, else by the band itself.

Two answers need no band of any time but the first. Before the first observation the band is known. And where
$\|f-\mu_\alpha\|^2_\alpha=\sum_s(f(x_s)-y_s)^2+\alpha\|f\|^2-y^\top(I+K/\alpha)^{-1}y\le\alpha w^2$, f lies in
$\mu_\alpha\pm w\rho_\alpha$ everywhere, by the inequality of Cauchy and Schwarz.
"""

from __future__ import annotations

import numpy as np

from tvbo_core.bands.base import Bound
from tvbo_core.bands.over_time import MISS_TOLERANCE, missed
from tvbo_core.gp.over_time import prefix_fits
from tvbo_core.gp.spectral import RegularisedFit, Spectrum, spectrum_from_gram
from tvbo_core.records import Band, BandFilm

OPEN, INSIDE, OUTSIDE = 0, 1, -1
CLEAR_SHARE = 1e-3  # share of a squared width that is more than rounding takes from it: less is for the band to say


def left_at_once(band: Bound, prior: np.ndarray, f: np.ndarray) -> np.ndarray:
    """(worlds,) whether the curves f (worlds, m) leave the band before the first observation."""
    nothing = np.zeros((0, 0)), np.zeros(0), np.zeros((0, len(prior))), prior
    _, lower, upper, empty = band.from_fits(lambda alpha: prefix_fits(*nothing, alpha))
    slack = MISS_TOLERANCE * np.maximum(1.0, np.abs(f).max(axis=1, keepdims=True))
    return ((f < lower - slack) | (f > upper + slack)).any(axis=1) | empty.any()


def surely_near(band: Bound, alpha: float, error: np.ndarray, log_det: np.ndarray, misfit: np.ndarray) -> np.ndarray:
    r"""(worlds,) whether f lies clearly inside the band after 1, ..., n observations.

    Args:
        error: (worlds, n+1) $\sum_s(f(x_s)-y_s)^2+\alpha\|f\|^2$.   log_det, misfit: (worlds, n+1) at alpha.
    """
    width = band.width(log_det, np.arange(log_det.shape[1]))
    near = error - misfit <= (1.0 - CLEAR_SHARE) * alpha * width**2
    return near[:, 1:].all(axis=1)


class OneWorld:
    """A still curve f (m,), its rewards y (n,), and what its bands share: the fits, and which bands it leaves."""

    def __init__(self, K: np.ndarray, y: np.ndarray, Kxz: np.ndarray, kzz: np.ndarray, f: np.ndarray) -> None:
        self.matrices, self.f = (K, y, Kxz, kzz), f
        self.slack = MISS_TOLERANCE * max(1.0, float(np.abs(f).max()))
        self.fits: dict[float, RegularisedFit] = {}
        self.left: dict[Bound, bool] = {}

    def fit(self, alpha: float) -> RegularisedFit:
        """The fits of all times at one regulariser."""
        if alpha not in self.fits:
            self.fits[alpha] = prefix_fits(*self.matrices, alpha)
        return self.fits[alpha]

    def holds(self, band: Bound, times: np.ndarray, budget: int) -> tuple[bool | None, int]:
        """Return True when the curve is inside the band at these times, and the number of exact bands that it took.

        None when the budget of exact bands ran out first.
        """
        if band.fixed_regularisers:
            return not self.leaves(band), 0
        K, _, _, kzz = self.matrices
        if band.within_norm_ball and (np.abs(self.f) > band.B * np.sqrt(kzz) + 1e-9).any():
            return False, 0
        outer, known = band.outer(float(np.trace(K))), None
        if outer is not None:
            if self.leaves(outer):
                return False, 0
            free = np.full(len(kzz), 1e100)  # wider than any curve, and finite as limits of a band are
            known = Band(np.zeros(len(kzz)), -free, free)  # it holds the curve: no need to cut by it once more
        return self._searched(band, known, times[::-1].tolist(), budget)

    def leaves(self, band: Bound) -> bool:
        """Return True when the curve leaves the band at some time."""
        if band not in self.left:
            self.left[band] = self._leaves(band)
        return self.left[band]

    def _leaves(self, band: Bound) -> bool:
        clear = band.clearly_leaves(self.fit, self.f, self.slack)
        if clear is not None:
            return clear
        return bool(missed(BandFilm(band.name, *band.from_fits(self.fit)), self.f).any())

    def _searched(self, band: Bound, outer: Band | None, times: list[int], budget: int) -> tuple[bool | None, int]:
        """CMM itself at these times, more and more of them together, until one misses the curve."""
        done, many = 0, 1
        while done < len(times):
            rows = times[done : min(done + many, budget)]
            if not rows:
                return None, done
            frames = band.from_spectra([self._spectrum(t) for t in rows], [outer] * len(rows))
            for used, frame in enumerate(frames, start=done + 1):
                if missed(_still(frame), self.f).any():
                    return False, used
            done, many = done + len(rows), 2 * many
        return True, len(times)

    def _spectrum(self, t: int) -> Spectrum:
        K, y, Kxz, kzz = self.matrices
        return spectrum_from_gram(K[:t, :t], y[:t], Kxz[:t], kzz)


def _still(frame: Band) -> BandFilm:
    return BandFilm("", frame.mean[None], frame.lower[None], frame.upper[None], np.array([frame.empty]))
