r"""The posteriors of R runs on the same m arms, stacked: one array operation moves all of them by a round.

`KalmanStack` moves mean and covariance by one reward a round, as `rank_one.RankOne` does: for memories that keep
everything, restart or fade. `WeightedStack` keeps one weighted sum an arm, as `merged_arms.MergedArms` does, and
computes the posterior of every round from the sums: for discounts, and for windows, where what is taken back would let
rounding grow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from scipy.linalg.blas import dtrsm
from scipy.linalg.lapack import dpotrf

from tvbo_core.gp.memory import Discount, Markov, Memory, Restart, Window
from tvbo_core.gp.merged_arms import NEGLIGIBLE

SUMMED_MEMORIES = (Window, Discount)  # memories of `WeightedStack`; the others are `KalmanStack`
MAX_SOLVED_ARMS = 10  # arms up to which one call of numpy's batched solver beats a triangular solve a run (measured)
TINY = np.finfo(float).tiny


class KalmanStack:
    r"""Keep, restart and fade: a reward heard is $P\leftarrow P-cc^\top/(c_a+\lambda)$, $c=P_{\cdot a}$, and a round
    that passes is $\mu\leftarrow\sqrt{1-\epsilon}\,\mu$, $P\leftarrow(1-\epsilon)P+\epsilon K$.

    Attributes:
        mean: (R, m).   cov: (R, m, m).
    """

    def __init__(self, gram: np.ndarray, ridge: np.ndarray, memories: Sequence[Memory], horizon: int) -> None:
        runs, m = len(memories), len(gram)
        self.gram, self.t = gram, 0
        self.mean, self.cov = np.zeros((runs, m)), np.repeat(gram[None], runs, axis=0)
        self._rows = self.cov.reshape(runs * m, m)  # views: what changes them changes `cov`
        self._variance = self.cov.reshape(runs, m * m)[:, :: m + 1]
        self._runs, self._start = np.arange(runs), m * np.arange(runs)
        self._ridge, self._outer = ridge, np.empty_like(self.cov)
        epsilon = np.array([a.epsilon if isinstance(a, Markov) else 0.0 for a in memories])
        self._fades, self._root = bool(epsilon.any()), np.sqrt(1.0 - epsilon)[:, None]
        self._kept, self._new = 1.0 - epsilon[:, None, None], epsilon[:, None, None] * gram
        self._restarts: dict[int, list[int]] = defaultdict(list)  # round -> runs that forget before it
        for run, a in enumerate(memories):
            for t in range(a.interval, horizon + 1, a.interval) if isinstance(a, Restart) else ():
                self._restarts[t].append(run)

    def curves(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean and sd of all arms today, (R, m) each."""
        return self.mean, np.sqrt(np.maximum(self._variance, 0.0))

    def learn(self, arms: np.ndarray, y: np.ndarray) -> None:
        """Observe y (R,) from these arms (R,) and move to the next round."""
        self.observe(arms, y)
        self.t += 1
        if self._fades:
            self.fade()
        if self.t in self._restarts:
            runs = self._restarts[self.t]
            self.mean[runs], self.cov[runs] = 0.0, self.gram

    def observe(self, arms: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        r"""Observe y (R,) from these arms (R,) in this round; return $y-\mu_a$ and $c_a+\lambda$, (R,)."""
        at = self._start + arms
        column = self._rows.take(at, axis=0)
        total = column.reshape(-1).take(at) + self._ridge
        surprise = y - self.mean.reshape(-1).take(at)
        gain = column / total[:, None]
        self.mean += gain * surprise[:, None]
        np.multiply(column[:, :, None], gain[:, None, :], out=self._outer)
        self.cov -= self._outer
        # c - c c_a / (c_a + n) = c n / (c_a + n) without cancellation: else the errors of 10^4 rounds show.
        self._rows[at] = self.cov[self._runs, :, arms] = gain * self._ridge[:, None]
        return surprise, total

    def fade(self) -> None:
        """Move to the next round: shrink towards the prior by epsilon."""
        self.mean *= self._root
        self.cov *= self._kept
        self.cov += self._new


class WeightedStack:
    r"""Window and discount: $q=\sum w$ and $r=\sum wy$ of every arm in every run.

    Of few arms, with $Q=\mathrm{diag}(q/\lambda)$: $P=(I+KQ)^{-1}K$, $\mu=Pr/\lambda$, $s^2=P_{zz}$. Of more, with
    $S=Q^{1/2}$, $LL^\top=I+SKS$ and $V=L^{-1}SK$: $\mu=V^\top L^{-1}S(r/q)$, $s^2=k(z,z)-\sum V_z^2$.

    Attributes:
        weight, weighted_y: (R, m) $q$ and $r$.
    """

    def __init__(self, gram: np.ndarray, ridge: np.ndarray, memories: Sequence[Memory], horizon: int) -> None:
        runs, m = len(memories), len(gram)
        self.gram, self.prior, self.t = gram, gram.diagonal().copy(), 0
        self._sums = np.zeros((2, runs, m))
        self.weight, self.weighted_y = self._sums  # views, as the next two: what changes one changes the other
        self._q, self._r = self.weight.reshape(-1), self.weighted_y.reshape(-1)
        self._start, self._ridge = m * np.arange(runs), ridge[:, None]
        self._least = NEGLIGIBLE * ridge[:, None] / max(float(self.prior.max()), TINY)
        self._gamma = np.array([[a.gamma if isinstance(a, Discount) else 1.0] for a in memories])
        self._window = np.array([a.length if isinstance(a, Window) else horizon for a in memories])
        self._at, self._y = np.zeros((horizon, runs), dtype=np.intp), np.zeros((horizon, runs))
        self._system, self._right = np.empty((runs, m, m)), np.empty((runs, m, m + 1))
        self._diagonal = self._system.reshape(runs, m * m)[:, :: m + 1]

    def curves(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean and sd of all arms today, (R, m) each."""
        mean, variance = self._few() if len(self.prior) <= MAX_SOLVED_ARMS else self._many()
        return mean, np.sqrt(np.maximum(variance, 0.0, out=variance), out=variance)

    def _few(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance by one solver call for all runs."""
        np.multiply((self.weight / self._ridge)[:, None, :], self.gram, out=self._system)
        self._diagonal += 1.0
        P = np.linalg.solve(self._system, self.gram)
        mean = np.einsum("rzu,ru->rz", P, self.weighted_y / self._ridge)
        return mean, P.reshape(len(P), -1)[:, :: P.shape[1] + 1]

    def _many(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance by one triangular factor a run."""
        scale = np.sqrt(self.weight / self._ridge)
        columns = np.multiply(scale[:, :, None], self.gram, out=self._right[:, :, :-1])
        np.multiply(columns, scale[:, None, :], out=self._system)
        self._diagonal += 1.0
        np.divide(self.weighted_y, scale * self._ridge + TINY, out=self._right[:, :, -1])  # 0 / tiny where q = 0
        half = halves(self._system, self._right)
        own = half[:, :, :-1]
        mean = np.einsum("rum,ru->rm", own, half[:, :, -1])
        return mean, self.prior - np.einsum("rum,rum->rm", own, own)

    def learn(self, arms: np.ndarray, y: np.ndarray) -> None:
        """Observe y (R,) from these arms (R,) and move to the next round."""
        at = self._start + arms
        self._sums *= self._gamma
        self._q[at] += 1.0
        self._r[at] += y
        self._at[self.t], self._y[self.t] = at, y
        self.t += 1
        full = np.flatnonzero(self._window < self.t)
        if len(full):
            then = self.t - 1 - self._window[full]
            left = self._at[then, full]
            self._q[left] -= 1.0
            self._r[left] -= self._y[then, full]
        # As in `MergedArms`; where a window has lost an arm, what is left of r is rounding.
        self._sums *= self.weight >= self._least


def stack_of(
    memories: Sequence[Memory], gram: np.ndarray, ridge: np.ndarray, horizon: int
) -> WeightedStack | KalmanStack:
    r"""The stack of these memories: all of them `SUMMED_MEMORIES`, or none.

    Args:
        gram: (m, m) prior covariance of the arms.   ridge: (R,) $\lambda$ of each run.   horizon: rounds at most.
    """
    made = WeightedStack if isinstance(memories[0], SUMMED_MEMORIES) else KalmanStack
    return made(gram, ridge, memories, horizon)


def halves(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    r"""$L^{-1}B$ with $LL^\top=A$ for stacked positive definite A (R, m, m) and B (R, m, k); A may be lost."""
    found = np.empty_like(right)
    for a, b, out in zip(left, right, found, strict=True):
        L, _ = dpotrf(a.T, lower=1, clean=0, overwrite_a=1)
        out[:] = dtrsm(1.0, L, b.T, side=1, lower=1, trans_a=1).T
    return found
