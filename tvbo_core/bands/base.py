"""The interface of a confidence band: its assumptions, how it is computed, and the shortcuts that it may declare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tvbo_core.ask_tell import belief
from tvbo_core.bands.dual import Dual
from tvbo_core.bands.radius import RadiusTerms, dual_terms
from tvbo_core.gp.spectral import RegularisedFit, Spectrum, spectrum
from tvbo_core.records import Band
from tvbo_core.validation import check_amount, check_delta, check_switches, is_positive

if TYPE_CHECKING:
    from tvbo_core.kernels import Kernel

FitAt = Callable[[float], RegularisedFit]
Curves = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # mean, lower, upper (..., m), empty (...)
# Bounds that cross by less than this share of B sqrt(k) cross by rounding: so much error can the smallest
# regulariser admitted (`RELIABLE`) leave in a width.
CROSSING_SHARE = 1e-6


@dataclass(frozen=True)
class Bound:
    r"""Assumptions common to all bands, checked once, and the band itself from data or from a spectrum.

    What a band promises, and tests hold every band of the list to: for a still reward with $\|f\|\le B$ and noise that
    is sigma-sub-Gaussian given the past, however the inputs were chosen, the whole curve lies inside at all times at
    once with probability at least $1-\delta$; at each one time fixed in advance where `at_all_times` is False.

    A band is a subclass with a `name` and either `from_fits` (fixed regularisers: all times at once) or
    `from_spectrum`. Everything else here is a shortcut that saves time where a theorem allows it: off by default,
    and a band that declares one is held to it by tests.
    """

    B: float
    sigma: float
    delta: float

    name: ClassVar[str] = ""
    at_all_times: ClassVar[bool] = True  # promise: False where delta is for one time that is fixed in advance
    clip_to_B = False  # a field of the bands that offer it
    within_norm_ball: ClassVar[bool] = False  # shortcut: the band never leaves +-B sqrt(k)
    merges_repeats: ClassVar[bool] = False  # shortcut: the spectrum of the distinct points gives the same band

    def __post_init__(self) -> None:
        check_amount("B", self.B)
        check_delta(self.delta)
        check_switches(self)
        for field in ("sigma", "ridge", "eta", "c"):
            if not is_positive(value := getattr(self, field, 1.0)):
                raise ValueError(f"{field} must be finite and above 0, got {value!r}")

    def band(self, kernel: Kernel, X: np.ndarray, y: np.ndarray, Z: np.ndarray) -> Band:
        """The band at the points Z after the observations (X, y).

        Args:
            X: (n, d) inputs; n may be 0.   y: (n,) rewards.   Z: (m, d).
        Raises:
            ValueError: shapes disagree or a value is not finite.
            BoundError: a fixed regulariser is too small for double precision.
        """
        return self.from_spectrum(spectrum(kernel, X, y, Z))

    def __call__(self, state: Any, t: int) -> Band:
        """Return the band that round t of a run of `KernelUCB(band=self)` is decided with: its `band(state, t)`."""
        return belief(self, state, t)

    @property
    def fixed_regularisers(self) -> bool:
        """True for a band with `from_fits`, whose regularisers do not depend on the data."""
        return type(self).from_fits is not Bound.from_fits

    @property
    def matched_regulariser(self) -> float | None:
        r"""Shortcut: a regulariser $\alpha$ for which the band contains CMM with $c=\sigma^2/\alpha$ everywhere.

        A function in that confidence set ($\|f\|\le B$, $\sum_s(f(x_s)-y_s)^2\le R_t^2$) is then covered without
        computing the band. None: nothing is claimed.
        """
        return None

    @property
    def ellipsoid_regulariser(self) -> float | None:
        r"""Shortcut: the $\alpha$ at which the band is $\mu_\alpha\pm w\rho_\alpha$, w = `width`; None if it is not."""
        return None

    def width(self, log_det: np.ndarray, count: np.ndarray) -> np.ndarray:
        """(...) the multiplier of the sd; only of a band with an `ellipsoid_regulariser`."""
        raise NotImplementedError(f"{self.name} is no multiple of one sd")

    def outer(self, trace: float) -> Bound | None:
        """Shortcut: a band with fixed regularisers that contains this one, for a kernel matrix of this trace."""
        return None

    def clearly_leaves(self, fit_at: FitAt, f: np.ndarray, slack: float) -> bool | None:
        """Shortcut: True or False where f (m,) leaves the band at some time or does not, None to compute the band."""
        return None

    def from_spectra(self, spectra: Sequence[Spectrum], outers: Sequence[Band | None]) -> list[Band]:
        """The bands of several times; `outers` are those of `outer` where they are known."""
        return [self.from_spectrum(spec) for spec in spectra]

    def from_fits(self, fit_at: FitAt) -> Curves:
        """The curves from the fits at the regularisers the band asks for, for one time or for many."""
        raise NotImplementedError(f"{self.name} has no fixed regulariser")

    def from_spectrum(self, spec: Spectrum) -> Band:
        """The band from an eigendecomposition; raises as `band` does."""
        return as_band(self.from_fits(spec.fit))

    def terms(self, spec: Spectrum, j: int = 0, side: int = 1) -> RadiusTerms | None:
        """The radius at point j broken into its terms (side 1: upper, -1: lower bound); None where a band has none."""
        return None

    @property
    def log_delta(self) -> float:
        r"""$2\ln\frac1\delta$."""
        return -2.0 * float(np.log(self.delta))


@dataclass(frozen=True)
class Mixture(Bound):
    """A mixture-martingale band: the scale c and the dual curve, of which AMM, DMM and CMM each take some points."""

    c: float = 1.0

    @property
    def anchor(self) -> float:
        r"""$\sigma^2/c$."""
        return self.sigma**2 / self.c

    @property
    def matched_regulariser(self) -> float:
        # CMM lies inside DMM by construction, and DMM with the multiple 1 inside AMM.
        return self.anchor

    def dual(self, spec: Spectrum) -> Dual:
        """The curve UCB(alpha) whose lowest point is the exact bound."""
        return Dual(spec, self.B, self.sigma, self.delta, self.c)

    def terms(self, spec: Spectrum, j: int = 0, side: int = 1) -> RadiusTerms:
        """The radius at point j of the regulariser that won there (side 1: upper, -1: lower bound)."""
        dual = self.dual(spec.at(j))
        candidates = [dual_terms(dual, alpha) for alpha in self.alphas(dual, side)]
        return min(candidates, key=lambda terms: side * terms.bound(side))

    def alphas(self, dual: Dual, side: int) -> list[float]:
        """The regularisers that compete for the bound of a single point."""
        return [self.anchor]


def as_band(curves: Curves) -> Band:
    """The record of one time."""
    return Band(*curves[:3], empty=bool(curves[3]))


def around(bound: Bound, fit: RegularisedFit, width: np.ndarray) -> Curves:
    """The band mean +- width * sd."""
    spread = np.asarray(width)[..., None] * fit.sd
    nowhere = np.zeros(np.shape(width), bool)
    ceiling = bound.B * np.sqrt(fit.prior)
    return finish(bound, fit.mean, fit.mean - spread, fit.mean + spread, nowhere, ceiling)


def finish(
    bound: Bound,
    mean: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    empty: np.ndarray,
    ceiling: np.ndarray,
) -> Curves:
    """Cut at +-B sqrt(k) if asked; where the bounds cross nothing fits, and the three curves become one."""
    if bound.clip_to_B:
        lower, upper = np.maximum(lower, -ceiling), np.minimum(upper, ceiling)
    crossed = lower > upper
    if crossed.any():
        empty = empty | (lower > upper + CROSSING_SHARE * (ceiling + np.abs(mean))).any(axis=-1)
        middle = 0.5 * (lower + upper)
        lower, upper = np.where(crossed, middle, lower), np.where(crossed, middle, upper)
    mean = np.clip(mean, lower, upper)
    gone = np.asarray(empty)[..., None]
    return mean, np.where(gone, mean, lower), np.where(gone, mean, upper), empty
