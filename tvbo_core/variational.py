r"""The variational posterior (Titsias): all rewards, heard through a few chosen points.

With $U=\mathrm{span}\{k(\cdot,x):x\in S\}$ and $\varphi$ coordinates in it, it replaces $f$ on the observations
by its projection on $U$: $\mu(z)=\varphi(z)^\top A^{-1}\Phi N^{-1}y$, $A=I+\Phi N^{-1}\Phi^\top$. The guarantee
that is quoted for side queries is about this posterior; the algorithm uses the observations at $S$ alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tvbo_core.gp import grid_posterior
from tvbo_core.kdpp import KDPP
from tvbo_core.kernels import Kernel, as_points
from tvbo_core.sparse import coordinates, stacked_sparse_sds


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


@dataclass(frozen=True, eq=False)
class Sizes:
    r"""How far the two sparse posteriors are from the full one, by the number of chosen points.

    Attributes:
        sizes: (J,) number of points.   residual: (J,) Nyström residual trace over the noise variance.
        subset, variational: (J,) variance ratio to the full posterior, the largest over the arms.
    """

    sizes: np.ndarray
    residual: np.ndarray
    subset: np.ndarray
    variational: np.ndarray


def by_size(
    gram: np.ndarray,
    arms: np.ndarray,
    noise: float,
    picker: str,
    rng: np.random.Generator,
    most: int = 20,
    draws: int = 5,
) -> Sizes:
    r"""The ratios for 1, 2, ... chosen points among the arms observed: medians over draws.

    Args:
        gram: (m, m) prior covariance of the arms.   arms: (n,) observed, n >= 1.   noise: $\sigma^2>0$.
        picker: see `kdpp`.   most: largest number of points; fewer when there are fewer independent arms.
    """
    distinct = np.unique(arms)
    points = KDPP(gram[np.ix_(distinct, distinct)])
    counts = np.tile(np.bincount(arms, minlength=len(gram)), (draws, 1))
    full = np.tile(grid_posterior(gram, arms, np.zeros(len(arms)), noise)[1], (draws, 1))
    rows = []
    for size in range(1, min(most, len(distinct)) + 1):
        sets = [distinct[picks] for picks in points.draws(draws, size, rng, picker, 1000)]
        if len(sets[0]) < size:
            break  # the rank of the covariance: there are no more independent points
        found = stacked_sparse_sds(gram, counts, sets, noise, full)
        ratios = [(s.residual / noise, s.subset_ratio.max(), s.variational_ratio.max()) for s in found]
        rows.append((size, *np.median(ratios, axis=0)))
    return Sizes(*np.array(rows, dtype=float).reshape(-1, 4).T)
