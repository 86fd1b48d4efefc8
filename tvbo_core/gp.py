r"""The one posterior, and the fast engine for arms on a fixed grid.

Every method of the papers uses $\mu(z)=k(z)^\top(K+N)^{-1}y$ and $s^2(z)=k(z,z)-k(z)^\top(K+N)^{-1}k(z)$ with
one noise variance per observation, $N=\mathrm{diag}(n_1,\dots,n_t)$: a ridge, a discount and injected
uncertainty differ in N only. Stable form: the Cholesky factor of $A=I+N^{-1/2}KN^{-1/2}$, whose eigenvalues
are at least 1 whatever the ratio of the variances.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpotrf, dtrtrs

from tvbo_core.kernels import Kernel, as_points
from tvbo_core.repeats import merge_repeats, noise_vector, rewards_vector

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
    """
    X = as_points(X, "X")
    y = rewards_vector(y, len(X))
    L, scale = factor(kernel(X, X), noise)
    return _condition(L, scale, y, kernel(X, Z), kernel.diag(Z))


def posterior_weights(kernel: Kernel, X: np.ndarray, Z: np.ndarray, noise: float | np.ndarray) -> np.ndarray:
    r"""Weight of every reward in the posterior mean: $a(z)=(K+N)^{-1}k(z)$, so that $\mu(z)=a(z)^\top y$.

    Args:
        X: (n, d), n may be 0.   Z: (m, d).   noise: variances, a scalar or (n,).
    Returns:
        (n, m) weights, one column a point of Z.
    Raises:
        ValueError: as `posterior`.
    Source: Rasmussen & Williams (2006), eq. 2.25 and 2.27.
    """
    L, scale = factor(kernel(X, X), noise)
    half = solve_triangular(L, scale[:, None] * kernel(X, Z), lower=True, check_finite=False)
    return scale[:, None] * solve_triangular(L, half, lower=True, trans="T", check_finite=False)


def bias_norm(kernel: Kernel, X: np.ndarray, Z: np.ndarray, noise: float | np.ndarray) -> np.ndarray:
    r"""Largest error of the posterior mean on noiseless data of a function of unit norm.

    $b(z)=\sup_{\|f\|\le1}|f(z)-\sum_sa_s(z)f(x_s)|=\sqrt{k(z,z)-2a^\top k(z)+a^\top Ka}$.

    Args:
        X: (n, d), n may be 0.   Z: (m, d).   noise: variances, a scalar or (n,).
    Returns:
        (m,) in units of reward per unit of RKHS norm.
    Raises:
        ValueError: as `posterior`.
    Source: derived from the reproducing property; the first term of every RKHS band.
    """
    return weighted_sd(kernel, X, Z, noise, ridge=0.0)


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
    """
    if not (ridge >= 0 and np.isfinite(ridge)):
        raise ValueError(f"ridge must be finite and at least 0, got {ridge}")
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
    K = np.asarray(K, dtype=float)
    if K.ndim != 2 or K.shape[0] != K.shape[1] or not np.isfinite(K).all():
        raise ValueError(f"a covariance matrix must be finite and have shape (n, n), got shape {K.shape}")
    return _factor(K, noise_vector(noise, len(K)))


def _factor(K: np.ndarray, variances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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


def grid_posterior(
    gram: np.ndarray, arms: np.ndarray, y: np.ndarray, noise: float | np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Posterior mean and standard deviation at every arm of a grid, from observations of some of them.

    The same numbers as `posterior`, at a cost set by the distinct arms seen, not by the observations.

    Args:
        gram: (m, m) prior covariance of the arms.
        arms: (n,) indices of the arms pulled; n may be 0.   y: (n,) rewards.
        noise: variance of each observation, a scalar or (n,).
    Returns:
        mean (m,) and sd (m,), reward units.
    Raises:
        ValueError: shapes disagree, an index is not an arm, or a variance is out of range.
    """
    distinct, y, noise = merge_repeats(arms, y, noise)
    _check_arms(distinct[[0, -1]] if len(distinct) else distinct, len(gram))  # they increase
    L, scale = _factor(gram[distinct[:, None], distinct], noise)
    return _condition(L, scale, y, gram[distinct], gram.diagonal())


def grid_posteriors(
    gram: np.ndarray, seen: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]]
) -> tuple[np.ndarray, np.ndarray]:
    """`grid_posterior` of several sets of observations of the same grid, to the last digit.

    The observations of all sets are checked and merged at once, as those of one long row of grids.

    Args:
        gram: (m, m) prior covariance of the arms.
        seen: of each of F sets the arms (n,), rewards (n,) and noise variances (n,); n may be 0.
    Returns:
        mean (F, m) and sd (F, m), reward units.
    Raises:
        ValueError: as `grid_posterior`.
    """
    m, F = len(gram), len(seen)
    if not F:
        return np.empty((0, m)), np.empty((0, m))
    arms, y, noise = (np.concatenate([np.asarray(one[part]) for one in seen]) for part in range(3))
    _check_arms(arms, m)
    of = np.repeat(np.arange(F), [len(one[0]) for one in seen])
    cells, y, noise = merge_repeats(of * m + arms, y, noise)
    ends = np.searchsorted(cells, m * np.arange(F + 1))
    found, prior = np.empty((2, F, m)), gram.diagonal()
    for f, (start, end) in enumerate(pairwise(ends.tolist())):
        distinct = cells[start:end] - f * m
        L, scale = _factor(gram[distinct[:, None], distinct], noise[start:end])
        found[:, f] = _condition(L, scale, y[start:end], gram[distinct], prior)
    return found[0], found[1]


@dataclass(frozen=True, eq=False)
class GridState:
    """Posterior of all arms of a grid at one time.

    Attributes:
        mean: (m,) reward units.
        cov: (m, m) covariance, squared reward units.
    """

    mean: np.ndarray
    cov: np.ndarray

    @property
    def sd(self) -> np.ndarray:
        """(m,) standard deviation, reward units."""
        return np.sqrt(self.cov.diagonal())


def grid_prior(gram: np.ndarray) -> GridState:
    """The state before any observation: mean 0 and covariance gram (m, m), copied.

    Raises:
        ValueError: gram is not a finite square matrix with a non-negative diagonal.
    """
    cov = np.array(gram, dtype=float)
    if cov.ndim != 2 or cov.shape[0] != cov.shape[1] or not np.isfinite(cov).all() or (cov.diagonal() < 0).any():
        raise ValueError(f"gram must be a finite (m, m) covariance matrix, got shape {cov.shape}")
    return GridState(np.zeros(len(cov)), cov)


def grid_update(state: GridState, arm: int, y: float, noise: float, in_place: bool = False) -> GridState:
    r"""The state after one more observation, in O(m²).

    $\mu\leftarrow\mu+\frac{y-\mu_a}{P_{aa}+n}P_{\cdot a}$,
    $P\leftarrow P-\frac{P_{\cdot a}P_{a\cdot}}{P_{aa}+n}$.

    Args:
        arm: index a.   y: reward.   noise: its variance n.
        in_place: write the result into the arrays of `state` (which is then the returned state).
    Raises:
        ValueError: the arm is not on the grid, the reward is not finite, or the variance is not positive
            and finite.
    Source: one step of the Kalman filter with a state that does not move.
    """
    _check_arms(np.array([arm]), len(state.mean))
    if not np.isfinite(y):
        raise ValueError(f"a reward must be finite, got {y}")
    if not (noise > 0 and np.isfinite(noise)):
        raise ValueError(f"a noise variance must be positive and finite, got {noise}")
    if not in_place:
        state = GridState(state.mean.copy(), state.cov.copy())
    mean, cov = state.mean, state.cov
    column = cov[:, arm].copy()
    total = column[arm] + noise
    mean += column * ((y - mean[arm]) / total)
    gain = column / np.sqrt(total)
    cov -= np.outer(gain, gain)
    # The observed row without cancellation: P_a - P_a P_aa / (P_aa + n) = P_a n / (P_aa + n).
    cov[:, arm] = cov[arm, :] = column * (noise / total)
    np.maximum(cov.diagonal(), 0.0, out=np.einsum("ii->i", cov))
    return state


def _condition(
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


def _check_arms(arms: np.ndarray, m: int) -> None:
    if arms.size and not (arms.min() >= 0 and arms.max() < m):
        raise ValueError(f"an arm must be an index 0..{m - 1}, got {arms.min()}..{arms.max()}")
