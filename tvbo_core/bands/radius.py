"""The radius of a band broken into its terms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tvbo_core.bands.dual import Dual
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
