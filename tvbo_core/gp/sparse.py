r"""The posterior from a few chosen points: subset of data, variational (Titsias), and the Nyström residual.

The guarantee quoted for side queries bounds the distance of the *variational* posterior, which hears all
rewards through the chosen points; the algorithm has the *subset-of-data* posterior, which hears only the
chosen ones. Both are here, beside the full posterior.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tvbo_core.gp.dense import posterior
from tvbo_core.gp.grid import grid_posterior
from tvbo_core.kernels import Kernel, as_points


@dataclass(frozen=True, eq=False)
class SparseSds:
    r"""Standard deviations at the same points from the same n observations, three ways.

    Attributes:
        full: (m,) posterior of all observations.
        variational: (m,) best approximation through the chosen points (Titsias); it may be below `full`.
        subset: (m,) posterior of the observations at the chosen points alone, never below the other two.
        residual: trace of the Nyström residual of all inputs, squared reward units; divided by the noise
            variance it bounds the expected KL divergence from `variational` to `full`, not from `subset`.
    """

    full: np.ndarray
    variational: np.ndarray
    subset: np.ndarray
    residual: float

    @property
    def variational_ratio(self) -> np.ndarray:
        """(m,) variance of `variational` divided by that of `full` (1 where that is 0)."""
        return _ratio(self.variational, self.full)

    @property
    def subset_ratio(self) -> np.ndarray:
        """(m,) variance of `subset` divided by that of `full` (1 where that is 0)."""
        return _ratio(self.subset, self.full)


def sparse_sds(kernel: Kernel, X: np.ndarray, chosen: np.ndarray, Z: np.ndarray, noise: float) -> SparseSds:
    r"""Standard deviations of f at Z after observations at X, at `chosen` only, and at X through `chosen`.

    With $\varphi$ the coordinates in the span of the chosen points, $\varphi(x)^\top\varphi(z)=k_S(x)^\top
    K_{SS}^+k_S(z)$, the variational variance is $k(z,z)-\|\varphi(z)\|^2
    +\varphi(z)^\top(I+\sigma^{-2}\Phi\Phi^\top)^{-1}\varphi(z)$, $\Phi=[\varphi(x_1)\dots\varphi(x_n)]$.

    Args:
        X: (n, d) inputs.   chosen: (k,) row numbers of X (repeats count once).   Z: (m, d).
        noise: variance $\sigma^2>0$ of every observation, squared reward units.
    Raises:
        ValueError: as `posterior`, the noise is not one number, or a chosen number is not a row of X.
    Source: Titsias (2009), eq. 10; Burt et al. (2020), sec. 2; Mauduit et al., eq. 20-21 and Prop. 3.2.
    """
    if np.ndim(noise) != 0:
        raise ValueError(f"noise must be one variance, got shape {np.shape(noise)}")
    X, Z = as_points(X, "X"), as_points(Z, "Z")
    chosen = _rows(chosen, len(X))
    S, silent = X[chosen], np.zeros(len(X))  # variances do not depend on the rewards
    _, full = posterior(kernel, X, silent, Z, noise)
    _, subset = posterior(kernel, S, silent[chosen], Z, noise)
    phi_X, phi_Z = coordinates(kernel(S, S), kernel(S, X)), coordinates(kernel(S, S), kernel(S, Z))
    variational = _variational(phi_X, phi_Z, kernel.diag(Z), np.full(len(X), float(noise)))
    return SparseSds(full, variational, subset, _left(kernel.diag(X), phi_X))


def grid_sparse_sds(
    gram: np.ndarray, arms: np.ndarray, chosen: np.ndarray, noise: float, full: np.ndarray | None = None
) -> SparseSds:
    """`sparse_sds` at every arm of a grid, at a cost set by the different arms among the observations.

    Args:
        gram: (m, m) prior covariance of the arms.   arms: (n,) arms observed, repeats count each time.
        chosen: (k,) arm numbers of the chosen points, each observed once.   noise: variance $\\sigma^2>0$.
        full: (m,) sd of the posterior of all observations, where it is known already.
    Raises:
        ValueError: as `grid_posterior`, or the noise is not one number.
    """
    if np.ndim(noise) != 0:
        raise ValueError(f"noise must be one variance, got shape {np.shape(noise)}")
    chosen, silent = np.unique(np.asarray(chosen, dtype=np.intp)), np.zeros(len(arms))
    if full is None:
        _, full = grid_posterior(gram, arms, silent, noise)
    _, subset = grid_posterior(gram, chosen, silent[: len(chosen)], noise)
    distinct, count = np.unique(np.asarray(arms, dtype=np.intp), return_counts=True)
    phi = coordinates(gram[np.ix_(chosen, chosen)], gram[chosen])
    variational = _variational(phi[:, distinct], phi, gram.diagonal(), noise / count)
    return SparseSds(full, variational, subset, float(count @ nystrom_left(gram, chosen)[distinct]))


def nystrom_left(gram: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """(m,) prior variance of every arm of a grid that the chosen arms leave unexplained.

    Args:
        gram: (m, m) covariance of the arms.   chosen: (k,) arm numbers (repeats count once).
    """
    chosen = np.unique(np.asarray(chosen, dtype=np.intp))
    phi = coordinates(gram[np.ix_(chosen, chosen)], gram[chosen])
    return np.maximum(gram.diagonal() - np.einsum("rn,rn->n", phi, phi), 0.0)


def _ratio(sd: np.ndarray, full: np.ndarray) -> np.ndarray:
    return np.divide(sd, full, out=np.ones_like(full), where=full > 0) ** 2


def _variational(phi_X: np.ndarray, phi_Z: np.ndarray, prior: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """(m,) sd at Z from observations X of variances (n,) through the span of the chosen points."""
    A = np.eye(len(phi_X)) + (phi_X / noise) @ phi_X.T
    kept = np.einsum("rm,rm->m", phi_Z, np.linalg.solve(A, phi_Z) if len(A) else phi_Z)
    left = np.maximum(prior - np.einsum("rm,rm->m", phi_Z, phi_Z), 0.0)
    return np.sqrt(left + np.maximum(kept, 0.0))


def _left(variances: np.ndarray, phi: np.ndarray) -> float:
    return float(np.maximum(variances - np.einsum("rn,rn->n", phi, phi), 0.0).sum())


def coordinates(Kss: np.ndarray, Ksx: np.ndarray) -> np.ndarray:
    r"""(r, n) coordinates $\Lambda^{-1/2}U^\top k_S(x)$ in the span of the chosen points, of dimension r."""
    if not Kss.size:
        return np.empty((0, Ksx.shape[1]))
    values, U = np.linalg.eigh(Kss)
    # Below this an eigenvalue is the rounding error of the largest: the pseudo-inverse leaves it out.
    kept = values > len(values) * np.finfo(float).eps * max(values[-1], 0.0)
    return (U[:, kept].T @ Ksx) / np.sqrt(values[kept])[:, None]


def _rows(chosen: np.ndarray, n: int) -> np.ndarray:
    rows = np.asarray(chosen)
    if rows.ndim != 1 or (rows.size and (rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= n)):
        raise ValueError(f"chosen must hold whole numbers from 0 to {n - 1}")
    return np.unique(rows.astype(np.intp))


def variational_posterior(
    kernel: Kernel, X: np.ndarray, y: np.ndarray, S: np.ndarray, Z: np.ndarray, noise: float | np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    r"""Mean and standard deviation of f at Z from observations at X, heard through the points S.

    $\mu(z)=k_S(z)^\top(K_{SS}+K_{SX}N^{-1}K_{XS})^{-1}K_{SX}N^{-1}y$,
    $s^2(z)=k(z,z)-k_S(z)^\top K_{SS}^{-1}k_S(z)+k_S(z)^\top(K_{SS}+K_{SX}N^{-1}K_{XS})^{-1}k_S(z)$.

    Args:
        X: (n, d) inputs, n may be 0.   y: (n,) rewards.   S: (k, d) inducing points, k may be 0.   Z: (m, d).
        noise: variance of each observation, a scalar or (n,).
    Returns:
        mean (m,) and sd (m,), reward units.
    Raises:
        ValueError: shapes disagree, a reward is not finite, or a variance is not positive and finite.
    Source: Titsias (2009), eq. 6 and 10, with one variance an observation.
    """
    X, S, Z = as_points(X, "X"), as_points(S, "S"), as_points(Z, "Z")
    y, variances = np.asarray(y, dtype=float), np.broadcast_to(np.asarray(noise, dtype=float), (len(X),))
    if y.shape != (len(X),) or not np.isfinite(y).all():
        raise ValueError(f"y must be {len(X)} finite rewards, got shape {y.shape}")
    if not ((variances > 0) & np.isfinite(variances)).all():
        raise ValueError("every noise variance must be positive and finite")
    Kss = kernel(S, S)
    phi_X, phi_Z = coordinates(Kss, kernel(S, X)), coordinates(Kss, kernel(S, Z))
    A = np.eye(len(phi_X)) + (phi_X / variances) @ phi_X.T
    left = np.maximum(kernel.diag(Z) - np.einsum("rm,rm->m", phi_Z, phi_Z), 0.0)
    if not len(A):
        return np.zeros(len(Z)), np.sqrt(left)
    B = np.linalg.solve(A, phi_Z)
    kept = np.maximum(np.einsum("rm,rm->m", phi_Z, B), 0.0)
    return B.T @ (phi_X @ (y / variances)), np.sqrt(left + kept)
