from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW, observations
from tvbo_core.gp import bias_norm, log_det, posterior, posterior_weights, weighted_sd
from tvbo_core.kernels import Matern, SquaredExponential, Tabulated

GRID = np.linspace(0, 1, 40)[:, None]


class PolynomialKernel:
    """k(x, z) = phi(x)'phi(z), features 1, x, x², x³: all about it can be computed without a kernel."""

    @staticmethod
    def features(X):
        return X ** np.arange(4)

    def __call__(self, X, Z):
        return self.features(X) @ self.features(Z).T

    def diag(self, X):
        return (self.features(X) ** 2).sum(axis=1)


def exact_posterior(K, Kz, prior, y, noise):
    """Mean and variance at one point in rational arithmetic (no rounding), by Gauss-Jordan elimination."""
    n = len(y)
    rows = [[Fraction(float(v)) for v in (*K[i], Kz[i], y[i])] for i in range(n)]
    for i in range(n):
        rows[i][i] += Fraction(float(noise[i]))
    for i in range(n):
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for j in range(n):
            if j != i:
                rows[j] = [v - rows[j][i] * w for v, w in zip(rows[j], rows[i], strict=True)]
    k = [Fraction(float(v)) for v in Kz]
    mean = sum(a * row[n + 1] for a, row in zip(k, rows, strict=True))
    return float(mean), float(Fraction(float(prior)) - sum(a * row[n] for a, row in zip(k, rows, strict=True)))


@pytest.mark.parametrize("noise", [[1e-8] * 5, [1e-8, 1e30, 1e-8, 1.0, 1e12], [1e30] * 5, [0.3, 1e-6, 2.0, 1e5, 0.1]])
@pytest.mark.parametrize("kernel", [SquaredExponential(0.5), Matern(1.5, 0.5), Matern(0.3, 0.5, 4.0)])
def test_posterior_equals_exact_rational_arithmetic(kernel, noise):
    X = np.array([[0.0], [0.21], [0.4], [0.6], [1.0]])
    y = np.array([1.0, -2.0, 0.5, 0.25, 3.0])
    Z = np.array([[0.0], [0.5], [3.0]])
    mean, sd = posterior(kernel, X, y, Z, noise)
    K, Kz, prior = kernel(X, X), kernel(X, Z), kernel.diag(Z)
    for j in range(3):
        mu, var = exact_posterior(K, Kz[:, j], prior[j], y, noise)
        assert mean[j] == pytest.approx(mu, rel=1e-9, abs=1e-9)
        # 1e-14: a variance is a difference of two numbers of the size of the prior variance, 4 at most.
        assert sd[j] ** 2 == pytest.approx(var, rel=1e-9, abs=1e-14)


@LAW
@given(observations())
def test_posterior_equals_the_plain_linear_solve(data):
    K, Kz = data.kernel(data.X, data.X), data.kernel(data.X, data.Z)
    solved = np.linalg.solve(K + np.diag(data.noise), np.column_stack([data.y, Kz]))
    mean, sd = posterior(data.kernel, data.X, data.y, data.Z, data.noise)
    # 1e-8: the plain solve has condition number up to 15 * 20 / 1e-4 = 3e6 before its weights multiply y.
    assert mean == pytest.approx(Kz.T @ solved[:, 0], abs=1e-8)
    assert sd**2 == pytest.approx(data.kernel.diag(data.Z) - (Kz * solved[:, 1:]).sum(axis=0), abs=1e-8)


def test_posterior_with_finitely_many_features_is_bayesian_linear_regression():
    rng = np.random.default_rng(1)
    X, Z, y = rng.uniform(-1, 1, (12, 1)), rng.uniform(-1, 1, (5, 1)), rng.normal(size=12)
    noise = rng.uniform(0.05, 2.0, 12)
    kernel = PolynomialKernel()
    phi, phi_z = kernel.features(X), kernel.features(Z)
    covariance = np.linalg.inv(np.eye(4) + phi.T @ (phi / noise[:, None]))
    mean, sd = posterior(kernel, X, y, Z, noise)
    assert mean == pytest.approx(phi_z @ covariance @ phi.T @ (y / noise), rel=1e-9)
    assert sd**2 == pytest.approx(np.einsum("mi,ij,mj->m", phi_z, covariance, phi_z), rel=1e-9)


def test_a_single_arm_shrinks_as_in_the_textbook():
    kernel, X, y, ridge = Tabulated(np.ones((1, 1))), np.zeros((7, 1)), np.arange(7.0), 0.3
    mean, sd = posterior(kernel, X, y, X[:1], ridge)
    assert mean[0] == pytest.approx(21.0 / 7.3, rel=1e-9)
    assert sd[0] ** 2 == pytest.approx(0.3 / 7.3, rel=1e-9)
    assert log_det(np.ones((7, 7)), ridge) == pytest.approx(np.log(1 + 7 / 0.3), rel=1e-9)


def test_no_observation_leaves_the_prior():
    kernel, none = Matern(2.5, 0.3, 4.0), np.empty((0, 1))
    mean, sd = posterior(kernel, none, np.empty(0), GRID, 0.1)
    assert np.array_equal(mean, np.zeros(40)) and np.array_equal(sd, np.full(40, 2.0))
    assert posterior_weights(kernel, none, GRID, 0.1).shape == (0, 40)
    assert np.array_equal(weighted_sd(kernel, none, GRID, np.empty(0), 0.1), np.full(40, 2.0))
    assert log_det(np.empty((0, 0)), 0.1) == 0.0


@LAW
@given(observations(min_n=1))
def test_endless_noise_leaves_the_prior(data):
    mean, sd = posterior(data.kernel, data.X, data.y, data.Z, 1e30)
    assert mean == pytest.approx(np.zeros(len(data.Z)), abs=1e-9)
    assert sd**2 == pytest.approx(data.kernel.diag(data.Z), rel=1e-9)


@pytest.mark.parametrize("kernel", [Matern(0.5, 0.3), Matern(1.5, 0.3), SquaredExponential(0.1)])
def test_vanishing_noise_interpolates_distinct_points(kernel):
    X = np.linspace(0, 1, 8)[:, None]
    y = np.cos(7 * X[:, 0])
    mean, sd = posterior(kernel, X, y, X, 1e-13)
    # The gap to y is noise * (K + N)^{-1} y, and the smallest eigenvalue of these K is above 1e-3.
    assert mean == pytest.approx(y, abs=1e-9)
    assert sd**2 == pytest.approx(np.zeros(8), abs=1e-9)


@LAW
@given(observations(min_n=2), st.randoms(use_true_random=False))
def test_the_order_of_the_observations_does_not_matter(data, random):
    order = random.sample(range(len(data.y)), len(data.y))
    mean, sd = posterior(data.kernel, data.X, data.y, data.Z, data.noise)
    mean2, sd2 = posterior(data.kernel, data.X[order], data.y[order], data.Z, data.noise[order])
    assert mean2 == pytest.approx(mean, abs=1e-9)
    assert sd2**2 == pytest.approx(sd**2, abs=1e-9)
    K = data.kernel(data.X, data.X)
    shuffled = log_det(K[np.ix_(order, order)], data.noise[order])
    assert shuffled == pytest.approx(log_det(K, data.noise), rel=1e-9, abs=1e-9)


@LAW
@given(observations(min_n=1))
def test_one_more_observation_never_widens_the_sd(data):
    _, before = posterior(data.kernel, data.X[:-1], data.y[:-1], data.Z, data.noise[:-1])
    _, after = posterior(data.kernel, data.X, data.y, data.Z, data.noise)
    # 1e-12 of the prior variance (20 at most): rounding of a variance that did not change.
    assert (after**2 <= before**2 + 1e-12 * data.kernel.variance).all()


@LAW
@given(observations(min_n=1))
def test_the_variance_at_an_observed_point_is_below_its_own_observation_alone(data):
    _, sd = posterior(data.kernel, data.X, data.y, data.X, data.noise)
    v = data.kernel.diag(data.X)
    assert (sd**2 <= v * data.noise / (v + data.noise) + 1e-12 * v).all()  # 1e-12: rounding, as above


@LAW
@given(observations(min_n=1), st.floats(0, 2), st.floats(0, 2))
def test_more_injected_uncertainty_widens_the_sd_and_lowers_the_log_det(data, a, b):
    age = np.arange(len(data.y), 0, -1.0)
    small, large = (0.1 * (1 + age**alpha) for alpha in sorted((a, b)))
    _, narrow = posterior(data.kernel, data.X, data.y, data.Z, small)
    _, wide = posterior(data.kernel, data.X, data.y, data.Z, large)
    assert (narrow**2 <= wide**2 + 1e-12 * data.kernel.variance).all()  # rounding when a = b
    K = data.kernel(data.X, data.X)
    assert log_det(K, large) <= log_det(K, small) + 1e-10


@LAW
@given(observations())
def test_the_mean_is_the_weighted_sum_of_the_rewards(data):
    a = posterior_weights(data.kernel, data.X, data.Z, data.noise)
    mean, _ = posterior(data.kernel, data.X, data.y, data.Z, data.noise)
    assert a.T @ data.y == pytest.approx(mean, abs=1e-8)  # 1e-8: both lose eps times a condition number of 3e6
    K = data.kernel(data.X, data.X) + np.diag(data.noise)
    assert K @ a == pytest.approx(data.kernel(data.X, data.Z), abs=1e-8)


def test_the_tight_sd_equals_its_explicit_feature_form():
    rng = np.random.default_rng(2)
    X, Z = rng.uniform(-1, 1, (15, 1)), rng.uniform(-1, 1, (6, 1))
    kernel, ridge, discount = PolynomialKernel(), 0.4, 0.8
    w = discount ** -np.arange(1, 16.0)
    noise = ridge * w[-1] / w
    phi, phi_z = kernel.features(X), kernel.features(Z)
    # Deng et al.: V = sum w phi phi' + lambda_t I, V~ = sum w² phi phi' + alpha_t I, lambda_t = lambda w_t,
    # alpha_t = lambda w_t²; sd² = lambda phi' V^{-1} V~ V^{-1} phi.
    V = phi.T @ (phi * w[:, None]) + ridge * w[-1] * np.eye(4)
    V_tilde = phi.T @ (phi * w[:, None] ** 2) + ridge * w[-1] ** 2 * np.eye(4)
    whitened = np.linalg.solve(V, phi_z.T)
    expected = ridge * np.einsum("im,ij,jm->m", whitened, V_tilde, whitened)
    assert weighted_sd(kernel, X, Z, noise, ridge) ** 2 == pytest.approx(expected, rel=1e-9)
    residual = phi_z.T - phi.T @ posterior_weights(kernel, X, Z, noise)
    assert bias_norm(kernel, X, Z, noise) == pytest.approx(np.linalg.norm(residual, axis=0), rel=1e-9)


def test_the_sds_of_a_discounted_arm_reach_their_limits():
    # lambda = .5, discount .9: (lambda q_2 + lambda²) / (lambda + q_1)², q_1 = 1/(1-.9), q_2 = 1/(1-.81).
    noise = 0.5 * 0.9 ** -np.arange(599, -1, -1.0)  # older observations weigh less than 1e-27
    X = np.zeros((len(noise), 1))
    kernel = Tabulated(np.ones((1, 1)))
    assert weighted_sd(kernel, X, X[:1], noise, 0.5)[0] ** 2 == pytest.approx(0.0261368, abs=5e-8)  # digits given
    _, sd = posterior(kernel, X, np.zeros(len(noise)), X[:1], noise)
    assert sd[0] ** 2 == pytest.approx(0.0476190, abs=5e-8)


@LAW
@given(observations(), st.floats(1e-3, 10.0))
def test_the_tight_sd_is_the_posterior_sd_for_equal_noise_and_below_it_for_forgotten_data(data, ridge):
    n = len(data.y)
    _, sd = posterior(data.kernel, data.X, data.y, data.Z, ridge)
    # 1e-9 (oracle): every term is of the size of the prior variance times at most 15 weights.
    assert weighted_sd(data.kernel, data.X, data.Z, ridge, ridge) ** 2 == pytest.approx(sd**2, abs=1e-9)
    noise = ridge * 1.3 ** np.arange(n, 0, -1.0)
    _, sd = posterior(data.kernel, data.X, data.y, data.Z, noise)
    assert (weighted_sd(data.kernel, data.X, data.Z, noise, ridge) ** 2 <= sd**2 + 1e-9).all()


@LAW
@given(observations(min_n=1), st.integers(0, 2**32 - 1))
def test_no_function_of_unit_norm_is_missed_by_more_than_the_bias_norm(data, seed):
    rng = np.random.default_rng(seed)
    centres = np.vstack([data.X, data.Z, rng.uniform(-1, 1, (4, data.X.shape[1]))])
    c = rng.normal(size=len(centres))
    norm = np.sqrt(c @ data.kernel(centres, centres) @ c)
    f, f_z = data.kernel(data.X, centres) @ c / norm, data.kernel(data.Z, centres) @ c / norm
    mean, _ = posterior(data.kernel, data.X, f, data.Z, data.noise)
    bound = bias_norm(data.kernel, data.X, data.Z, data.noise)
    assert (np.abs(f_z - mean) <= bound + 1e-6).all()  # 1e-6: the square root of a rounding error of 1e-12


@pytest.mark.parametrize("noise", [1e-8, 1e-2])
@pytest.mark.parametrize("kernel", [SquaredExponential(1e3), SquaredExponential(1e9), Matern(2.5, 1e6)])
def test_a_singular_kernel_matrix_gives_finite_answers(kernel, noise):
    X = np.linspace(0, 1, 200)[:, None]
    mean, sd = posterior(kernel, X, np.ones(200), GRID, noise)
    # K is all ones to rounding: the single-arm answer. 1e-5: a lengthscale of 1e3 bends the prior by 1e-6.
    assert mean == pytest.approx(np.full(40, 200 / (200 + noise)), abs=1e-5)
    assert np.isfinite(sd).all() and (sd**2 <= noise).all()


def test_repeated_points_with_noise_1e_8_give_their_average():
    X = np.array([[0.3], [0.3], [0.3], [0.8]])
    mean, sd = posterior(SquaredExponential(0.2), X, np.array([1.0, 2.0, 6.0, 0.0]), X[[0, 3]], 1e-8)
    assert mean == pytest.approx([3.0, 0.0], abs=1e-6)  # the pull towards 0 is of the size of the noise
    assert sd**2 == pytest.approx([1e-8 / 3, 1e-8], rel=1e-6)  # rounding of 1e-16 against variances of 3e-9


@pytest.mark.parametrize("variance", [0.1, 0.2212, 0.7, 1.0, 3.0, 10.0])
def test_rounding_never_puts_a_negative_number_under_the_root(variance):
    # At the data both are differences of equal numbers: truly 1e-12 or less, with rounding of either sign
    # (of 1e-16 times a variance of at most 10, whose root is far below the 1e-6 allowed for it).
    kernel, X = SquaredExponential(0.05, variance), np.linspace(0, 1, 10)[:, None]
    for noise in (1e-12, 1e-18):
        _, sd = posterior(kernel, X[:1], np.zeros(1), X[:1], noise)
        bias = bias_norm(kernel, X, X, noise)
        assert 0 <= sd[0] <= 2e-6 and ((bias >= 0) & (bias <= 2e-6)).all()


@pytest.mark.parametrize("noise", [1e-19, 1e-30, 1e-300, 5e-324])
def test_a_noise_too_small_for_double_precision_is_one_clear_error(noise):
    X = np.zeros((30, 1))
    with pytest.raises(ValueError, match="too small for this kernel matrix"):
        posterior(SquaredExponential(0.2), X, np.ones(30), X, noise)
    with pytest.raises(ValueError, match="too small for this kernel matrix"):
        log_det(np.ones((30, 30)), noise)


@pytest.mark.parametrize("noise", [0.0, -1.0, np.nan, np.inf, [0.1, 0.1, 0.0]])
def test_a_noise_that_is_not_positive_and_finite_is_refused(noise):
    with pytest.raises(ValueError, match="every noise variance must be positive and finite"):
        posterior(SquaredExponential(), np.zeros((3, 1)), np.zeros(3), GRID, noise)


@pytest.mark.parametrize(
    ("X", "y", "noise", "complaint"),
    [
        (np.zeros(3), np.zeros(3), 0.1, r"X must have shape \(n, d\)"),
        (np.zeros((3, 1)), np.zeros(2), 0.1, r"y must have shape \(3,\), got \(2,\)"),
        (np.zeros((3, 1)), np.zeros((3, 1)), 0.1, r"y must have shape"),
        (np.zeros((3, 1)), np.array([0.0, np.nan, 0.0]), 0.1, "y must be finite"),
        (np.zeros((3, 1)), np.zeros(3), [0.1, 0.1], r"noise must be a scalar or have shape \(3,\)"),
        (np.zeros((3, 2)), np.zeros(3), 0.1, "same d"),
    ],
)
def test_shapes_that_disagree_are_named(X, y, noise, complaint):
    with pytest.raises(ValueError, match=complaint):
        posterior(SquaredExponential(), X, y, GRID, noise)


def test_a_matrix_or_a_ridge_out_of_range_is_named():
    with pytest.raises(ValueError, match=r"shape \(n, n\)"):
        log_det(np.ones((2, 3)), 0.1)
    with pytest.raises(ValueError, match="finite"):
        log_det(np.full((2, 2), np.nan), 0.1)
    with pytest.raises(ValueError, match="ridge"):
        weighted_sd(SquaredExponential(), GRID, GRID, 0.1, -1.0)
