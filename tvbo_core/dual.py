r"""The one-dimensional dual of Flynn & Reeb: the curve whose lowest point is the exact confidence bound.

$\mathrm{UCB}(z)=\min\{B\sqrt{k(z,z)},\ \min_{\alpha>0}h_\alpha(z)\}$ with
$h_\alpha=\mu_\alpha+\tilde R_\alpha\rho_\alpha/\sqrt\alpha$ (Cor. 4.3 and eq. 12). $h$ is quasi-convex in
$\alpha$, so the lowest point of a coarse grid brackets the minimum, and any $\alpha$ at all gives a bound
that holds (weak duality): an inexact search can only make the band wider.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tvbo_core.spectrum import RELIABLE, Spectrum

COARSE = 56  # grid points over about 20 decades: steps well under one decade bracket each minimum
GAIN = 1e-13  # a Newton step that would win less than this share of the bound is not worth taking
STEPS = 60  # bisection alone halves a bracket of one log unit below 1e-13 in so many steps
REACH = 1.0  # log units: the longest Newton step, a little more than one of the grid
ROUNDING = 64 * np.finfo(float).eps


@dataclass(frozen=True, eq=False)
class Minimum:
    """Where the curve is lowest, for the upper (row 0) and the lower (row 1) bound of each point.

    Attributes:
        value: (2, m) min over alpha of h for y and for -y (the lower bound is minus the second row).
        alpha: (2, m) where it is attained.
    """

    value: np.ndarray
    alpha: np.ndarray


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

    def radius_sq(self, alpha: np.ndarray, inverse: np.ndarray) -> np.ndarray:
        r"""(...) $\tilde R_\alpha^2=R_t^2+\alpha B^2-y^\top(I+K/\alpha)^{-1}y$ (Cor. 4.3), reward^2.

        The two quadratic forms are subtracted analytically,
        $\sum_i q_i^2\lambda_i(\alpha_0-\alpha)/((\alpha_0+\lambda_i)(\alpha+\lambda_i))$ with
        $\alpha_0=\sigma^2/c$, so nothing cancels and $\alpha_0$ gives the data-free value to the last digit.
        """
        return self.evidence + alpha * self.B**2 + (self.anchor - alpha) * (inverse @ self.misfit_slope)

    def tolerance(self, alpha: np.ndarray) -> np.ndarray:
        r"""Rounding error of `radius_sq`: $64\epsilon(1+\mathrm{tr}K/\alpha)$ of the terms that meet in it.

        An eigenvalue is wrong by about $\epsilon\,\mathrm{tr}K$, which changes
        $y^\top(I+K/\alpha)^{-1}y$ by the share $\epsilon\,\mathrm{tr}K/\alpha$.
        """
        size = self.evidence + alpha * self.B**2 + self.spec.y_rot @ self.spec.y_rot
        return ROUNDING * (1.0 + self.spec.trace / alpha) * size + np.finfo(float).tiny

    @cached_property
    def span(self) -> tuple[float, float]:
        r"""The range of $\alpha$ searched.

        Below `RELIABLE` tr K double precision ends. Above $10^7$ natural scales
        $s=\mathrm{tr}K+(R^2+|y|^2)/B^2$ the curve is within $(s/\alpha)^2<10^{-14}$ of its limit $B\sqrt k$,
        which is a candidate anyway.
        """
        low = RELIABLE * self.spec.trace or self.anchor
        scale = self.spec.trace + self.anchor
        if self.B > 0:
            scale += (self.evidence + self.spec.y_rot @ self.spec.y_rot) / self.B**2
        return low, float(np.clip(1e7 * scale, 10 * low, np.exp(40.0)))

    @cached_property
    def coarse(self) -> np.ndarray:
        """(COARSE,) log-spaced alphas over `span`."""
        low, high = self.span
        return np.geomspace(low, high, COARSE)

    @cached_property
    def _coarse_inverse(self) -> np.ndarray:
        return 1.0 / (self.spec.eigenvalues + self.coarse[:, None])

    def evaluate(self, alpha: np.ndarray, inverse: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        r"""Mean and spread of the curve on shared alphas: the bounds are mean + spread and mean - spread.

        Args:
            alpha: (p,) regularisers.   inverse: (p, n) $1/(\lambda+\alpha)$ when already known.
        Returns:
            (p, m) $\mu_\alpha$ and (p, m) $\tilde R_\alpha\rho_\alpha/\sqrt\alpha$, a negative
            $\tilde R^2$ counted as 0 (the caller asks `emptiest` first).
        """
        inverse = 1.0 / (self.spec.eigenvalues + alpha[:, None]) if inverse is None else inverse
        mean = (inverse * self.spec.y_rot) @ self.spec.cross
        width = np.sqrt(np.maximum(self.radius_sq(alpha, inverse), 0.0) / alpha)
        return mean, width[:, None] * np.sqrt(self.spec.variance(inverse, alpha))

    def emptiest(self) -> tuple[float, bool]:
        r"""The alpha with the smallest $\tilde R_\alpha^2$, and whether that is negative beyond rounding.

        The confidence set is empty exactly when it is. $\tilde R^2$ is convex with derivative
        $B^2-\|\mu_\alpha\|_{\mathcal H}^2$, which increases: a bracket and a root suffice.
        """
        slopes = self.B**2 - self._coarse_inverse**2 @ self.norm_weight
        right = int(np.searchsorted(slopes > 0, True))
        if right == 0:
            best = self.coarse[0]
        elif right == COARSE:
            best = self.coarse[-1]
        else:
            left_value, right_value = self.radius_sq(self.coarse, self._coarse_inverse)[right - 1 : right + 1]
            a, b = self.coarse[right - 1 : right + 1]
            # Two tangents of a convex curve meet below its minimum; if they meet above 0, nothing to find.
            meet = (right_value - left_value + slopes[right - 1] * a - slopes[right] * b) / (
                slopes[right - 1] - slopes[right]
            )
            if left_value + slopes[right - 1] * (meet - a) > 0:
                return float(b if right_value < left_value else a), False
            best = self._flat_point(a, b)
        value = self.radius_sq(best, 1.0 / (self.spec.eigenvalues + best))
        return float(best), bool(value < -self.tolerance(best))

    def _flat_point(self, a: float, b: float) -> float:
        """Where the increasing slope of `radius_sq` changes sign between a and b: bisection of log alpha."""
        lam, low, high = self.spec.eigenvalues, np.log(a), np.log(b)
        for _ in range(STEPS):
            middle = 0.5 * (low + high)
            falls = self.norm_weight @ (lam + np.exp(middle)) ** -2.0 >= self.B**2
            low, high = (middle, high) if falls else (low, middle)
        return float(np.exp(low))

    def minimise(self, near: Minimum | None = None) -> Minimum:
        """The lowest point of the curve for every point and both sides, to `GAIN` of the bound.

        A coarse grid by two matrix products finds each bracket; Newton's method in log alpha, kept inside the
        bracket by the sign of the slope, finds the bottom. The minimum of similar data (one observation fewer)
        saves the grid: the curve is quasi-convex, so from anywhere the slope says where the bottom lies.

        Args:
            near: where to begin instead of at the grid's lowest point.
        """
        if near is not None:
            low, high = np.log(self.span)
            u = np.clip(np.log(near.alpha), low, high)
            search = _Search(self, np.full_like(u, low), u, np.full_like(u, high))
            return search.run(np.full_like(u, np.inf))
        mean, spread = self.evaluate(self.coarse, self._coarse_inverse)
        curves = np.stack([spread + mean, spread - mean])  # (2, COARSE, m)
        best = curves.argmin(axis=1)
        value = np.take_along_axis(curves, best[:, None], axis=1)[:, 0]
        grid = np.log(self.coarse)
        search = _Search(self, grid[np.maximum(best - 1, 0)], grid[best], grid[np.minimum(best + 1, COARSE - 1)])
        return search.run(value)


class _Search:
    """Newton's method in u = log alpha for many curves at once; finished curves leave the arrays."""

    def __init__(self, dual: Dual, low: np.ndarray, start: np.ndarray, high: np.ndarray) -> None:
        spec = dual.spec
        self.dual, self.shape = dual, start.shape
        self.low, self.u, self.high = low.ravel(), start.ravel(), high.ravel()
        fit = (spec.cross * spec.y_rot[:, None]).T
        self.fit = np.concatenate([fit, -fit])  # (2m, n): the lower bound is the upper bound of -y
        self.square = np.tile(spec.cross_sq.T, (2, 1))
        self.within, self.beyond = np.tile(spec.within.T, (2, 1)), np.tile(spec.beyond, 2)

    def run(self, value: np.ndarray) -> Minimum:
        value, alpha = value.ravel().copy(), np.exp(self.u)
        live = np.arange(len(self.u))
        scale = self.dual.B * np.sqrt(np.tile(self.dual.spec.prior, 2))
        for _ in range(STEPS):
            h, slope, bend = self._curve(np.exp(self.u))
            better = h < value[live]
            value[live[better]], alpha[live[better]] = h[better], np.exp(self.u[better])
            self.low, self.high = (
                np.where(slope < 0, self.u, self.low),
                np.where(slope > 0, self.u, self.high),
            )
            step = -slope / np.where(bend > 0, bend, 1.0)
            near = (bend > 0) & (np.abs(step) < REACH)  # further away the parabola says little
            step = np.where(near, step, -REACH * np.sign(slope))
            inside = (self.u + step > self.low) & (self.u + step < self.high)
            gain = np.where(near & inside, 0.5 * np.abs(slope * step), np.abs(slope) * (self.high - self.low))
            self.u = np.where(inside, self.u + step, 0.5 * (self.low + self.high))
            keep = gain > GAIN * (scale[live] + np.abs(h))
            if not keep.any():
                break
            live = self._keep(live, keep)
        return Minimum(value.reshape(self.shape), alpha.reshape(self.shape))

    def _keep(self, live: np.ndarray, keep: np.ndarray) -> np.ndarray:
        if keep.all():
            return live
        for name in ("low", "u", "high", "fit", "square", "within", "beyond"):
            setattr(self, name, getattr(self, name)[keep])
        return live[keep]

    def _curve(self, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(J,) h and its first two derivatives in u = log alpha."""
        dual, spec = self.dual, self.dual.spec
        w = 1.0 / (spec.eigenvalues + alpha[:, None])
        w2 = w * w
        w3 = w2 * w
        mean, mean1, mean2 = _dots(self.fit, w), -_dots(self.fit, w2), 2 * _dots(self.fit, w3)
        var = self.beyond + alpha * _dots(self.within, w)
        safe = np.where(var > 0, var, 1.0)  # k(z, z) = 0: the spread is 0 whatever its logarithm's slope
        var1, var2 = _dots(self.square, w2) / safe, -2 * _dots(self.square, w3) / safe
        radius = np.maximum(dual.radius_sq(alpha, w), dual.tolerance(alpha))
        radius1, radius2 = (dual.B**2 - w2 @ dual.norm_weight) / radius, 2 * (w3 @ dual.norm_weight) / radius
        spread = np.sqrt(radius * var / alpha)
        # spread = exp(l / 2) with l = ln R^2 + ln rho^2 - u, so spread' = spread l'/2, and so on
        l1 = alpha * (radius1 + var1) - 1.0
        l2 = alpha * (radius1 + var1) + alpha**2 * (radius2 - radius1**2 + var2 - var1**2)
        slope = alpha * mean1 + 0.5 * spread * l1
        bend = alpha * mean1 + alpha**2 * mean2 + spread * (0.5 * l2 + 0.25 * l1**2)
        return mean + spread, slope, bend


def _dots(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(J,) inner products of the rows."""
    return np.einsum("jn,jn->j", a, b)
