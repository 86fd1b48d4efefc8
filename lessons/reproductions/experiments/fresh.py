r"""Bands at fixed regularisers where every round brings fresh arms, from the whole past.

The Cholesky factor of $K_n+\alpha I$ grows by one row an observation, so that a round takes one triangular solve for
each regulariser in place of a decomposition. The numbers are those of `Bound.band` on all observations. CMM has no
fixed regulariser: it takes that formula every round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.linalg import solve_triangular

from tvbo_core.bands.base import Bound
from tvbo_core.gp.spectral import RegularisedFit, check_regulariser
from tvbo_core.policies.kernel_ucb import BandState, KernelUCB
from tvbo_core.records import Band, LearnerInfo


@dataclass(frozen=True)
class FreshKernelUCB(KernelUCB):
    """KernelUCB with fresh arms each round."""

    def init(self, known: LearnerInfo) -> BandState:
        """Return the state of a run before its first round."""
        band = self.resolved(known)
        return FreshBand(known, band) if band.fixed_regularisers else super().init(known)


class FreshBand(BandState):
    """One factor for each regulariser that the band asks for.

    The factors change in place: for `play`, which keeps no older state and skips no round.
    """

    def __init__(self, known: LearnerInfo, band: Bound) -> None:
        self.known, self._band, self._count, self._trace = known, band, 0, 0.0
        self._X, self._y = np.empty((known.horizon, known.x.shape[-1])), np.empty(known.horizon)
        self._factors: dict[float, np.ndarray] = {}
        self.band()  # The first band finds out which regularisers there are.

    def copy(self) -> Self:
        return self

    def skip(self) -> None:
        raise ValueError("a run with fresh arms cannot skip a round")

    @property
    def _arms(self) -> np.ndarray:
        return self.known.x[min(self._count, self.known.horizon - 1)]

    def band(self) -> Band:
        self._cross = self.known.kernel(self._X[: self._count], self._arms)
        self._prior = self.known.kernel.diag(self._arms)
        mean, lower, upper, empty = self._band.from_fits(self._fit)
        return Band(mean, lower, upper, empty=bool(empty))

    def learn(self, arm: int, y: float) -> None:
        n, point = self._count, self._arms[arm][None]
        prior, cross = float(self.known.kernel.diag(point)[0]), self.known.kernel(self._X[:n], point)[:, 0]
        for alpha, L in self._factors.items():
            L[n, :n] = self._solve(L, cross)
            L[n, n] = np.sqrt(max(prior - L[n, :n] @ L[n, :n], 0.0) + alpha)
        self._X[n], self._y[n] = point[0], y
        self._count, self._trace = n + 1, self._trace + prior

    def _solve(self, L: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the solution for the observations so far."""
        n = self._count
        return solve_triangular(L[:n, :n], right, lower=True, check_finite=False) if n else right

    def _fit(self, alpha: float) -> RegularisedFit:
        check_regulariser(alpha, self._trace)
        L, n = self._factors.setdefault(alpha, np.zeros((self.known.horizon,) * 2)), self._count
        V, u = self._solve(L, self._cross), self._solve(L, self._y[:n])
        variance = self._prior - np.einsum("ij,ij->j", V, V)
        return RegularisedFit(
            alpha=alpha,
            mean=u @ V,
            sd=np.sqrt(np.maximum(variance, 0.0)),
            log_det=np.array(2.0 * np.log(L.diagonal()[:n]).sum() - n * np.log(alpha)),
            misfit=np.array(alpha * (u @ u)),
            count=np.array(n),
            trace=np.array(self._trace),
            prior=self._prior,
        )
