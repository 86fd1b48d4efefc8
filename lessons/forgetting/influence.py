r"""The view of a memory on one list of observations, from several rounds: weights, influence, estimate.

The same data for every memory: no query depends on a memory, so only forgetting differs. On a fixed set of
arms the influence of a reward is its precision times a posterior covariance, $\omega_s(x_0)=C_t(x_0,x_s)/n_s$,
so that a round costs what its distinct arms cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from tvbo_core.gp.dense import factor
from tvbo_core.gp.memory import Markov, Memory
from tvbo_core.gp.rank_one import RankOne
from tvbo_core.kernels import Kernel

LEAST_PRECISION = 1e-150  # a precision below it, relative to the ridge's, moves no double


@dataclass(frozen=True, eq=False)
class MemoryView:
    r"""One memory's view of n observations from F rounds.

    Attributes:
        rows: (F,) the rounds, from 0; round r comes after the observations 0, ..., r-1.
        weight: (F, n) weight of each observation against its age, 1 being "as good as new"; 0 where not yet observed.
        influence: (F, n) weight $\omega_s(x_0)$ of each reward in the mean at the arm `at`; 0 where not yet observed.
        mean, sd: (F, m) posterior of the round's reward at every arm, reward units.
    """

    rows: np.ndarray
    weight: np.ndarray
    influence: np.ndarray
    mean: np.ndarray
    sd: np.ndarray


def memory_view(
    kernel: Kernel,
    x: np.ndarray,
    arms: np.ndarray,
    y: np.ndarray,
    memory: Memory,
    ridge: float,
    rows: Sequence[int],
    at: int,
) -> MemoryView:
    r"""The view of one memory: $\mu=\sum_s\omega_sy_s$ with $\omega=(K+N)^{-1}k(x_0)$, round by round.

    Args:
        x: (m, d) arms.   arms: (n,) arm observed in round 0, ..., n-1.   y: (n,) observations.
        ridge: $\lambda>0$, reward^2.   rows: rounds to look from, in increasing order, at most n.
        at: the arm $x_0$ whose estimate the influence is on.
    Source: Rasmussen & Williams (2006), eq. 2.25; for `Markov` Bogunovic et al., eq. 5-8 as a Kalman filter.
    """
    arms, y, at_rows = np.asarray(arms), np.asarray(y, float), np.asarray(rows, dtype=int)
    gram = kernel(x, x)
    F, n, m = len(at_rows), len(arms), len(x)
    found = MemoryView(at_rows, weights(memory, at_rows, n), np.zeros((F, n)), np.zeros((F, m)), np.zeros((F, m)))
    if isinstance(memory, Markov):
        _filtered(found, gram, arms, y, memory, ridge, at)
    else:
        _weighted(found, gram, arms, y, memory, ridge, at)
    return found


def weights(memory: Memory, rows: Sequence[int] | np.ndarray, n: int) -> np.ndarray:
    """Return (F, n) weight of each of n observations in each round, from 0, 0 where it is not yet observed."""
    now = np.asarray(rows, dtype=int)[:, None]
    ages = now - np.arange(n)
    return np.where(ages > 0, memory.weight(np.maximum(ages, 1), now), 0.0)


def _weighted(
    found: MemoryView, gram: np.ndarray, arms: np.ndarray, y: np.ndarray, memory: Memory, ridge: float, at: int
) -> None:
    """Observations of an arm add up to one; the covariance with x_0 then gives every influence."""
    m = len(gram)
    for i, row in enumerate(found.rows):
        precision = found.weight[i, :row] / ridge
        total = np.bincount(arms[:row], precision, m)
        seen = np.flatnonzero(total * ridge > LEAST_PRECISION)
        L, scale = factor(gram[np.ix_(seen, seen)], 1.0 / total[seen])
        half = solve_triangular(L, scale[:, None] * gram[seen], lower=True, check_finite=False)
        sums = np.bincount(arms[:row], precision * y[:row], m)[seen] / scale
        found.mean[i] = half.T @ solve_triangular(L, sums, lower=True, check_finite=False)
        found.sd[i] = np.sqrt(np.maximum(gram.diagonal() - np.einsum("um,um->m", half, half), 0.0))
        covariance = gram[at] - half[:, at] @ half
        found.influence[i, :row] = covariance[arms[:row]] * precision


def _filtered(
    found: MemoryView, gram: np.ndarray, arms: np.ndarray, y: np.ndarray, memory: Markov, ridge: float, at: int
) -> None:
    """The Kalman filter, with the share of every reward in the mean carried along."""
    engine, fade = RankOne(gram), np.sqrt(1.0 - memory.epsilon)
    shares = np.zeros((len(gram), len(arms)))
    where = {int(row): i for i, row in enumerate(found.rows)}
    for t in range(int(found.rows[-1]) + 1 if len(where) else 0):
        if t in where:
            i = where[t]
            found.mean[i], found.sd[i] = engine.mean, engine.sd
            found.influence[i, :t] = shares[at, :t]
        if t < len(arms):
            arm = int(arms[t])
            gain = engine.column(arm) / (engine.variance[arm] + ridge)
            shares[:, :t] -= np.outer(gain, shares[arm, :t])
            shares[:, t] = gain
            engine.learn(arm, float(y[t]), ridge)
            engine.fade(memory.epsilon)
            shares *= fade
