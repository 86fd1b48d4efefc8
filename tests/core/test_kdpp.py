"""k-determinantal point processes: their law, their greedy form, their lots."""

from __future__ import annotations

from itertools import combinations
from math import lgamma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from tests.strategies import LAW, kernels, points
from tvbo_core.gp.kdpp import KDPP, kdpp, log_symmetric
from tvbo_core.kernels import Matern

# --- kdpp ------------------------------------------------------------

METHODS = ["exact", "mcmc", "greedy", "random"]


def covariance(n, seed, d=2):
    """Covariance of n random points: well conditioned, no two of a size."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, d))
    scale = rng.uniform(0.5, 2.0, n)
    return scale[:, None] * Matern(0.5, 1.0)(X, X) * scale


def subset_chances(K, k):
    """Every k-set with det K_ZZ / sum of dets, by going through all of them."""
    sets = list(combinations(range(len(K)), k))
    dets = np.array([np.linalg.det(K[np.ix_(Z, Z)]) for Z in sets])
    return sets, dets / dets.sum(), dets.sum()


def misfit(draws, sets, chances):
    """Return why draws do not have these chances, "" where they may: their counts beside the expected ones.

    Chi-square of what 99.99 % of honest samplers show (the seed is fixed).
    """
    if impossible := sorted({tuple(map(int, draw)) for draw in draws} - set(sets)):
        return f"drawn, though their chance is 0: {impossible}"
    expected = len(draws) * np.asarray(chances)
    counts = np.array([draws.count(Z) for Z in sets])
    found, limit = ((counts - expected) ** 2 / expected).sum(), chi2.ppf(0.9999, max(len(sets) - 1, 1))
    if found < limit:
        return ""
    rows = [f"{Z}: {n} drawn, {e:.0f} expected" for Z, n, e in zip(sets, counts, expected, strict=True)]
    return "\n".join([f"chi-square {found:.0f} is above {limit:.0f}", *rows])


def test_huge_symmetric_polynomials_keep_their_logarithms():
    logs = log_symmetric(np.full(400, 1e6), 300)[-1]
    expected = [lgamma(401) - lgamma(k + 1) - lgamma(401 - k) + k * np.log(1e6) for k in range(301)]
    assert logs == pytest.approx(np.array(expected), rel=1e-9)
    assert log_symmetric(np.array([0.0, 2.0, 0.0]), 3)[-1].tolist() == [0.0, np.log(2.0), -np.inf, -np.inf]


def test_exact_sampler_draws_by_determinants():
    K = covariance(6, 2)
    sets, chances, _ = subset_chances(K, 3)
    assert chances.max() > 5 * chances.min()  # far from uniform: the test can fail
    rng, prepared = np.random.default_rng(0), KDPP(K)
    assert misfit([tuple(prepared.sample(3, rng)) for _ in range(6000)], sets, chances) == ""


def chain_matrix(K, sets):
    """Transition probabilities of the lazy swap chain, written down proposal by proposal."""
    k, n = len(sets[0]), len(K)
    dets = [np.linalg.det(K[np.ix_(Z, Z)]) for Z in sets]
    P = np.zeros((len(sets), len(sets)))
    for a, Z in enumerate(sets):
        for i in Z:
            for j in set(range(n)) - set(Z):
                b = sets.index(tuple(sorted(set(Z) - {i} | {j})))
                P[a, b] += 0.5 * min(1.0, dets[b] / dets[a]) / (k * (n - k))
        P[a, a] = 1.0 - P[a].sum()
    return P


@pytest.mark.parametrize("steps", [0, 4])
def test_short_chains_follow_their_transition_matrix(steps):
    K = covariance(5, 4)
    sets, _, _ = subset_chances(K, 2)
    prepared, rng = KDPP(K), np.random.default_rng(2)
    start = sets.index(tuple(prepared.sample(2, rng, "greedy")))
    chances = np.linalg.matrix_power(chain_matrix(K, sets), steps)[start]
    draws = [tuple(prepared.sample(2, rng, "mcmc", steps)) for _ in range(1500)]
    reached = {Z: p for Z, p in zip(sets, chances, strict=True) if p > 0}
    assert (len(reached) == 1) == (steps == 0)
    why = misfit(draws, list(reached), list(reached.values()))
    assert why == "", f"after {steps} steps of the chain from {sets[start]}: {why}"


@LAW
@given(kernels(), st.integers(0, 12), st.integers(0, 15), st.sampled_from(METHODS), st.data())
def test_draws_are_sets_and_repeat_by_seed(kernel, n, size, method, data):
    X = data.draw(points(n, 2)) if n else np.empty((0, 2))
    seed = data.draw(st.integers(0, 2**32 - 1))
    drawn = kdpp(kernel(X, X), size, np.random.default_rng(seed), method, 50)
    assert len(np.unique(X[drawn], axis=0)) == len(drawn) <= min(size, len(np.unique(X, axis=0)))
    assert (np.diff(drawn) > 0).all()
    assert len(drawn) >= min(size, n, 1)
    assert kdpp(kernel(X, X), size, np.random.default_rng(seed), method, 50).tolist() == drawn.tolist()
