r"""The posterior of all arms of a fixed grid, computed once, at a cost set by the distinct arms seen.

`rank_one` and `merged_arms` carry it from round to round; all three give the numbers of `dense.posterior`.
"""

from __future__ import annotations

import numpy as np

from tvbo_core.gp.dense import conditioned, factor_checked, noise_vector, rewards_vector
from tvbo_core.validation import as_floats


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
    gram = as_floats("gram", gram)
    if gram.ndim != 2 or gram.shape[0] != gram.shape[1]:
        raise ValueError(f"gram must have shape (m, m), got {gram.shape}")
    distinct, y, noise = merge_repeats(arms, y, noise)
    if len(distinct) and not (distinct[0] >= 0 and distinct[-1] < len(gram)):  # they increase
        raise ValueError(f"an arm must be an index 0..{len(gram) - 1}, got {distinct[0]}..{distinct[-1]}")
    L, scale = factor_checked(gram[distinct[:, None], distinct], noise)
    return conditioned(L, scale, y, gram[distinct], gram.diagonal())


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
    distinct, group = np.unique(arms, return_inverse=True)
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
