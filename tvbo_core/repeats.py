"""Observations as vectors, and repeats of one arm as one observation that carries the same information."""

from __future__ import annotations

import numpy as np


def noise_vector(noise: float | np.ndarray, n: int) -> np.ndarray:
    """The noise variances as an (n,) float array.

    Raises:
        ValueError: the shape is neither () nor (n,), or a variance is not positive and finite.
    """
    variances = np.asarray(noise, dtype=float)
    if variances.shape not in ((), (n,)):
        raise ValueError(f"noise must be a scalar or have shape ({n},), got {variances.shape}")
    if variances.size and not (variances.min() > 0 and variances.max() < np.inf):  # NaN is neither
        raise ValueError("every noise variance must be positive and finite")
    return variances if variances.shape == (n,) else np.full(n, variances)


def rewards_vector(y: np.ndarray, n: int) -> np.ndarray:
    """The rewards as an (n,) float array.

    Raises:
        ValueError: the shape is not (n,), or a reward is not finite.
    """
    rewards = np.asarray(y, dtype=float)
    if rewards.shape != (n,):
        raise ValueError(f"y must have shape ({n},), got {rewards.shape}")
    if not np.isfinite(rewards).all():
        raise ValueError("y must be finite everywhere")
    return rewards


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
