import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW, observations
from tvbo_core.gp import bias_norm, log_det, posterior, posterior_weights, weighted_sd
from tvbo_core.kernels import Matern, SquaredExponential

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


@LAW
@given(observations())
def test_posterior_equals_the_plain_solve(data):
    K, Kz = data.kernel(data.X, data.X), data.kernel(data.X, data.Z)
    solved = np.linalg.solve(K + np.diag(data.noise), np.column_stack([data.y, Kz]))
    mean, sd = posterior(data.kernel, data.X, data.y, data.Z, data.noise)
    # 1e-8: the plain solve has condition number up to 15 * 20 / 1e-4 = 3e6 before its weights multiply y.
    assert mean == pytest.approx(Kz.T @ solved[:, 0], abs=1e-8)
    assert sd**2 == pytest.approx(data.kernel.diag(data.Z) - (Kz * solved[:, 1:]).sum(axis=0), abs=1e-8)


def test_posterior_is_bayesian_linear_regression():
    rng = np.random.default_rng(1)
    X, Z, y = rng.uniform(-1, 1, (12, 1)), rng.uniform(-1, 1, (5, 1)), rng.normal(size=12)
    noise = rng.uniform(0.05, 2.0, 12)
    kernel = PolynomialKernel()
    phi, phi_z = kernel.features(X), kernel.features(Z)
    covariance = np.linalg.inv(np.eye(4) + phi.T @ (phi / noise[:, None]))
    mean, sd = posterior(kernel, X, y, Z, noise)
    assert mean == pytest.approx(phi_z @ covariance @ phi.T @ (y / noise), rel=1e-9)
    assert sd**2 == pytest.approx(np.einsum("mi,ij,mj->m", phi_z, covariance, phi_z), rel=1e-9)


def test_no_observation_leaves_the_prior():
    kernel, none = Matern(2.5, 0.3, 4.0), np.empty((0, 1))
    mean, sd = posterior(kernel, none, np.empty(0), GRID, 0.1)
    assert np.array_equal(mean, np.zeros(40)) and np.array_equal(sd, np.full(40, 2.0))
    assert posterior_weights(kernel, none, GRID, 0.1).shape == (0, 40)
    assert np.array_equal(weighted_sd(kernel, none, GRID, np.empty(0), 0.1), np.full(40, 2.0))
    assert log_det(np.empty((0, 0)), 0.1) == 0.0


@LAW
@given(observations(min_n=1))
def test_more_observations_never_widen_the_sd(data):
    _, before = posterior(data.kernel, data.X[:-1], data.y[:-1], data.Z, data.noise[:-1])
    _, after = posterior(data.kernel, data.X, data.y, data.Z, data.noise)
    # 1e-12 of the prior variance (20 at most): rounding of a variance that did not change.
    assert (after**2 <= before**2 + 1e-12 * data.kernel.variance).all()


@LAW
@given(observations())
def test_mean_is_the_weighted_sum_of_rewards(data):
    a = posterior_weights(data.kernel, data.X, data.Z, data.noise)
    mean, _ = posterior(data.kernel, data.X, data.y, data.Z, data.noise)
    assert a.T @ data.y == pytest.approx(mean, abs=1e-8)  # 1e-8: both lose eps times a condition number of 3e6
    K = data.kernel(data.X, data.X) + np.diag(data.noise)
    assert K @ a == pytest.approx(data.kernel(data.X, data.Z), abs=1e-8)


def test_tight_sd_equals_its_feature_form():
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


@LAW
@given(observations(), st.floats(1e-3, 10.0))
def test_tight_sd_is_below_the_posterior_sd(data, ridge):
    n = len(data.y)
    _, sd = posterior(data.kernel, data.X, data.y, data.Z, ridge)
    # 1e-9 (oracle): every term is of the size of the prior variance times at most 15 weights.
    assert weighted_sd(data.kernel, data.X, data.Z, ridge, ridge) ** 2 == pytest.approx(sd**2, abs=1e-9)
    noise = ridge * 1.3 ** np.arange(n, 0, -1.0)
    _, sd = posterior(data.kernel, data.X, data.y, data.Z, noise)
    assert (weighted_sd(data.kernel, data.X, data.Z, noise, ridge) ** 2 <= sd**2 + 1e-9).all()


@LAW
@given(observations(min_n=1), st.integers(0, 2**32 - 1))
def test_bias_norm_bounds_unit_functions(data, seed):
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
def test_singular_kernels_give_finite_answers(kernel, noise):
    X = np.linspace(0, 1, 200)[:, None]
    mean, sd = posterior(kernel, X, np.ones(200), GRID, noise)
    # K is all ones to rounding: the single-arm answer. 1e-5: a lengthscale of 1e3 bends the prior by 1e-6.
    assert mean == pytest.approx(np.full(40, 200 / (200 + noise)), abs=1e-5)
    assert np.isfinite(sd).all() and (sd**2 <= noise).all()


@pytest.mark.parametrize("variance", [0.1, 0.2212, 0.7, 1.0, 3.0, 10.0])
def test_rounding_never_makes_negative_variances(variance):
    # At the data both are differences of equal numbers: truly 1e-12 or less, with rounding of either sign
    # (of 1e-16 times a variance of at most 10, whose root is far below the 1e-6 allowed for it).
    kernel, X = SquaredExponential(0.05, variance), np.linspace(0, 1, 10)[:, None]
    for noise in (1e-12, 1e-18):
        _, sd = posterior(kernel, X[:1], np.zeros(1), X[:1], noise)
        bias = bias_norm(kernel, X, X, noise)
        assert 0 <= sd[0] <= 2e-6 and ((bias >= 0) & (bias <= 2e-6)).all()
