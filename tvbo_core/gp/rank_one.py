r"""The posterior of all arms of a grid, carried from round to round by one reward a round.

The cost of a round does not grow with the number of rounds.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg.blas import dgemm, idamax

BLOCK_ROWS = 64  # rows kept aside before one matrix product folds them into the (m, m) table
LEAST_SCALE = 1e-100  # below it the fading factor is folded in at once, long before it could underflow


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
        self._rows, self._signs = np.zeros((BLOCK_ROWS, len(gram))), np.zeros(BLOCK_ROWS)
        self.reset()

    def copy(self) -> RankOne:
        """Return the same posterior, to be carried on apart from this one."""
        new = object.__new__(RankOne)
        new.__dict__.update(self.__dict__)
        new._variance, new._rows, new._signs = self._variance.copy(), self._rows.copy(), self._signs.copy()
        return new

    def reset(self) -> None:
        """Reset to the prior."""
        self.mean, self._variance = np.zeros(len(self.gram)), self.prior.copy()
        self.log_det, self.misfit = 0.0, 0.0
        self._base = self.gram  # P_0: the prior, later a table that is replaced and never changed: copies share it
        self._scale, self._count, self._signed = 1.0, 0, False

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
        table = self._base.copy(order="C")
        rows, scale = self._rows[: self._count], self._scale
        if self._count == 0:
            table *= scale
        else:
            signed = rows * self._signs[: self._count, None] if self._signed else rows
            # The table's transpose is itself, and in the column order that BLAS writes to in place.
            dgemm(-scale, signed.T, rows.T, beta=scale, c=table.T, trans_b=1, overwrite_c=1)
        if scale != 1.0:
            table += (1.0 - scale) * self.gram
        self._base, self._scale, self._count, self._signed = table, 1.0, 0, False
