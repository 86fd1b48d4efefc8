r"""The posterior after 0, 1, ..., n observations at one regulariser, all times from one Cholesky factor.

The leading t x t block of the factor of $I+K_n/\alpha$ is the factor of $I+K_t/\alpha$, so every posterior is a
running sum over its rows.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from tvbo_core.gp.spectral import RegularisedFit, check_regulariser


def prefix_fits(K: np.ndarray, y: np.ndarray, Kxz: np.ndarray, kzz: np.ndarray, alpha: float) -> RegularisedFit:
    r"""The fits at one alpha after 0, ..., n observations, from one factor $LL^\top=I+K/\alpha$.

    With $V=L^{-1}k(X,Z)/\sqrt\alpha$ and $v=L^{-1}y/\sqrt\alpha$: $\mu_t=\sum_{i\le t}V_iv_i$,
    $\rho_t^2=k-\sum_{i\le t}V_i^2$, $\ln\det_t=2\sum_{i\le t}\ln L_{ii}$, misfit $\alpha\sum_{i\le t}v_i^2$.

    Args:
        K: (n, n).   y: (n,).   Kxz: (n, m).   kzz: (m,).
    Returns:
        a `RegularisedFit` with a leading axis of length n+1.
    Raises:
        BoundError: alpha is too small for double precision.
    """
    traces = _running(np.diagonal(K))
    check_regulariser(alpha, traces[-1])
    n = len(y)
    if n:
        L = cholesky(np.eye(n) + K / alpha, lower=True, check_finite=False)
        both = solve_triangular(L, np.column_stack([Kxz, y]) / np.sqrt(alpha), lower=True, check_finite=False)
        V, v, diagonal = both[:, :-1], both[:, -1], np.diagonal(L)
    else:
        V, v, diagonal = Kxz, y, np.ones(0)
    variance = _floored(kzz - _running(V**2), alpha, traces[:, None], kzz)
    return RegularisedFit(
        alpha=alpha,
        mean=_running(V * v[:, None]),
        sd=np.sqrt(variance),
        log_det=2.0 * _running(np.log(diagonal)),
        misfit=alpha * _running(v**2),
        count=np.arange(n + 1),
        trace=traces,
        prior=kzz,
    )


def _floored(variance: np.ndarray, alpha: float, trace: np.ndarray, prior: np.ndarray) -> np.ndarray:
    r"""The variance, never below its exact floor $\alpha k/(\alpha+\mathrm{tr}K)$ (rounding may undercut it).

    The floor holds because $\rho^2=\alpha\,\varphi^\top(\Phi^\top\Phi+\alpha I)^{-1}\varphi$ and the largest
    eigenvalue of $\Phi^\top\Phi$ is at most $\mathrm{tr}K$.
    """
    return np.maximum(variance, alpha * prior / (alpha + trace))


def _running(a: np.ndarray) -> np.ndarray:
    """(n+1, ...) sums of the first 0, ..., n rows."""
    return np.concatenate([np.zeros((1, *a.shape[1:])), np.cumsum(a, axis=0)])
