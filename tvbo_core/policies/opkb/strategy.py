r"""OP of OPKB: the compromise between arms that look good and arms that are unknown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tvbo_core.gp.optimal_design import TOLERANCE, Design, compromise


@dataclass(frozen=True, eq=False)
class Strategy:
    r"""Result of OP: half of it plays what looks good, half explores the arms that may be the best.

    Attributes:
        weights: (m,) $Q=(1-w)P^*+w\,\pi(A)$, $w=\frac12$ in the paper.
        near: (m,) bool, $A=\{x:\hat\Delta(x)\le2\alpha\gamma_T/\beta\}$.
        exploit: $P^*$.   explore: $\pi(A)$.
    """

    weights: np.ndarray
    near: np.ndarray
    exploit: Design
    explore: Design


def OP(
    gram: np.ndarray,
    gaps: np.ndarray,
    alpha: float,
    beta: float,
    whole: Design,
    ridge: float,
    mixture: float = 0.5,
    near: float | None = None,
    tolerance: float = TOLERANCE,
    start: np.ndarray | None = None,
) -> Strategy:
    r"""The strategy that weighs estimated gaps against ignorance.

    $P^*=\arg\min_P\sum P\hat\Delta-\frac2\beta\ln\det S(P,\rho)$,
    $A=\{x:\hat\Delta(x)\le2\alpha\gamma_T/\beta\}$, $Q=\frac12P^*+\frac12\pi(A)$.

    Args:
        gaps: (m,) $\hat\Delta\ge0$ with a 0.   alpha, beta: above 0.
        whole: the optimal design over all arms; $\gamma_T$ is taken as its log det plus its gap.
        ridge: $\rho=\sigma/T$.   mixture: w in (0, 1).   near: another limit of A's gaps.
        start: weights from which the search for $P^*$ begins.
    Source: Hong et al. (2023), Algorithm 1.
    """
    gain = whole.log_det + whole.gap
    limit = 2.0 * alpha * gain / beta if near is None else near
    exploit = compromise(gram, 0.5 * beta * gaps, ridge, None, tolerance, start)
    members = gaps <= limit
    explore = whole
    if not members.all():
        explore = compromise(gram, np.zeros(len(gram)), ridge, members, tolerance, whole.weights)
    weights = (1.0 - mixture) * exploit.weights + mixture * explore.weights
    return Strategy(weights, members, exploit, explore)
