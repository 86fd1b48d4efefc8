r"""The martingale behind CMM, DMM and AMM: a mixture of likelihood ratios against the truth.

$M_t=\mathbb E_{g\sim N(0,ck)}\exp\Big(\frac1{2\sigma^2}\sum_{s\le t}\big[(f^*(x_s)-y_s)^2-(g(x_s)-y_s)^2\big]\Big)$ is
for Gaussian noise a non-negative martingale that starts at 1 (a supermartingale for sub-Gaussian noise), so by Ville's
inequality it ever exceeds $1/\delta$ with probability at most $\delta$. Where it does not, the truth lies in an
ellipsoid. AY and IGP follow as wider bands at matched regularisers (Theorem 6.3).

Source: Flynn & Reeb, Theorem 4.1, Lemma 4.2 and Lemma A.1, with centre 0 and covariance ck.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from tvbo_core.validation import is_positive


def log_mixture(K: np.ndarray, errors: np.ndarray, y: np.ndarray, sigma: float, c: float = 1.0) -> np.ndarray:
    r"""Return $\ln M_t$ for t = 0, ..., n, of one or of many runs.

    $\ln M_t=\frac1{2\sigma^2}\sum_s(f^*(x_s)-y_s)^2-\frac12y^\top(\sigma^2I+cK_t)^{-1}y
    -\frac12\ln\det(I+\frac c{\sigma^2}K_t)$.

    Args:
        K: (n, n) kernel of the places asked, the same in every run.
        errors: (..., n) $f^*(x_s)-y_s$.   y: (..., n) rewards.   sigma: noise sd.   c: covariance scale.
    Returns:
        (..., n + 1), 0 at t = 0.
    Raises:
        ValueError: sigma or c is not a positive finite number, or shapes disagree.

    >>> K, y = np.eye(2), np.array([0.3, -0.1])
    >>> np.round(tv.bands.mixture.log_mixture(K, -y, y, sigma=0.1), 3).tolist()
    [0.0, 2.148, 0.335]
    """
    n, y, errors = len(K), np.asarray(y, dtype=float), np.asarray(errors, dtype=float)
    if not (is_positive(sigma) and is_positive(c)):
        raise ValueError(f"sigma and c must be positive finite numbers, got {sigma!r} and {c!r}")
    if K.shape != (n, n) or y.shape[-1:] != (n,) or errors.shape != y.shape:
        raise ValueError(
            f"K, errors and y must have shapes (n, n), (..., n), (..., n), got {K.shape}, {errors.shape}, {y.shape}"
        )
    if not n:
        return np.zeros((*y.shape[:-1], 1))
    # The leading blocks of one Cholesky factor are the factors of the leading blocks: all times at once.
    factor = cholesky(sigma**2 * np.eye(n) + c * K, lower=True)
    z = solve_triangular(factor, y.reshape(-1, n).T, lower=True).T.reshape(y.shape)
    steps = 0.5 * (errors / sigma) ** 2 - 0.5 * z**2 - np.log(factor.diagonal() / sigma)
    return np.concatenate([np.zeros((*y.shape[:-1], 1)), np.cumsum(steps, axis=-1)], axis=-1)


def squared_radius(K: np.ndarray, y: np.ndarray, sigma: float, delta: float, c: float = 1.0) -> np.ndarray:
    r"""Return $R_t^2$ for t = 0, ..., n: $M_t\le1/\delta$ says $\sum_{s\le t}(f^*(x_s)-y_s)^2\le R_t^2$.

    $R_t^2=\sigma^2\big(y^\top(\sigma^2I+cK_t)^{-1}y+\ln\det(I+\tfrac c{\sigma^2}K_t)+2\ln\tfrac1\delta\big)$.

    Args:
        delta: failure probability; the others as in `log_mixture`.
    Source: Flynn & Reeb, Lemma 4.2 and eq. 8.

    >>> float(tv.bands.mixture.squared_radius(np.zeros((0, 0)), np.zeros(0), sigma=1.0, delta=np.exp(-2))[0])
    4.0
    """
    without = log_mixture(K, np.zeros_like(np.asarray(y, dtype=float)), y, sigma, c)
    return 2.0 * sigma**2 * (np.log(1.0 / delta) - without)
