from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW, kernels, points
from tvbo_core.gain import greedy_information_gain, information_gain
from tvbo_core.gp import posterior
from tvbo_core.kernels import Matern, SquaredExponential, Tabulated


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
