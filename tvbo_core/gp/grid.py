r"""The posterior of all arms of a fixed grid, three ways that give the numbers of `dense.posterior`.

`grid_posterior` computes it once, at a cost set by the distinct arms seen. `RankOne` carries it from round to
round by one reward a round, at a cost that does not grow with the number of rounds. `MergedArms` keeps one weighted
sum per arm, for weights that change every round: observations i of arm a with weights $w_i$ (noise $\lambda/w_i$)
act like one with precision $q_a/\lambda$, $q_a=\sum w_i$, and reward $r_a/q_a$, $r_a=\sum w_iy_i$.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy.linalg.blas import dgemm, dtrsm, idamax
from scipy.linalg.lapack import dpotrf

from tvbo_core.gp.dense import LEAST_PIVOT, conditioned, factor, factor_checked, noise_vector, rewards_vector

BLOCK_ROWS = 64  # rows kept aside before one matrix product folds them into the (m, m) table
LEAST_SCALE = 1e-100  # below it the fading factor is folded in at once, long before it could underflow
# An arm whose precision times prior variance is below this changes no digit of any posterior.
NEGLIGIBLE = 1e-18


def grid_posterior(
    gram: np.ndarray, arms: np.ndarray, y: np.ndarray, noise: float | np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    r"""Posterior mean and standard deviation at every arm of a grid, from observations of some of them.

    $\mu=k^\top(K+N)^{-1}y$ and $s^2=k(x,x)-k^\top(K+N)^{-1}k$ as `posterior`, at a cost set by the distinct arms seen:
    observations of one arm add up to one with precision $\sum_i1/n_i$.

    Args:
        gram: (m, m) prior covariance of the arms.
        arms: (n,) indices of the arms pulled; n may be 0.   y: (n,) rewards.
        noise: variance of each observation, a scalar or (n,).
    Returns:
        mean (m,) and sd (m,), reward units.
    Raises:
        ValueError: shapes disagree, an index is not an arm, or a variance is out of range.
    Source: Rasmussen & Williams (2006), eq. 2.25-2.26.

    >>> x = np.linspace(0, 1, 3)[:, None]
    >>> mean, sd = tv.grid_posterior(tv.Matern(1.5)(x, x), np.array([0, 0, 2]), np.array([1.0, 1.0, -1.0]), 0.01)
    >>> np.round(mean, 2).tolist(), np.round(sd, 2).tolist()
    ([1.0, 0.0, -0.99], [0.07, 1.0, 0.1])
    """
    distinct, y, noise = merge_repeats(arms, y, noise)
    _check_arms(distinct[[0, -1]] if len(distinct) else distinct, len(gram))  # they increase
    L, scale = factor_checked(gram[distinct[:, None], distinct], noise)
    return conditioned(L, scale, y, gram[distinct], gram.diagonal())


def grid_posteriors(
    gram: np.ndarray, seen: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]]
) -> tuple[np.ndarray, np.ndarray]:
    """`grid_posterior` of several sets of observations of the same grid, to the last digit.

    The observations of all sets are checked and merged at once, as those of one long row of grids.

    Args:
        gram: (m, m) prior covariance of the arms.
        seen: of each of F sets the arms (n,), rewards (n,) and noise variances (n,); n may be 0.
    Returns:
        mean (F, m) and sd (F, m), reward units.
    Raises:
        ValueError: as `grid_posterior`.
    """
    m, F = len(gram), len(seen)
    if not F:
        return np.empty((0, m)), np.empty((0, m))
    arms, y, noise = (np.concatenate([np.asarray(one[part]) for one in seen]) for part in range(3))
    _check_arms(arms, m)
    of = np.repeat(np.arange(F), [len(one[0]) for one in seen])
    cells, y, noise = merge_repeats(of * m + arms, y, noise)
    ends = np.searchsorted(cells, m * np.arange(F + 1))
    found, prior = np.empty((2, F, m)), gram.diagonal()
    for f, (start, end) in enumerate(pairwise(ends.tolist())):
        distinct = cells[start:end] - f * m
        L, scale = factor_checked(gram[distinct[:, None], distinct], noise[start:end])
        found[:, f] = conditioned(L, scale, y[start:end], gram[distinct], prior)
    return found[0], found[1]


class SharedRows:
    """Arrays whose rows are written once, in order, and shared by copies that have written the same rows so far."""

    def __init__(self, *arrays: np.ndarray) -> None:
        self.arrays, self.written = arrays, 0

    def claim(self, row: int) -> SharedRows:
        """Return arrays in which this row may be written: these, or a copy where another has written it."""
        mine = self if self.written == row else SharedRows(*(array.copy() for array in self.arrays))
        mine.written = row + 1
        return mine

    def until(self, row: int) -> SharedRows:
        """Return a copy of the rows before this one, with zeros after them: what a file keeps."""
        kept = SharedRows(*(np.zeros_like(array) for array in self.arrays))
        for new, old in zip(kept.arrays, self.arrays, strict=True):
            new[:row] = old[:row]
        kept.written = row
        return kept


class RankOne:
    r"""The posterior carried along: $P=gP_0+(1-g)K-gV^\top SV$, one new row of V an observation.

    With $c=P_{\cdot a}$ and noise n: $\mu\leftarrow\mu+\frac{y-\mu_a}{c_a+n}c$,
    $P\leftarrow P-\frac{cc^\top}{c_a+n}$; an observation is taken back by hearing it again with noise $-n$
    (S holds the signs). `fade` is the prediction step of the Markov model,
    $\mu\leftarrow\sqrt{1-\epsilon}\,\mu$, $P\leftarrow(1-\epsilon)P+\epsilon K$, which only changes $g$.
    Rows go into the (m, m) table $P_0$ by one matrix product every `BLOCK_ROWS` observations: a round costs
    O(m BLOCK_ROWS) and its share of that product, O(m^2).

    Attributes:
        gram: (m, m) prior covariance K; never changed, may be shared.
        mean: (m,) of the posterior, reward units.
        log_det: $\ln\det(I+N^{-1/2}KN^{-1/2})=\sum\ln(1+c_a/n)$.
        misfit: $y^\top(K+N)^{-1}y=\sum(y-\mu_a)^2/(c_a+n)$, as long as nothing is exchanged or adopted; with
            `fade` both sums are those of the faded covariance (chain rule).
    """

    def __init__(self, gram: np.ndarray) -> None:
        self.gram, self.prior = gram, gram.diagonal().copy()
        self._borrowed = True  # rows and table are not this one's alone: it has none yet
        self.reset()

    def copy(self) -> RankOne:
        """Return the same posterior, to be carried on apart from this one."""
        if not self._borrowed:
            self._shared.written, self._borrowed = self._count, True
        new = object.__new__(RankOne)
        new.__dict__.update(self.__dict__)
        new._variance = self._variance.copy()
        return new

    def __getstate__(self) -> dict:
        return {
            **self.__dict__,
            "_shared": self._shared.until(self._count),
            "_rows": None,
            "_signs": None,
            "_borrowed": True,
        }

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._rows, self._signs = self._shared.arrays

    def reset(self) -> None:
        """Reset to the prior."""
        self.mean, self._variance = np.zeros(len(self.gram)), self.prior.copy()
        self.log_det, self.misfit = 0.0, 0.0
        self._base = self.gram  # P_0: the prior, later a table that copies share and nobody changes
        self._scale = 1.0
        self._begin_block()

    def _begin_block(self) -> None:
        """Begin without rows; those of copies stay theirs."""
        if self._borrowed:
            self._shared = SharedRows(np.empty((BLOCK_ROWS, len(self.gram))), np.empty(BLOCK_ROWS))
            self._rows, self._signs = self._shared.arrays
            self._borrowed = False
        self._count, self._signed = 0, False

    @property
    def variance(self) -> np.ndarray:
        """(m,) posterior variance, reward^2."""
        return np.maximum(self._variance, 0.0)  # below 0 by rounding only

    @property
    def sd(self) -> np.ndarray:
        """(m,) posterior standard deviation, reward units."""
        return np.sqrt(self.variance)

    def column(self, arm: int) -> np.ndarray:
        """(m,) posterior covariance of all arms with this one."""
        n = self._count
        if n == 0:
            explained = np.zeros(len(self.gram))
        else:
            weights = self._rows[:n, arm]
            explained = (weights * self._signs[:n] if self._signed else weights) @ self._rows[:n]
        if self._scale == 1.0:
            column = self._base[arm] - explained
        else:
            column = self._scale * (self._base[arm] - explained) + (1.0 - self._scale) * self.gram[arm]
        column[arm] = max(self._variance[arm], 0.0)  # carried without cancellation; below 0 by rounding only
        return column

    def covariance(self) -> np.ndarray:
        """(m, m) posterior covariance of all arms, reward^2."""
        rows = self._rows[: self._count]
        found = self._scale * (self._base - (rows * self._signs[: self._count, None]).T @ rows)
        if self._scale != 1.0:
            found += (1.0 - self._scale) * self.gram
        np.fill_diagonal(found, self.variance)
        return found

    def learn(self, arm: int, y: float, noise: float) -> None:
        """Observe y from an arm with this noise variance, reward^2."""
        self._absorb(arm, y, noise, self.column(arm))

    def take_back(self, arm: int, y: float, noise: float, patience: float) -> float:
        r"""Undo the observation of y, unless that would let errors of the covariance grow too much.

        An error of the covariance grows by at most $(1+\max|c|/(n-c_a))^2$.

        Args:
            patience: the largest growth allowed.
        Returns:
            the growth; when it exceeds `patience`, nothing has been changed.
        """
        column = self.column(arm)
        left = noise - float(column[arm])
        growth = (1.0 + abs(float(column[idamax(column)])) / left) ** 2 if left > 0 else math.inf
        if growth <= patience:
            self._absorb(arm, y, -noise, column)
        return growth

    def exchange(self, arm: int, old: float, new: float, noise: float) -> None:
        r"""Observe `new` in place of `old` from the same arm: only the mean moves, by $P_{\cdot a}(y-y')/n$."""
        self.mean = self.mean + self.column(arm) * ((new - old) / noise)

    def adopt(self, half: np.ndarray, mean: np.ndarray, variance: np.ndarray, log_det: float) -> None:
        r"""Start over from a posterior with covariance $K-HH^\top$, H = `half` (m, u)."""
        self.reset()
        self.mean, self._variance, self.log_det = mean, variance, log_det
        for start in range(0, half.shape[1], BLOCK_ROWS):
            part = half[:, start : start + BLOCK_ROWS].T
            self._count = len(part)
            self._rows[: self._count], self._signs[: self._count] = part, 1.0
            if self._count == BLOCK_ROWS:
                self._fold()

    def _absorb(self, arm: int, y: float, noise: float, column: np.ndarray) -> None:
        """One observation with noise of either sign, given its column of the covariance."""
        own = float(column[arm])
        total = own + noise
        surprise = y - float(self.mean[arm])
        self.log_det += math.log(total / noise)
        self.misfit += surprise * surprise / total
        self.mean = self.mean + column * (surprise / total)  # a new array: what was handed out stays
        column *= 1.0 / math.sqrt(abs(total))
        square = column * column
        if total > 0:
            self._variance -= square
        else:
            self._variance += square
            self._signed = True
        self._variance[arm] = own * (noise / total)
        if self._scale != 1.0:
            column *= 1.0 / math.sqrt(self._scale)
        if self._borrowed:
            self._shared = self._shared.claim(self._count)
            self._rows, self._signs = self._shared.arrays
        self._rows[self._count], self._signs[self._count] = column, 1.0 if total > 0 else -1.0
        self._count += 1
        if self._count == BLOCK_ROWS:
            self._fold()

    def fade(self, epsilon: float) -> None:
        r"""One round of the Markov model, $f\leftarrow\sqrt{1-\epsilon}f+\sqrt\epsilon g$ with a fresh g."""
        kept = 1.0 - epsilon
        self.mean = self.mean * math.sqrt(kept)
        self._variance *= kept
        self._variance += epsilon * self.prior
        self._scale *= kept
        if self._scale < LEAST_SCALE:
            self._fold()

    def _fold(self) -> None:
        """Move the rows into the table, and the scale with them."""
        own = not self._borrowed and self._base is not self.gram
        table = self._base if own else self._base.copy(order="C")
        rows, scale = self._rows[: self._count], self._scale
        if self._count == 0:
            table *= scale
        else:
            signed = rows * self._signs[: self._count, None] if self._signed else rows
            # The table's transpose is itself, and in the column order that BLAS writes to in place.
            dgemm(-scale, signed.T, rows.T, beta=scale, c=table.T, trans_b=1, overwrite_c=1)
        if scale != 1.0:
            table += (1.0 - scale) * self.gram
        self._base, self._scale = table, 1.0
        self._begin_block()


class MergedArms:
    r"""The sums of each arm heard of, kept in slots, with the rows of the Gram matrix that belong to them.

    Attributes:
        gram: (m, m) prior covariance; never changed.   prior: (m,) k(x, x).   ridge: $\lambda$, reward^2.
        count: number u of arms heard of; the arrays below are (u,), one entry a slot.
    """

    def __init__(self, gram: np.ndarray, ridge: float) -> None:
        self.prior, self.ridge, self.count = gram.diagonal().copy(), ridge, 0
        self.gram, m = gram, len(gram)
        self._least = NEGLIGIBLE * ridge / max(float(self.prior.max()), np.finfo(float).tiny)
        self._slot = np.full(m, -1)
        self._arms = np.zeros(m, dtype=np.intp)
        self._sums = np.zeros((3, m))
        self._columns: np.ndarray
        self._block: np.ndarray
        self._reserve(min(m, 16))

    def copy(self) -> MergedArms:
        """Return the same sums, to be changed apart from these; what is large is shared until an arm comes or goes."""
        new = object.__new__(MergedArms)
        new.__dict__.update(self.__dict__)
        new._slot, new._arms, new._sums = self._slot.copy(), self._arms.copy(), self._sums.copy()
        new._borrowed = self._borrowed = True
        return new

    def __getstate__(self) -> dict:
        return {**self.__dict__, "_borrowed": True}  # what is written to one file may stay shared in it

    def _own(self) -> None:
        """Stop sharing the columns and the block, before they change."""
        if self._borrowed:
            self._columns, self._block = self._columns.copy(order="F"), self._block.copy()
            self._borrowed = False

    @classmethod
    def of(cls, gram: np.ndarray, ridge: float, arms: np.ndarray, y: np.ndarray) -> MergedArms:
        """Observations y (n,) of these arms (n,), n >= 1, all of weight 1."""
        counts = np.bincount(arms, minlength=len(gram))
        distinct = np.flatnonzero(counts)
        merged, u = cls(gram, ridge), len(distinct)
        merged._reserve(u)
        merged.count, merged._arms[:u], merged._slot[distinct] = u, distinct, np.arange(u)
        merged._sums[:2, :u], merged._sums[2, :u] = counts[distinct], np.bincount(arms, y)[distinct]
        merged._columns[:-1] = gram[:, distinct]
        merged._block[:] = merged._columns[distinct]
        return merged

    def _reserve(self, size: int) -> None:
        """Room for so many slots: the arms' columns of the Gram matrix, a free row below, and their block."""
        m, u = len(self.prior), self.count
        columns, block = np.zeros((m + 1, size), order="F"), np.zeros((size, size))
        if u:
            columns[:, :u], block[:u, :u] = self._columns[:, :u], self._block[:u, :u]
        self._columns, self._block, self._borrowed = columns, block, False

    @property
    def arms(self) -> np.ndarray:
        """The arm of each slot."""
        return self._arms[: self.count]

    @property
    def weight(self) -> np.ndarray:
        r"""$q=\sum w$; may be changed in place, as the next two."""
        return self._sums[0, : self.count]

    @property
    def squared(self) -> np.ndarray:
        r"""$\sum w^2$."""
        return self._sums[1, : self.count]

    @property
    def weighted_y(self) -> np.ndarray:
        r"""$r=\sum wy$."""
        return self._sums[2, : self.count]

    def slot(self, arm: int) -> int:
        """The slot of an arm, a new one with empty sums when it has none."""
        if self._slot[arm] < 0:
            u = self.count
            if u == len(self._block):
                self._reserve(min(2 * u, len(self.prior)))
            self._own()
            self._slot[arm], self._arms[u], self._sums[:, u] = u, arm, 0.0
            self._columns[:-1, u] = self.gram[arm]
            self._block[u, : u + 1] = self._block[: u + 1, u] = self.gram[arm, self._arms[: u + 1]]
            self.count += 1
        return int(self._slot[arm])

    def observe(self, arm: int, y: float) -> None:
        """Add an observation of weight 1."""
        self._sums[:, self.slot(arm)] += (1.0, 1.0, y)

    def decay(self, gamma: float) -> None:
        """Multiply all weights by a factor; arms whose weight is negligible lose their slots."""
        self._sums[:, : self.count] *= ((gamma,), (gamma * gamma,), (gamma,))
        if self.count and self.weight.min() < self._least:
            for slot in reversed(np.flatnonzero(self.weight < self._least)):
                self._drop(int(slot))

    def _drop(self, slot: int) -> None:
        last = self.count - 1
        self._own()
        self._slot[self._arms[last]], self._slot[self._arms[slot]] = slot, -1
        for array in (self._arms, self._sums, self._columns):
            array[..., slot] = array[..., last]
        self._block[slot, :last] = self._block[last, :last]
        self._block[:last, slot] = self._block[:last, last]
        self._block[slot, slot] = self._block[last, last]
        self.count = last

    def fit(self) -> MergedFit:
        """Return today's posterior."""
        return MergedFit(self)

    def log_det(self, weight: np.ndarray) -> float:
        r"""$\ln\det(I+\mathrm{diag}(q/\lambda)K)$ for other sums of weights q (u,)."""
        return 2.0 * float(np.log(self.factor(np.sqrt(weight / self.ridge)).diagonal()).sum())

    def factor(self, scale: np.ndarray) -> np.ndarray:
        r"""(u, u) lower Cholesky factor of $I+P^{1/2}KP^{1/2}$, $P^{1/2}$ = diag(scale)."""
        u = self.count
        if u == 0:
            return np.empty((0, 0))
        A = self._block[:u, :u] * scale
        A *= scale[:, None]
        A.flat[:: u + 1] += 1.0
        L, info = dpotrf(A.T, lower=1, clean=0, overwrite_a=1)
        if info != 0 or not L.diagonal().min() >= LEAST_PIVOT:
            return factor(self._block[:u, :u], 1.0 / scale**2)[0]  # says in one sentence what is wrong
        return L

    def scaled_columns(self, scale: np.ndarray) -> np.ndarray:
        """(m+1, u) columns of the Gram matrix times the scale, in column order, and a row that is free."""
        return self._columns[:, : self.count] * scale

    def block(self) -> np.ndarray:
        """(u, u) prior covariance of the arms heard of."""
        return self._block[: self.count, : self.count]


class MergedFit:
    r"""One posterior of `MergedArms`.

    With $LL^\top=I+P^{1/2}K_{uu}P^{1/2}$ and $H=K_{\cdot u}P^{1/2}L^{-\top}$: $\mu=HL^{-1}P^{1/2}(r/q)$,
    $s^2=k(z,z)-\sum_uH_{zu}^2$.

    Attributes:
        mean, variance: (m,).   half: (m, u) H.   log_det: $\ln\det(I+N^{-1/2}KN^{-1/2})$.
    """

    def __init__(self, merged: MergedArms) -> None:
        self._merged, m, q = merged, len(merged.prior), merged.weight
        self._scale = np.sqrt(q / merged.ridge)
        self._L = merged.factor(self._scale)
        self.log_det = 2.0 * float(np.log(self._L.diagonal()).sum())
        if merged.count == 0:
            self.mean, self.variance, self.half = np.zeros(m), merged.prior.copy(), np.zeros((m, 0))
            return
        both = merged.scaled_columns(self._scale)
        both[m] = self._scale * (merged.weighted_y / q)
        both = dtrsm(1.0, self._L, both, side=1, lower=1, trans_a=1, overwrite_b=1)
        self.half = both[:m]
        self.mean = self.half @ both[m].copy()
        self.variance = merged.prior - np.einsum("mu,mu->m", self.half, self.half)
        np.maximum(self.variance, 0.0, out=self.variance)

    def covariance(self) -> np.ndarray:
        """(m, m) posterior covariance of all arms, reward^2."""
        return self._merged.gram - self.half @ self.half.T

    def tight_variance(self) -> np.ndarray:
        r"""(m,) $\tilde\sigma^2=\lambda\|a\|^2+k(z,z)-2a^\top k(z)+a^\top Ka$ with equally noisy rewards.

        Source: kernel form of Deng et al., Thm 2; an observation's weight in the mean is its share $w_i/q$ of
            its arm's.
        """
        merged = self._merged
        if merged.count == 0:
            return merged.prior.copy()
        weights = dtrsm(1.0, self._L, self.half, side=1, lower=1)
        weights *= self._scale
        cross = weights @ merged.block()
        cross -= 2.0 * merged.scaled_columns(np.ones(merged.count))[:-1]
        cross += merged.ridge * merged.squared / merged.weight**2 * weights
        return np.maximum(merged.prior + np.einsum("mu,mu->m", weights, cross), 0.0)


def merge_repeats(
    arms: np.ndarray, y: np.ndarray, noise: float | np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""Replace the observations of each arm by one that carries the same information.

    $1/n=\sum_i1/n_i$, $\bar y=n\sum_iy_i/n_i$ over the observations i of one arm. Mean and variance of the
    posterior are unchanged.

    Args:
        arms: (n,) arm indices.   y: (n,) rewards.   noise: variances, a scalar or (n,).
    Returns:
        the u distinct arms in increasing order (u,), their mean rewards (u,), their noise variances (u,).
    Raises:
        ValueError: shapes disagree, or a variance is not positive and finite.
    """
    arms = np.asarray(arms)
    if arms.ndim != 1 or (arms.size and arms.dtype.kind not in "iu"):
        raise ValueError(f"arms must be an (n,) array of integers, got {arms.dtype} {arms.shape}")
    arms = arms.astype(np.intp)
    y = rewards_vector(y, len(arms))
    variances = noise_vector(noise, len(arms))
    distinct, group = _groups(arms)
    if len(distinct) == len(arms):  # no repeats: put in order, they carry what they carried
        order = arms.argsort()
        return distinct, y[order], variances[order]
    if np.ndim(noise) == 0:
        total = np.bincount(group)
        return distinct, np.bincount(group, y) / total, variances[: len(distinct)] / total
    # Precisions relative to each arm's most precise observation: no ratio of variances overflows.
    lowest = np.full(len(distinct), np.inf)
    np.minimum.at(lowest, group, variances)
    weight = lowest[group] / variances
    total = np.bincount(group, weight)
    return distinct, np.bincount(group, weight * y) / total, lowest / total


def _groups(arms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct arms, increasing, and the number among them of each of `arms` (n,): `np.unique`, by counting."""
    if not (arms.size and arms.min() >= 0 and arms.max() < 1000 + 100 * arms.size):
        return np.unique(arms, return_inverse=True)
    distinct = np.bincount(arms).nonzero()[0]
    place = np.empty(int(distinct[-1]) + 1, dtype=np.intp)
    place[distinct] = np.arange(len(distinct))
    return distinct, place[arms]


def _check_arms(arms: np.ndarray, m: int) -> None:
    if arms.size and not (arms.min() >= 0 and arms.max() < m):
        raise ValueError(f"an arm must be an index 0..{m - 1}, got {arms.min()}..{arms.max()}")
