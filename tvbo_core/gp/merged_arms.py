r"""The posterior of all arms of a grid from one weighted sum per arm, for weights that change every round.

Observations i of arm a with weights $w_i$ (noise $\lambda/w_i$) act like one with precision $q_a/\lambda$,
$q_a=\sum w_i$, and reward $r_a/q_a$, $r_a=\sum w_iy_i$.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dtrsm
from scipy.linalg.lapack import dpotrf

from tvbo_core.gp.dense import LEAST_PIVOT, factor

# An arm whose precision times prior variance is below this changes no digit of any posterior.
NEGLIGIBLE = 1e-18


class MergedArms:
    r"""The sums of each arm heard of, kept in slots, with the rows of the Gram matrix that belong to them.

    Attributes:
        gram: (m, m) prior covariance; never changed.   prior: (m,) k(x, x).   ridge: $\lambda$, reward^2.
        count: number u of arms heard of; the arrays below are (u,), one entry a slot.
    """

    def __init__(self, gram: np.ndarray, ridge: float) -> None:
        self.prior, self.ridge, self.count = gram.diagonal().copy(), ridge, 0
        self.gram, m = gram, len(gram)
        self._least = NEGLIGIBLE * ridge / max(float(self.prior.max()), np.finfo(float).tiny)
        self._slot = np.full(m, -1)
        self._arms = np.zeros(m, dtype=np.intp)
        self._sums = np.zeros((3, m))
        self._columns: np.ndarray
        self._block: np.ndarray
        self._reserve(min(m, 16))

    def copy(self) -> MergedArms:
        """Return the same sums, to be changed apart from these."""
        new = object.__new__(MergedArms)
        new.__dict__.update(self.__dict__)
        new._slot, new._arms, new._sums = self._slot.copy(), self._arms.copy(), self._sums.copy()
        new._columns, new._block = self._columns.copy(order="F"), self._block.copy()
        return new

    @classmethod
    def of(cls, gram: np.ndarray, ridge: float, arms: np.ndarray, y: np.ndarray) -> MergedArms:
        """Observations y (n,) of these arms (n,), n >= 1, all of weight 1."""
        counts = np.bincount(arms, minlength=len(gram))
        distinct = np.flatnonzero(counts)
        merged, u = cls(gram, ridge), len(distinct)
        merged._reserve(u)
        merged.count, merged._arms[:u], merged._slot[distinct] = u, distinct, np.arange(u)
        merged._sums[:2, :u], merged._sums[2, :u] = counts[distinct], np.bincount(arms, y)[distinct]
        merged._columns[:-1] = gram[:, distinct]
        merged._block[:] = merged._columns[distinct]
        return merged

    def _reserve(self, size: int) -> None:
        """Room for so many slots: the arms' columns of the Gram matrix, a free row below, and their block."""
        m, u = len(self.prior), self.count
        columns, block = np.zeros((m + 1, size), order="F"), np.zeros((size, size))
        if u:
            columns[:, :u], block[:u, :u] = self._columns[:, :u], self._block[:u, :u]
        self._columns, self._block = columns, block

    @property
    def arms(self) -> np.ndarray:
        """The arm of each slot."""
        return self._arms[: self.count]

    @property
    def weight(self) -> np.ndarray:
        r"""$q=\sum w$; may be changed in place, as the next two."""
        return self._sums[0, : self.count]

    @property
    def squared(self) -> np.ndarray:
        r"""$\sum w^2$."""
        return self._sums[1, : self.count]

    @property
    def weighted_y(self) -> np.ndarray:
        r"""$r=\sum wy$."""
        return self._sums[2, : self.count]

    def slot(self, arm: int) -> int:
        """The slot of an arm, a new one with empty sums when it has none."""
        if self._slot[arm] < 0:
            u = self.count
            if u == len(self._block):
                self._reserve(min(2 * u, len(self.prior)))
            self._slot[arm], self._arms[u], self._sums[:, u] = u, arm, 0.0
            self._columns[:-1, u] = self.gram[arm]
            self._block[u, : u + 1] = self._block[: u + 1, u] = self.gram[arm, self._arms[: u + 1]]
            self.count += 1
        return int(self._slot[arm])

    def observe(self, arm: int, y: float) -> None:
        """Add an observation of weight 1."""
        self._sums[:, self.slot(arm)] += (1.0, 1.0, y)

    def decay(self, gamma: float) -> None:
        """Multiply all weights by a factor; arms whose weight is negligible lose their slots."""
        self._sums[:, : self.count] *= ((gamma,), (gamma * gamma,), (gamma,))
        if self.count and self.weight.min() < self._least:
            for slot in reversed(np.flatnonzero(self.weight < self._least)):
                self._drop(int(slot))

    def _drop(self, slot: int) -> None:
        last = self.count - 1
        self._slot[self._arms[last]], self._slot[self._arms[slot]] = slot, -1
        for array in (self._arms, self._sums, self._columns):
            array[..., slot] = array[..., last]
        self._block[slot, :last] = self._block[last, :last]
        self._block[:last, slot] = self._block[:last, last]
        self._block[slot, slot] = self._block[last, last]
        self.count = last

    def fit(self) -> MergedFit:
        """Return today's posterior."""
        return MergedFit(self)

    def log_det(self, weight: np.ndarray) -> float:
        r"""$\ln\det(I+\mathrm{diag}(q/\lambda)K)$ for other sums of weights q (u,)."""
        return 2.0 * float(np.log(self.factor(np.sqrt(weight / self.ridge)).diagonal()).sum())

    def factor(self, scale: np.ndarray) -> np.ndarray:
        r"""(u, u) lower Cholesky factor of $I+P^{1/2}KP^{1/2}$, $P^{1/2}$ = diag(scale)."""
        u = self.count
        if u == 0:
            return np.empty((0, 0))
        A = self._block[:u, :u] * scale
        A *= scale[:, None]
        A.flat[:: u + 1] += 1.0
        L, info = dpotrf(A.T, lower=1, clean=0, overwrite_a=1)
        if info != 0 or not L.diagonal().min() >= LEAST_PIVOT:
            return factor(self._block[:u, :u], 1.0 / scale**2)[0]  # says in one sentence what is wrong
        return L

    def scaled_columns(self, scale: np.ndarray) -> np.ndarray:
        """(m+1, u) columns of the Gram matrix times the scale, in column order, and a row that is free."""
        return self._columns[:, : self.count] * scale


class MergedFit:
    r"""One posterior of `MergedArms`.

    With $LL^\top=I+P^{1/2}K_{uu}P^{1/2}$ and $H=K_{\cdot u}P^{1/2}L^{-\top}$: $\mu=HL^{-1}P^{1/2}(r/q)$,
    $s^2=k(z,z)-\sum_uH_{zu}^2$.

    Attributes:
        mean, variance: (m,).   half: (m, u) H.   log_det: $\ln\det(I+N^{-1/2}KN^{-1/2})$.
    """

    def __init__(self, merged: MergedArms) -> None:
        self._merged, m, q = merged, len(merged.prior), merged.weight
        self._scale = np.sqrt(q / merged.ridge)
        self._L = merged.factor(self._scale)
        self.log_det = 2.0 * float(np.log(self._L.diagonal()).sum())
        if merged.count == 0:
            self.mean, self.variance, self.half = np.zeros(m), merged.prior.copy(), np.zeros((m, 0))
            return
        both = merged.scaled_columns(self._scale)
        both[m] = self._scale * (merged.weighted_y / q)
        both = dtrsm(1.0, self._L, both, side=1, lower=1, trans_a=1, overwrite_b=1)
        self.half = both[:m]
        self.mean = self.half @ both[m].copy()
        self.variance = merged.prior - np.einsum("mu,mu->m", self.half, self.half)
        np.maximum(self.variance, 0.0, out=self.variance)

    def covariance(self) -> np.ndarray:
        """(m, m) posterior covariance of all arms, reward^2."""
        return self._merged.gram - self.half @ self.half.T

    def tight_variance(self) -> np.ndarray:
        r"""(m,) $\tilde\sigma^2=\lambda\|a\|^2+k(z,z)-2a^\top k(z)+a^\top Ka$ with equally noisy rewards.

        Source: kernel form of Deng et al., Thm 2; an observation's weight in the mean is its share $w_i/q$ of
            its arm's.
        """
        merged = self._merged
        if merged.count == 0:
            return merged.prior.copy()
        weights = dtrsm(1.0, self._L, self.half, side=1, lower=1)
        weights *= self._scale
        cross = weights @ merged._block[: merged.count, : merged.count]
        cross -= 2.0 * merged.scaled_columns(np.ones(merged.count))[:-1]
        cross += merged.ridge * merged.squared / merged.weight**2 * weights
        return np.maximum(merged.prior + np.einsum("mu,mu->m", weights, cross), 0.0)
