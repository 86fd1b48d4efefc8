r"""The influence of each past reward on an estimate under one memory, from several rounds.

The same data for every memory: no query depends on a memory, so only forgetting differs. On a fixed set of
arms the influence of a reward is its precision times a posterior covariance, $\omega_s(x_0)=C_t(x_0,x_s)/n_s$,
so that a round costs what its distinct arms cost.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import solve_triangular

from tvbo_core.gp.dense import factor
from tvbo_core.gp.memory import Markov, Memory
from tvbo_core.gp.rank_one import RankOne
from tvbo_core.kernels import Kernel

LEAST_PRECISION = 1e-150  # a precision below it, relative to the ridge's, moves no double


def influence(
    kernel: Kernel, x: np.ndarray, arms: np.ndarray, memory: Memory, ridge: float, rows: Sequence[int], at: int
) -> np.ndarray:
    r"""Return (F, n) weights of the rewards in the mean at one arm, $\mu=\sum_s\omega_sy_s$; 0 where not yet observed.

    Args:
        x: (m, d) arms.   arms: (n,) arm observed in round 0, ..., n-1.   ridge: $\lambda>0$, reward^2.
        rows: rounds to look from, in increasing order, at most n; round r comes after the observations 0, ..., r-1.
        at: the arm $x_0$ whose estimate the influence is on.
    Source: $\omega=(K+N)^{-1}k(x_0)$, Rasmussen & Williams (2006), eq. 2.25; for `Markov` Bogunovic et al., eq. 5-8 as
        a Kalman filter.
    """
    gram, arms = kernel(x, x), np.asarray(arms)
    if isinstance(memory, Markov):
        return _filtered(gram, arms, memory, ridge, rows, at)
    return _weighted(gram, arms, weights(memory, rows, len(arms)), ridge, rows, at)


def weights(memory: Memory, rows: Sequence[int] | np.ndarray, n: int) -> np.ndarray:
    """Return (F, n) weight of each of n observations in each round, from 0, 0 where it is not yet observed."""
    now = np.asarray(rows, dtype=int)[:, None]
    ages = now - np.arange(n)
    return np.where(ages > 0, memory.weight(np.maximum(ages, 1), now), 0.0)


def _weighted(
    gram: np.ndarray, arms: np.ndarray, weight: np.ndarray, ridge: float, rows: Sequence[int], at: int
) -> np.ndarray:
    """Observations of an arm add up to one; the covariance with x_0 then gives every influence."""
    found = np.zeros(weight.shape)
    for i, row in enumerate(rows):
        precision = weight[i, :row] / ridge
        total = np.bincount(arms[:row], precision, len(gram))
        seen = np.flatnonzero(total * ridge > LEAST_PRECISION)
        L, scale = factor(gram[np.ix_(seen, seen)], 1.0 / total[seen])
        half = solve_triangular(L, scale[:, None] * gram[seen], lower=True, check_finite=False)
        covariance = gram[at] - half[:, at] @ half
        found[i, :row] = covariance[arms[:row]] * precision
    return found


def _filtered(
    gram: np.ndarray, arms: np.ndarray, memory: Markov, ridge: float, rows: Sequence[int], at: int
) -> np.ndarray:
    """The Kalman filter, with the share of every reward in the mean carried along."""
    engine, fade = RankOne(gram), np.sqrt(1.0 - memory.epsilon)
    shares, found = np.zeros((len(gram), len(arms))), np.zeros((len(rows), len(arms)))
    where = {int(row): i for i, row in enumerate(rows)}
    for t in range(max(where, default=-1) + 1):
        if t in where:
            found[where[t], :t] = shares[at, :t]
        if t < len(arms):
            arm = int(arms[t])
            gain = engine.column(arm) / (engine.variance[arm] + ridge)
            shares[:, :t] -= np.outer(gain, shares[arm, :t])
            shares[:, t] = gain
            engine.learn(arm, 0.0, ridge)  # no share depends on a reward
            engine.fade(memory.epsilon)
            shares *= fade
    return found
