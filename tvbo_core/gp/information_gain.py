"""Information gains: how much observations tell about the rewards, in nats.

Some papers print log det without the factor 1/2; here a gain always carries it. The largest gain that T
observations on a grid can have is bracketed: from below by the greedy design, from above by the concave
relaxation in which an observation may be split among arms, with its duality gap on top (derived here).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tvbo_core.gp.dense import log_det
from tvbo_core.gp.optimal_design import optimal_design
from tvbo_core.gp.rank_one import RankOne
from tvbo_core.kernels import Kernel, as_points
from tvbo_core.validation import as_floats, check_count, check_kernel, check_share, is_positive

SRINIVAS = 1.0 - math.exp(-1.0)  # a greedy design of a monotone submodular gain reaches this share of the best
MOST_PRECISE = 1e13  # weight over ridge up to which double precision carries the relaxation


def information_gain(K: np.ndarray, ridge: float) -> float:
    r"""Mutual information between f and noisy rewards at given points.

    $I=\frac12\ln\det(I+K/\lambda)$.

    Args:
        K: (n, n) covariance of the points (repeats are separate rows); n may be 0.
        ridge: $\lambda>0$, noise variance.
    Returns:
        nats.
    Raises:
        ValueError: K is not square, or the ridge is not positive and finite or too small for K.
    Source: Srinivas et al. (2010), sec. 2.2; Iwazaki & Takeno, eq. 5.

    >>> round(tv.information_gain(np.eye(2), ridge=1.0), 4)
    0.6931
    """
    return 0.5 * log_det(K, ridge)


def greedy_information_gain(kernel: Kernel, X: np.ndarray, T: int, ridge: float) -> float:
    r"""Lower bound of the maximum information gain of T observations on a grid (repeats allowed).

    $I_{gr}=\sum_{t\le T}\frac12\ln(1+s_{t-1}^2(x_t)/\lambda)$, $x_t=\arg\max_xs_{t-1}(x)$; then
    $I_{gr}\le\gamma_T\le I_{gr}/(1-1/e)$.

    Args:
        X: (m, d) grid, m >= 1.   T: number of observations, at least 0.   ridge: $\lambda>0$.
    Returns:
        nats.
    Raises:
        ValueError: the grid is empty, T is negative, or the ridge is not positive and finite.
    Source: Srinivas et al. (2010), sec. 5; Nemhauser et al. (1978).

    >>> x = np.linspace(0, 1, 21)[:, None]
    >>> round(tv.greedy_information_gain(tv.Matern(1.5), x, T=50, ridge=0.01), 2)
    34.89
    """
    check_kernel(kernel)
    if len(X := as_points(X, "X")) == 0:
        raise ValueError("the grid needs at least one point, got none")
    check_count("T", T)
    return greedy_gain(kernel(X, X), np.ones(int(T)), ridge)


@dataclass(frozen=True)
class GainBounds:
    r"""Certified bracket of the largest gain on one grid, nats.

    Attributes:
        greedy: gain of the greedy design: a lower bound.
        relaxed: value of the concave relaxation at the design found (its optimum is an upper bound).
        gap: certified: the relaxation's optimum is at most relaxed + gap.
    """

    greedy: float
    relaxed: float
    gap: float

    @property
    def lower(self) -> float:
        return self.greedy

    @property
    def from_greedy(self) -> float:
        """Upper bound by the greedy design alone, greedy/(1 - 1/e)."""
        return self.greedy / SRINIVAS

    @property
    def upper(self) -> float:
        """The smaller of the two upper bounds: relaxation plus its gap, or greedy over its sure share."""
        return min(self.relaxed + self.gap, self.from_greedy)


def gain_bounds(gram: np.ndarray, T: int, ridge: float) -> GainBounds:
    r"""Both sides of $\gamma_T=\max_{x_1..x_T}\frac12\ln\det(I+K/\lambda)$ on a grid, repeats allowed.

    Upper: $\frac12\max_P\ln\det(I+\frac T\lambda\sum_xP(x)\varphi\varphi^\top)$ plus
    $\frac12(\max_x\ell_P(x)-\langle P,\ell_P\rangle)$.

    Args:
        gram: (m, m) covariance of the grid.   T: observations, at least 0.   ridge: $\lambda>0$.
    Raises:
        ValueError: the grid is empty, T is negative, or the ridge is not positive and finite.
    Source: relaxation of Hong et al. (2023), App. C; certificate derived here.

    >>> x = np.linspace(0, 1, 21)[:, None]
    >>> found = tv.gain_bounds(tv.Matern(1.5)(x, x), T=50, ridge=0.01)
    >>> found.lower <= found.upper, round(found.upper - found.lower, 1)
    (True, 0.2)
    """
    check_count("T", T)
    weights, gram = np.ones(int(T)), as_floats("gram", gram)
    if gram.ndim != 2 or gram.shape[0] != gram.shape[1] or not np.isfinite(gram).all():
        raise ValueError(f"gram must be finite and have shape (m, m), got {gram.shape}")
    return GainBounds(greedy_gain(gram, weights, ridge), *_relaxed(gram, float(T), ridge))


def max_information_gain(kernel: Kernel, X: np.ndarray, T: int, ridge: float) -> tuple[float, float]:
    r"""Certified (lower, upper) bounds of the maximum information gain on this grid, see `gain_bounds`.

    Args:
        X: (m, d) grid, m >= 1.   T: number of observations, at least 0.   ridge: $\lambda>0$.
    Returns:
        nats; certified for this grid and horizon only.
    Raises:
        ValueError: as `gain_bounds`.
    Source: as `gain_bounds`.

    >>> x = np.linspace(0, 1, 21)[:, None]
    >>> low, high = tv.max_information_gain(tv.Matern(1.5), x, T=50, ridge=0.01)
    >>> low <= high <= low / (1 - 1 / np.e)
    True
    """
    check_kernel(kernel)
    if len(X := as_points(X, "X")) == 0:
        raise ValueError("the grid needs at least one point, got none")
    bounds = gain_bounds(kernel(X, X), T, ridge)
    return bounds.lower, bounds.upper


def largest_gain(gram: np.ndarray, mass: float, ridge: float) -> float:
    r"""Upper bound of every gain on a grid of observations with so much weight in all, at any weight.

    The relaxation plus its gap, as in `gain_bounds`, without the greedy design, whose time grows with T. Where the
    weight is too large for double precision, $\gamma_M\le\gamma_{M_0}+\frac m2\ln\frac M{M_0}$ from a smaller one.

    Args:
        gram: (m, m) covariance of the grid.   mass: sum of the weights M, at least 0.   ridge: $\lambda>0$.
    Raises:
        ValueError: the ridge is not positive and finite.
    Source: as `gain_bounds`; the step to larger weights is derived here: no eigenvalue's logarithm grows faster.
    """
    if not is_positive(ridge):
        raise ValueError(f"ridge must be positive and finite, got {ridge}")
    weight = min(mass, MOST_PRECISE * ridge)
    rest = 0.5 * len(gram) * math.log(mass / weight) if mass > weight else 0.0
    return sum(_relaxed(gram, weight, ridge)) + rest


def markov_block_gain(gain: float, N: int, noise: float, epsilon: float) -> float:
    r"""Upper bound of the time-varying gain of a block of N rounds from the still one.

    $\tilde\gamma_N\le\gamma_N+\frac{\epsilon N\sqrt{N^2-1}}{2\sqrt3\,\sigma^2}\sqrt{\gamma_N}$, for every
    $\sigma^2$ and kernels with $k(x,x)\le1$.

    Args:
        gain: an upper bound of $\gamma_N$, nats.
    Source: Mandl & Kekkonen, B.3; rederived here.
    """
    return gain + epsilon * N * math.sqrt(N * N - 1.0) * math.sqrt(gain) / (2.0 * math.sqrt(3.0) * noise)


def best_blocks(gain: Callable[[int], float], T: int, noise: float, epsilon: float) -> tuple[float, int]:
    r"""Upper bound of $\tilde\gamma_T$ by blocks, $\min_N\lceil T/N\rceil\times$ `markov_block_gain`, and its N.

    Args:
        gain: returns an upper bound of $\gamma_N$; it is asked for few N.   T: at least 1.
    """
    check_share("epsilon", epsilon)
    best, least, shorter = 0, math.inf, 0.0
    for N in sorted({math.ceil(T / 2**i) for i in range(T.bit_length())}):
        blocks = math.ceil(T / N)
        if blocks * markov_block_gain(shorter, N, noise, epsilon) >= least:
            continue  # a longer block has no smaller gain
        shorter = max(gain(N), shorter)
        if (total := blocks * markov_block_gain(shorter, N, noise, epsilon)) < least:
            best, least = N, total
    return least, best


def greedy_gain(gram: np.ndarray, weights: np.ndarray, ridge: float) -> float:
    r"""Return the gain of asking, weight by weight in this order, where the posterior is least sure.

    It is a lower bound of the largest gain $\frac12\ln\det(I+\lambda^{-1}WKW)$, and at least half of it.

    Args:
        gram: (m, m) covariance of the grid.   weights: (n,) squares of W's diagonal.   ridge: $\lambda>0$.
    Source: Srinivas et al. (2010), sec. 5; half, because positions differ (a partition matroid).
    """
    if not is_positive(ridge):
        raise ValueError(f"ridge must be positive and finite, got {ridge}")
    state, total = RankOne(gram), 0.0
    for weight in weights.tolist():  # Python's floats divide to inf without a warning
        if weight * ridge == 0.0 or ridge / weight == math.inf:
            break  # what is left weighs nothing
        variances = state.variance
        arm = int(variances.argmax())
        total += 0.5 * float(np.log1p(variances[arm] * weight / ridge))
        state.learn(arm, 0.0, ridge / weight)  # variances do not depend on the rewards
    return total


def _relaxed(gram: np.ndarray, mass: float, ridge: float) -> tuple[float, float]:
    r"""Value and gap of $\frac12\max_P\ln\det(I+\frac{\text{mass}}\lambda\sum_xP(x)\varphi\varphi^\top)$."""
    if mass <= 0:
        return 0.0, 0.0
    design = optimal_design(gram, ridge / mass)
    return 0.5 * design.log_det, 0.5 * design.gap
