import math
from itertools import combinations_with_replacement, product
from math import factorial
from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import eval_hermite, roots_hermite

from tests.strategies import LAW, kernels, points
from tvbo_core.gp import posterior
from tvbo_core.gp.information_gain import (
    gain_bounds,
    gain_by_eigenvalues,
    greedy_information_gain,
    information_gain,
    markov_block_gain,
    markov_gain_bound,
    markov_information_gain,
    max_information_gain,
    weighted_gain_bounds,
    weighted_information_gain,
)
from tvbo_core.gp.optimal_design import optimal_design
from tvbo_core.kernels import Matern, SquaredExponential, Tabulated
from tvbo_core.theory.qff import Quadrature, enough_nodes


@LAW
@given(kernels(), st.integers(0, 10), st.floats(1e-3, 10.0), st.data())
def test_the_gain_is_the_sum_of_the_surprises(kernel, n, ridge, data):
    X = data.draw(points(n, 2))
    chain = 0.0
    for t in range(n):
        _, sd = posterior(kernel, X[:t], np.zeros(t), X[t : t + 1], ridge)
        chain += 0.5 * np.log1p(sd[0] ** 2 / ridge)
    assert information_gain(kernel(X, X), ridge) == pytest.approx(chain, rel=1e-9, abs=1e-9)


@LAW
@given(kernels(), st.integers(0, 10), st.floats(1e-2, 10.0), st.data())
def test_the_gain_is_half_the_log_of_a_determinant(kernel, n, ridge, data):
    X = data.draw(points(n, 2))
    K = kernel(X, X)
    eigenvalues = np.linalg.eigvalsh(K)
    expected = 0.5 * np.log1p(np.maximum(eigenvalues, 0) / ridge).sum()
    assert information_gain(K, ridge) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_repeats_count_once_with_their_number():
    # log det(I + K_n / lambda) = log det(I + diag(n_i) K_u / lambda) on the distinct points u.
    X = np.array([[0.0], [0.3], [1.0]])
    counts = [4, 1, 3]
    kernel = Matern(1.5, 0.4)
    repeated = np.repeat(X, counts, axis=0)
    expected = 0.5 * np.log(np.linalg.det(np.eye(3) + np.diag(counts) @ kernel(X, X) / 0.2))
    assert information_gain(kernel(repeated, repeated), 0.2) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("T", [0, 1, 7, 200])
def test_a_constant_kernel_gains_half_log_of_one_plus_T_over_ridge(T):
    one_arm = Tabulated(np.ones((1, 1)))
    expected = 0.5 * np.log1p(T / 0.3)
    assert greedy_information_gain(one_arm, np.zeros((1, 1)), T, 0.3) == pytest.approx(expected, rel=1e-9)
    assert information_gain(np.ones((T, T)), 0.3) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("T", [1, 5, 11])
def test_unrelated_arms_are_best_shared_out_evenly_and_greedy_does_so(T):
    arms = np.arange(4.0)[:, None]
    counts = np.array([len(range(i, T, 4)) for i in range(4)])
    expected = 0.5 * np.log1p(counts / 0.3).sum()
    assert greedy_information_gain(Tabulated(np.eye(4)), arms, T, 0.3) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("kernel", [SquaredExponential(0.4), Matern(0.5, 0.4), Matern(2.5, 2.0)])
@pytest.mark.parametrize("T", [1, 2, 4])
def test_greedy_lies_between_a_fraction_of_the_best_design_and_the_best_design(kernel, T):
    X = np.linspace(0, 1, 6)[:, None]
    K = kernel(X, X)
    best = max(information_gain(K[np.ix_(c, c)], 0.1) for c in combinations_with_replacement(range(6), T))
    greedy = greedy_information_gain(kernel, X, T, 0.1)
    assert (1 - 1 / np.e) * best <= greedy <= best * (1 + 1e-12)  # 1e-12: rounding when greedy is best


@LAW
@given(kernels(), st.floats(1e-3, 10.0), st.data())
def test_the_greedy_gain_is_the_gain_of_a_design_and_grows_with_diminishing_returns(kernel, ridge, data):
    X = data.draw(points(7, 2))
    gains = [greedy_information_gain(kernel, X, T, ridge) for T in range(6)]
    steps = np.diff(gains)
    assert gains[0] == 0.0
    assert (steps > 0).all()
    assert (np.diff(steps) <= 1e-9).all()
    # No design beats independent arms of the same prior variance.
    assert gains[5] <= 2.5 * np.log1p(kernel.variance / ridge) + 1e-9


def test_noise_1e_8_and_a_singular_kernel_give_finite_gains():
    X = np.linspace(0, 1, 50)[:, None]
    flat = SquaredExponential(1e9)  # a single arm in disguise
    expected = 0.5 * np.log1p(50 / 1e-8)
    assert information_gain(flat(X, X), 1e-8) == pytest.approx(expected, rel=1e-6)  # K / ridge carries eps / 1e-8
    assert greedy_information_gain(flat, X, 50, 1e-8) == pytest.approx(expected, rel=1e-6)


def test_bad_input_is_one_sentence():
    kernel, X = SquaredExponential(), np.zeros((2, 1))
    with pytest.raises(ValueError, match="ridge must be positive"):
        greedy_information_gain(kernel, X, 3, 0.0)
    with pytest.raises(ValueError, match="T must be at least 0"):
        greedy_information_gain(kernel, X, -1, 0.1)
    with pytest.raises(ValueError, match="at least one point"):
        greedy_information_gain(kernel, X[:0], 3, 0.1)
    with pytest.raises(ValueError, match="noise variance must be positive"):
        information_gain(np.eye(2), 0.0)


# --- the largest gain, from both sides -----------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [SquaredExponential(0.4), Matern(0.5, 0.4), Matern(2.5, 2.0)])
@pytest.mark.parametrize("T", [1, 2, 4])
def test_the_certified_bounds_bracket_brute_force(kernel, T):
    X = np.linspace(0, 1, 6)[:, None]
    K = kernel(X, X)
    best = max(information_gain(K[np.ix_(c, c)], 0.1) for c in combinations_with_replacement(range(6), T))
    lower, upper = max_information_gain(kernel, X, T, 0.1)
    assert lower <= best * (1 + 1e-12)  # rounding when greedy is best
    assert best <= upper
    bounds = gain_bounds(K, T, 0.1)
    assert best <= bounds.relaxed + bounds.gap and best <= bounds.from_greedy  # each is an upper bound by itself
    assert upper == min(bounds.relaxed + bounds.gap, bounds.from_greedy)


@pytest.mark.parametrize("T", [3, 50])
def test_the_gap_is_what_the_tangent_at_the_design_still_gains(T):
    # g(P) = 1/2 ln det(I + T/ridge K diag(P)) is concave; at P its tangent gains max_x g'_x - P'g' at most, with
    # g'_x = T/(2 ridge) times the posterior variance at x.
    X, ridge = np.linspace(0, 1, 9)[:, None], 0.1
    kernel = Matern(2.5, 0.3)
    K = kernel(X, X)
    P = optimal_design(K, ridge / T).weights
    seen = P > 0
    variance = posterior(kernel, X[seen], np.zeros(seen.sum()), X, ridge / (T * P[seen]))[1] ** 2
    slope = T / (2.0 * ridge) * variance
    assert gain_bounds(K, T, ridge).gap == pytest.approx(slope.max() - P @ slope, rel=1e-6)


@pytest.mark.parametrize("T", [1, 7, 200])
def test_both_bounds_are_exact_for_one_arm_and_for_unrelated_arms(T):
    one = gain_bounds(np.ones((1, 1)), T, 0.3)
    assert one.lower == pytest.approx(0.5 * np.log1p(T / 0.3), rel=1e-9)
    assert one.upper == pytest.approx(0.5 * np.log1p(T / 0.3), rel=1e-9)
    four = gain_bounds(np.eye(4), 4 * T, 0.3)
    assert four.lower == pytest.approx(2.0 * np.log1p(T / 0.3), rel=1e-9)
    assert four.upper == pytest.approx(2.0 * np.log1p(T / 0.3), rel=2e-3)  # the gap that the design stops at


def test_nothing_observed_is_nothing_gained():
    assert max_information_gain(SquaredExponential(), np.zeros((3, 1)), 0, 0.1) == (0.0, 0.0)


@LAW
@given(kernels(), st.floats(1e-3, 10.0), st.integers(1, 30), st.data())
def test_the_bracket_is_in_order_and_holds_any_design(kernel, ridge, T, data):
    X = data.draw(points(9, 2))
    asked = np.random.default_rng(T).integers(0, 9, T)
    lower, upper = max_information_gain(kernel, X, T, ridge)
    assert 0 < lower <= upper * (1 + 1e-9)
    assert information_gain(kernel(X[asked], X[asked]), ridge) <= upper * (1 + 1e-9)


def test_a_thousand_observations_of_a_hundred_arms_take_less_than_a_second():
    X = np.linspace(0, 1, 100)[:, None]
    start = process_time()
    gain_bounds(Matern(2.5, 0.2)(X, X), 1000, 0.01)
    assert process_time() - start < 1.0  # measured: 0.03 s


# --- gains that fade ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("discount", [0.5, 0.9, 0.99])
def test_weighted_gains_of_one_arm_are_the_geometric_sums(discount):
    # MATH oracle 38: single weights give 1/(1 - gamma), double weights 1/(1 - gamma^2).
    t, ridge = 60, 0.3
    single = 0.5 * np.log1p((1 - discount**t) / (ridge * (1 - discount)))
    double = 0.5 * np.log1p((1 - discount ** (2 * t)) / (ridge * (1 - discount**2)))
    K, one = np.ones((t, t)), np.ones((1, 1))
    for twice, expected in ((False, single), (True, double)):
        assert weighted_information_gain(K, ridge, discount, twice) == pytest.approx(expected, rel=1e-9)
        bounds = weighted_gain_bounds(one, t, ridge, discount, twice)
        assert bounds.lower == pytest.approx(expected, rel=1e-9)
        assert bounds.upper == pytest.approx(expected, rel=1e-9)


@LAW
@given(kernels(), st.floats(0.3, 1.0), st.booleans(), st.data())
def test_weighted_bounds_hold_every_order_of_questions(kernel, discount, twice, data):
    X = data.draw(points(4, 1))
    bounds = weighted_gain_bounds(kernel(X, X), 3, 0.2, discount, twice)
    best = 0.0
    for order in product(range(4), repeat=3):
        x = X[list(order)]
        best = max(best, weighted_information_gain(kernel(x, x), 0.2, discount, twice))
    assert bounds.lower <= best * (1 + 1e-9) and best <= bounds.upper * (1 + 1e-9)


def test_without_forgetting_the_weighted_gain_is_the_gain():
    X = np.linspace(0, 1, 8)[:, None]
    K = Matern(1.5, 0.3)(X, X)
    assert weighted_information_gain(K, 0.1, 1.0) == pytest.approx(information_gain(K, 0.1), rel=1e-12)
    assert markov_information_gain(K, 0.1, 0.0) == pytest.approx(information_gain(K, 0.1), rel=1e-12)


@pytest.mark.parametrize(("twice", "old"), [(False, 0.7), (True, 0.49)])
def test_the_newest_observation_counts_in_full_and_the_one_before_it_by_the_discount(twice, old):
    """Two unrelated arms of variances 1 and 4, asked in this order."""
    gain = weighted_information_gain(np.diag([1.0, 4.0]), 0.5, 0.7, twice=twice)
    assert gain == pytest.approx(0.5 * np.log((1 + old * 1.0 / 0.5) * (1 + 4.0 / 0.5)), rel=1e-12)


@pytest.mark.parametrize("noise", [1e-3, 0.5, 4.0])
def test_the_block_bound_is_the_still_gain_and_what_change_can_add_to_it(noise):
    # MATH 002-11: gamma + eps N sqrt(N^2 - 1) sqrt(gamma) / (2 sqrt 3 sigma^2); sigma^2 is the variance of the noise.
    added = 0.2 * 5 * np.sqrt(24.0) * np.sqrt(9.0) / (2 * np.sqrt(3.0) * noise)
    assert markov_block_gain(9.0, 5, noise, 0.2) == pytest.approx(9.0 + added, rel=1e-12)
    assert markov_block_gain(9.0, 1, noise, 0.2) == 9.0  # within one round nothing changes


def test_the_printed_bound_of_the_time_varying_gain_needs_care_at_small_noise_and_the_block_bound_holds():
    # MATH 002-11: constant kernel, sigma^2 = 1e-3, epsilon = 1e-2, T = 600.
    T, noise, epsilon = 600, 1e-3, 1e-2
    exact = markov_information_gain(np.ones((T, T)), noise, epsilon)
    printed = min((T / N + 1) * (0.5 * np.log1p(N / noise) + N**3 * epsilon) for N in range(1, T + 1))
    assert exact == pytest.approx(745.35, abs=5e-3) and printed == pytest.approx(657.49, abs=5e-3)
    bound, N = markov_gain_bound(np.ones((1, 1)), T, noise, epsilon)
    assert exact <= bound and 1 <= N <= T


@pytest.mark.parametrize("noise", [1e-3, 1e-2, 0.1, 1.0])
@pytest.mark.parametrize("epsilon", [0.0, 1e-3, 0.05, 1.0])
def test_the_block_bound_is_above_the_gain_of_random_questions(noise, epsilon):
    X = np.linspace(0, 1, 12)[:, None]
    kernel, rng = Matern(1.5, 0.3), np.random.default_rng(0)
    for T in (1, 5, 40):
        asked = X[rng.integers(0, 12, T)]
        exact = markov_information_gain(kernel(asked, asked), noise, epsilon)
        assert exact <= markov_gain_bound(kernel(X, X), T, noise, epsilon)[0] * (1 + 1e-9)


# --- quadrature features --------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", [1, 4, 7, 30])
def test_quadrature_weights_sum_to_one_and_nodes_are_symmetric(nodes):
    omega, v = Quadrature(nodes, 1, 0.5).frequencies()
    assert v.sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(np.sort(omega[:, 0]), np.sort(-omega[:, 0]), atol=1e-9)


@pytest.mark.parametrize("nodes", [2, 3, 5])
def test_quadrature_weights_carry_the_square_of_the_number_of_nodes(nodes):
    # v = 2^(m-1) m! / (m^2 H_{m-1}(rho)^2)
    rho = roots_hermite(nodes)[0]
    expected = 2 ** (nodes - 1) * factorial(nodes) / (nodes**2 * eval_hermite(nodes - 1, rho) ** 2)
    np.testing.assert_allclose(Quadrature(nodes, 1, 1.0).frequencies()[1], expected, rtol=1e-9)


@pytest.mark.parametrize(("nodes", "error", "bound"), [(4, 4.72e-4, 5.89e-4), (9, None, None)])
def test_quadrature_features_give_the_kernel_within_the_corrected_lemma(nodes, error, bound):
    x = np.linspace(0, 1, 41)[:, None]
    q = Quadrature(nodes, 1, 1.0)
    phi = q.features(x)
    worst = np.abs(phi @ phi.T - SquaredExponential(1.0)(x, x)).max()
    assert phi.shape == (41, q.count) and worst <= q.error
    if error:  # MATH 001-4 and 001-5, three digits
        assert worst == pytest.approx(error, rel=2e-3) and q.error == pytest.approx(bound, rel=2e-3)


def test_quadrature_features_in_two_dimensions_are_products():
    x = np.random.default_rng(0).uniform(size=(20, 2))
    q = Quadrature(12, 2, 0.8)
    phi = q.features(x)
    assert np.abs(phi @ phi.T - SquaredExponential(0.8)(x, x)).max() <= q.error


def test_enough_nodes_make_the_error_small():
    for ell in (0.1, 0.2, 1.0):
        nodes = enough_nodes(500, 20.0, ell)
        assert nodes > 1 / ell**2 and Quadrature(nodes, 1, ell).error < (np.e / 4) ** nodes


def test_bad_gain_input_is_one_sentence():
    with pytest.raises(ValueError, match="T must be at least 0"):
        gain_bounds(np.eye(2), -1, 0.1)
    with pytest.raises(ValueError, match="at least one point"):
        max_information_gain(SquaredExponential(), np.zeros((0, 1)), 3, 0.1)
    with pytest.raises(ValueError, match="ridge"):
        gain_bounds(np.eye(2), 3, 0.0)
    with pytest.raises(ValueError, match="nodes and dimension"):
        Quadrature(0)
    with pytest.raises(ValueError, match="a million features"):
        Quadrature(40, 6)


# --- Deng et al., Theorems 6 and 7


@pytest.mark.parametrize("nu", [0.5, 2.5])
@pytest.mark.parametrize("discount", [None, 0.8, 0.98])
def test_no_gain_of_any_design_exceeds_the_bound_by_eigenvalues(nu, discount):
    """On a grid the Mercer expansion under the uniform measure is the Gram matrix's own."""
    m, T, ridge = 25, 300, 0.1
    X = np.linspace(0, 1, m)[:, None]
    gram = Matern(nu, 0.3)(X, X)
    c, vectors = np.linalg.eigh(gram)
    told = {"kappa": 1.0, "peak": float(np.abs(vectors).max() * np.sqrt(m))}
    mass = T if discount is None else 1.0 / (1.0 - discount**2)
    bound, N = gain_by_eigenvalues(np.maximum(c, 0.0) / m, mass, ridge, **told)
    bracket = gain_bounds(gram, T, ridge) if discount is None else weighted_gain_bounds(gram, T, ridge, discount, True)
    assert bracket.lower <= bound and 1 <= N <= m
    # With all eigenvalues there is no tail, and what is left is the gain of m arms in equal shares at the most.
    assert bound <= 0.5 * m * np.log1p(mass / (ridge * m)) + 1e-9


def test_the_bound_by_eigenvalues_refuses_what_is_no_spectrum():
    for wrong in (([], 1.0, 1.0), ([-1.0], 1.0, 1.0), ([1.0], 0.0, 1.0), ([1.0], 1.0, np.inf)):
        with pytest.raises(ValueError, match="eigenvalues"):
            gain_by_eigenvalues(np.array(wrong[0]), *wrong[1:])


@pytest.mark.parametrize(("mass", "ridge", "kappa", "peak"), [(300.0, 0.1, 1.0, 1.0), (7.0, 2.0, 1.5, 1.4)])
def test_the_bound_by_eigenvalues_is_its_formula(mass, ridge, kappa, peak):
    """Deng et al., Theorem 6, term by term in plain Python."""
    spectrum = [0.5, 0.3, 0.15, 0.04, 0.009, 0.001]
    wanted = {}
    for N in range(1, 7):
        tail = peak * peak * sum(spectrum[N:])
        wanted[N] = N / 2 * math.log(1 + kappa * mass / (ridge * N)) + mass * tail / (2 * ridge)
    bound, N = gain_by_eigenvalues(np.array(spectrum[::-1]), mass, ridge, kappa, peak)
    assert min(wanted, key=wanted.get) == N and bound == pytest.approx(wanted[N], rel=1e-12)  # sums of six terms
