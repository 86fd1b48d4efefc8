r"""The view of a memory on one list of observations, from several rounds: weights, influence, estimate.

The same data for every memory: nothing is chosen here, so what differs is forgetting alone. On a fixed set of
arms the influence of a reward is its precision times a posterior covariance, $\omega_s(x_0)=C_t(x_0,x_s)/n_s$,
so that a round costs what its distinct arms cost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from tvbo_core.gp.dense import factor
from tvbo_core.gp.grid import RankOne
from tvbo_core.gp.memory import Markov, Memory
from tvbo_core.kernels import Kernel

LEAST_PRECISION = 1e-150  # a precision below it, relative to the ridge's, moves no double


@dataclass(frozen=True, eq=False)
class MemoryView:
    r"""One memory's view of n observations from F rounds.

    Attributes:
        rows: (F,) the rounds, from 0; round r has heard the observations 0, ..., r-1.
        weight: (F, n) weight of each observation against its age, 1 being "as good as new"; 0 where not yet heard.
        influence: (F, n) weight $\omega_s(x_0)$ of each reward in the mean at the chosen arm; 0 where not yet heard.
        mean, sd: (F, m) posterior of the round's reward at every arm, reward units.
    """

    rows: np.ndarray
    weight: np.ndarray
    influence: np.ndarray
    mean: np.ndarray
    sd: np.ndarray

    @property
    def count(self) -> np.ndarray:
        """(F,) how many new observations the past weighs as much as: the sum of the weights."""
        return self.weight.sum(axis=1)


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
    r"""The view of one memory: $\mu=\sum_s\omega_sy_s$ with the weights of `Memory.influence`, round by round.

    Args:
        x: (m, d) arms.   arms: (n,) arm observed in round 0, ..., n-1.   y: (n,) rewards heard.
        ridge: $\lambda>0$, reward^2.   rows: rounds to look from, in increasing order, at most n.
        at: the arm $x_0$ whose estimate the influence is on.
    Raises:
        ValueError: rows are not increasing or beyond the data, an arm does not exist, or the ridge is not positive.
    Source: Rasmussen & Williams (2006), eq. 2.25; for `Markov` Bogunovic et al., eq. 5-8 as a Kalman filter.
    """
    arms, y, at_rows = np.asarray(arms), np.asarray(y, float), np.asarray(rows, dtype=int)
    _check(len(x), arms, y, ridge, at_rows, at)
    gram = kernel(x, x)
    F, n, m = len(at_rows), len(arms), len(x)
    found = MemoryView(at_rows, _weights(memory, at_rows, n), np.zeros((F, n)), np.zeros((F, m)), np.zeros((F, m)))
    if isinstance(memory, Markov):
        _filtered(found, gram, arms, y, memory, ridge, at)
    else:
        _weighted(found, gram, arms, y, memory, ridge, at)
    return found


@dataclass(frozen=True, eq=False)
class MemoryOverview:
    r"""Several memories of the same observations from F rounds: all that does not depend on the chosen arm.

    Attributes:
        rows: (F,) the rounds, from 0.   features: (m, r) $\Phi$ with $K=\Phi\Phi^\top$.   arms: (n,) observed.
        ridge: $\lambda$, reward^2.   memories: by their names.
        inverse: (S F, r, r) $(I+\Phi^\top\mathrm{diag}(p)\Phi)^{-1}$ of the S memories that weigh, one after the other.
        gains: of each `Markov` memory, (n, r) what each observation moves.
        mean, sd: (F, m) of each memory.
    """

    rows: np.ndarray
    features: np.ndarray
    arms: np.ndarray
    ridge: float
    memories: Mapping[str, Memory]
    inverse: np.ndarray
    gains: Mapping[str, np.ndarray]
    mean: Mapping[str, np.ndarray]
    sd: Mapping[str, np.ndarray]

    def at(self, arm: int) -> dict[str, MemoryView]:
        """The view of each memory, with its influence on the estimate at this arm."""
        weights = {name: _weights(memory, self.rows, len(self.arms)) for name, memory in self.memories.items()}
        influence = {name: self._walked(gains, weights[name], arm) for name, gains in self.gains.items()}
        weighing = [name for name in self.memories if name not in self.gains]
        if weighing:
            covariance = (self.inverse @ self.features[arm]) @ self.features.T
            precision = np.concatenate([weights[name] for name in weighing]) / self.ridge
            parts = np.split(covariance[:, self.arms] * precision, len(weighing))
            influence |= dict(zip(weighing, parts, strict=True))
        return {n: MemoryView(self.rows, weights[n], influence[n], self.mean[n], self.sd[n]) for n in self.memories}

    def _walked(self, gains: np.ndarray, weight: np.ndarray, arm: int) -> np.ndarray:
        r"""(F, n) influence under `Markov`: $(1-\epsilon)^{a/2}\varphi(x_0)^\top\prod_{u>s}(I-g_u\varphi_u^\top)g_s$.

        The product is taken from the left, for all rounds at once: from the newest observation back to the oldest.
        """
        F, n = weight.shape
        left, found, seen = np.tile(self.features[arm], (F, 1)), np.zeros((n, F)), self.features[self.arms]
        first = np.searchsorted(self.rows, np.arange(n), side="right").tolist()  # of the rounds that have heard s
        for s in range(int(self.rows[-1]) - 1, -1, -1):
            later = left[first[s] :]
            share = found[s, first[s] :] = later @ gains[s]
            later -= share[:, None] * seen[s]
        return weight * found.T


def overview(
    kernel: Kernel,
    x: np.ndarray,
    arms: np.ndarray,
    y: np.ndarray,
    memories: Mapping[str, Memory],
    ridge: float,
    rows: Sequence[int],
) -> MemoryOverview | None:
    r"""Views of several memories on the same observations, before an arm is chosen; arguments as `memory_view`.

    The covariance of close arms has a small rank r: with $K=\Phi\Phi^\top$, $\Phi$ (m, r), and the precision $p_a$
    that arm a has in a round, $C=\Phi(I+\Phi^\top\mathrm{diag}(p)\Phi)^{-1}\Phi^\top$. All rounds of all memories are
    then one stack of (r, r) matrices. None where the rank is not small.
    """
    arms, y, at_rows = np.asarray(arms), np.asarray(y, float), np.asarray(rows, dtype=int)
    _check(len(x), arms, y, ridge, at_rows, 0)
    features = _features(kernel(x, x))
    if 3 * features.shape[1] > len(x) or not at_rows.size:
        return None
    weighing = [name for name, memory in memories.items() if not isinstance(memory, Markov)]
    mean: dict[str, np.ndarray] = {}
    sd: dict[str, np.ndarray] = {}
    gains: dict[str, np.ndarray] = {}
    inverse = np.empty((0, *features.shape[1:] * 2))
    if weighing:
        weights = np.concatenate([_weights(memories[name], at_rows, len(arms)) for name in weighing])
        inverse, *every = _stacked(features, arms, y, weights / ridge)
        for of, part in zip((mean, sd), every, strict=True):
            of |= dict(zip(weighing, np.split(part, len(weighing)), strict=True))
    for name, memory in memories.items():
        if isinstance(memory, Markov):
            gains[name], mean[name], sd[name] = _walked(features, arms, y, memory, ridge, at_rows)
    return MemoryOverview(at_rows, features, arms, ridge, dict(memories), inverse, gains, mean, sd)


def memory_views(
    kernel: Kernel,
    x: np.ndarray,
    arms: np.ndarray,
    y: np.ndarray,
    memories: Mapping[str, Memory],
    ridge: float,
    rows: Sequence[int],
    at: int,
) -> dict[str, MemoryView]:
    """Return `memory_view` of several memories by their names, from `overview` where that is quick."""
    arms, y, at_rows = np.asarray(arms), np.asarray(y, float), np.asarray(rows, dtype=int)
    _check(len(x), arms, y, ridge, at_rows, at)
    every = overview(kernel, x, arms, y, memories, ridge, rows)
    if every is not None:
        return every.at(at)
    return {name: memory_view(kernel, x, arms, y, memory, ridge, rows, at) for name, memory in memories.items()}


def _weights(memory: Memory, rows: np.ndarray, n: int) -> np.ndarray:
    """(F, n) weight of each observation in each round, 0 where it is not yet heard."""
    ages = rows[:, None] - np.arange(n)
    return np.where(ages > 0, memory.weight(np.maximum(ages, 1), rows[:, None]), 0.0)


def _features(gram: np.ndarray) -> np.ndarray:
    r"""(m, r) $\Phi$ with $K=\Phi\Phi^\top$ to rounding."""
    values, vectors = np.linalg.eigh(gram)
    # Below this an eigenvalue is the rounding error of the largest.
    kept = values > len(values) * np.finfo(float).eps * max(values[-1], 0.0)
    return vectors[:, kept] * np.sqrt(values[kept])


def _stacked(
    features: np.ndarray, arms: np.ndarray, y: np.ndarray, precision: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inner matrices C (G, r, r), mean and sd (G, m) of G rounds, from the precision (G, n) of each observation."""
    (m, r), n = features.shape, len(arms)
    which = np.zeros((n, m))
    which[np.arange(n), arms] = 1.0
    pairs = (features[:, :, None] * features[:, None, :]).reshape(m, r * r)
    A = ((precision @ which) @ pairs).reshape(-1, r, r)
    A.reshape(-1, r * r)[:, :: r + 1] += 1.0
    inverse = np.linalg.inv(A)
    mean = (inverse @ ((precision * y) @ which @ features)[:, :, None])[:, :, 0] @ features.T
    return inverse, mean, _root(inverse, pairs)


def _root(inner: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    r"""(G, m) $\sqrt{\varphi(x)^\top C\varphi(x)}$ for inner matrices C (G, r, r)."""
    return np.sqrt(np.maximum(inner.reshape(len(inner), -1) @ pairs.T, 0.0))


def _walked(
    features: np.ndarray, arms: np.ndarray, y: np.ndarray, memory: Markov, ridge: float, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """`_filtered` on the r coordinates: gains (n, r), mean and sd (F, m)."""
    (m, r), n, where = features.shape, len(arms), {int(row): i for i, row in enumerate(rows)}
    kept, P, state, gains = 1.0 - memory.epsilon, np.eye(r), np.zeros(r), np.zeros((n, r))
    states, inner = np.zeros((len(rows), r)), np.zeros((len(rows), r, r))
    fade, fresh = np.sqrt(kept), memory.epsilon * np.eye(r)
    for t in range(int(rows[-1]) + 1):
        if t in where:
            states[where[t]], inner[where[t]] = state, P
        if t < n:
            phi = features[arms[t]]
            column = P @ phi
            gains[t] = gain = column / (phi @ column + ridge)
            state = (state + gain * (y[t] - phi @ state)) * fade
            P = kept * (P - gain[:, None] * column) + fresh
    pairs = (features[:, :, None] * features[:, None, :]).reshape(m, r * r)
    return gains, states @ features.T, _root(inner, pairs)


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
        heard = np.bincount(arms[:row], precision * y[:row], m)[seen] / scale
        found.mean[i] = half.T @ solve_triangular(L, heard, lower=True, check_finite=False)
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


def _check(m: int, arms: np.ndarray, y: np.ndarray, ridge: float, rows: np.ndarray, at: int) -> None:
    if not (np.isfinite(ridge) and ridge > 0):
        raise ValueError(f"ridge must be positive and finite, got {ridge}")
    if arms.ndim != 1 or arms.shape != y.shape:
        raise ValueError(f"arms and y must have the same shape (n,), got {arms.shape} and {y.shape}")
    if len(arms) and (arms.dtype.kind not in "iu" or arms.min() < 0 or arms.max() >= m):
        raise ValueError(f"arms must be whole numbers from 0 to {m - 1}")
    if not 0 <= at < m:
        raise ValueError(f"at must be an arm from 0 to {m - 1}, got {at}")
    if len(rows) and ((np.diff(rows) <= 0).any() or rows[0] < 0 or rows[-1] > len(arms)):
        raise ValueError(f"rows must increase from at least 0 to at most {len(arms)}, got {rows.tolist()[:6]}")
