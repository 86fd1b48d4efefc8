"""Orders of the cost of a round, with every constant counted as 1: operations, not seconds."""

from __future__ import annotations

import numpy as np


def full_cost(T: np.ndarray) -> np.ndarray:
    """(...) $T^3$ of the posterior from all T answers (Mauduit et al., after Theorem 3.6)."""
    return np.asarray(T, dtype=float) ** 3


def sparq_cost(T: np.ndarray, d: int) -> np.ndarray:
    r"""(...) $T^2\ln T\,\ln^{3d}\frac T{\ln T}$ of SparQ-GP-UCB in round T.

    Args:
        T: rounds, above e so that the logarithms are positive.   d: dimension of the action.
    Raises:
        ValueError: a T is not above e, or d is below 1.
    Source: Mauduit et al., Theorem 3.6.
    """
    T = _checked(T, d)
    log = np.log(T)
    return T**2 * log * np.log(T / log) ** (3 * d)


def wsparq_cost(T: np.ndarray, d: int, window_exponent: float, alpha: float) -> np.ndarray:
    r"""(...) $T(\ln^dT+T^{\tilde\alpha/\alpha})^2$: the total of W-SparQ-GP-UCB up to round T, a round on average.

    Args:
        window_exponent: $\tilde\alpha$.   alpha: $\alpha>0$; the others as in `sparq_cost`.
    Raises:
        ValueError: as `sparq_cost`, or alpha is not above 0.
    Source: Mauduit et al., section 3.3, computational complexity.
    """
    T = _checked(T, d)
    if not alpha > 0:
        raise ValueError(f"alpha must be above 0, got {alpha}")
    return T * (np.log(T) ** d + T ** (window_exponent / alpha)) ** 2


def _checked(T: np.ndarray, d: int) -> np.ndarray:
    T = np.asarray(T, dtype=float)
    if d < 1 or not (np.e < T).all():
        raise ValueError(f"T must be above e and d at least 1, got T = {T} and d = {d}")
    return T
