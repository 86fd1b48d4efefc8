r"""Which arms to ask when only their uncertainty counts.

$\tilde x_m=\arg\max_{x\in A}\sigma^2(x;\tilde x_1,\dots,\tilde x_{m-1})$ among the candidates A.
Variances do not depend on rewards, so the picks on a set of candidates are one endless sequence, found as far
as it is asked for and the same in every interval.
"""

from __future__ import annotations

import numpy as np

from tvbo_core.engine import RankOne
from tvbo_core.gp import grid_posterior

# Arms whose variances differ by less than this share of the largest are tied, and the first one is picked: on
# a symmetric grid two arms are equally unsure, and rounding should not decide between them.
TIED = 1e-9


class Picks:
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

    def first(self, n: int) -> np.ndarray:
        """(n,) the first n picks."""
        if self._engine is None:
            self._start(n)
        while len(self._found) < n:
            variance = self._engine.variance[self._seats]
            pick = least_sure(variance)
            self._sds.append(float(variance[pick]) ** 0.5)
            self._engine.learn(int(self._seats[pick]), 0.0, self.ridge)
            self._found.append(pick)
        return self._arms[self._found[:n]]

    def sds(self, n: int) -> np.ndarray:
        r"""(n,) the posterior sd that chose each of them, $\sigma(\tilde x_m;\tilde x_1,\dots,\tilde x_{m-1})$."""
        self.first(n)
        return np.array(self._sds[:n])

    def _start(self, n: int) -> None:
        """Leave the arms that are out of every sum, unless so few sums are not worth the copy."""
        a, m = len(self._arms), len(self.gram)
        if a == m or n * m < a * a:
            self._engine, self._seats = RankOne(self.gram), self._arms
        else:
            self._engine, self._seats = RankOne(self.gram[np.ix_(self._arms, self._arms)]), np.arange(a)


def dense_picks(gram: np.ndarray, alive: np.ndarray, n: int, ridge: float) -> np.ndarray:
    """(n,) the same picks, each from a posterior computed anew: the reference form of `Picks`."""
    candidates, picks = np.flatnonzero(alive), np.empty(n, dtype=int)
    for m in range(n):
        _, sd = grid_posterior(gram, picks[:m], np.zeros(m), ridge)
        picks[m] = candidates[least_sure(sd[candidates] ** 2)]
    return picks


def least_sure(variance: np.ndarray) -> int:
    """Index of the largest variance, the first one among those that are tied with it."""
    return int(np.argmax(variance >= (1.0 - TIED) * variance.max()))
