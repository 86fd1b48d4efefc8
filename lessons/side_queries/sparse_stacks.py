r"""The two sparse posteriors of many windows at once: by the time that has passed, and by the number of points.

The numbers are those of `tvbo_core.gp.sparse`, one window and one set of points at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.linalg.lapack import dtrtrs

from tvbo_core.gp.dense import factor
from tvbo_core.gp.grid import grid_posterior
from tvbo_core.gp.kdpp import KDPP
from tvbo_core.gp.sparse import SparseSds


def stacked_sparse_sds(
    gram: np.ndarray, counts: np.ndarray, sets: Sequence[np.ndarray], noise: float, full: np.ndarray
) -> list[SparseSds]:
    r"""`grid_sparse_sds` of several sets of chosen arms at once.

    One eigendecomposition a set serves the span and the subset: $K_{SS}=U\Lambda U^\top$ and
    $k_S^\top(K_{SS}+\sigma^2I)^{-1}k_S=\sum_i(U^\top k_S)_i^2/(\lambda_i+\sigma^2)$.

    Args:
        gram: (m, m) prior covariance of the arms.   counts: (J, m) how often each arm was observed.
        sets: of each of J the chosen arms (repeats count once).   noise: variance $\sigma^2>0$.
        full: (J, m) sd of the posterior of all observations, see `growing_sds`.
    Raises:
        ValueError: the noise is not one positive number.
    """
    if np.ndim(noise) != 0 or not noise > 0:
        raise ValueError(f"noise must be one positive variance, got {noise!r}")
    prior, subset, variational = gram.diagonal(), np.empty(full.shape), np.empty(full.shape)
    left = np.empty(full.shape)
    for at, values, inner in _spectra(gram, sets):
        subset[at] = prior - np.einsum("jkm,jk->jm", inner**2, 1.0 / (np.maximum(values, 0.0) + noise))
        phi = _spanned(values, inner)
        left[at] = _unexplained(prior, phi)
        A = np.eye(phi.shape[1]) + (phi * (counts[at] / noise)[:, None]) @ phi.transpose(0, 2, 1)
        variational[at] = left[at] + np.maximum(np.einsum("jkm,jkm->jm", phi, np.linalg.solve(A, phi)), 0.0)
    residual = np.einsum("jm,jm->j", counts, left)
    sds = zip(full, np.sqrt(variational), np.sqrt(np.maximum(subset, 0.0)), residual.tolist(), strict=True)
    return [SparseSds(*four) for four in sds]


def growing_sds(gram: np.ndarray, arms: np.ndarray, stops: Sequence[int], noise: float) -> np.ndarray:
    r"""(J, m) posterior sd of all arms of a grid after the first s observations, for every s of `stops`.

    What is new since the last stop updates its covariance: $P\leftarrow P-P_{\cdot S}(P_{SS}+N)^{-1}P_{S\cdot}$.

    Args:
        gram: (m, m) prior covariance.   arms: (n,) observed.   stops: increasing.   noise: $\sigma^2>0$.
    Raises:
        ValueError: as `factor`.
    """
    P, found = np.array(gram, dtype=float), []
    for start, end in pairwise([0, *stops]):
        count = np.bincount(arms[start:end], minlength=len(P))
        new = np.flatnonzero(count)
        L, scale = factor(P[new[:, None], new], noise / count[new])
        V = dtrtrs(L, scale[:, None] * P[new], lower=1)[0] if len(new) else P[new]
        P -= V.T @ V
        found.append(np.sqrt(np.maximum(P.diagonal(), 0.0)))
    return np.array(found).reshape(-1, len(P))


@dataclass(frozen=True, eq=False)
class SparseBySize:
    r"""Distance of the two sparse posteriors from the full one, by the number of chosen points.

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
) -> SparseBySize:
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
    return SparseBySize(*np.array(rows, dtype=float).reshape(-1, 4).T)


def stacked_nystrom_left(gram: np.ndarray, sets: Sequence[np.ndarray]) -> np.ndarray:
    """(J, m) `nystrom_left` of J sets of chosen arms."""
    left = np.empty((len(sets), len(gram)))
    for at, values, inner in _spectra(gram, sets):
        left[at] = _unexplained(gram.diagonal(), _spanned(values, inner))
    return left


def _spectra(gram: np.ndarray, sets: Sequence[np.ndarray]) -> Iterator[tuple[list[int], np.ndarray, np.ndarray]]:
    r"""Yield for each size k the indices of its sets, eigenvalues (j, k) of $K_{SS}$ and $U^\top k_S$ (j, k, m)."""
    chosen = [np.unique(np.asarray(one, dtype=np.intp)) for one in sets]
    by_size: dict[int, list[int]] = {}
    for j, one in enumerate(chosen):
        by_size.setdefault(len(one), []).append(j)
    for at in by_size.values():
        S = np.array([chosen[j] for j in at])
        values, U = np.linalg.eigh(gram[S[:, :, None], S[:, None, :]])
        yield at, values, U.transpose(0, 2, 1) @ gram[S]


def _spanned(values: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """`coordinates` (j, k, m) of a stack, with rows of zeros for what the pseudo-inverse leaves out."""
    kept = values > values.shape[1] * np.finfo(float).eps * values.max(axis=1, keepdims=True, initial=0.0)
    return np.where(kept, 1.0 / np.sqrt(np.where(kept, values, 1.0)), 0.0)[:, :, None] * inner


def _unexplained(prior: np.ndarray, phi: np.ndarray) -> np.ndarray:
    return np.maximum(prior - np.einsum("jkm,jkm->jm", phi, phi), 0.0)
