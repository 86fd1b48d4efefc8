import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import gammaln

from tests.strategies import LAW, kernels, listed_kernels, points, smoothnesses
from tvbo_core.kernels import ALL, Matern

NUS = (0.05, 0.3, 0.5, 1.0, 1.3, 1.5, 2.5, 3.5, 7.0, 29.9, 30.0)


def at_distances(kernel, r):
    """(p,) kernel at p distances, through the public call."""
    r = np.asarray(r, dtype=float)
    return kernel(np.zeros((1, 1)), r[:, None])[0]


def gamma_mixture(nu, r, lengthscale):
    """E of exp(-r²/(2 l² G)) over G ~ Gamma(nu, rate nu), by the trapezoid rule in log G."""
    u = np.arange(-80.0, 12.0, 0.004)  # u = log(nu G); the density of u is exp(nu u - e^u) / Gamma(nu)
    log_density = nu * u - np.exp(u) - gammaln(nu)
    quadratic = 0.5 * nu * (r[:, None] / lengthscale) ** 2 * np.exp(-u)
    return np.exp(log_density - quadratic).sum(axis=1) * 0.004


def test_matern_is_a_gamma_mixture():
    r = np.array([1e-4, 1e-3, 0.01, 0.1, 0.4, 0.7, 1.5, 4.0])
    for nu in NUS:
        # 1e-11: the oracle's sum over 23,000 steps and gammaln each err by about 1e-12.
        assert at_distances(Matern(nu, 0.7), r) == pytest.approx(gamma_mixture(nu, r, 0.7), rel=1e-11, abs=1e-14)


@pytest.mark.parametrize("nu", [-1.0, 0.0, 30.001, 1000.0])
def test_smoothness_outside_its_range_is_refused(nu):
    with pytest.raises(ValueError, match=r"nu must be in \(0, 30\], or inf"):
        Matern(nu)


@LAW
@given(smoothnesses(), st.floats(1e-3, 1e3))
@example(nu=29.999, lengthscale=222.0)  # the largest logarithms that meet and cancel
@example(nu=3.5, lengthscale=1.0)
def test_matern_falls_from_one_to_zero(nu, lengthscale):
    r = np.concatenate([[0.0], np.geomspace(1e-300, 1e300, 601)])
    k = at_distances(Matern(nu, lengthscale), r)
    assert k[0] == 1.0
    assert ((k >= 0) & (k <= 1)).all()
    assert (np.diff(k) <= 1e-13).all()  # 1e-13: accuracy of the Bessel function
    assert k[-1] == 0.0


def faults_of_a_covariance(kernel, X):
    """Return what makes a Gram matrix no covariance matrix."""
    K, prior, n = kernel(X, X), kernel.diag(X), len(X)
    assert K.shape == (n, n) and prior.shape == (n,)
    found = {
        "asymmetric": not np.array_equal(K, K.T),
        "diagonal": not np.array_equal(K.diagonal(), prior),
        # An entry errs by at most 1e-13 of the variance, a sum of n of them moves an eigenvalue by n times that.
        "negative eigenvalue": np.linalg.eigvalsh(K)[0] < -1e-13 * n * prior.max(),
    }
    return [fault for fault, there in found.items() if there]


@LAW
@given(st.one_of(kernels(), listed_kernels()), st.integers(1, 12), st.integers(1, 3), st.data())
def test_every_gram_matrix_is_a_covariance(kernel, n, d, data):
    assert faults_of_a_covariance(kernel, data.draw(points(n, d))) == []


@pytest.mark.parametrize("name", ALL)
@LAW
@given(smoothnesses(), st.floats(0.01, 100), st.data())
def test_stretching_points_and_lengthscale_changes_nothing(name, nu, stretch, data):
    """Of every kernel of the list, which has variance 1, and hears of a smoothness only where its line says so."""
    X, Z = data.draw(points(5, 2)), data.draw(points(4, 2))
    entry = ALL[name]
    at_half = entry.make(nu, 0.5)(X, Z)
    # 1e-12: r moves by a rounding, and k = e^-z with z up to 30 passes it on 30-fold.
    assert entry.make(nu, 0.5 * stretch)(stretch * X, stretch * Z) == pytest.approx(at_half, rel=1e-12, abs=1e-12)
    assert (entry.make(nu, 0.5).diag(X) == 1.0).all() and (np.abs(at_half) <= 1.0).all()
    assert entry.takes_nu or np.array_equal(entry.make(1.5, 0.5)(X, Z), at_half)
