r"""The one-dimensional dual of Flynn & Reeb: the curve whose lowest point is the exact confidence bound.

$\mathrm{UCB}(z)=\min\{B\sqrt{k(z,z)},\ \min_{\alpha>0}h_\alpha(z)\}$ with
$h_\alpha=\mu_\alpha+\tilde R_\alpha\rho_\alpha/\sqrt\alpha$ (Cor. 4.3 and eq. 12). $h$ is quasi-convex in
$\alpha$, so the lowest point of a coarse grid brackets the minimum, and any $\alpha$ at all gives a bound
that holds (weak duality): an inexact search can only make the band wider.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tvbo_core.gp.spectral import LEAST_REGULARISER, Spectrum

ROUNDING = 64 * np.finfo(float).eps


@dataclass(frozen=True, eq=False)
class RadiusInputs:
    r"""Inputs of $\tilde R_\alpha^2$ besides a sum over the eigenvalues; numbers of one dual, or (F,) of many.

    Attributes:
        evidence: $\sigma^2\ln\det(I+\frac{c}{\sigma^2}K)+2\sigma^2\ln\frac1\delta$, the data-free part of eq. 8.
        anchor: $\alpha_0=\sigma^2/c$.   B_sq: $B^2$.   trace: tr K.   data_sq: $|y|^2$.
    """

    evidence: float | np.ndarray
    anchor: float | np.ndarray
    B_sq: float | np.ndarray
    trace: float | np.ndarray
    data_sq: float | np.ndarray

    @classmethod
    def stacked(cls, many: Sequence[RadiusInputs]) -> RadiusInputs:
        """The terms of many duals as one record of (F,) arrays."""
        return cls(*np.array([[t.evidence, t.anchor, t.B_sq, t.trace, t.data_sq] for t in many]).T)

    def of(self, rows: np.ndarray) -> RadiusInputs:
        """The terms of these duals."""
        return RadiusInputs(*(getattr(self, f)[rows] for f in ("evidence", "anchor", "B_sq", "trace", "data_sq")))

    def radius_sq(self, alpha: np.ndarray | float, share: np.ndarray) -> np.ndarray:
        r"""$\tilde R_\alpha^2=R_t^2+\alpha B^2-y^\top(I+K/\alpha)^{-1}y$ (Cor. 4.3), reward^2.

        The two quadratic forms are subtracted analytically,
        $\sum_i q_i^2\lambda_i(\alpha_0-\alpha)/((\alpha_0+\lambda_i)(\alpha+\lambda_i))$ with
        $\alpha_0=\sigma^2/c$, so nothing cancels and $\alpha_0$ gives the data-free value to the last digit.

        Args:
            share: $\sum_iq_i^2\lambda_i/((\alpha_0+\lambda_i)(\alpha+\lambda_i))$, see `Dual.misfit_slope`.
        """
        return self.evidence + alpha * self.B_sq + (self.anchor - alpha) * share

    def tolerance(self, alpha: np.ndarray) -> np.ndarray:
        r"""Rounding error of `radius_sq`: $64\epsilon(1+\mathrm{tr}K/\alpha)$ of the terms that meet in it.

        An eigenvalue is wrong by about $\epsilon\,\mathrm{tr}K$, which changes
        $y^\top(I+K/\alpha)^{-1}y$ by the share $\epsilon\,\mathrm{tr}K/\alpha$.
        """
        size = self.evidence + alpha * self.B_sq + self.data_sq
        return ROUNDING * (1.0 + self.trace / alpha) * size + np.finfo(float).tiny


@dataclass(frozen=True, eq=False)
class Dual:
    r"""The curve $h$ of one time, with its assumptions.

    Attributes:
        spec: the data.
        B: norm bound.   sigma: noise sd.   delta: failure probability.   c: covariance scale.
    """

    spec: Spectrum
    B: float
    sigma: float
    delta: float
    c: float

    @property
    def anchor(self) -> float:
        r"""$\sigma^2/c$, the regulariser at which $\tilde R$ does not depend on y."""
        return self.sigma**2 / self.c

    @cached_property
    def evidence(self) -> float:
        r"""$\sigma^2\ln\det(I+\frac{c}{\sigma^2}K)+2\sigma^2\ln\frac1\delta$, the data-free part of eq. 8."""
        log_det = np.log1p(self.spec.eigenvalues / self.anchor).sum()
        return float(self.sigma**2 * (log_det - 2.0 * np.log(self.delta)))

    @cached_property
    def misfit_slope(self) -> np.ndarray:
        r"""(n,) $q^2\lambda/(\sigma^2/c+\lambda)$: see `radius_sq`."""
        lam = self.spec.eigenvalues
        return self.spec.y_rot**2 * lam / (self.anchor + lam)

    @cached_property
    def norm_weight(self) -> np.ndarray:
        r"""(n,) $q^2\lambda$: $\|\mu_\alpha\|^2_{\mathcal H}=\sum_iq_i^2\lambda_i/(\lambda_i+\alpha)^2$."""
        return self.spec.y_rot**2 * self.spec.eigenvalues

    @cached_property
    def terms(self) -> RadiusInputs:
        """The numbers of this time that `radius_sq` and its rounding error are made of."""
        data_sq = float(self.spec.y_rot @ self.spec.y_rot)
        return RadiusInputs(self.evidence, self.anchor, self.B**2, self.spec.trace, data_sq)

    def radius_sq(self, alpha: np.ndarray | float, inverse: np.ndarray) -> np.ndarray:
        r"""(...) $\tilde R_\alpha^2$ from (..., n) `inverse` $=1/(\lambda+\alpha)$; see `RadiusInputs.radius_sq`."""
        return self.terms.radius_sq(alpha, inverse @ self.misfit_slope)

    @cached_property
    def span(self) -> tuple[float, float]:
        r"""The range of $\alpha$ searched.

        Below `LEAST_REGULARISER` tr K double precision ends. Above $10^7$ natural scales
        $s=\mathrm{tr}K+(R^2+|y|^2)/B^2$ the curve is within $(s/\alpha)^2<10^{-14}$ of its limit $B\sqrt k$,
        which is a candidate anyway.
        """
        low = LEAST_REGULARISER * self.spec.trace or self.anchor
        scale = self.spec.trace + self.anchor
        if self.B > 0:
            scale += (self.evidence + float(self.terms.data_sq)) / self.B**2
        return low, float(np.clip(1e7 * scale, 10 * low, np.exp(40.0)))

    def evaluate(self, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        r"""Mean and spread of the curve on shared alphas: the bounds are mean + spread and mean - spread.

        Args:
            alpha: (p,) regularisers.
        Returns:
            (p, m) $\mu_\alpha$ and (p, m) $\tilde R_\alpha\rho_\alpha/\sqrt\alpha$, a negative
            $\tilde R^2$ counted as 0 (the caller asks `smallest_radius` first).
        """
        inverse = 1.0 / (self.spec.eigenvalues + alpha[:, None])
        mean = (inverse * self.spec.y_rot) @ self.spec.cross
        width = np.sqrt(np.maximum(self.radius_sq(alpha, inverse), 0.0) / alpha)
        return mean, width[:, None] * np.sqrt(self.spec.variance(inverse, alpha))

    def mean(self, alpha: float) -> np.ndarray:
        r"""(m,) $\mu_\alpha$ alone."""
        inverse = 1.0 / (self.spec.eigenvalues + np.array([alpha])[:, None])
        return ((inverse * self.spec.y_rot) @ self.spec.cross)[0]
