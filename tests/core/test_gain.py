from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import LAW, kernels, points
from tvbo_core.gp import posterior
from tvbo_core.gp.information_gain import (
    best_blocks,
    gain_bounds,
    greedy_gain,
    information_gain,
    largest_gain,
    max_information_gain,
)
from tvbo_core.kernels import Matern, SquaredExponential
from tvbo_core.theory.qff import Quadrature


@LAW
@given(kernels(), st.integers(0, 10), st.floats(1e-3, 10.0), st.data())
def test_gain_is_the_sum_of_surprises(kernel, n, ridge, data):
    X = data.draw(points(n, 2))
    chain = 0.0
    for t in range(n):
        _, sd = posterior(kernel, X[:t], np.zeros(t), X[t : t + 1], ridge)
        chain += 0.5 * np.log1p(sd[0] ** 2 / ridge)
    assert information_gain(kernel(X, X), ridge) == pytest.approx(chain, rel=1e-9, abs=1e-9)


# --- the largest gain, from both sides -----------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [SquaredExponential(0.4), Matern(0.5, 0.4), Matern(2.5, 2.0)])
@pytest.mark.parametrize("T", [1, 2, 4])
def test_gain_bounds_bracket_brute_force(kernel, T):
    X = np.linspace(0, 1, 6)[:, None]
    K = kernel(X, X)
    best = max(information_gain(K[np.ix_(c, c)], 0.1) for c in combinations_with_replacement(range(6), T))
    lower, upper = max_information_gain(kernel, X, T, 0.1)
    assert lower <= best * (1 + 1e-12)  # rounding when greedy is best
    assert best <= upper
    bounds = gain_bounds(K, T, 0.1)
    assert best <= bounds.relaxed + bounds.gap and best <= bounds.from_greedy  # each is an upper bound by itself
    assert upper == min(bounds.relaxed + bounds.gap, bounds.from_greedy)


# --- gains that fade ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("discount", [0.5, 0.9, 0.99])
def test_weighted_gains_are_geometric_sums(discount):
    # Single weights give 1/(1 - gamma), double weights 1/(1 - gamma^2).
    t, ridge = 60, 0.3
    for power in (1, 2):
        expected = 0.5 * np.log1p((1 - discount ** (power * t)) / (ridge * (1 - discount**power)))
        assert greedy_gain(np.ones((1, 1)), discount ** (1.0 * power * np.arange(t)), ridge) == pytest.approx(expected)


@settings(LAW, max_examples=20)
@given(kernels(), st.floats(0.3, 1.0), st.data())
def test_greedy_gain_is_half_of_the_best(kernel, discount, data):
    X, weights = data.draw(points(4, 1)), discount ** np.arange(3.0)
    orders = (X[list(order)] for order in product(range(4), repeat=3))
    best = max(information_gain(np.sqrt(np.outer(weights, weights)) * kernel(x, x), 0.2) for x in orders)
    found = greedy_gain(kernel(X, X), weights, 0.2)
    assert found <= best * (1 + 1e-9) and best <= 2 * found * (1 + 1e-9)


def test_printed_markov_bound_fails_at_small_noise():
    # MATH 002-11: constant kernel, sigma^2 = 1e-3, epsilon = 1e-2, T = 600.
    T, noise, epsilon = 600, 1e-3, 1e-2
    kept = (1 - epsilon) ** (abs(np.subtract.outer(range(T), range(T))) / 2)
    exact = 0.5 * np.linalg.slogdet(np.eye(T) + kept / noise)[1]
    printed = min((T / N + 1) * (0.5 * np.log1p(N / noise) + N**3 * epsilon) for N in range(1, T + 1))
    assert exact == pytest.approx(745.35, abs=5e-3) and printed == pytest.approx(657.49, abs=5e-3)
    bound, N = best_blocks(lambda n: largest_gain(np.ones((1, 1)), float(n), noise), T, noise, epsilon)
    assert exact <= bound and 1 <= N <= T


# --- quadrature features --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("nodes", "error", "bound"), [(4, 4.72e-4, 5.89e-4), (9, None, None)])
def test_quadrature_features_keep_the_corrected_lemma(nodes, error, bound):
    x = np.linspace(0, 1, 41)[:, None]
    q = Quadrature(nodes, 1, 1.0)
    phi = q.features(x)
    worst = np.abs(phi @ phi.T - SquaredExponential(1.0)(x, x)).max()
    assert phi.shape == (41, q.count) and worst <= q.error
    if error:  # MATH 001-4 and 001-5, three digits
        assert worst == pytest.approx(error, rel=2e-3) and q.error == pytest.approx(bound, rel=2e-3)
