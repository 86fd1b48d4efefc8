import numpy as np
import pytest
from hypothesis import given

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


def test_no_observation_leaves_the_prior():
    kernel, none = Matern(2.5, 0.3, 4.0), np.empty((0, 1))
    mean, sd = posterior(kernel, none, np.empty(0), GRID, 0.1)
    assert np.array_equal(mean, np.zeros(40)) and np.array_equal(sd, np.full(40, 2.0))
    assert posterior_weights(kernel, none, GRID, 0.1).shape == (0, 40)
    assert np.array_equal(weighted_sd(kernel, none, GRID, np.empty(0), 0.1), np.full(40, 2.0))
    assert log_det(np.empty((0, 0)), 0.1) == 0.0


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
