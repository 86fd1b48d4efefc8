r"""Few rounds, many arms: a past that costs O(t m) a round and holds no m x m matrix.

$V=L^{-1}\tilde k$ has one row an observation, $L$ the factor of $\tilde K_t+\lambda I$. Under the memory of
TV-GP-UCB the factor of the observations never changes and every row of V shrinks by $\sqrt{1-\epsilon}$ a round;
restarts drop all rows. The numbers are those of `learner_state.make_state`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tvbo_core.policies.index import RGPUCB, TVGPUCB, IndexState, tuning
from tvbo_core.policies.width import THEORY, norm_bound, resolve_ridge
from tvbo_core.records import LearnerInfo


class RowsPast:
    """Forgets everything every `restart` rounds, or fades by epsilon a round; keeps all at the defaults.

    Its large table changes in place: for `play`, which keeps no older state and skips no round.
    """

    def __init__(self, known: LearnerInfo, ridge: float, restart: int | None = None, epsilon: float = 0.0) -> None:
        self.known, self.ridge, self.epsilon = known, ridge, epsilon
        self.restart = min(restart or known.horizon, known.horizon)
        self._prior = known.kernel.diag(known.x)
        self._V = np.empty((self.restart, len(self._prior)))
        self._t = 0
        self._mean: np.ndarray
        self._variance: np.ndarray
        self._n: int
        self._log_det: float
        self._forget()

    def copy(self) -> RowsPast:
        return self

    def curves(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean and sd of all arms today, (m,) each."""
        return self._mean, np.sqrt(np.maximum(self._variance, 0.0))

    @property
    def log_det(self) -> float:
        r"""$\ln\det(I+\tilde K/\lambda)$ of the observations that count today."""
        return self._log_det

    def learn(self, arm: int, y: float) -> None:
        """Observe y from this arm and move to the next round."""
        n, x = self._n, self.known.x
        spread = max(float(self._variance[arm]), 0.0)
        pivot = np.sqrt(spread + self.ridge)
        u = (y - self._mean[arm]) / pivot
        column = self._V[:n, arm].copy()
        row = (self.known.kernel(x[arm : arm + 1], x)[0] - column @ self._V[:n]) / pivot
        self._V[n] = row
        self._mean = self._mean + u * row
        self._variance = self._variance - row**2
        self._log_det += float(np.log1p(spread / self.ridge))
        self._n, self._t = n + 1, self._t + 1
        if self._t % self.restart == 0:
            self._forget()
        elif self.epsilon:
            keep = np.sqrt(1.0 - self.epsilon)
            self._V[: n + 1] *= keep
            self._mean = keep * self._mean
            self._variance = self._prior - keep**2 * (self._prior - self._variance)

    def _forget(self) -> None:
        self._n, self._log_det = 0, 0.0
        self._mean, self._variance = np.zeros_like(self._prior), self._prior.copy()


def _learner(policy: RGPUCB | TVGPUCB, known: LearnerInfo, **memory: Any) -> IndexState:
    ridge = resolve_ridge(policy.ridge, known)
    needs = policy.width == THEORY and not isinstance(policy, TVGPUCB)
    past: Any = RowsPast(known, ridge, **memory)  # what an index asks of a past, and no covariance of 10,000 arms
    return IndexState(known, past, ridge, norm_bound(known) if needs else None)


@dataclass(frozen=True)
class RowsRGPUCB(RGPUCB):
    """R-GP-UCB on many arms."""

    def init(self, known: LearnerInfo) -> IndexState:
        """A fresh state."""
        return _learner(self, known, restart=tuning.resolve_length(self.restart, known))


@dataclass(frozen=True)
class RowsTVGPUCB(TVGPUCB):
    """TV-GP-UCB on many arms."""

    def init(self, known: LearnerInfo) -> IndexState:
        """A fresh state."""
        return _learner(self, known, epsilon=tuning.resolve_epsilon(self.epsilon, known))
