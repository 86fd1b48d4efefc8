r"""Maximum-variance designs (uncertainty sampling) among candidates.

$\tilde x_m=\arg\max_{x\in A}\sigma^2(x;\tilde x_1,\dots,\tilde x_{m-1})$ among the candidates A.
Variances do not depend on rewards, so the picks on a set of candidates are one endless sequence, found as far
as it is asked for and the same in every interval.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tvbo_core.gp.rank_one import RankOne

# Arms whose variances differ by less than this share of the largest are tied, and the first one is picked: on
# a symmetric grid two arms are equally unsure, and rounding should not decide between them.
TIE_SHARE = 1e-9


class MaxVarianceDesign:
    r"""The greedy picks on one set of candidates, with repeats.

    Attributes:
        gram: (m, m) prior covariance of all arms; shared, never changed.
        alive: (m,) bool, the candidates.   ridge: $\lambda$, noise variance of one observation.
    Source: Iwazaki & Takeno, Algorithm 1, lines 6-10 ($\mathcal S_j$ is a multiset).
    """

    def __init__(self, gram: np.ndarray, alive: np.ndarray, ridge: float) -> None:
        self.gram, self.alive, self.ridge = gram, alive, ridge
        self._arms = np.flatnonzero(alive)
        self._engine: RankOne | None = None
        self._found: list[int] = []
        self._sds: list[float] = []

    def __getstate__(self) -> dict:
        """All but the picks among all arms, which are found again to the last digit."""
        again: dict[str, Any] = {"_engine": None, "_found": [], "_sds": []} if self.alive.all() else {}
        return {**self.__dict__, **again}

    def first(self, n: int) -> np.ndarray:
        """(n,) the first n picks."""
        if self._engine is None:
            self._engine = self._start(n)
        engine = self._engine
        while len(self._found) < n:
            variance = engine.variance[self._seats]
            pick = argmax_variance(variance)
            self._sds.append(float(variance[pick]) ** 0.5)
            engine.learn(int(self._seats[pick]), 0.0, self.ridge)
            self._found.append(pick)
        return self._arms[self._found[:n]]

    def sds(self, n: int) -> np.ndarray:
        r"""(n,) the posterior sd that chose each of them, $\sigma(\tilde x_m;\tilde x_1,\dots,\tilde x_{m-1})$."""
        self.first(n)
        return np.array(self._sds[:n])

    def _start(self, n: int) -> RankOne:
        """Return the prior of the candidates alone, unless the copy costs more than it saves."""
        a, m = len(self._arms), len(self.gram)
        if a == m or n * m < a * a:
            self._seats = self._arms
            return RankOne(self.gram)
        self._seats = np.arange(a)
        return RankOne(self.gram[np.ix_(self._arms, self._arms)])


def argmax_variance(variance: np.ndarray) -> int:
    """Index of the largest variance, the first one among those that are tied with it."""
    # The method, and no `max`: of so few numbers numpy's own detours would take four times as long.
    return int((variance >= (1.0 - TIE_SHARE) * variance[variance.argmax()]).argmax())


class MaxVarianceDesigns:
    r"""The first n greedy picks on U sets of candidates, and the posterior they make.

    With L the Cholesky factor of $K_{PP}+\lambda I$ in the order of the picks and $V=L^{-1}k_P$:
    $\sigma^2(x)=k(x,x)-\sum_jV_{jx}^2$, $\mu=V^\top L^{-1}y$, weights $w=L^{-\top}V$.

    Attributes:
        picks: (U, n).   V: (U, n, m).   L: (U, n, n).   sd: (U, m).
    Source: `MaxVarianceDesign` and `rank_one.RankOne`, side by side.
    """

    def __init__(self, gram: np.ndarray, alive: np.ndarray, n: int, ridge: float) -> None:
        U, m = alive.shape
        each, variance = np.arange(U), np.tile(gram.diagonal(), (U, 1))
        self.picks, self.V, self.L = np.empty((U, n), dtype=np.intp), np.empty((U, n, m)), np.zeros((U, n, n))
        for j in range(n):
            live = np.where(alive, variance, -np.inf)
            pick = self.picks[:, j] = (live >= (1.0 - TIE_SHARE) * live.max(axis=1, keepdims=True)).argmax(axis=1)
            known = self.V[each, :j, pick]
            self.L[:, j, :j] = known
            own = variance[each, pick]
            column = gram[pick] - (known[:, None, :] @ self.V[:, :j])[:, 0]
            column[each, pick] = own  # carried without cancellation
            total = own + ridge
            self.L[:, j, j] = np.sqrt(total)
            self.V[:, j] = column / self.L[:, j, j, None]
            variance = np.maximum(variance - self.V[:, j] ** 2, 0.0)
            variance[each, pick] = own * (ridge / total)
        self.sd = np.sqrt(variance)

    def means(self, of: np.ndarray, y: np.ndarray) -> np.ndarray:
        """(S, m) posterior means of S runs: `of` (S,) says from which set each picked, y (S, n) what it heard."""
        found = np.empty((len(y), self.V.shape[2]))
        for u in range(len(self.V)):
            mine = of == u
            found[mine] = np.linalg.solve(self.L[u], y[mine].T).T @ self.V[u]
        return found

    def weight_norms(self, some: np.ndarray) -> np.ndarray:
        r"""(u, m) $\|w(x)\|_2$ of these sets (u,)."""
        return np.linalg.norm(np.linalg.solve(self.L[some].transpose(0, 2, 1), self.V[some]), axis=1)


class SharedDesigns:
    """The picks of many runs on the same arms, each with candidates of its own."""

    def __init__(self, gram: np.ndarray, ridge: float) -> None:
        self.gram, self.ridge = gram, ridge
        self._everyone: dict[int, MaxVarianceDesigns] = {}

    def first(self, alive: np.ndarray, n: int) -> tuple[MaxVarianceDesigns, np.ndarray]:
        """The first n picks on the different sets among the candidates (S, m), and the number of each run's set."""
        if alive.all():  # every interval begins with it
            if n not in self._everyone:
                self._everyone[n] = MaxVarianceDesigns(self.gram, alive[:1], n, self.ridge)
            return self._everyone[n], np.zeros(len(alive), dtype=np.intp)
        _, first, of = np.unique(np.packbits(alive, axis=1), axis=0, return_index=True, return_inverse=True)
        return MaxVarianceDesigns(self.gram, alive[first], n, self.ridge), of.ravel()
