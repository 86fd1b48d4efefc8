r"""Bands where every round brings fresh arms, from the whole past.

At fixed regularisers (AY, IGP, AMM, DMM) the cost is one solve a block. A block of rounds is looked at together:
$V=L^{-1}K(X_n,Z)$ for all its arms Z by one triangular solve, $L$ the factor of $K_n+\alpha I$. Each observation then
adds one row to V, and mean and variance follow by $\mu\leftarrow\mu+uv$, $\rho^2\leftarrow\rho^2-v^2$. The numbers are
those of `Bound.band` on all observations. CMM has no fixed regulariser: it takes that formula every round.
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

BLOCK = 10  # rounds: the solve then has enough columns to run at full speed, and its rows fit the cache


@dataclass(frozen=True)
class FreshKernelUCB(KernelUCB):
    """KernelUCB with fresh arms each round."""

    def init(self, known: LearnerInfo) -> BandState:
        """Return the state of a run before its first round."""
        band = self.resolved(known)
        return FreshBand(known, band) if band.fixed_regularisers else super().init(known)


class FreshBand(BandState):
    """One carried fit for each regulariser that the band asks for.

    Its large tables change in place: for `play`, which keeps no older state and skips no round.
    """

    def __init__(self, known: LearnerInfo, band: Bound) -> None:
        self.known, self._band = known, band
        self._fits: dict[float, _Carried] = {}
        self._X = np.empty((known.horizon, known.x.shape[-1]))
        self._trace, self._count = 0.0, 0
        self._begin_block()
        self.band()  # The first band finds out which regularisers there are.

    def copy(self) -> Self:
        return self

    def skip(self) -> None:
        raise ValueError("a run with fresh arms in blocks cannot skip a round")

    def band(self) -> Band:
        mean, lower, upper, empty = self._band.from_fits(self._fit)
        return Band(mean, lower, upper, empty=bool(empty))

    def learn(self, arm: int, y: float) -> None:
        first = self._first
        column = first + arm
        row = self.known.kernel(self._Z[column][None], self._Z[first:])[0]
        for fit in self._fits.values():
            fit.learn(first, column, y, row, self._count)
        self._X[self._count] = self._Z[column]
        self._trace += float(self._prior[column])
        self._count += 1
        if self._count < self.known.horizon and self._count % BLOCK == 0:
            self._begin_block()
            for fit in self._fits.values():
                fit.begin_block(self._K, self._prior, self._count)

    def _begin_block(self) -> None:
        """Lay out the arms of the next block."""
        n, d = self._count, self.known.x.shape[-1]
        self._Z = self.known.x[n : n + BLOCK].reshape(-1, d)
        self._K, self._prior = self.known.kernel(self._X[:n], self._Z), self.known.kernel.diag(self._Z)

    @property
    def _first(self) -> int:
        """Index at which today's arms begin in the block (after the last round: those of the last one)."""
        return min(self._count, self.known.horizon - 1) % BLOCK * self.known.x.shape[1]

    def _fit(self, alpha: float) -> RegularisedFit:
        check_regulariser(alpha, self._trace)
        if alpha not in self._fits:
            self._fits[alpha] = _Carried(alpha, self.known.horizon)
            self._fits[alpha].begin_block(self._K, self._prior, 0)
        today = slice(self._first, self._first + self.known.x.shape[1])
        fit = self._fits[alpha]
        return RegularisedFit(
            alpha=alpha,
            mean=fit.mean[today],
            sd=np.sqrt(np.maximum(fit.variance[today], 0.0)),
            log_det=np.array(fit.log_det),
            misfit=np.array(alpha * fit.squares),
            count=np.array(self._count),
            trace=np.array(self._trace),
            prior=self._prior[today],
        )


class _Carried:
    """Regularised least squares at one regulariser."""

    def __init__(self, alpha: float, horizon: int) -> None:
        self.alpha, self.log_det, self.squares = alpha, 0.0, 0.0
        self._L, self._u = np.zeros((horizon, horizon)), np.zeros(horizon)

    def begin_block(self, K: np.ndarray, prior: np.ndarray, n: int) -> None:
        """Begin a block with cross-covariances K (n, arms of the block)."""
        self._V = np.zeros((n + BLOCK, K.shape[1]))
        if n:
            self._V[:n] = solve_triangular(self._L[:n, :n], K, lower=True, check_finite=False)
        V = self._V[:n]
        self.mean, self.variance = self._u[:n] @ V, prior - np.einsum("ij,ij->j", V, V)

    def learn(self, first: int, column: int, y: float, row: np.ndarray, n: int) -> None:
        """Observe y at this arm of the block; `row` is its covariance with the arms from `first` on."""
        v = self._V[:n, column].copy()
        spread = max(float(self.variance[column]), 0.0)
        pivot = np.sqrt(spread + self.alpha)
        u = (y - self.mean[column]) / pivot
        self._L[n, :n], self._L[n, n], self._u[n] = v, pivot, u
        self.log_det += float(np.log1p(spread / self.alpha))
        self.squares += float(u * u)
        later = (row - v @ self._V[:n, first:]) / pivot
        self._V[n, first:] = later
        self.mean[first:] += u * later
        self.variance[first:] -= later**2
