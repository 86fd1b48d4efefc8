"""The curve UCB(alpha) behind DMM and CMM at one point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tvbo_core.bands import CMM, DMM
from tvbo_core.bands.dual import Dual
from tvbo_core.bands.dual_search import minimise, smallest_radius
from tvbo_core.gp.spectral import Spectrum

POINTS = 241  # of a curve


@dataclass(frozen=True, eq=False)
class UCBCurve:
    r"""The bound at one point as a function of the regulariser: every point of the curve is a valid bound.

    Attributes:
        side: 1 for the upper bound, -1 for the lower (then the best is the highest point).
        alpha, value: (p,) $\mu_\alpha\pm\tilde R_\alpha\rho_\alpha/\sqrt\alpha$ over a log grid.
        radius_sq: (p,) $\tilde R_\alpha^2$; negative somewhere means that no function fits.
        grid_alpha, grid_value, grid_radius_sq: (5,) the same at DMM's regularisers.
        best_alpha, best_value: CMM's bound; best_alpha is inf when the norm bound alone is best.
        ceiling: $\pm B\sqrt{k(z,z)}$, the limit of the curve for alpha to inf.
        empty: True when no function satisfies the assumptions and the data; the curve then promises nothing
            (where radius_sq < 0 its value is the mean alone).
    """

    side: int
    alpha: np.ndarray
    value: np.ndarray
    radius_sq: np.ndarray
    grid_alpha: np.ndarray
    grid_value: np.ndarray
    grid_radius_sq: np.ndarray
    best_alpha: float
    best_value: float
    ceiling: float
    empty: bool


def ucb_curve(band: CMM, spec: Spectrum, j: int, side: int = 1) -> UCBCurve:
    r"""Return the curve of a bound at point j: UCB(alpha) for side 1, LCB(alpha) for side -1.

    It runs from two decades below the regularisers that matter (those of DMM and the best one) to four decades above
    them, inside the dual's own span.
    """
    dual = band.dual(spec.at(j))
    ceiling = side * dual.B * float(np.sqrt(dual.spec.prior[0]))
    minimum = minimise(dual) if dual.spec.n else None
    row = 0 if side > 0 else 1
    best = np.inf if minimum is None or minimum.value[row, 0] >= abs(ceiling) else float(minimum.alpha[row, 0])
    grid = np.array(DMM.multiples) * dual.anchor
    grid = grid[grid >= dual.span[0]]
    low, high = dual.span
    marks = np.append(grid, best if np.isfinite(best) else dual.anchor)
    alpha = np.geomspace(max(low, marks.min() / 100), max(low * 10, min(high, marks.max() * 1e4)), POINTS)
    value, radius_sq = _at(dual, side, alpha)
    grid_value, grid_radius_sq = _at(dual, side, grid)
    return UCBCurve(
        side=side,
        alpha=alpha,
        value=value,
        radius_sq=radius_sq,
        grid_alpha=grid,
        grid_value=grid_value,
        grid_radius_sq=grid_radius_sq,
        best_alpha=best,
        best_value=ceiling if minimum is None or np.isinf(best) else side * float(minimum.value[row, 0]),
        ceiling=ceiling,
        empty=dual.spec.n > 0 and smallest_radius(dual)[1],
    )


def _at(dual: Dual, side: int, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    mean, spread = dual.evaluate(alpha)
    radius_sq = dual.radius_sq(alpha, 1.0 / (dual.spec.eigenvalues + alpha[:, None]))
    return (mean + side * spread)[:, 0], radius_sq
