"""Sparse posteriors and the k-DPPs that choose their points."""

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
from tvbo_core.gp.sparse import grid_sparse_sds, nystrom_left, sparse_sds
from tvbo_core.kernels import Matern, SquaredExponential


def plain_variance(kernel, X, Z, noise):
    Kz = kernel(X, Z)
    return kernel.diag(Z) - (Kz * np.linalg.solve(kernel(X, X) + noise * np.eye(len(X)), Kz)).sum(0)


@pytest.mark.parametrize("noise", [0.01, 0.5])
def test_three_variances_are_their_formulas(noise):
    rng = np.random.default_rng(0)
    kernel, X, Z = Matern(0.5, 0.4, 2.0), rng.uniform(0, 1, (30, 2)), rng.uniform(0, 1, (9, 2))
    chosen = np.array([2, 3, 11, 20, 29])
    sds = sparse_sds(kernel, X, chosen, Z, noise)
    # 1e-9: the matrices have condition numbers below 1e4.
    assert sds.full**2 == pytest.approx(plain_variance(kernel, X, Z, noise), rel=1e-9)
    assert sds.subset**2 == pytest.approx(plain_variance(kernel, X[chosen], Z, noise), rel=1e-9)
    assert sds.variational**2 == pytest.approx(
        by_formula(kernel, X, np.zeros(30), X[chosen], Z, noise)[1] ** 2, rel=1e-9
    )
    K = kernel(X, X)
    residual = np.trace(K - K[:, chosen] @ np.linalg.solve(K[np.ix_(chosen, chosen)], K[chosen]))
    assert sds.residual == pytest.approx(residual, rel=1e-9)
    assert sds.variational_ratio == pytest.approx((sds.variational / sds.full) ** 2, rel=1e-12)
    assert sds.subset_ratio == pytest.approx((sds.subset / sds.full) ** 2, rel=1e-12)


@LAW
@given(kernels(), st.integers(1, 10), st.floats(1e-3, 10.0), st.data())
def test_subset_never_knows_more_than_all(kernel, n, noise, data):
    X, Z = data.draw(points(n, 2)), data.draw(points(4, 2))
    chosen = np.array(data.draw(st.lists(st.integers(0, n - 1), max_size=n)), dtype=int)
    sds = sparse_sds(kernel, X, chosen, Z, noise)
    # 1e-6 of the prior sd: variances are differences of numbers of the size of the prior variance.
    slack = 1e-6 * np.sqrt(kernel.variance)
    assert (sds.full <= sds.subset + slack).all()
    assert (sds.variational <= sds.subset + slack).all()
    everything = sparse_sds(kernel, X, np.arange(n), Z, noise)
    assert everything.variational == pytest.approx(everything.full, abs=slack)
    assert everything.subset == pytest.approx(everything.full, abs=slack)


@pytest.mark.parametrize("kernel", [SquaredExponential(0.2), Matern(0.5, 0.3, 2.0)])
def test_residual_is_that_of_the_pseudo_inverse(kernel):
    rng, x = np.random.default_rng(3), np.linspace(0, 1, 40)[:, None]
    gram = kernel(x, x)
    for size in (0, 1, 3, 8):
        chosen = rng.choice(40, size, replace=False)
        there = gram[chosen]
        left = gram.diagonal() - (there * (np.linalg.pinv(gram[np.ix_(chosen, chosen)], hermitian=True) @ there)).sum(0)
        # 1e-6 of variances of size 1: the pseudo-inverses are cut at other places.
        assert nystrom_left(gram, chosen) == pytest.approx(left, abs=1e-6)


# --- variational ------------------------------------------------------------


def by_formula(kernel, X, y, S, Z, noise):
    """Titsias (2009), eq. 6 and 10, by plain linear solves."""
    Kss, Ksx, Ksz = kernel(S, S), kernel(S, X), kernel(S, Z)
    inner = Kss + (Ksx / noise) @ Ksx.T
    mean = Ksz.T @ np.linalg.solve(inner, Ksx @ (y / noise))
    variance = kernel.diag(Z) - (Ksz * np.linalg.solve(Kss, Ksz)).sum(0) + (Ksz * np.linalg.solve(inner, Ksz)).sum(0)
    return mean, np.sqrt(variance)


@LAW
@given(st.integers(1, 25), st.integers(0, 6), st.floats(0.01, 5.0), st.integers(0, 2**32 - 1))
def test_merged_repeats_give_the_same_sds(n, k, noise, seed):
    rng = np.random.default_rng(seed)
    x, kernel = np.linspace(0, 1, 12)[:, None], Matern(1.5, 0.4, 2.0)
    arms = rng.integers(0, 12, n)
    chosen = rng.choice(n, min(k, n), replace=False)
    grid = grid_sparse_sds(kernel(x, x), arms, arms[chosen], noise)
    first = np.array([int(np.flatnonzero(arms == a)[0]) for a in np.unique(arms[chosen])], dtype=int)
    dense = sparse_sds(kernel, x[arms], first, x, noise)
    for name in ("full", "variational", "subset"):
        assert getattr(grid, name) == pytest.approx(getattr(dense, name), abs=1e-6)
    assert grid.residual == pytest.approx(dense.residual, abs=1e-6)
    K = kernel(x[arms], x[arms])
    left = nystrom_left(kernel(x, x), arms[chosen])[arms].sum()
    residual = np.trace(K - K[:, chosen] @ np.linalg.pinv(K[np.ix_(chosen, chosen)], hermitian=True) @ K[chosen])
    assert left == pytest.approx(residual, abs=1e-6)


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


@pytest.mark.parametrize("method", METHODS)
def test_draws_together_are_draws_one_by_one(method):
    x = np.linspace(0, 1, 20)[:, None]
    for process in (*(KDPP(covariance(n, n)) for n in (1, 2, 9)), KDPP(SquaredExponential(0.3)(x, x))):
        for size in (0, 1, 5, 12):
            one, many = np.random.default_rng(size), np.random.default_rng(size)
            want = [process.sample(size, one, method, 20).tolist() for _ in range(6)]
            assert [d.tolist() for d in process.draws(6, size, many, method, 20)] == want
            assert one.bit_generator.state == many.bit_generator.state
    assert KDPP(np.empty((0, 0))).draws(2, 3, np.random.default_rng(0), method)[1].tolist() == []
