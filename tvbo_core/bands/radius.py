"""The radius of a band broken into its terms, and the curve UCB(alpha) behind DMM and CMM."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tvbo_core.bands.dual import Dual
from tvbo_core.bands.dual_search import emptiest, minimise
from tvbo_core.gp.spectral import RegularisedFit


@dataclass(frozen=True)
class RadiusTerms:
    r"""A band's radius at one point, broken into its terms: the bound is mean +- width * sd.

    With $s=\sigma^2/\alpha$ the terms combine in one of two ways:
    "legs" (AY, IGP) $B+\sqrt{s(\ln\det+2\ln\frac1\delta+t\eta)}$: the two legs of a right triangle, one after
    the other;
    "hypotenuse" (AMM, DMM, CMM) $\sqrt{B^2+s(\ln\det+2\ln\frac1\delta)+\mathrm{misfit}}$: its hypotenuse.
    At $\alpha=\sigma^2/c$, $s=c$.

    Attributes:
        rule: "legs" or "hypotenuse".
        norm: B.
        scale: $s=\sigma^2/\alpha$ (for IGP $\sigma^2$, as its theorem has it); 0 at alpha = inf.
        log_det: $\ln\det(I+K/\alpha)$, for DMM and CMM always at $\sigma^2/c$.
        log_delta: $2\ln\frac1\delta$.
        steps: $t\eta$ of IGP, else 0.
        misfit: what the data say about this alpha (DMM, CMM), else 0: $(y^\top(I+\frac{c}{\sigma^2}K)^{-1}y
            -y^\top(I+K/\alpha)^{-1}y)/\alpha$; it has either sign.
        alpha: the regulariser, for DMM and CMM the one that won; inf when the norm bound alone won.
        mean, sd: posterior mean and sd at the point.
    """

    rule: str
    norm: float
    scale: float
    log_det: float
    log_delta: float
    steps: float
    misfit: float
    alpha: float
    mean: float
    sd: float

    def bound(self, side: int) -> float:
        """mean + width * sd (side 1) or mean - width * sd (side -1)."""
        return self.mean + side * self.width * self.sd

    @property
    def noise(self) -> float:
        r"""$\sqrt{s(\ln\det+2\ln\frac1\delta+t\eta)}$: the leg that noise adds."""
        return float(np.sqrt(max(self.scale * (self.log_det + self.log_delta + self.steps), 0.0)))

    @property
    def width(self) -> float:
        """The multiplier of the sd."""
        if self.rule == "legs":
            return self.norm + self.noise
        return float(np.sqrt(max(self.norm**2 + self.noise**2 + self.misfit, 0.0)))


def leg_terms(
    fit: RegularisedFit, j: int, *, norm: float, log_delta: float, scale: float, steps: float = 0.0
) -> RadiusTerms:
    """Return the terms of a band whose norm and noise add up, from its fit."""
    return RadiusTerms(
        rule="legs",
        norm=norm,
        scale=scale,
        log_det=float(fit.log_det),
        log_delta=log_delta,
        steps=steps,
        misfit=0.0,
        alpha=fit.alpha,
        mean=float(fit.mean[j]),
        sd=float(fit.sd[j]),
    )


def dual_terms(dual: Dual, alpha: float) -> RadiusTerms:
    """The terms at one alpha of the dual curve of a single point; at inf the norm bound stands alone."""
    spec, log_delta = dual.spec, -2.0 * float(np.log(dual.delta))
    inverse = 1.0 / (spec.eigenvalues + alpha)
    here = np.array([alpha])
    prior = float(np.sqrt(spec.prior[0]))
    return RadiusTerms(
        rule="hypotenuse",
        norm=dual.B,
        scale=dual.sigma**2 / alpha,
        log_det=dual.evidence / dual.sigma**2 - log_delta,
        log_delta=log_delta,
        steps=0.0,
        misfit=(dual.anchor / alpha - 1.0) * float(inverse @ dual.misfit_slope),
        alpha=alpha,
        mean=float((inverse * spec.y_rot) @ spec.cross[:, 0]),
        sd=prior if np.isinf(alpha) else float(np.sqrt(spec.variance(inverse[None, :], here)[0, 0])),
    )


@dataclass(frozen=True, eq=False)
class UCBCurve:
    r"""The bound at one point as a function of the regulariser: every point of the curve is a valid bound.

    Attributes:
        side: 1 for the upper bound, -1 for the lower (then the best is the highest point).
        alpha, value: (p,) $\mu_\alpha\pm\tilde R_\alpha\rho_\alpha/\sqrt\alpha$ over a log grid.
        radius_sq: (p,) $\tilde R_\alpha^2$; negative somewhere means that no function fits.
        grid_alpha, grid_value, grid_radius_sq: (5,) the same at DMM's regularisers.
        best_alpha, best_value: CMM's bound; best_alpha is inf when the norm bound alone is best.
        ceiling: $\pm B\sqrt{k(z,z)}$, the limit of the curve for alpha to inf.
        empty: True when no function satisfies the assumptions and the data; the curve then promises nothing
            (where radius_sq < 0 its value is the mean alone).
    """

    side: int
    alpha: np.ndarray
    value: np.ndarray
    radius_sq: np.ndarray
    grid_alpha: np.ndarray
    grid_value: np.ndarray
    grid_radius_sq: np.ndarray
    best_alpha: float
    best_value: float
    ceiling: float
    empty: bool


def ucb_curve(dual: Dual, side: int, points: int, multiples: tuple[float, ...]) -> UCBCurve:
    r"""The curve of a dual with a single point, from two decades below the regularisers that matter
    (`multiples` of $\sigma^2/c$ and the best one) to four decades above them, inside the dual's own span."""
    ceiling = side * dual.B * float(np.sqrt(dual.spec.prior[0]))
    minimum = minimise(dual) if dual.spec.n else None
    row = 0 if side > 0 else 1
    best = np.inf if minimum is None or minimum.value[row, 0] >= abs(ceiling) else float(minimum.alpha[row, 0])
    grid = np.array(multiples) * dual.anchor
    grid = grid[grid >= dual.span[0]]
    low, high = dual.span
    marks = np.append(grid, best if np.isfinite(best) else dual.anchor)
    alpha = np.geomspace(max(low, marks.min() / 100), max(low * 10, min(high, marks.max() * 1e4)), points)
    value, radius_sq = _at(dual, side, alpha)
    grid_value, grid_radius_sq = _at(dual, side, grid)
    return UCBCurve(
        side=side,
        alpha=alpha,
        value=value,
        radius_sq=radius_sq,
        grid_alpha=grid,
        grid_value=grid_value,
        grid_radius_sq=grid_radius_sq,
        best_alpha=best,
        best_value=ceiling if minimum is None or np.isinf(best) else side * float(minimum.value[row, 0]),
        ceiling=ceiling,
        empty=dual.spec.n > 0 and emptiest(dual)[1],
    )


def _at(dual: Dual, side: int, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    mean, spread = dual.evaluate(alpha)
    radius_sq = dual.radius_sq(alpha, 1.0 / (dual.spec.eigenvalues + alpha[:, None]))
    return (mean + side * spread)[:, 0], radius_sq
