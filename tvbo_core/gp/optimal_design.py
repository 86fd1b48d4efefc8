r"""Optimal designs (how often to ask each arm), and the compromise between what looks good and what is
unknown.

With features $\varphi$ of the kernel, $\Phi\Phi^\top=K$, and
$S(P,\rho)=\sum_xP(x)\varphi(x)\varphi(x)^\top+\rho I$, all that is needed are the inner products
$\varphi(x)^\top S(P,\rho)^{-1}\varphi(z)$. They are $1/\rho$ times the posterior covariance after one
pseudo-observation of every arm with noise variance $\rho/P(x)$ (derived here), so no feature is ever formed.
$\rho=\sigma/T$ in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from tvbo_core.gp.dense import factor
from tvbo_core.validation import is_positive

TOLERANCE = 1e-3  # of the information gain: what a better solution could still gain
MAX_STEPS = 20_000  # a solution that is not within tolerance by then is returned with the gap that it has
REFRESH_STEPS = 200  # steps between two products computed anew, so that rounding does not add up
LEAST_WEIGHT = 1e-14  # a probability below it is rounding left over from a step that should have emptied the arm


@dataclass(frozen=True, eq=False)
class Design:
    r"""A distribution over arms that nearly solves $\min_P\sum_xP(x)c(x)-\ln\det S(P,\rho)$ over some arms.

    Attributes:
        weights: (m,) probabilities P, 0 outside the arms that were allowed.
        leverage: (m,) $\ell_P(x)=\varphi(x)^\top S(P,\rho)^{-1}\varphi(x)$ of all arms.
        log_det: $\ln\det(S(P,\rho)/\rho)=\ln\det(I+\frac1\rho\sum_xP(x)\varphi(x)\varphi(x)^\top)$, nats.
        gap: certified: no distribution is better by more than this (duality gap of the linearised problem).
    """

    weights: np.ndarray
    leverage: np.ndarray
    log_det: float
    gap: float


def products(gram: np.ndarray, weights: np.ndarray, ridge: float) -> np.ndarray:
    r"""All $\varphi(x)^\top S(P,\rho)^{-1}\varphi(z)$, from the posterior covariance with noise $\rho/P(x)$.

    Args:
        gram: (m, m) prior covariance.   weights: (m,) P, at least 0.   ridge: $\rho>0$.
    Returns:
        (m, m).
    Raises:
        ValueError: the ridge is not positive and finite, or too small for the kernel.
    Source: identity derived here; Hong et al. (2023) write the same with features.
    """
    return _products(gram, weights, ridge)[0]


def optimal_design(
    gram: np.ndarray, ridge: float, among: np.ndarray | None = None, tolerance: float = TOLERANCE
) -> Design:
    r"""The design that asks what is least known: $\pi(A)=\arg\max_{P\text{ on }A}\ln\det S(P,\rho)$.

    At the optimum $\max_{x\in A}\ell_\pi(x)=\sum_x\pi(x)\ell_\pi(x)\le\ln\det(S(\pi,\rho)/\rho)$.

    Args:
        gram: (m, m).   ridge: $\rho>0$.   among: (m,) bool, the arms A; all when None.
        tolerance: share of the log det that a better design may gain.
    Raises:
        ValueError: A is empty, the ridge or the tolerance is not positive, or the ridge is too small.
    Source: Hong et al. (2023), sec. 4; equivalence theorem of Kiefer & Wolfowitz (1960).
    """
    return compromise(gram, np.zeros(len(gram)), ridge, among, tolerance)


def compromise(
    gram: np.ndarray,
    cost: np.ndarray,
    ridge: float,
    among: np.ndarray | None = None,
    tolerance: float = TOLERANCE,
    start: np.ndarray | None = None,
) -> Design:
    r"""The P that minimises $\sum_xP(x)c(x)-\ln\det S(P,\rho)$ over distributions on A, with its certificate.

    Pairwise Frank-Wolfe: each step moves probability from the arm of the support with the largest gradient
    $\nabla_x=c(x)-\ell_P(x)$ to the arm with the smallest one, by the exact minimiser along that line. It
    stops on the gap $\langle P,\nabla\rangle-\min\nabla$, which bounds what is left to gain.

    Args:
        cost: (m,) c; with $c=\frac\beta2\hat\Delta$ this is $P^*$ of the paper's OP.
        start: (m,) weights to begin with, uniform when None; what they put outside A is left out.
        Others as `optimal_design`.
    Raises:
        ValueError: as `optimal_design`.
    Source: Hong et al. (2023), Algorithm 1 (OP); steps of Lacoste-Julien & Jaggi (2015), line search derived
        here.
    """
    if not (is_positive(ridge) and is_positive(tolerance)):
        raise ValueError(f"ridge and tolerance must be positive and finite, got {ridge!r} and {tolerance!r}")
    arms = np.arange(len(gram)) if among is None else np.flatnonzero(among)
    if len(arms) == 0:
        raise ValueError("a design needs at least one arm")
    local = gram if len(arms) == len(gram) else gram[np.ix_(arms, arms)]
    weights = np.zeros(len(gram))
    begin = np.ones(len(arms)) if start is None or not start[arms].sum() > 0 else start[arms]
    cost_there = np.asarray(cost, dtype=float)[arms]
    weights[arms] = _minimise(local, cost_there, ridge, tolerance, begin / begin.sum())
    M, log_det = _products(gram, weights, ridge)
    gradient = (cost - M.diagonal())[arms]
    gap = float(weights[arms] @ gradient - gradient.min())
    return Design(weights, M.diagonal().copy(), log_det, max(gap, 0.0))


def _products(gram: np.ndarray, weights: np.ndarray, ridge: float) -> tuple[np.ndarray, float]:
    r"""`products`, and $\ln\det(S(P,\rho)/\rho)$."""
    support = np.flatnonzero(weights > 0)
    L, scale = factor(gram[np.ix_(support, support)], ridge / weights[support])
    V = solve_triangular(L, scale[:, None] * gram[support], lower=True, check_finite=False)
    return (gram - V.T @ V) / ridge, 2.0 * float(np.log(L.diagonal()).sum())


def _minimise(gram: np.ndarray, cost: np.ndarray, ridge: float, tolerance: float, weights: np.ndarray) -> np.ndarray:
    """The weights that `compromise` looks for, over all arms of this table, from these ones on."""
    for step in range(MAX_STEPS):
        if step % REFRESH_STEPS == 0:
            M, log_det = _products(gram, weights, ridge)
        gradient = cost - M.diagonal()
        best = int(gradient.argmin())
        if weights @ gradient - gradient[best] <= tolerance * log_det:
            break
        worst = int(np.where(weights > 0, gradient, -np.inf).argmax())
        if worst == best:  # one arm holds everything and is the best: only rounding keeps the gap up
            break
        moved = _line_search(M, cost, worst, best, weights[worst])
        weights[best] += moved
        weights[worst] -= moved
        if weights[worst] < LEAST_WEIGHT:
            weights[worst] = 0.0
        log_det += _add(M, best, moved)
        log_det += _add(M, worst, -moved)
    return weights / weights.sum()


def _line_search(M: np.ndarray, cost: np.ndarray, worst: int, best: int, available: float) -> float:
    r"""Probability g to move: the minimiser on [0, available] of the convex function

    $dg-\ln[(1+g\ell_b)(1-g\ell_w)+g^2\ell_{bw}^2]=dg-\ln(1+sg-qg^2)$, $d=c_b-c_w$, $s=\ell_b-\ell_w$,
    $q=\ell_b\ell_w-\ell_{bw}^2$: the stable root of $dq\,g^2-(ds+2q)g+(s-d)=0$.
    """
    d = cost[best] - cost[worst]
    s = M[best, best] - M[worst, worst]
    q = max(M[best, best] * M[worst, worst] - M[best, worst] ** 2, 0.0)
    middle = d * s + 2.0 * q
    denominator = middle + np.sqrt(max(middle * middle - 4.0 * d * q * (s - d), 0.0))
    if 2.0 * (s - d) >= available * denominator:  # also when nothing stops the step (denominator 0)
        return float(available)
    return float(max(2.0 * (s - d) / denominator, 0.0))


def _add(M: np.ndarray, arm: int, weight: float) -> float:
    r"""Change the weight of one arm in the products, in place; returns the change of ln det S."""
    column = M[:, arm].copy()
    total = 1.0 + weight * column[arm]  # Sherman & Morrison
    M -= np.outer(column, column * (weight / total))
    return float(np.log(total))
