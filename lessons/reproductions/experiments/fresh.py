r"""Bands where every round brings fresh arms, from the whole past.

At fixed regularisers (AY, IGP, AMM, DMM) the cost is one solve a block. A block of rounds is looked at together:
$V=L^{-1}K(X_n,Z)$ for all its arms Z by one triangular solve, $L$ the factor of $K_n+\alpha I$. Each observation then
adds one row to V, and mean and variance follow by $\mu\leftarrow\mu+uv$, $\rho^2\leftarrow\rho^2-v^2$. The numbers are
those of `Bound.band` on all observations.

CMM has no fixed regulariser: one eigendecomposition a block, the observations since then as a border of it, and the
search only for arms that can have the largest upper bound, because DMM's bound, which is cheap, is never below CMM's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.linalg import solve_triangular

from tvbo_core.bands.base import Bound
from tvbo_core.bands.theorems import CMM
from tvbo_core.gp.spectral import (
    LEAST_REGULARISER,
    ZERO_SHARE,
    RegularisedFit,
    check_regulariser,
    spectrum_from_gram,
)
from tvbo_core.policies.kernel_ucb import BandState, KernelUCB
from tvbo_core.records import Band, LearnerInfo

BLOCK = 10  # rounds: the solve has enough columns to run at full speed, and its rows still fit the cache
GROUP = 4  # arms that are searched together
SLACK = 1e-9  # reward units: both bounds are exact to less, so an arm that is further below cannot win
COARSE = 56  # regularisers that bracket a minimum, over about 20 decades
GOLDEN, STEPS = 0.5 * (math.sqrt(5.0) - 1.0), 30  # leaves 1e-6 of a bracket, and of a minimum its square


@dataclass(frozen=True)
class FreshKernelUCB(KernelUCB):
    """KernelUCB under AY, IGP, AMM, DMM or CMM with fresh arms each round."""

    def init(self, known: LearnerInfo) -> BandState:
        """A fresh state."""
        band = self.resolved(known)
        return FreshCMM(known, band) if isinstance(band, CMM) else FreshBand(known, band)


class InPlace(BandState):
    """A run whose large tables change in place: for `play`, which keeps no older state and skips no round."""

    def copy(self) -> Self:
        return self

    def skip(self) -> None:
        raise ValueError("a run with fresh arms in blocks cannot skip a round")


class FreshBand(InPlace):
    """One carried fit for each regulariser that the band asks for."""

    def __init__(self, known: LearnerInfo, band: Bound) -> None:
        self.known, self._band = known, band
        self._fits: dict[float, _Carried] = {}
        self._X = np.empty((known.horizon, known.x.shape[-1]))
        self._trace, self._count = 0.0, 0
        self._begin_block()
        self.band()  # which regularisers there are

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


class FreshCMM(InPlace):
    """All observations, and CMM's bound of the arms that can win; the others keep DMM's, which is never below it."""

    def __init__(self, known: LearnerInfo, band: CMM) -> None:
        self.known, self._exact = known, band
        self._X = np.empty((known.horizon, known.x.shape[-1]))
        self._K, self._y = np.empty((known.horizon, known.horizon)), np.empty(known.horizon)
        self._count, self._trace, self._base = 0, 0.0, (np.zeros(0), np.zeros((0, 0)))

    @property
    def _arms(self) -> np.ndarray:
        return self.known.x[min(self._count, self.known.horizon - 1)]

    def band(self) -> Band:
        n, kernel, Z = self._count, self.known.kernel, self._arms
        if not n:
            return self._exact.band(kernel, self._X[:0], self._y[:0], Z)
        if n <= BLOCK or n - len(self._base[0]) >= BLOCK:
            self._base = decomposed(self._K[:n, :n])
        cross, prior = kernel(self._X[:n], Z), kernel.diag(Z)
        curves = Curves(self._exact, Bordered(*self._base, self._K[:n, :n], self._y[:n], cross, prior), self._trace)
        if not curves.sound:
            return self._exact.from_spectrum(spectrum_from_gram(self._K[:n, :n], self._y[:n], cross, prior))
        upper = curves.upper.copy()
        order = np.argsort(-upper, kind="stable")
        for start in range(0, len(order), GROUP):
            rows, rest = order[start : start + GROUP], order[start + GROUP :]
            upper[rows] = curves.lowest(rows)
            if len(rest) and upper[order[: start + GROUP]].max() > curves.upper[rest[0]] + SLACK:
                break
        return Band(curves.mean, curves.lower, upper)

    def learn(self, arm: int, y: float) -> None:
        n, point = self._count, self._arms[arm]
        self._X[n], self._y[n] = point, y
        self._K[n, : n + 1] = self._K[: n + 1, n] = self.known.kernel(point[None], self._X[: n + 1])[0]
        self._trace += float(self._K[n, n])
        self._count += 1


def decomposed(K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) eigenvalues, those of rounding exactly 0, and (n, n) eigenvectors."""
    eigenvalues, Q = np.linalg.eigh(K)
    eigenvalues[eigenvalues <= ZERO_SHARE * eigenvalues[-1]] = 0.0
    return eigenvalues, Q


class Bordered:
    r"""Regularised least squares at any regulariser: the first observations by eigenvectors, the p newer as a border.

    $K=\begin{pmatrix}Q\Lambda Q^\top&K_{12}\\K_{21}&K_{22}\end{pmatrix}$: given the first block, the border has the
    covariance $S_\alpha=K_{22}+\alpha I-C^\top(\Lambda+\alpha)^{-1}C$, $C=Q^\top K_{12}$, and p is small.
    """

    def __init__(
        self, lam: np.ndarray, Q: np.ndarray, K: np.ndarray, y: np.ndarray, cross: np.ndarray, prior: np.ndarray
    ) -> None:
        b, p = len(lam), len(y) - len(lam)
        self.lam, self.C, self.corner, self.prior = lam, Q.T @ K[:b, b:], K[b:, b:], prior
        self.y, self.newer = Q.T @ y[:b], y[b:]
        self.cross, self.side = Q.T @ cross[:b], cross[b:]
        self.products = (self.C[:, :, None] * self.C[:, None, :]).reshape(b, p * p)
        self.within = self.cross**2 * np.divide(1.0, lam, out=np.zeros(b), where=lam > 0)[:, None]
        self.beyond = np.maximum(prior - self.within.sum(axis=0), 0.0)

    def data(self, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        r"""(a, b) $1/(\lambda+\alpha)$, (a, p, p) factor of S, (a, p) news in it, (a,) $y^\top(K+\alpha)^{-1}y$."""
        inverse, p = 1.0 / (self.lam + alpha[:, None]), len(self.newer)
        S = self.corner + alpha[:, None, None] * np.eye(p) - (inverse @ self.products).reshape(len(alpha), p, p)
        L = np.linalg.cholesky(S)
        z = np.linalg.solve(L, (self.newer - (inverse * self.y) @ self.C)[:, :, None])[:, :, 0]
        return inverse, L, z, inverse @ self.y**2 + (z**2).sum(axis=1)

    def weights_sq(self, inverse: np.ndarray, L: np.ndarray, z: np.ndarray) -> np.ndarray:
        r"""(a,) $|(K+\alpha)^{-1}y|^2$ from what `data` returns."""
        last = np.linalg.solve(L.transpose(0, 2, 1), z[:, :, None])[:, :, 0]
        return ((inverse * (self.y - last @ self.C.T)) ** 2).sum(axis=1) + (last**2).sum(axis=1)

    def log_det(self, alpha: float, L: np.ndarray) -> float:
        r"""$\ln\det(I+K/\alpha)$ from the factor (p, p) of S."""
        return float(np.log1p(self.lam / alpha).sum() + 2.0 * np.log(np.diag(L) / np.sqrt(alpha)).sum())

    def at(self, alpha: np.ndarray, rows: np.ndarray | slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(a, m) mean and (a, m) variance of these arms at each alpha, and (a,) as `data`."""
        inverse, L, z, quad = self.data(alpha)
        cross = inverse[:, :, None] * self.cross[:, rows]
        new = np.linalg.solve(L, self.side[:, rows] - self.C.T @ cross)
        mean = np.einsum("n,anm->am", self.y, cross) + np.einsum("ap,apm->am", z, new)
        variance = self.beyond[rows] + alpha[:, None] * (inverse @ self.within[:, rows]) - (new**2).sum(axis=1)
        return mean, np.maximum(variance, 0.0), quad


class Curves:
    r"""The curves $h_\alpha=\mu_\alpha+\tilde R_\alpha\rho_\alpha/\sqrt\alpha$ of one round (Flynn & Reeb, eq. 12).

    Attributes:
        mean: (m,) at $\sigma^2/c$.   lower, upper: (m,) DMM's bounds within the norm bound.
        sound: one of DMM's five means satisfies what the confidence set asks for, so the set is not empty.
    """

    def __init__(self, exact: CMM, fits: Bordered, trace: float) -> None:
        self._exact, self._fits = exact, fits
        alpha = exact.anchor * np.array(exact.relaxed.multiples)
        here = exact.relaxed.multiples.index(1.0)
        inverse, L, z, quad = fits.data(alpha)
        self._evidence = exact.sigma**2 * (fits.log_det(exact.anchor, L[here]) - 2.0 * np.log(exact.delta))
        self._misfit = exact.anchor * quad[here]
        weights_sq = fits.weights_sq(inverse, L, z)
        norm_sq, misses = quad - alpha * weights_sq, alpha**2 * weights_sq
        resolved = alpha[0] >= LEAST_REGULARISER * trace
        self.sound = bool(resolved and ((norm_sq <= exact.B**2) & (misses <= self._evidence + self._misfit)).any())
        mean, spread = self._at(alpha, slice(None))
        ceiling = exact.B * np.sqrt(fits.prior)
        self.mean, self._ceiling = mean[here], ceiling
        self.lower, self.upper = np.maximum(-ceiling, (mean - spread).max(axis=0)), (mean + spread).min(axis=0)
        self.upper = np.minimum(ceiling, self.upper)
        scale = trace + exact.anchor + (self._evidence + float(fits.y @ fits.y + fits.newer @ fits.newer)) / exact.B**2
        self._span = LEAST_REGULARISER * trace, 1e7 * scale  # as `Dual.span`

    def lowest(self, rows: np.ndarray) -> np.ndarray:
        r"""(r,) the lowest value of each of these arms' curves, which are quasi-convex in $\ln\alpha$, or B sqrt(k)."""
        u = np.log(np.geomspace(*self._span, num=COARSE))
        coarse = self._values(u, rows)
        best = coarse.argmin(axis=0)
        low, high = u[np.maximum(best - 1, 0)], u[np.minimum(best + 1, COARSE - 1)]
        a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        at_a, at_b = self._own(a, rows), self._own(b, rows)
        for _ in range(STEPS):
            left = at_a < at_b
            low, high = np.where(left, low, a), np.where(left, b, high)
            new = np.where(left, high - GOLDEN * (high - low), low + GOLDEN * (high - low))
            value = self._own(new, rows)
            a, at_a, b, at_b = (
                np.where(left, new, b),
                np.where(left, value, at_b),
                np.where(left, a, new),
                np.where(left, at_a, value),
            )
        return np.minimum(self.upper[rows], np.minimum(coarse.min(axis=0), np.minimum(at_a, at_b)))

    def _own(self, u: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """(r,) each arm's curve at its own place."""
        return self._values(u, rows).diagonal()

    def _values(self, u: np.ndarray, rows: np.ndarray) -> np.ndarray:
        mean, spread = self._at(np.exp(u), rows)
        return mean + spread

    def _at(self, alpha: np.ndarray, rows: np.ndarray | slice) -> tuple[np.ndarray, np.ndarray]:
        mean, variance, quad = self._fits.at(alpha, rows)
        radius_sq = self._evidence + alpha * self._exact.B**2 + self._misfit - alpha * quad
        return mean, np.sqrt(np.maximum(radius_sq, 0.0) / alpha)[:, None] * np.sqrt(variance)
