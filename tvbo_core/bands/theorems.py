r"""AY, IGP, AMM, DMM and CMM: five confidence bands for a whole curve, one frozen class a theorem.

Each assumes $\|f\|_{\mathcal H}\le B$, noise that is sigma-sub-Gaussian given the past, and a reward that
does not move; each holds for all points and all times at once with probability at least $1-\delta$, however
the inputs were chosen. AMM, DMM and CMM also take `c`, the scale of the covariance they mix over; their
natural regulariser is $\alpha_0=\sigma^2/c$. Source of all five in this form: Flynn & Reeb.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tvbo_core.bands.base import CROSSING_SHARE, Bound, Curves, FitAt, Mixture, around, as_band, finish
from tvbo_core.bands.dual import ROUNDING, Dual
from tvbo_core.bands.dual_search import DualMinimum, StackedDuals, chunks, minimise
from tvbo_core.bands.radius import RadiusTerms, leg_terms
from tvbo_core.gp.spectral import LEAST_REGULARISER, BoundError, RegularisedFit, Spectrum
from tvbo_core.records import Band
from tvbo_core.validation import is_positive

__all__ = ["AMM", "AY", "CMM", "DMM", "IGP", "BoundError", "RadiusTerms"]


@dataclass(frozen=True)
class AY(Bound):
    r"""Abbasi-Yadkori's band: the norm and the noise one after the other.

    $\mu_\lambda(z)\pm\big(B+\tfrac{\sigma}{\sqrt\lambda}\sqrt{\ln\det(I+K/\lambda)+2\ln\tfrac1\delta}\big)
    \rho_\lambda(z)$.

    Attributes:
        B: norm bound.   sigma: noise sd.   delta: failure probability.   ridge: $\lambda$, reward^2.
        clip_to_B: intersect with $\pm B\sqrt{k(z,z)}$, which is always valid.
    Raises:
        ValueError: a field is out of its range.
    Source: Abbasi-Yadkori (2012) as stated by Flynn & Reeb, App. C.2.

    >>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
    >>> band = tv.AY(B=3.0, sigma=0.1, delta=0.01, ridge=0.01).band(k, X, y, X)
    >>> np.round(band.upper - band.lower, 2).tolist()
    [1.45, 1.45]
    """

    ridge: float
    clip_to_B: bool = False

    name: ClassVar[str] = "AY"

    @property
    def matched_regulariser(self) -> float:
        return self.ridge  # AMM at this regulariser lies inside: the hypotenuse is shorter than both legs

    @property
    def ellipsoid_regulariser(self) -> float | None:
        return None if self.clip_to_B else self.ridge

    def from_fits(self, fit_at: FitAt) -> Curves:
        fit = fit_at(self.ridge)
        return around(self, fit, self.width(fit.log_det, fit.count))

    def width(self, log_det: np.ndarray, count: np.ndarray) -> np.ndarray:
        """(...) the multiplier of the sd."""
        return self.B + np.sqrt(self.sigma**2 / self.ridge * (log_det + self.log_delta))

    def terms(self, spec: Spectrum, j: int = 0, side: int = 1) -> RadiusTerms:
        """The radius broken into its terms; the width is the same at every point, on both sides."""
        return leg_terms(
            spec.fit(self.ridge), j, norm=self.B, log_delta=self.log_delta, scale=self.sigma**2 / self.ridge
        )


@dataclass(frozen=True)
class IGP(Bound):
    r"""The band of Improved GP-UCB, at the regulariser $1+\eta$ whatever the noise.

    $\mu_{1+\eta}(z)\pm\big(B+\sigma\sqrt{\ln\det(I+\tfrac{K}{1+\eta})+t\eta+2\ln\tfrac1\delta}\big)
    \rho_{1+\eta}(z)$.

    Attributes:
        B: norm bound.   sigma: noise sd.   delta: failure probability.   eta: $\eta$, usually 2/T.
        clip_to_B: intersect with $\pm B\sqrt{k(z,z)}$, which is always valid.
    Raises:
        ValueError: a field is out of its range.
    Source: Chowdhury & Gopalan (2017) as stated by Flynn & Reeb, App. C.2; the authors' code puts 2, the largest
        value of $t\eta$ at $\eta=2/T$, in its place.

    >>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
    >>> band = tv.IGP(B=3.0, sigma=0.1, delta=0.01, eta=0.1).band(k, X, y, X)
    >>> np.round(band.upper - band.lower, 2).tolist()
    [4.81, 4.81]
    """

    eta: float
    clip_to_B: bool = False

    name: ClassVar[str] = "IGP"

    @property
    def matched_regulariser(self) -> float:
        return 1.0 + self.eta  # AMM at this regulariser lies inside

    @property
    def ellipsoid_regulariser(self) -> float | None:
        return None if self.clip_to_B else 1.0 + self.eta

    def from_fits(self, fit_at: FitAt) -> Curves:
        fit = fit_at(1.0 + self.eta)
        return around(self, fit, self.width(fit.log_det, fit.count))

    def width(self, log_det: np.ndarray, count: np.ndarray) -> np.ndarray:
        """(...) the multiplier of the sd."""
        return self.B + self.sigma * np.sqrt(log_det + count * self.eta + self.log_delta)

    def terms(self, spec: Spectrum, j: int = 0, side: int = 1) -> RadiusTerms:
        """The radius broken into its terms; the width is the same at every point, on both sides."""
        fit = spec.fit(1.0 + self.eta)
        return leg_terms(fit, j, norm=self.B, log_delta=self.log_delta, scale=self.sigma**2, steps=spec.n * self.eta)


@dataclass(frozen=True)
class AMM(Mixture):
    r"""The analytic mixture-martingale band: norm and noise as the hypotenuse.

    $\mu_{\alpha}(z)\pm\sqrt{B^2+c\ln\det(I+K/\alpha)+2c\ln\tfrac1\delta}\;\rho_\alpha(z)$ at
    $\alpha=\sigma^2/c$.

    Attributes:
        B: norm bound.   sigma: noise sd.   delta: failure probability.   c: covariance scale.
        clip_to_B: intersect with $\pm B\sqrt{k(z,z)}$, which is always valid.
    Raises:
        ValueError: a field is out of its range.
    Source: Flynn & Reeb, eq. 14.

    >>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
    >>> band = tv.AMM(B=3.0, sigma=0.1, delta=0.01, c=1.0).band(k, X, y, X)
    >>> np.round(band.upper - band.lower, 2).tolist()
    [1.04, 1.04]
    """

    clip_to_B: bool = False

    name: ClassVar[str] = "AMM"

    @property
    def ellipsoid_regulariser(self) -> float | None:
        return None if self.clip_to_B else self.anchor

    def from_fits(self, fit_at: FitAt) -> Curves:
        fit = fit_at(self.anchor)
        return around(self, fit, self.width(fit.log_det, fit.count))

    def width(self, log_det: np.ndarray, count: np.ndarray) -> np.ndarray:
        """(...) the multiplier of the sd."""
        return np.sqrt(self.B**2 + self.c * (log_det + self.log_delta))


@dataclass(frozen=True)
class DMM(Mixture):
    r"""The dual mixture-martingale band: the best of a few regularisers, point by point.

    $\min_{\alpha\in A}\mu_\alpha(z)+\tilde R_\alpha\rho_\alpha(z)/\sqrt\alpha$ over
    $A=\mathrm{multiples}\cdot\sigma^2/c$, with $\tilde R^2_\alpha=R_t^2+\alpha B^2-y^\top(I+K/\alpha)^{-1}y$;
    the lower bound likewise. Empty when some $\tilde R^2_\alpha<0$ or the bounds cross at some point: each
    is a valid bound, so then no function satisfies the assumptions and the data.

    Attributes:
        B: norm bound.   sigma: noise sd.   delta: failure probability.   c: covariance scale.
        multiples: of $\sigma^2/c$; AMM's is 1.
        clip_to_B: intersect with $\pm B\sqrt{k(z,z)}$, which is always valid.
    Raises:
        ValueError: a field is out of its range.
    Source: Flynn & Reeb, eq. 12 on a grid, Cor. 4.3.

    >>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
    >>> band = tv.DMM(B=3.0, sigma=0.1, delta=0.01, c=1.0).band(k, X, y, X)
    >>> np.round(band.upper - band.lower, 2).tolist()
    [0.91, 0.91]
    """

    multiples: tuple[float, ...] = (0.1, 0.3, 1.0, 3.0, 10.0)
    clip_to_B: bool = False

    name: ClassVar[str] = "DMM"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (isinstance(self.multiples, Sequence) and self.multiples and all(map(is_positive, self.multiples))):
            raise ValueError(f"multiples must be one or more finite numbers above 0, got {self.multiples!r}")

    def from_fits(self, fit_at: FitAt) -> Curves:
        anchor = fit_at(self.anchor)
        lower, upper, empty = np.array(-np.inf), np.array(np.inf), np.array(False)
        for fit in self._fits(fit_at):
            radius_sq, impossible = self.radius_sq(anchor, fit)
            spread = np.sqrt(np.maximum(radius_sq, 0.0) / fit.alpha)[..., None] * fit.sd
            lower, upper = np.maximum(lower, fit.mean - spread), np.minimum(upper, fit.mean + spread)
            empty = empty | impossible
        return finish(self, anchor.mean, lower, upper, empty, self.B * np.sqrt(anchor.prior))

    def clearly_leaves(self, fit_at: FitAt, f: np.ndarray, slack: float) -> bool | None:
        """Ask the bands that DMM is the intersection of, one after the other; None where only DMM can tell.

        A curve inside all of them is inside DMM. One that is outside of one of them is outside DMM, by however
        much bounds may cross before they prove that nothing fits.
        """
        anchor, inside = fit_at(self.anchor), not self.clip_to_B
        margin = CROSSING_SHARE * (self.B * np.sqrt(anchor.prior) + np.abs(anchor.mean)) + slack
        for multiple in sorted(self.multiples, reverse=True):  # a norm that is too large shows in the largest
            fit = fit_at(multiple * self.anchor)
            radius_sq, impossible = self.radius_sq(anchor, fit)
            beyond = np.abs(f - fit.mean) - np.sqrt(np.maximum(radius_sq, 0.0) / fit.alpha)[:, None] * fit.sd
            if impossible.any() or (beyond > margin).any():
                return True
            inside = inside and bool((beyond <= 0.0).all())
        return False if inside else None

    def alphas(self, dual: Dual, side: int) -> list[float]:
        return [multiple * self.anchor for multiple in self.multiples]

    def _fits(self, fit_at: FitAt) -> list[RegularisedFit]:
        return [fit_at(multiple * self.anchor) for multiple in self.multiples]

    def radius_sq(self, anchor: RegularisedFit, fit: RegularisedFit) -> tuple[np.ndarray, np.ndarray]:
        r"""$\tilde R^2_\alpha$ and whether it is negative beyond the rounding of its terms."""
        bonus = self.sigma**2 * (anchor.log_det + self.log_delta) + fit.alpha * self.B**2
        value = bonus + (anchor.misfit - fit.misfit)
        tolerance = ROUNDING * (1.0 + fit.trace / fit.alpha) * (bonus + anchor.misfit + fit.misfit)
        return value, value < -tolerance


@dataclass(frozen=True)
class CMM(Mixture):
    r"""The exact confidence bound: the largest and smallest value of any function in the confidence set.

    $\max\{f(z):\|f\|_{\mathcal H}\le B,\ \sum_s(f(x_s)-y_s)^2\le R_t^2\}
    =\min\{B\sqrt{k(z,z)},\ \min_{\alpha>0}\mu_\alpha(z)+\tilde R_\alpha\rho_\alpha(z)/\sqrt\alpha\}$ and
    the same for the smallest, by one eigendecomposition and a search over one number a point (see `dual`).
    The mean reported is $\mu_{\sigma^2/c}$ cut to the band. Never above DMM by construction. Empty exactly
    when $\min_\alpha\tilde R_\alpha^2<0$; then the three curves are the mean at that alpha.

    Attributes:
        B: norm bound.   sigma: noise sd.   delta: failure probability.   c: covariance scale.
    Raises:
        ValueError: a field is out of its range.
    Source: Flynn & Reeb, eq. 8, 10 and 12; exactness of the search: `dual`.

    >>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
    >>> band = tv.CMM(B=3.0, sigma=0.1, delta=0.01, c=1.0).band(k, X, y, X)
    >>> np.round(band.upper - band.lower, 2).tolist()
    [0.89, 0.89]
    """

    clip_to_B: bool = False  # changes nothing: the exact band never leaves +-B sqrt(k)

    name: ClassVar[str] = "CMM"
    within_norm_ball: ClassVar[bool] = True
    merges_repeats: ClassVar[bool] = True  # the sum of squares splits between and within points

    @property
    def relaxed(self) -> DMM:
        """The DMM band under the same assumptions, which this one is never above."""
        return DMM(self.B, self.sigma, self.delta, self.c)

    def relaxes(self, trace: float) -> bool:
        """Return True when double precision resolves DMM's smallest regulariser for a kernel matrix of this trace."""
        return min(DMM.multiples) * self.anchor >= LEAST_REGULARISER * trace

    def outer(self, trace: float) -> DMM | None:
        return self.relaxed if self.relaxes(trace) else None

    def from_spectrum(self, spec: Spectrum, dmm: Band | None = None) -> Band:
        """The band from an eigendecomposition of the Gram matrix, and from `relaxed` where it is already known."""
        return self.from_spectra([spec], [dmm])[0]

    def from_spectra(self, spectra: Sequence[Spectrum], dmms: Sequence[Band | None]) -> list[Band]:
        """The bands of several times, searched together."""
        known: list[Any] = [self._nothing(spec) if spec.n == 0 else None for spec in spectra]
        for rows in chunks([i for i, spec in enumerate(spectra) if spec.n], spectra):
            duals = [self.dual(spectra[i]) for i in rows]
            stack = StackedDuals(duals)
            for i, dual, alpha, void in zip(rows, duals, *stack.smallest_radius(), strict=True):
                known[i] = self._void(dual, alpha) if void else None
            left = [k for k, i in enumerate(rows) if known[i] is None]
            if left:
                stack = stack if len(left) == len(rows) else StackedDuals([duals[k] for k in left])
                for k, minimum in zip(left, stack.lowest(), strict=True):
                    known[rows[k]] = self._cut(duals[k], minimum, dmms[rows[k]])
        return known

    def _nothing(self, spec: Spectrum) -> Band:
        ceiling = self.B * np.sqrt(spec.prior)
        return Band(np.zeros_like(ceiling), -ceiling, ceiling)

    def _void(self, dual: Dual, alpha: float) -> Band:
        mean = dual.mean(alpha)
        return Band(mean, mean, mean, empty=True)

    def _cut(self, dual: Dual, minimum: DualMinimum, dmm: Band | None) -> Band:
        """The band of these minima inside the norm bound and inside DMM's, which both hold."""
        spec, ceiling = dual.spec, self.B * np.sqrt(dual.spec.prior)
        lower, upper = np.maximum(-ceiling, -minimum.value[1]), np.minimum(ceiling, minimum.value[0])
        mean = dual.mean(max(self.anchor, dual.span[0]))
        if self.relaxes(spec.trace):
            dmm = dmm or self.relaxed.from_spectrum(spec)
            if dmm.empty:
                return dmm
            lower, upper = np.maximum(lower, dmm.lower), np.minimum(upper, dmm.upper)
        return as_band(finish(self, mean, lower, upper, np.array(False), ceiling))

    def alphas(self, dual: Dual, side: int) -> list[float]:
        row = 0 if side > 0 else 1
        return [np.inf] if dual.spec.n == 0 else [np.inf, float(minimise(dual).alpha[row, 0])]
