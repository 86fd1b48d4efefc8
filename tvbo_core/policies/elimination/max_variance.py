r"""Maximum-variance designs (uncertainty sampling) among candidates.

$\tilde x_m=\arg\max_{x\in A}\sigma^2(x;\tilde x_1,\dots,\tilde x_{m-1})$ among the candidates A.
Variances do not depend on rewards, so the picks on a set of candidates are one endless sequence, found as far
as it is asked for and the same in every interval.
"""

from __future__ import annotations

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
