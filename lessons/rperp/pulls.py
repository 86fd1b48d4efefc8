r"""Pulls of the answers of one batch on its estimate, question by question, in the known order and in permutations.

With the weights $w(x)=(K+\lambda I)^{-1}k(x)$ of the batch's questions $\tilde x_i$, the estimate errs by
$\mu(x)-\bar f(x)=b(x)+\sum_iw_i(x)\,(f_{t_i}(\tilde x_i)-\bar f(\tilde x_i))$ without noise: the
error $b$ of an estimate from the batch's averages, and one pull an answer. Only the pulls depend on the order. Every
order is read at its own worst x, so that its error is the largest over x: one measure for all.
Source: the decomposition in the proof of Theorem 4, Iwazaki & Takeno.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tvbo_core import Problem
from tvbo_core.gp.dense import posterior_weights
from tvbo_core.policies.elimination.batch import Batch

HALF = 0.5  # of the known order's error: below it a permutation is counted


@dataclass(frozen=True, eq=False)
class OrderPulls:
    r"""The pulls of one order of a batch at its own worst x, in the order of the questions; no noise, reward units.

    Attributes:
        arm: action at which the error after the whole batch is largest.   bias: error there of the estimate from the
            batch's averages.   pulls: (N,), for k orders (k, N) with `arm` and `bias` (k,).
    """

    arm: np.ndarray
    bias: np.ndarray
    pulls: np.ndarray

    @property
    def path(self) -> np.ndarray:
        """Return (..., N+1) the error after k = 0..N questions, if every later answer were its batch average."""
        start = np.asarray(self.bias)[..., None]
        return np.concatenate([start, start + np.cumsum(self.pulls, axis=-1)], axis=-1)

    @property
    def error(self) -> np.ndarray:
        """Return (...) the error after the whole batch, by size the largest over x."""
        return self.bias + self.pulls.sum(axis=-1)

    def until(self, k: int) -> OrderPulls:
        """Return the pulls of the first k questions; those to come pull nothing."""
        return replace(self, pulls=self.pulls * (np.arange(self.pulls.shape[-1]) < k))


@dataclass(frozen=True, eq=False)
class Pulls:
    """The pulls of one batch in several orders, each at its own worst x.

    Attributes:
        known, shuffled: the known order and the permutation of the run.   others: k other permutations.
        lifted: (N,) reward of the round beyond the batch average, averaged over the actions.
    """

    known: OrderPulls
    shuffled: OrderPulls
    others: OrderPulls
    lifted: np.ndarray

    @property
    def median(self) -> float:
        """Median over the other permutations of their largest errors."""
        return float(np.median(np.abs(self.others.error)))

    @property
    def less(self) -> int:
        """Number of the other permutations whose largest error is less than half that of the known order."""
        return int((np.abs(self.others.error) < HALF * abs(self.known.error)).sum())

    def until(self, k: int) -> Pulls:
        """Return the pulls while only k questions have been asked."""
        orders = (self.known, self.shuffled, self.others)
        return Pulls(*(order.until(k) for order in orders), self.lifted)


def pulls(problem: Problem, batch: Batch, ridge: float, draws: int, rng: np.random.Generator) -> Pulls:
    """Return the pulls of a batch in the order of its picks, in its own order, and in others.

    Args:
        ridge: of the run, reward^2.   draws: how many other orders.
    """
    n, arms = len(batch.picks), np.flatnonzero(batch.alive)
    f = problem.f[batch.start : batch.end]
    average = f.mean(axis=0)
    weights = posterior_weights(problem.kernel, problem.x[batch.picks], problem.x[arms], ridge)  # (pick, action)
    beyond = f[:, batch.picks] - average[batch.picks]  # (time, pick)
    bias = average[batch.picks] @ weights - average[arms]
    times = rng.permuted(np.tile(np.arange(n), (draws, 1)), axis=1)  # of each pick

    def by_round(at: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Return (..., N) the pulls at an action (...), by round, from the round of each pick."""
        picks = np.argsort(at, axis=-1)
        return beyond[np.arange(n), picks] * weights[picks, np.asarray(place)[..., None]]

    def read(at: np.ndarray) -> OrderPulls:
        place = np.abs(bias + beyond[at, np.arange(n)] @ weights).argmax(axis=-1)
        return OrderPulls(arms[place], bias[place], by_round(at, place))

    return Pulls(
        known=read(np.arange(n)),
        shuffled=read(batch.permutation),
        others=read(times),
        lifted=(f - average).mean(axis=1),
    )
