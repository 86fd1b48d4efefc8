r"""A reward by a few chosen points: its coordinates in their span, and the rest that they leave open."""

from __future__ import annotations

import numpy as np


def coordinates(gram: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    r"""Return (r, m) coordinates $\Lambda^{-1/2}U^\top k_S(x)$ of every arm in the span of the chosen, of dimension r.

    Args:
        gram: (m, m) prior covariance of the arms.   chosen: (k,) arm numbers; repeats count once.
    """
    chosen = np.unique(np.asarray(chosen, dtype=np.intp))
    if not len(chosen):
        return np.empty((0, len(gram)))
    values, U = np.linalg.eigh(gram[np.ix_(chosen, chosen)])
    # Below this an eigenvalue is the rounding error of the largest: the pseudo-inverse leaves it out.
    kept = values > len(values) * np.finfo(float).eps * max(values[-1], 0.0)
    return (U[:, kept].T @ gram[chosen]) / np.sqrt(values[kept])[:, None]


def nystrom_left(gram: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """Return (m,) the prior variance of every arm that chosen arms with these coordinates leave unexplained."""
    return np.maximum(gram.diagonal() - np.einsum("rn,rn->n", phi, phi), 0.0)
