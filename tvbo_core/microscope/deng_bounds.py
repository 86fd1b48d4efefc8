r"""Deng et al. (WGP-UCB), what the regret bound stands on: features instead of a kernel, and gains by eigenvalues."""

from __future__ import annotations

import numpy as np

from tvbo_core.gp.information_gain import discount_weights, weighted_gain_bounds
from tvbo_core.kernels import SquaredExponential
from tvbo_core.microscope.record import (
    LEVEL,
    MEASURED,
    OTHER,
    PRINTED,
    READ,
    Line,
    MicroscopeResult,
    MicroscopeSetting,
    nearest,
    on_sweep,
)
from tvbo_core.theory.gains import GAINS, mercer
from tvbo_core.theory.qff import Quadrature

LENGTHSCALE, MOST_NODES = 0.2, 36  # beyond, rounding is larger than the bound


def features(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""Largest error of quadrature features on [0, 1] beside Lemma 14, over the nodes $\bar m$."""
    distance = np.linspace(0.0, 1.0, 201)
    kernel = SquaredExponential(LENGTHSCALE)(distance[:, None], np.zeros((1, 1)))[:, 0]
    made, bounds = [], []
    for nodes in range(1, MOST_NODES + 1):
        quadrature = Quadrature(nodes, 1, LENGTHSCALE)
        omega, v = quadrature.frequencies()
        made.append(np.cos(np.outer(distance, omega[:, 0])) @ v)  # cos a cos b + sin a sin b = cos(a - b)
        bounds.append(quadrature.error)
    approximate = np.array(made)
    error = np.abs(approximate - kernel).max(axis=1)
    sweep = np.arange(1.0, MOST_NODES + 1)
    curves = {("largest error", MEASURED): error, ("Lemma 14", READ): np.array(bounds), ("k(x, x)", LEVEL): 1.0}
    return MicroscopeResult(
        "deng-14", sweep, on_sweep(sweep, curves),
        (Line("kernel", MEASURED, distance, kernel), Line("features", READ, distance, approximate)),
        f"[0, 1], SE ℓ = {LENGTHSCALE:g}, {len(distance)} distances", tells=nearest(sweep, 12.0),
    )  # fmt: skip


GRID, ROUNDS, RIDGE, MOST_TERMS = 40, 150, 0.1, 24


def eigenvalue_bounds(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""The largest gain with double weights beside Theorems 6 and 7 and Corollary 8, over the memory."""
    x = np.linspace(0.0, 1.0, GRID)[:, None]
    gram = SquaredExponential(LENGTHSCALE)(x, x)
    expansion = mercer(gram, RIDGE)
    memory = np.geomspace(2.0, 100.0, 25)
    gammas = 1.0 - 1.0 / memory
    largest = np.array([weighted_gain_bounds(gram, ROUNDS, RIDGE, g, twice=True).lower for g in gammas])
    masses = 1.0 / (1.0 - gammas**2)
    theorem = np.array([GAINS["deng-7"].bound(expansion, float(m)) for m in masses])
    corollary = np.array([GAINS["deng-8-exponential"].bound(expansion, float(m)) for m in masses])
    N = np.arange(1.0, MOST_TERMS + 1)
    tails = expansion.peak**2 * (expansion.eigenvalues.sum() - np.cumsum(expansion.eigenvalues)[:MOST_TERMS])
    share = masses[:, None] / RIDGE
    by_terms = 0.5 * N * np.log1p(share / N) + 0.5 * share * np.maximum(tails, 0.0)
    curves = {("greedy design", MEASURED): largest, ("Theorem 7", READ): theorem, ("Corollary 8", PRINTED): corollary,
              ("Theorem 6", OTHER): GAINS["deng-6"].bound(expansion, float(ROUNDS))}  # fmt: skip
    seen = np.array([discount_weights(ROUNDS, g, twice=True).sum() for g in gammas])
    return MicroscopeResult(
        "deng-7", memory, on_sweep(memory, curves),
        (Line("by N terms", READ, N, by_terms),
         Line("greedy design", MEASURED, N, largest[:, None] * np.ones(MOST_TERMS))),
        f"{GRID} places of [0, 1], SE ℓ = {LENGTHSCALE:g}, λ = {RIDGE:g}, T = {ROUNDS}; the gain is the greedy "
        "design's, sure of half the largest", {"weight": seen}, tells=nearest(memory, 10.0),
    )  # fmt: skip
