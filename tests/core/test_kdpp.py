import time
from itertools import combinations
from math import comb, lgamma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from tests.strategies import LAW, kernels, points
from tvbo_core.gp.kdpp import KDPP, _check_count, kdpp, log_symmetric
from tvbo_core.kernels import Matern, SquaredExponential
from tvbo_core.threads import one_thread

METHODS = ["exact", "mcmc", "greedy", "random"]


def expected_residual_trace(K: np.ndarray, size: int) -> float:
    r"""Mean variance, summed over all points, that a k-DPP's draw leaves unexplained.

    $E\,\mathrm{tr}(K-K_{\cdot Z}K_{ZZ}^{-1}K_{Z\cdot})=(k+1)\,e_{k+1}(\eta)/e_k(\eta)$ with k = `size`, or 0
    once k reaches the rank of K. Equal points are not merged here: a repeat counts each time in the trace.

    Args:
        K: (N, N) covariance matrix.
    Raises:
        ValueError: K is not a covariance matrix, or size is not a whole number from 0.
    Source: $\det K_{ZZ}\,s_Z^2(i)=\det K_{Z\cup i}$ summed over Z and i; Burt et al. (2020) bound it by
        $(k+1)\sum_{m>k}\eta_m$.
    """
    _check_count("size", size)
    values = np.linalg.eigvalsh(KDPP(K).K) if len(K) else np.empty(0)
    logs = log_symmetric(np.maximum(values, 0.0), int(size) + 1)[-1]
    return 0.0 if logs[-1] == -np.inf else float((size + 1) * np.exp(logs[-1] - logs[-2]))


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
def test_the_normaliser_is_the_elementary_symmetric_polynomial_of_the_eigenvalues(k):
    K = covariance(6, 1)
    _, _, total = subset_chances(K, k)
    values = np.linalg.eigvalsh(K)
    assert elementary(values, k) == pytest.approx(total, rel=1e-9)
    assert np.exp(log_symmetric(values, k)[-1, k]) == pytest.approx(total, rel=1e-9)


def test_symmetric_polynomials_far_outside_the_range_of_floats_keep_their_logarithms():
    logs = log_symmetric(np.full(400, 1e6), 300)[-1]
    expected = [lgamma(401) - lgamma(k + 1) - lgamma(401 - k) + k * np.log(1e6) for k in range(301)]
    assert logs == pytest.approx(np.array(expected), rel=1e-9)
    assert log_symmetric(np.array([0.0, 2.0, 0.0]), 3)[-1].tolist() == [0.0, np.log(2.0), -np.inf, -np.inf]


def test_the_exact_sampler_draws_sets_in_proportion_to_their_determinants():
    K = covariance(6, 2)
    sets, chances, _ = subset_chances(K, 3)
    assert chances.max() > 5 * chances.min()  # far from uniform: the test can fail
    rng, prepared = np.random.default_rng(0), KDPP(K)
    assert fits([tuple(prepared.sample(3, rng)) for _ in range(6000)], sets, chances)


def test_a_point_is_drawn_as_often_as_the_eigenvectors_say():
    # P(i in Z) = 1/e_k sum_n V_in^2 lambda_n e_{k-1}(all but lambda_n), and these sum to k.
    K, k, n = covariance(6, 3), 2, 6
    values, V = np.linalg.eigh(K)
    others = [elementary(np.delete(values, i), k - 1) for i in range(n)]
    inclusion = (V**2 @ (values * others)) / elementary(values, k)
    sets, chances, _ = subset_chances(K, k)
    direct = [sum(p for Z, p in zip(sets, chances, strict=True) if i in Z) for i in range(n)]
    assert inclusion == pytest.approx(np.array(direct), abs=1e-9)
    assert inclusion.sum() == pytest.approx(k, abs=1e-9)
    rng, prepared, draws = np.random.default_rng(1), KDPP(K), 4000
    counts = np.bincount(np.concatenate([prepared.sample(k, rng) for _ in range(draws)]), minlength=n)
    # 4.5 standard errors: one false alarm in 10,000 seeds over the six points, and the seed is fixed.
    assert np.abs(counts / draws - inclusion).max() < 4.5 * np.sqrt(0.25 / draws)


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
def test_a_short_chain_is_where_its_transition_matrix_says(steps):
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


def test_a_long_chain_and_the_exact_sampler_agree():
    K = covariance(5, 5)
    sets, chances, _ = subset_chances(K, 2)
    # 80 steps leave the chain within 1e-3 of its limit, below what 1000 draws can tell.
    assert np.abs(np.linalg.matrix_power(chain_matrix(K, sets), 80) - chances).max() < 1e-3
    prepared, rng = KDPP(K), np.random.default_rng(3)
    assert fits([tuple(prepared.sample(2, rng, "mcmc", 80)) for _ in range(1000)], sets, chances)
    assert fits([tuple(prepared.sample(2, rng, "exact")) for _ in range(1000)], sets, chances)


def unexplained(K, Z):
    """tr(K - K_.Z K_ZZ^-1 K_Z.) by a linear solve."""
    Z = list(Z)
    return np.trace(K - K[:, Z] @ np.linalg.solve(K[np.ix_(Z, Z)], K[Z]))


@pytest.mark.parametrize("k", range(1, 7))
def test_the_expected_residual_trace_is_the_mean_over_all_sets(k):
    K = covariance(7, 6)
    sets, chances, _ = subset_chances(K, k)
    mean = sum(p * unexplained(K, Z) for Z, p in zip(sets, chances, strict=True))
    assert expected_residual_trace(K, k) == pytest.approx(mean, rel=1e-9)
    tail = np.sort(np.linalg.eigvalsh(K))[: 7 - k].sum()
    assert mean <= (k + 1) * tail


def test_the_expected_residual_trace_starts_at_the_trace_and_ends_at_zero():
    K = covariance(4, 7)
    assert expected_residual_trace(K, 0) == pytest.approx(np.trace(K), rel=1e-12)
    assert expected_residual_trace(K, 4) == 0.0
    assert expected_residual_trace(np.empty((0, 0)), 3) == 0.0


@pytest.mark.parametrize("method", ["exact", "mcmc", "random"])
def test_unrelated_points_of_one_variance_are_drawn_uniformly(method):
    rng, prepared, sets = np.random.default_rng(8), KDPP(3.0 * np.eye(5)), list(combinations(range(5), 2))
    draws = [tuple(prepared.sample(2, rng, method, 60)) for _ in range(1000)]
    assert fits(draws, sets, np.full(len(sets), 1 / comb(5, 2)))


@pytest.mark.parametrize("method", METHODS)
def test_equal_points_count_once_and_go_by_their_first_number(method):
    X = np.array([[0.3], [0.3], [0.9], [0.1], [0.9], [0.3]])
    k = Matern(0.5, 0.5)
    rng = np.random.default_rng(9)
    drawn = [tuple(kdpp(k(X, X), 2, rng, method, 40)) for _ in range(200)]
    assert set(drawn) <= {(0, 2), (0, 3), (2, 3)}
    distinct = np.array([0, 2, 3])
    sets, chances, _ = subset_chances(k(X[distinct], X[distinct]), 2)
    if method == "exact":
        assert fits(drawn, [tuple(distinct[list(Z)]) for Z in sets], chances)
    assert kdpp(k(X, X), 9, rng, method).tolist() == [0, 2, 3]


@pytest.mark.parametrize("method", METHODS)
def test_a_draw_has_as_many_points_as_there_are(method):
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
def test_a_draw_is_a_set_of_different_points_and_never_fails(kernel, n, size, method, data):
    X = data.draw(points(n, 2)) if n else np.empty((0, 2))
    seed = data.draw(st.integers(0, 2**32 - 1))
    drawn = kdpp(kernel(X, X), size, np.random.default_rng(seed), method, 50)
    assert len(np.unique(X[drawn], axis=0)) == len(drawn) <= min(size, len(np.unique(X, axis=0)))
    assert (np.diff(drawn) > 0).all()
    assert len(drawn) >= min(size, n, 1)
    assert kdpp(kernel(X, X), size, np.random.default_rng(seed), method, 50).tolist() == drawn.tolist()


def test_the_units_of_the_reward_do_not_matter():
    K = covariance(20, 11)
    for scale in (2.0**-300, 2.0**300):
        for method in METHODS:
            draws = [kdpp(c * K, 6, np.random.default_rng(4), method, 200).tolist() for c in (1.0, scale)]
            assert draws[0] == draws[1]


def test_every_greedy_pick_has_the_largest_remaining_variance():
    K = covariance(15, 12)
    rng, chosen = np.random.default_rng(0), []
    for size in range(1, 9):
        new = set(kdpp(K, size, rng, "greedy")) - set(chosen)
        variances = np.diag(K).copy()
        if chosen:
            variances -= np.diag(K[:, chosen] @ np.linalg.solve(K[np.ix_(chosen, chosen)], K[chosen]))
        assert new == {int(variances.argmax())}
        chosen += new


def test_ties_of_the_greedy_picks_go_by_lot():
    X = np.array([[-1.0], [0.0], [1.0]])
    K = SquaredExponential(1.0)(X, X) * np.outer([1, 2, 1], [1, 2, 1])  # the middle first, then either side
    drawn = {tuple(kdpp(K, 2, np.random.default_rng(seed), "greedy")) for seed in range(30)}
    assert drawn == {(0, 1), (1, 2)}


def test_ten_of_500_points_are_drawn_in_under_50_milliseconds():
    X = np.random.default_rng(0).uniform(0, 1, (500, 2))
    K = Matern(1.5, 0.2)(X, X)  # full rank: the slow case
    times, rng = [], np.random.default_rng(0)
    with one_thread():
        for _ in range(5):
            start = time.process_time()  # not the wall: other programs may be running
            assert len(kdpp(K, 10, rng)) == 10
            times.append(time.process_time() - start)
    assert min(times) < 0.05


def test_bad_input_is_one_sentence():
    rng, K = np.random.default_rng(0), np.eye(3)
    for size in (-1, 1.5, True, None):
        with pytest.raises(ValueError, match="size must be a whole number from 0"):
            kdpp(K, size, rng)
    with pytest.raises(ValueError, match="steps must be a whole number from 0"):
        kdpp(K, 2, rng, "mcmc", -1)
    with pytest.raises(ValueError, match="must be one of exact, mcmc, greedy, random, got 'dpp'"):
        kdpp(K, 2, rng, "dpp")
    with pytest.raises(ValueError, match=r"shape \(N, N\), got shape \(2, 3\)"):
        kdpp(np.ones((2, 3)), 1, rng)
    with pytest.raises(ValueError, match="finite"):
        kdpp(np.full((2, 2), np.nan), 1, rng)
    with pytest.raises(ValueError, match="symmetric"):
        kdpp(np.array([[1.0, 0.5], [0.4, 1.0]]), 1, rng)
    with pytest.raises(ValueError, match="no larger than the mean of the two variances"):
        kdpp(np.array([[1.0, -2.0], [-2.0, 1.0]]), 1, rng)
    with pytest.raises(ValueError, match="no negative eigenvalue"):
        kdpp(np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]]), 1, rng)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [1, 2, 9, 40])
def test_draws_side_by_side_are_the_draws_one_by_one(method, n):
    x = np.linspace(0, 1, n)[:, None]
    for process in (KDPP(covariance(n, n)), KDPP(SquaredExponential(0.3)(x, x))):
        for size in (0, 1, 5, n + 3):
            one, many = np.random.default_rng(size), np.random.default_rng(size)
            want = [process.sample(size, one, method, 20).tolist() for _ in range(6)]
            assert [d.tolist() for d in process.draws(6, size, many, method, 20)] == want
            assert one.bit_generator.state == many.bit_generator.state
    assert KDPP(np.empty((0, 0))).draws(2, 3, np.random.default_rng(0), method)[1].tolist() == []


def test_the_lot_of_one_takes_nothing_from_the_stream():
    rng = np.random.default_rng(0)
    before = rng.bit_generator.state
    assert rng.choice(np.array([7])) == 7
    assert rng.bit_generator.state == before
