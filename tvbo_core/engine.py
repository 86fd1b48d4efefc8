r"""Fast posteriors of all arms of a grid, for learners that hear one reward a round.

`RankOne` carries the posterior from round to round (everything kept, removed again, or fading with the prior);
`Merged` rebuilds it from one weighted sum per arm (weights that change every round). Both give the numbers of
`gp.posterior`; neither has a cost that grows with the number of rounds.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dgemm
from scipy.linalg.lapack import dpotrf, dtrtrs

from tvbo_core.gp import factor

BLOCK = 32  # rows kept aside before one matrix product folds them into the (m, m) table
LEAST_SCALE = 1e-100  # below it the fading factor is folded in at once, long before it could underflow
NEGLIGIBLE = (
    1e-18  # an arm whose precision times prior variance is below this changes no digit of any posterior
)


class RankOne:
    r"""The posterior carried along: $P=K-g\,(E+V^\top SV)$, one new row of V an observation.

    With $c=P_{\cdot a}$ and noise n: $\mu\leftarrow\mu+\frac{y-\mu_a}{c_a+n}c$,
    $P\leftarrow P-\frac{cc^\top}{c_a+n}$; an observation is taken back by hearing it again with noise $-n$
    (S holds the signs). `fade` is the prediction step of the Markov model,
    $\mu\leftarrow\sqrt{1-\epsilon}\,\mu$, $P\leftarrow(1-\epsilon)P+\epsilon K$, which only changes $g$. Rows go
    into the (m, m) table E by one matrix product every `BLOCK` observations: a round costs O(m BLOCK) and its
    share of that product, O(m^2).

    Attributes:
        gram: (m, m) prior covariance K; never changed, may be shared.
        mean, variance: (m,) of the posterior, reward units and squared.
        log_det: $\ln\det(I+N^{-1/2}KN^{-1/2})=\sum\ln(1+c_a/n)$.
        misfit: $y^\top(K+N)^{-1}y=\sum(y-\mu_a)^2/(c_a+n)$; with `fade` both sums are those of the faded
            covariance (chain rule).
    """

    def __init__(self, gram: np.ndarray) -> None:
        self.gram, self.prior = gram, gram.diagonal().copy()
        self._rows, self._signs = np.empty((BLOCK, len(gram))), np.empty(BLOCK)
        self._table: np.ndarray | None = None
        self.reset()

    def reset(self) -> None:
        """Back to the prior."""
        self.mean, self.variance = np.zeros(len(self.gram)), self.prior.copy()
        self.log_det, self.misfit = 0.0, 0.0
        self._count, self._scale, self._empty = 0, 1.0, True

    @property
    def sd(self) -> np.ndarray:
        """(m,) posterior standard deviation, reward units."""
        return np.sqrt(self.variance)

    def column(self, arm: int) -> np.ndarray:
        """(m,) posterior covariance of all arms with this one."""
        n = self._count
        explained = (self._signs[:n] * self._rows[:n, arm]) @ self._rows[:n]
        if not self._empty:
            explained += self._table[:, arm]
        explained *= -self._scale
        explained += self.gram[arm]
        explained[arm] = self.variance[arm]  # carried without cancellation
        return explained

    def learn(self, arm: int, y: float, noise: float) -> float:
        r"""Hear y from an arm with this noise variance; a negative one takes an observation back.

        Returns:
            by how much rounding errors of the covariance may have grown, $\max(1,(|c|/(c_a+n))^2)$ when an
            observation is taken back, else 1.
        """
        column = self.column(arm)
        own = column[arm]
        total = own + noise
        surprise = y - self.mean[arm]
        self.mean += column * (surprise / total)
        self.log_det += float(np.log(total / noise))
        self.misfit += surprise * surprise / total
        row = self._rows[self._count]
        np.multiply(column, 1.0 / np.sqrt(abs(total)), out=row)
        square = row * row
        if total > 0:
            self.variance -= square
            growth = 1.0
        else:
            self.variance += square
            growth = max(1.0, float(np.abs(column).max() / total) ** 2)
        self.variance[arm] = own * (noise / total)
        np.maximum(self.variance, 0.0, out=self.variance)
        if self._scale != 1.0:
            row *= 1.0 / np.sqrt(self._scale)
        self._signs[self._count] = 1.0 if total > 0 else -1.0
        self._count += 1
        if self._count == BLOCK:
            self._fold()
        return growth

    def fade(self, epsilon: float) -> None:
        r"""One round of the Markov model, $f\leftarrow\sqrt{1-\epsilon}f+\sqrt\epsilon g$, g a fresh draw of K."""
        kept = 1.0 - epsilon
        self.mean *= np.sqrt(kept)
        self.variance *= kept
        self.variance += epsilon * self.prior
        self._scale *= kept
        if self._scale < LEAST_SCALE:
            self._fold()

    def _fold(self) -> None:
        """Move the rows into the table, and the scale with them."""
        rows = self._rows[: self._count].T
        signed = rows * self._signs[: self._count]
        if self._table is None:
            self._table = np.zeros(self.gram.shape, order="F")
        if self._count == 0:
            self._table *= 0.0 if self._empty else self._scale
        else:
            beta = 0.0 if self._empty else self._scale
            dgemm(self._scale, signed, rows, beta=beta, c=self._table, trans_b=1, overwrite_c=1)
        self._count, self._scale, self._empty = 0, 1.0, False


class Merged:
    r"""The posterior from one weighted sum per arm, by one Cholesky factor of the arms heard of.

    Observations i of arm a with weights $w_i$ (noise $\lambda/w_i$) act like one with precision
    $q_a/\lambda$, $q_a=\sum w_i$, and reward $r_a/q_a$, $r_a=\sum w_iy_i$. Cost $O(u^3+u^2m)$ for u arms.

    Attributes:
        gram: (m, m) prior covariance.   ridge: $\lambda$, reward^2.
    """

    def __init__(self, gram: np.ndarray, ridge: float) -> None:
        self.gram, self.prior, self.ridge = gram, gram.diagonal().copy(), ridge
        self._least = NEGLIGIBLE * ridge / max(float(self.prior.max()), np.finfo(float).tiny)

    def fit(self, weight: np.ndarray, weighted_y: np.ndarray) -> Fitted:
        """The posterior given the sums q (m,) and r (m,) of each arm; q = 0 where nothing was heard."""
        seen = np.flatnonzero(weight > self._least)
        return Fitted(self, seen, weight[seen], weighted_y[seen])

    def log_det(self, weight: np.ndarray) -> float:
        r"""$\ln\det(I+\mathrm{diag}(q/\lambda)K)$, which is that of all observations one by one."""
        seen = np.flatnonzero(weight > self._least)
        return _half_log_det(_factor(self.gram, seen, weight[seen] / self.ridge)[0]) * 2.0


class Fitted:
    """One posterior of `Merged`.

    Attributes:
        mean, variance: (m,).
        log_det: $\\ln\\det(I+N^{-1/2}KN^{-1/2})$.
    """

    def __init__(self, merged: Merged, seen: np.ndarray, weight: np.ndarray, weighted_y: np.ndarray) -> None:
        gram, ridge, m = merged.gram, merged.ridge, len(merged.gram)
        self._gram, self._prior, self._ridge, self._seen, self._weight = (
            gram,
            merged.prior,
            ridge,
            seen,
            weight,
        )
        self._L, self._scale = _factor(gram, seen, weight / ridge)
        self.log_det = 2.0 * _half_log_det(self._L)
        if len(seen) == 0:
            self.mean, self.variance, self._half = np.zeros(m), merged.prior.copy(), np.zeros((0, m))
            return
        both = np.empty((m + 1, len(seen)))
        np.multiply(gram[:, seen], self._scale, out=both[:m])
        both[m] = self._scale * (weighted_y / weight)
        both, _ = dtrtrs(self._L, both.T, lower=1, overwrite_b=1)
        self._half = both[:, :m]
        self.mean = both[:, m] @ self._half
        self.variance = np.maximum(merged.prior - np.einsum("um,um->m", self._half, self._half), 0.0)

    def tight_variance(self, squared_weight: np.ndarray) -> np.ndarray:
        r"""(m,) $\tilde\sigma^2=\lambda\|a\|^2+k(z,z)-2a^\top k(z)+a^\top Ka$ with equally noisy rewards.

        Args:
            squared_weight: (m,) $\sum w_i^2$ of each arm.
        Source: kernel form of Deng et al., Thm 2; a single observation's weight is its share $w_i/q_a$ of its
            arm's.
        """
        if len(self._seen) == 0:
            return self._prior.copy()
        arm_weights, _ = dtrtrs(self._L, self._half, lower=1, trans=1)
        arm_weights *= self._scale[:, None]
        share = self._ridge * squared_weight[self._seen] / self._weight**2
        K = self._gram[np.ix_(self._seen, self._seen)]
        cross = K @ arm_weights
        cross -= 2.0 * self._gram[self._seen]
        cross += share[:, None] * arm_weights
        return np.maximum(self._prior + np.einsum("um,um->m", arm_weights, cross), 0.0)


def _factor(gram: np.ndarray, seen: np.ndarray, precision: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    r"""Cholesky factor of $I+P^{1/2}K_{uu}P^{1/2}$ (u, u) and $P^{1/2}$ (u,), as `gp.factor` with noise 1/P."""
    scale = np.sqrt(precision)
    if len(seen) == 0:
        return np.empty((0, 0)), scale
    K = gram[np.ix_(seen, seen)]
    A = K * scale
    A *= scale[:, None]
    A.flat[:: len(seen) + 1] += 1.0
    L, info = dpotrf(A.T, lower=1, clean=0, overwrite_a=1)
    if info != 0 or not L.diagonal().min() >= np.sqrt(0.5):
        return factor(K, 1.0 / precision)  # says in one sentence what is wrong, or gets through
    return L, scale


def _half_log_det(L: np.ndarray) -> float:
    return float(np.log(L.diagonal()).sum())
