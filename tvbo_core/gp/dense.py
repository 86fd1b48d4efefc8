r"""The posterior by its formula, from any observations at any points: the reference for every other form.

Every method of the papers uses $\mu(z)=k(z)^\top(K+N)^{-1}y$ and $s^2(z)=k(z,z)-k(z)^\top(K+N)^{-1}k(z)$ with
one noise variance per observation, $N=\mathrm{diag}(n_1,\dots,n_t)$: a ridge, a discount and injected
uncertainty differ in N only. Stable form: the Cholesky factor of $A=I+N^{-1/2}KN^{-1/2}$, whose eigenvalues
are at least 1 whatever the ratio of the variances.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpotrf, dpstrf, dtrtrs

from tvbo_core.kernels import Kernel, as_points
from tvbo_core.validation import as_floats, check_amount, check_kernel

# Every squared pivot of a factor is at least 1 on paper: one below 1/2 (or NaN) is rounding error and nothing else.
LEAST_PIVOT = float(np.sqrt(0.5))


def posterior(
    kernel: Kernel, X: np.ndarray, y: np.ndarray, Z: np.ndarray, noise: float | np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    r"""Posterior mean and standard deviation of f at the points Z.

    $\mu(z)=k(z)^\top(K+N)^{-1}y$, $s^2(z)=k(z,z)-k(z)^\top(K+N)^{-1}k(z)$, $N=\mathrm{diag}(\text{noise})$.

    Args:
        X: (n, d) inputs; n may be 0.   y: (n,) rewards.   Z: (m, d).
        noise: variance of each observation, a scalar or (n,).
    Returns:
        mean (m,) and sd (m,), reward units.
    Raises:
        ValueError: shapes disagree, a variance is not positive and finite, or it is too small for K.
    Source: Rasmussen & Williams (2006), eq. 2.25-2.26.

    >>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
    >>> mean, sd = tv.posterior(k, X, y, np.array([[0.2], [0.5]]), noise=0.01)
    >>> np.round(mean, 2).tolist(), np.round(sd, 2).tolist()
    ([0.99, 0.0], [0.1, 0.85])
    """
    check_kernel(kernel)
    X = as_points(X, "X")
    y = rewards_vector(y, len(X))
    L, scale = factor(kernel(X, X), noise)
    return conditioned(L, scale, y, kernel(X, Z), kernel.diag(Z))


def posterior_weights(kernel: Kernel, X: np.ndarray, Z: np.ndarray, noise: float | np.ndarray) -> np.ndarray:
    r"""Weight of every reward in the posterior mean: $a(z)=(K+N)^{-1}k(z)$, so that $\mu(z)=a(z)^\top y$.

    Args:
        X: (n, d), n may be 0.   Z: (m, d).   noise: variances, a scalar or (n,).
    Returns:
        (n, m) weights, one column a point of Z.
    Raises:
        ValueError: as `posterior`.
    Source: Rasmussen & Williams (2006), eq. 2.25 and 2.27.

    >>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
    >>> weights = tv.posterior_weights(k, X, X, noise=0.01)
    >>> bool(np.allclose(weights.T @ y, tv.posterior(k, X, y, X, noise=0.01)[0]))
    True
    """
    check_kernel(kernel)
    L, scale = factor(kernel(X, X), noise)
    half = solve_triangular(L, scale[:, None] * kernel(X, Z), lower=True, check_finite=False)
    return scale[:, None] * solve_triangular(L, half, lower=True, trans="T", check_finite=False)


def posterior_covariance(kernel: Kernel, X: np.ndarray, Z: np.ndarray, noise: float | np.ndarray) -> np.ndarray:
    r"""Posterior covariance of f at the points Z: $k(z,z')-k(z)^\top(K+N)^{-1}k(z')$.

    Args:
        X: (n, d), n may be 0.   Z: (m, d).   noise: variances, a scalar or (n,).
    Returns:
        (m, m), squared reward units.
    Raises:
        ValueError: as `posterior`.
    Source: Rasmussen & Williams (2006), eq. 2.26.
    """
    L, scale = factor(kernel(X, X), noise)
    half = solve_triangular(L, scale[:, None] * kernel(X, Z), lower=True, check_finite=False)
    return kernel(Z, Z) - half.T @ half


def joint_draw(mean: np.ndarray, covariance: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    r"""One draw from $N(\mu,P)$ at all m points at once, from m standard normal numbers.

    $\mu+Lz$ with the pivoted Cholesky factor of P, which may be singular: smooth kernels and observed arms make it so.

    Args:
        mean: (m,).   covariance: (m, m), positive semidefinite up to rounding.
    Returns:
        (m,) reward units.
    Source: Higham (1990) for the pivoted factor.
    """
    z = rng.standard_normal(len(mean))
    L, pivots, rank, _ = dpstrf(covariance, lower=1)
    deviation = np.empty(len(mean))
    deviation[pivots - 1] = np.tril(L)[:, :rank] @ z[:rank]
    return mean + deviation


def weighted_sd(kernel: Kernel, X: np.ndarray, Z: np.ndarray, noise: float | np.ndarray, ridge: float) -> np.ndarray:
    r"""Tight standard deviation of a weighted regression: bias plus variance of equally noisy rewards.

    $\tilde\sigma^2(z)=\lambda\|a\|_2^2+k(z,z)-2a^\top k(z)+a^\top Ka$, $a=(K+N)^{-1}k(z)$. It equals
    the posterior variance when $N=\lambda I$, and is at most that when every $n_i\ge\lambda$.

    Args:
        X: (n, d), n may be 0.   Z: (m, d).   noise: variances $n_i$, a scalar or (n,).
        ridge: $\lambda\ge0$, squared reward units.
    Returns:
        (m,) in reward units.
    Raises:
        ValueError: as `posterior`, or the ridge is negative or not finite.
    Source: kernel form of $\tilde\sigma_t$ of Deng et al., Thm 2 and Lemma 13.

    >>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
    >>> tight = tv.weighted_sd(k, X, X, noise=np.array([0.04, 0.01]), ridge=0.01)
    >>> bool((tight <= tv.posterior(k, X, y, X, np.array([0.04, 0.01]))[1] + 1e-12).all())
    True
    """
    check_amount("ridge", ridge)
    a = posterior_weights(kernel, X, Z, noise)
    K, Kz = kernel(X, X), kernel(X, Z)
    squares = ridge * np.einsum("nm,nm->m", a, a) + kernel.diag(Z) + np.einsum("nm,nm->m", a, K @ a - 2 * Kz)
    return np.sqrt(np.maximum(squares, 0.0))


def log_det(K: np.ndarray, noise: float | np.ndarray) -> float:
    r"""$\ln\det(I+N^{-1/2}KN^{-1/2})$ of a covariance matrix K (n, n), with noise a scalar or (n,).

    Raises:
        ValueError: shapes disagree, a variance is not positive and finite, or it is too small for K.
    """
    L, _ = factor(K, noise)
    return 2.0 * float(np.log(L.diagonal()).sum())


def factor(K: np.ndarray, noise: float | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    r"""Lower Cholesky factor L (n, n) of $I+N^{-1/2}KN^{-1/2}$, and the scale $N^{-1/2}$ (n,).

    Args:
        K: (n, n) covariance matrix; n may be 0.
        noise: variance of each observation, a scalar or (n,).
    Raises:
        ValueError: shapes disagree, a variance is not positive and finite, or it is so small that the
            factorisation breaks down in double precision.
    """
    K = as_floats("K", K)
    if K.ndim != 2 or K.shape[0] != K.shape[1] or not np.isfinite(K).all():
        raise ValueError(f"a covariance matrix must be finite and have shape (n, n), got shape {K.shape}")
    return factor_checked(K, noise_vector(noise, len(K)))


def factor_checked(K: np.ndarray, variances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`factor` of a matrix and variances that are known to be in order."""
    n, scale = len(K), 1.0 / np.sqrt(variances)
    if n == 0:
        return np.empty((0, 0)), scale
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite ends in the ValueError below
        A = scale[:, None] * K * scale
        A.ravel()[:: n + 1] += 1.0
        finite = np.isfinite(A.sum())
    # LAPACK itself: for small matrices the checks of scipy's wrappers take longer than the factorisation.
    L, failed = dpotrf(A, lower=1, clean=1, overwrite_a=1) if finite else (A, 1)
    if failed or not L.diagonal().min() >= LEAST_PIVOT:
        needed = n * np.finfo(float).eps * float(K.diagonal().max())
        raise ValueError(
            f"a noise variance of {variances.min():.3g} is too small for this kernel matrix "
            f"in double precision; raise it well above {needed:.1g}"
        )
    return L, scale


def conditioned(
    L: np.ndarray, scale: np.ndarray, y: np.ndarray, Kz: np.ndarray, prior: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and sd from the factor of the observations; Kz (n, m), prior variances (m,)."""
    both = np.empty((len(Kz), Kz.shape[1] + 1), order="F")
    np.multiply(scale[:, None], Kz, out=both[:, :-1])
    np.multiply(scale, y, out=both[:, -1])
    if len(L):
        dtrtrs(L, both, lower=1, overwrite_b=1)
    V, u = both[:, :-1], both[:, -1]
    return V.T @ u, np.sqrt(np.maximum(prior - np.einsum("nm,nm->m", V, V), 0.0))


def noise_vector(noise: float | np.ndarray, n: int) -> np.ndarray:
    """The noise variances as an (n,) float array.

    Raises:
        ValueError: the shape is neither () nor (n,), or a variance is not positive and finite.
    """
    variances = as_floats("noise", noise)
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
    rewards = as_floats("y", y)
    if rewards.shape != (n,):
        raise ValueError(f"y must have shape ({n},), got {rewards.shape}")
    if not np.isfinite(rewards).all():
        raise ValueError("y must be finite everywhere")
    return rewards
