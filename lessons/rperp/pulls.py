r"""Pulls of the answers of one batch on its estimate at one place, question by question, in known and shuffled orders.

With the weights $w(x)=(K+\lambda I)^{-1}k(x)$ of the batch's questions $\tilde x_i$, the estimate errs by
$\mu(x)-\bar f(x)=b(x)+\sum_iw_i(x)\,(f_{t_i}(\tilde x_i)-\bar f(\tilde x_i))$ without noise: the
error $b$ of an estimate from the batch's averages, and one pull an answer. Only the pulls depend on the order.
Source: the decomposition in the proof of Theorem 4, Iwazaki & Takeno.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tvbo_core import Problem
from tvbo_core.gp.dense import posterior_weights
from tvbo_core.policies.elimination.batch import Batch

HALF = 0.5  # of the known order's error: below it a shuffle is counted


@dataclass(frozen=True, eq=False)
class Pulls:
    r"""The pulls of one batch where the known order errs most, in the order of the questions; no noise, reward units.

    Attributes:
        arm: that action.   bias: the error there of the estimate from the batch's averages.
        known, shuffled: (N,) pulls of the known order and of the shuffle of the run.
        others: (k, N) of other shuffles.
        lifted: (N,) reward of the round beyond the batch average, averaged over the actions.
        largest: the largest error at any action: of the known order, of the shuffle, median of the other shuffles.
    """

    arm: int
    bias: float
    known: np.ndarray
    shuffled: np.ndarray
    others: np.ndarray
    lifted: np.ndarray
    largest: tuple[float, float, float]

    def path(self, pulls: np.ndarray) -> np.ndarray:
        """Return (..., N+1) the error after k = 0..N questions, if every later answer were its batch average."""
        start = np.full((*pulls.shape[:-1], 1), self.bias)
        return np.concatenate([start, self.bias + np.cumsum(pulls, axis=-1)], axis=-1)

    def error(self, pulls: np.ndarray) -> np.ndarray:
        """Return (...) the error after the whole batch."""
        return self.bias + pulls.sum(axis=-1)

    @property
    def share(self) -> float:
        """Size of the shuffle's error, as a share of that of the known order."""
        return float(abs(self.error(self.shuffled)) / abs(self.error(self.known)))

    @property
    def less(self) -> int:
        """Number of the other shuffles that err less than half as much as the known order."""
        return int((np.abs(self.error(self.others)) < HALF * abs(self.error(self.known))).sum())


def pulls(problem: Problem, batch: Batch, ridge: float, draws: int, rng: np.random.Generator) -> Pulls:
    """Return the pulls of a batch in the order of its picks, in its own order, and in others.

    Args:
        ridge: of the run, reward^2.   draws: how many other orders; with the same chance they are the orders of
            `shuffle_spread`.
    """
    n, arms = len(batch.picks), np.flatnonzero(batch.alive)
    f = problem.f[batch.start : batch.end]
    average = f.mean(axis=0)
    weights = posterior_weights(problem.kernel, problem.x[batch.picks], problem.x[arms], ridge)
    beyond = f[:, batch.picks] - average[batch.picks]  # (time, pick)
    bias = average[batch.picks] @ weights - average[arms]
    times = rng.permuted(np.tile(np.arange(n), (draws, 1)), axis=1)  # of each pick
    known, mine, others = (bias + beyond[t, np.arange(n)] @ weights for t in (np.arange(n), batch.permutation, times))
    place = int(np.abs(known).argmax())
    each = beyond * weights[:, place]

    def asked(at: np.ndarray) -> np.ndarray:
        """Return the pulls by round, from the round of each pick."""
        return each[np.arange(n), np.argsort(at, axis=-1)]

    return Pulls(
        arm=int(arms[place]),
        bias=float(bias[place]),
        known=asked(np.arange(n)),
        shuffled=asked(batch.permutation),
        others=asked(times),
        lifted=(f - average).mean(axis=1),
        largest=(float(np.abs(known).max()), float(np.abs(mine).max()), float(np.median(np.abs(others).max(axis=1)))),
    )
