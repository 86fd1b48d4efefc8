"""A band for the curve as it is now, when the curve moves and a bound on its movement is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tvbo_core.gp.dense import log_det, posterior_weights
from tvbo_core.gp.spectral import gram
from tvbo_core.records import Band
from tvbo_core.validation import as_floats, check_amount, check_delta, is_number, is_positive

if TYPE_CHECKING:
    from tvbo_core.kernels import Kernel

# Older rewards keep at least this weight: the weights only have to be fixed in advance, and powers of the
# discount would underflow.
LEAST_WEIGHT = 1e-15


def drift_aware_band(
    kernel: Kernel,
    X: np.ndarray,
    y: np.ndarray,
    Z: np.ndarray,
    B: float,
    sigma: float,
    delta: float,
    ridge: float,
    discount: float,
    moved: np.ndarray,
) -> Band:
    r"""Band for the present curve $f_t$ from discounted rewards and a bound on how far it moved since each.

    $|f_t(z)-\mu(z)|\le B\,b(z)+\frac{\sigma}{\sqrt\lambda}\tilde\sigma(z)
    \sqrt{2\ln\frac1\delta+\ln\det(I+\lambda^{-1}\bar WK\bar W)}
    +\sum_s|a_s(z)|\min\{2B\sqrt{k(x_s,x_s)},V_{[s,t]}\}$, with weights $\bar w_s=\gamma^{t-s}$,
    $\bar W=\mathrm{diag}(\bar w_s)$, $N=\lambda\bar W^{-1}$, $a=(K+N)^{-1}k(z)$,
    $b^2=k-2a^\top k+a^\top Ka$, $\tilde\sigma^2=\lambda\|a\|^2+b^2$, $\mu=a^\top y$.
    It holds for all z with probability at least $1-\delta$ at one fixed t (for all t at once use
    $\delta/T$), for any adaptive choice of the inputs, and only for weights fixed in advance and a movement
    bound that is given, not estimated.

    Args:
        X: (n, d) inputs, oldest first; n may be 0.   y: (n,) rewards.   Z: (m, d).
        B: norm bound.   sigma: noise sd.   delta: failure probability.   ridge: $\lambda$, reward^2.
        discount: $\gamma$ in (0, 1]; 1 keeps every reward at full weight.
        moved: (n,) $V_{[s,t]}\ge\max_x|f_t(x)-f_s(x)|$ for each observation s, reward units.
    Raises:
        ValueError: shapes disagree or a value is out of its range.
    Source: derived here, in no paper; with `moved` = 0 it is Deng et al., Thm 2, in two terms.

    >>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
    >>> made = [tv.drift_aware_band(k, X, y, X, 3.0, 0.1, 0.01, 0.01, 0.9, np.full(2, v)) for v in (0.0, 0.5)]
    >>> bool((made[0].upper <= made[1].upper).all())
    True
    """
    K, y, Kz, kzz = gram(kernel, X, y, Z)
    n, moved = len(y), as_floats("moved", moved)
    _check(B, sigma, delta, ridge, discount, moved, n)
    if n == 0:
        half = (B + sigma * np.sqrt(-2.0 * np.log(delta) / ridge)) * np.sqrt(kzz)
        return Band(np.zeros_like(half), -half, half)
    weight = np.maximum(discount ** np.arange(n - 1.0, -1.0, -1.0), LEAST_WEIGHT)
    a = posterior_weights(kernel, X, Z, ridge / weight)
    mean = a.T @ y
    inside = -2.0 * np.log(delta) + log_det(K, ridge / weight**2)
    # As `gp.weighted_sd`, at the ridges 0 and $\lambda$, from the weights that are there already.
    error = np.einsum("nm,nm->m", a, K @ a - 2 * Kz)
    bias, squares = kzz + error, ridge * np.einsum("nm,nm->m", a, a) + kzz + error
    still = B * np.sqrt(np.maximum(bias, 0.0))
    still += sigma / np.sqrt(ridge) * np.sqrt(inside) * np.sqrt(np.maximum(squares, 0.0))
    half = still + np.abs(a).T @ np.minimum(2.0 * B * np.sqrt(np.diagonal(K)), moved)
    return Band(mean, mean - half, mean + half)


def _check(B: float, sigma: float, delta: float, ridge: float, discount: float, moved: np.ndarray, n: int) -> None:
    check_amount("B", B)
    if not (is_positive(sigma) and is_positive(ridge)):
        raise ValueError(f"sigma and ridge must be finite and above 0, got {sigma!r} and {ridge!r}")
    check_delta(delta)
    if not (is_number(discount) and 0 < discount <= 1):
        raise ValueError(f"discount must be above 0 and at most 1, got {discount}")
    if moved.shape != (n,) or not (np.isfinite(moved).all() and (moved >= 0).all()):
        raise ValueError(f"moved must hold {n} finite numbers, one an observation and none below 0")
