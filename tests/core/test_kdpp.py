from itertools import combinations
from math import lgamma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from tests.strategies import LAW, kernels, points
from tvbo_core.gp.kdpp import KDPP, kdpp, log_symmetric
from tvbo_core.kernels import Matern, SquaredExponential

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


def elementary(values, k):
    """e_k by its definition: the sum of all products of k of them."""
    return sum(np.prod(c) for c in combinations(values, k))


def fits(draws, sets, chances):
    """Chi-square statistic of the draws within what 99.99 % of honest samplers show (the seed is fixed)."""
    counts = np.array([draws.count(Z) for Z in sets])
    assert counts.sum() == len(draws)
    expected = len(draws) * np.asarray(chances)
    return ((counts - expected) ** 2 / expected).sum() < chi2.ppf(0.9999, len(sets) - 1)


@pytest.mark.parametrize("k", range(7))
def test_normaliser_is_the_elementary_symmetric_polynomial(k):
    K = covariance(6, 1)
    _, _, total = subset_chances(K, k)
    values = np.linalg.eigvalsh(K)
    assert elementary(values, k) == pytest.approx(total, rel=1e-9)
    assert np.exp(log_symmetric(values, k)[-1, k]) == pytest.approx(total, rel=1e-9)


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
    assert fits([tuple(prepared.sample(3, rng)) for _ in range(6000)], sets, chances)


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


@pytest.mark.parametrize("steps", [0, 1, 4])
def test_short_chains_follow_their_transition_matrix(steps):
    K = covariance(5, 4)
    sets, _, _ = subset_chances(K, 2)
    prepared, rng = KDPP(K), np.random.default_rng(2)
    start = sets.index(tuple(prepared.sample(2, rng, "greedy")))
    chances = np.linalg.matrix_power(chain_matrix(K, sets), steps)[start]
    draws = [tuple(prepared.sample(2, rng, "mcmc", steps)) for _ in range(3000)]
    reached = chances > 0
    assert set(draws) <= {Z for Z, p in zip(sets, chances, strict=True) if p > 0}
    if reached.sum() > 1:
        assert fits(draws, [Z for Z, r in zip(sets, reached, strict=True) if r], chances[reached])
    else:
        assert steps == 0


@pytest.mark.parametrize("method", METHODS)
def test_draws_have_as_many_points_as_exist(method):
    rng = np.random.default_rng(10)
    line = np.column_stack([np.ones(8), np.linspace(-1, 1, 8)])  # rank 2, eight different points
    assert len(kdpp(line @ line.T, 5, rng, method)) == (5 if method == "random" else 2)
    assert kdpp(np.empty((0, 0)), 3, rng, method).tolist() == []
    assert kdpp(np.array([[2.0]]), 3, rng, method).tolist() == [0]
    assert kdpp(covariance(4, 0), 0, rng, method).tolist() == []
    assert kdpp(covariance(4, 0), 4, rng, method).tolist() == [0, 1, 2, 3]
    if method != "random":
        assert kdpp(np.zeros((3, 3)), 2, rng, method).tolist() == []


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


def test_greedy_picks_the_largest_remaining_variance():
    K = covariance(15, 12)
    rng, chosen = np.random.default_rng(0), []
    for size in range(1, 9):
        new = set(kdpp(K, size, rng, "greedy")) - set(chosen)
        variances = np.diag(K).copy()
        if chosen:
            variances -= np.diag(K[:, chosen] @ np.linalg.solve(K[np.ix_(chosen, chosen)], K[chosen]))
        assert new == {int(variances.argmax())}
        chosen += new


def test_greedy_ties_are_drawn_by_lot():
    X = np.array([[-1.0], [0.0], [1.0]])
    K = SquaredExponential(1.0)(X, X) * np.outer([1, 2, 1], [1, 2, 1])  # the middle first, then either side
    drawn = {tuple(kdpp(K, 2, np.random.default_rng(seed), "greedy")) for seed in range(30)}
    assert drawn == {(0, 1), (1, 2)}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [1, 2, 9, 40])
def test_draws_together_are_draws_one_by_one(method, n):
    x = np.linspace(0, 1, n)[:, None]
    for process in (KDPP(covariance(n, n)), KDPP(SquaredExponential(0.3)(x, x))):
        for size in (0, 1, 5, n + 3):
            one, many = np.random.default_rng(size), np.random.default_rng(size)
            want = [process.sample(size, one, method, 20).tolist() for _ in range(6)]
            assert [d.tolist() for d in process.draws(6, size, many, method, 20)] == want
            assert one.bit_generator.state == many.bit_generator.state
    assert KDPP(np.empty((0, 0))).draws(2, 3, np.random.default_rng(0), method)[1].tolist() == []
