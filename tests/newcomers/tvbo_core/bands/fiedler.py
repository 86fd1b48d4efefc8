"""The band of Fiedler et al. (2021), for any regulariser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tvbo_core.bands.base import Bound, Curves, FitAt, around
from tvbo_core.bands.radius import RadiusTerms, leg_terms
from tvbo_core.gp.spectral import Spectrum


@dataclass(frozen=True)
class Fiedler(Bound):
    r"""Fiedler's band: Abbasi-Yadkori's, with a price of $\ln\bar\lambda$ an observation for a ridge above 1.

    $\mu_\lambda(z)\pm\big(B+\tfrac{\sigma}{\sqrt\lambda}\sqrt{\ln\det(\tfrac{\bar\lambda}{\lambda}K+\bar\lambda I)
    +2\ln\tfrac1\delta}\big)\rho_\lambda(z)$ with $\bar\lambda=\max\{1,\lambda\}$.

    Source: Fiedler, Scherer & Trimpe (2021), Practical and rigorous uncertainty bounds for GP regression, Thm 1.
    """

    ridge: float

    name: ClassVar[str] = "FST"

    @property
    def price(self) -> float:
        r"""$\ln\bar\lambda$."""
        return float(np.log(max(1.0, self.ridge)))

    def from_fits(self, fit_at: FitAt) -> Curves:
        fit = fit_at(self.ridge)
        inside = fit.log_det + fit.count * self.price + self.log_delta  # ln det(I + K / ridge) + n ln(max(1, ridge))
        return around(self, fit, self.B + self.sigma * np.sqrt(inside / self.ridge))

    def terms(self, spec: Spectrum, j: int = 0, side: int = 1) -> RadiusTerms:
        return leg_terms(
            spec.fit(self.ridge),
            j,
            norm=self.B,
            log_delta=self.log_delta,
            scale=self.sigma**2 / self.ridge,
            steps=spec.n * self.price,
        )
