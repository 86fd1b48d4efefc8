"""Information gains: how much observations tell about the rewards, in nats.

Some papers print log det without the factor 1/2; here a gain always carries it.
"""

from __future__ import annotations

import numpy as np

from tvbo_core.gp import grid_prior, grid_update, log_det
from tvbo_core.kernels import Kernel


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
    """
    if len(X) == 0 or T < 0:
        raise ValueError(f"the grid needs at least one point and T must be at least 0, got {len(X)} and {T}")
    if not (ridge > 0 and np.isfinite(ridge)):
        raise ValueError(f"ridge must be positive and finite, got {ridge}")
    state, total = grid_prior(kernel(X, X)), 0.0
    for _ in range(T):
        variances = state.cov.diagonal()
        arm = int(variances.argmax())
        total += 0.5 * float(np.log1p(variances[arm] / ridge))
        grid_update(state, arm, 0.0, ridge, in_place=True)  # variances do not depend on the rewards
    return total
