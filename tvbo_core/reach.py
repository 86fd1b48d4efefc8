r"""Values that functions of the confidence set surely take: CMM's band seen from inside.

The set is $\{f:\|f(X)-y\|^2\le R_t^2,\ \|f\|_{\mathcal H}\le B\}$ (Flynn & Reeb, sec. 4). From a regularised mean
$\mu_\alpha$ inside it one may walk along the posterior covariance $k_\alpha(\cdot,z)$ until one of the two
conditions holds with equality, by a quadratic equation each. What is reached at z is no more than the upper bound
there, and what is reached on the way back no less than the lower one; everything in between is taken as well, for
the set is convex. Derived here: the papers bound the band from outside only.
"""

from __future__ import annotations

import numpy as np

from tvbo_core.dual import Dual

ROOM = 1e-9  # relative: how far inside the set one stays, because of rounding


def reach(dual: Dual) -> tuple[np.ndarray, np.ndarray] | None:
    r"""(m,) smallest and largest values reached at the points.

    None when the set is empty, or when no mean on the grid of alphas lies in it. At each $\alpha$ of the grid, with
    $w=1/(\lambda+\alpha)$, $q=Q^\top y$, $c=Q^\top k(z)$ and the direction
    $u=k_\alpha(\cdot,z)$: $\|\mu_\alpha(X)-y\|^2=\sum\alpha^2w^2q^2$, $\|\mu_\alpha\|^2=\sum\lambda w^2q^2$,
    $\|u(X)\|^2=\sum\alpha^2w^2c^2$, $\|u\|^2=k(z,z)-2\sum wc^2+\sum\lambda w^2c^2$,
    $\langle\mu_\alpha(X)-y,u(X)\rangle=-\sum\alpha^2w^2qc$, $\langle\mu_\alpha,u\rangle=\sum\alpha w^2qc$.
    """
    if dual.emptiest()[1]:
        return None
    spec, alpha = dual.spec, dual.coarse
    w = 1.0 / (spec.eigenvalues + alpha[:, None])
    error = dual.evidence + dual.anchor * (spec.y_rot**2 @ (1.0 / (spec.eigenvalues + dual.anchor)))
    square = (alpha[:, None] * w) ** 2
    left = error * (1.0 - ROOM) - square @ spec.y_rot**2, dual.B**2 * (1.0 - ROOM) - w**2 @ dual.norm_weight
    inside = (left[0] > 0) & (left[1] > 0)
    if not inside.any():
        return None
    alpha, w, square = alpha[inside], w[inside], square[inside]
    mean, variance = (w * spec.y_rot) @ spec.cross, spec.variance(w, alpha)
    grows = square @ spec.cross_sq, spec.beyond + square @ spec.within  # a sum of positive terms: nothing cancels
    leans = -(square * spec.y_rot) @ spec.cross, (alpha[:, None] * w**2 * spec.y_rot) @ spec.cross
    ends = []
    for way in (1.0, -1.0):
        steps = [_step(a, way * b, c[inside, None]) for a, b, c in zip(grows, leans, left, strict=True)]
        ends.append(mean + way * np.minimum(*steps) * variance)
    return ends[1].min(axis=0), ends[0].max(axis=0)


def _step(grows: np.ndarray, leans: np.ndarray, left: np.ndarray) -> np.ndarray:
    """The largest s with grows s^2 + 2 leans s <= left, where left > 0; 0 where every s will do."""
    root = np.sqrt(leans**2 + grows * left)
    up, down = leans + root, root - leans
    with np.errstate(divide="ignore", invalid="ignore"):
        # Two forms of the same root, so that two numbers of the same size are never subtracted.
        step = np.where(leans > 0, left / up, down / grows)
    return np.where(np.isfinite(step), step, 0.0)
