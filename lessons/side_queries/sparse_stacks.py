"""The Nyström residual of many sets of points at once; `tvbo_core.gp.sparse` has it for one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def stacked_nystrom_left(gram: np.ndarray, sets: Sequence[np.ndarray]) -> np.ndarray:
    r"""(J, m) `nystrom_left` of J sets of chosen arms; sets of one size share a stack of eigendecompositions.

    With $K_{SS}=U\Lambda U^\top$ it is $k(x,x)-\sum_i(U^\top k_S(x))_i^2/\lambda_i$, without the rows that the
    pseudo-inverse leaves out.
    """
    chosen = [np.unique(np.asarray(one, dtype=np.intp)) for one in sets]
    by_size: dict[int, list[int]] = {}
    for j, one in enumerate(chosen):
        by_size.setdefault(len(one), []).append(j)
    left = np.empty((len(sets), len(gram)))
    for at in by_size.values():
        S = np.array([chosen[j] for j in at])
        values, U = np.linalg.eigh(gram[S[:, :, None], S[:, None, :]])
        kept = values > values.shape[1] * np.finfo(float).eps * values.max(axis=1, keepdims=True, initial=0.0)
        roots = np.where(kept, 1.0 / np.sqrt(np.where(kept, values, 1.0)), 0.0)
        phi = roots[:, :, None] * (U.transpose(0, 2, 1) @ gram[S])
        left[at] = np.maximum(gram.diagonal() - np.einsum("jkm,jkm->jm", phi, phi), 0.0)
    return left
