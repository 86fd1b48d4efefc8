r"""Kalman filters on the arms of a grid, R of them side by side: one array operation moves all by a round.

Each keeps its mean (m,) and covariance (m, m): a reward heard is a rank-one update, a round of the Markov model
$f_{t+1}=\sqrt{1-\epsilon}f_t+\sqrt\epsilon g_{t+1}$ fades both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from tvbo_core.gp.memory import Markov, Memory, Restart


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
