"""Posterior, bands and gains at fifty digits on ill-conditioned cases; the fast engines after very many rounds."""

from __future__ import annotations

import numpy as np
import pytest
from mpmath import mp, mpf

from tests import extended
from tests.core import long_runs
from tests.extended import EPS
from tvbo_core.bands import AMM, AY, CMM, IGP
from tvbo_core.gp import grid_posterior, log_det, posterior
from tvbo_core.gp.grid import MergedArms, RankOne
from tvbo_core.gp.information_gain import information_gain, weighted_information_gain
from tvbo_core.gp.spectral import spectrum
from tvbo_core.kernels import Kernel, Matern, SquaredExponential

# Numerically singular: a lengthscale a thousand times the interval, and one at which SE loses rank after a dozen
# points; the two Matérn kernels are singular through repeated points only.
HARD = {
    "SE 1000": SquaredExponential(1e3),
    "SE 1": SquaredExponential(1.0),
    "SE 0.2": SquaredExponential(0.2, variance=25.0),
    "Matérn 0.2": Matern(1.5, 0.2),
    "Matérn 10000": Matern(1.5, 1e4),
}
on_hard_kernels = pytest.mark.parametrize("kernel", HARD.values(), ids=HARD)


def asked(n: int, height: float = 1.0, noise: float = 0.1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points X with five repeats, rewards y, and query points: two observed, one between, one far outside."""
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 1, (n, 1))
    X[6:10] = X[5]
    y = height * np.sin(6 * X[:, 0]) + noise * rng.normal(size=n)
    return X, y, np.vstack([X[[0, 5]], [[0.37]], [[3.0]]])


@on_hard_kernels
@pytest.mark.parametrize("noise", [1e-8, 1e-4, 1e3])
def test_posterior_is_as_good_as_stable_solves(kernel: Kernel, noise: float) -> None:
    X, y, Z = asked(18)
    exact = extended.PreciseData(kernel, X, y, noise)
    arms = np.unique(np.vstack([X, Z]), axis=0)
    where = {float(x): i for i, x in enumerate(arms[:, 0])}
    heard, wanted = np.array([where[x] for x in X[:, 0]]), np.array([where[z] for z in Z[:, 0]])
    gram = kernel(arms, arms)
    fitted = MergedArms.of(gram, noise, heard, y).fit()
    answers = {
        "posterior": posterior(kernel, X, y, Z, noise),
        "grid_posterior": tuple(v[wanted] for v in grid_posterior(gram, heard, y, noise)),
        "Merged": (fitted.mean[wanted], np.sqrt(fitted.variance[wanted])),
    }
    for j, z in enumerate(Z):
        true = exact.at(z)
        for name, (mean, sd) in answers.items():
            assert abs(mpf(float(mean[j])) - true.mean) <= true.mean_error, (name, j)
            assert abs(mpf(float(sd[j])) ** 2 - true.variance) <= true.variance_error, (name, j)


@on_hard_kernels
def test_carried_posterior_rounds_once_a_step(kernel: Kernel) -> None:
    X, y, _ = asked(18)
    exact = extended.PreciseData(kernel, X, y, 1e-4)
    engine = RankOne(kernel(X, X))
    for arm, reward in enumerate(y):
        engine.learn(arm, float(reward), 1e-4)
    for j in (0, 5, 17):
        true = exact.at(X[j])
        # Each of the 18 gains is a covariance (right to eps v) over at least the noise: eps v / 1e-4 a step, of
        # surprises of the rewards' size; 16 for the few operations of a step.
        share = 16 * exact.n * EPS * kernel.variance / mpf(1e-4)
        assert abs(mpf(float(engine.mean[j])) - true.mean) <= share * mp.norm(exact.y, mp.inf)
        assert abs(mpf(float(engine.variance[j])) - true.variance) <= share * kernel.variance


@on_hard_kernels
@pytest.mark.parametrize("noise", [1e-8, 1e-2, 1e3])
def test_log_determinants_and_gains_keep_their_digits(kernel: Kernel, noise: float) -> None:
    X, y, _ = asked(14)
    data = extended.PreciseData(kernel, X, y, noise)
    inverse = data.A**-1
    # d ln det(K + N) = tr((K + N)^-1 E), with E as in `extended.Exact`, and eps of what is summed up.
    allowed = 2 * 14 * EPS * data.size * mp.fsum(inverse[i, i] for i in range(14))
    allowed += 14 * EPS * (1 + extended.log_det(data.K, noise))
    K = kernel(X, X)
    assert abs(mpf(log_det(K, noise)) - extended.log_det(data.K, noise)) <= allowed
    assert abs(2 * mpf(information_gain(K, noise)) - extended.log_det(data.K, noise)) <= allowed
    weights = np.array([0.5 ** (13 - s) for s in range(14)])  # exact in binary
    faded = extended.log_det(data.K, noise / weights)
    assert abs(2 * mpf(weighted_information_gain(K, noise, 0.5)) - faded) <= allowed


def exact_legs(exact: extended.Spectral, z: np.ndarray, name: str, eta: float) -> tuple[mpf, mpf]:
    """Mean and half width of AY (at ridge sigma^2), IGP or AMM at fifty digits, from their formulas."""
    k, prior = exact.rotated(z)
    eta_ = mpf(float(eta))
    alpha = 1 + eta_ if name == "IGP" else exact.sigma**2
    mean, sd = exact.posterior(k, prior, alpha)
    inside = exact.log_det(alpha) + 2 * mp.log(1 / exact.delta)
    if name == "AY":
        return mean, (exact.B + mp.sqrt(inside)) * sd
    if name == "IGP":
        return mean, (exact.B + exact.sigma * mp.sqrt(inside + exact.n * eta_)) * sd
    return mean, mp.sqrt(exact.B**2 + inside) * sd


@pytest.mark.parametrize("sigma", [1e-4, 0.1])
@pytest.mark.parametrize("B", [1e-6, 3.0, 1e6])
@pytest.mark.parametrize("kernel", [SquaredExponential(1e3), SquaredExponential(0.5), Matern(1.5, 0.2)])
def test_one_regulariser_bands_keep_their_digits(kernel: Kernel, B: float, sigma: float) -> None:
    n = 12
    X, y, Z = asked(n, height=min(B, 1.0), noise=sigma)
    exact = extended.Spectral(kernel, X, y, B, sigma, 0.01)
    given = {"B": B, "sigma": sigma, "delta": 0.01}
    bands = {"AY": AY(**given, ridge=sigma**2), "IGP": IGP(**given, eta=0.01), "AMM": AMM(**given)}
    for name, bound in bands.items():
        band, alpha = bound.band(kernel, X, y, Z), 1.01 if name == "IGP" else sigma**2
        # An eigenvalue is wrong by eps tr K, which moves what is divided by (lambda + alpha) by eps tr K / alpha.
        share = n * EPS * (1 + exact.trace / alpha)
        for j, z in enumerate(Z):
            mean, width = exact_legs(exact, z, name, 0.01)
            allowed = share + (exact.unreached(z, mpf(float(alpha))) if j >= 2 else 0)  # 0 at an observed point
            for side, value in ((1, band.upper[j]), (-1, band.lower[j])):
                assert abs(mpf(float(value)) - (mean + side * width)) <= allowed * (abs(mean) + width), (name, j)


CMM_CASES = [
    (SquaredExponential(1e3), 20.0, 0.1),
    (SquaredExponential(1e3), 1e6, 1e-4),
    pytest.param(SquaredExponential(0.5), 1e6, 0.1, marks=pytest.mark.slow),
    (Matern(1.5, 0.2), 50.0, 1e-3),
    pytest.param(Matern(1.5, 0.2), 1e-6, 0.1, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("kernel", "B", "sigma"), CMM_CASES)
def test_best_regularisers_are_found_in_ill_conditioned_cases(kernel: Kernel, B: float, sigma: float) -> None:
    X, y, Z = asked(11, height=min(B, 1.0), noise=sigma)
    exact = extended.Spectral(kernel, X, y, B, sigma, 0.01)
    bound = CMM(B=B, sigma=sigma, delta=0.01)
    spec = spectrum(kernel, X, y, Z)
    band, (low, high) = bound.from_spectrum(spec), bound.dual(spec).span
    assert not band.empty
    for j, z in enumerate(Z[1:], 1):
        ceiling = exact.B * mp.sqrt(extended.correlation(kernel, z, z))
        for side, value in ((1, band.upper[j]), (-1, -band.lower[j])):
            best, alpha = exact.lowest(z, side, mpf(low), mpf(high))
            # 1e-9 of the largest band: at the floor of the span, alpha = RELIABLE tr K, an eigenvalue's error of
            # eps tr K is a share of 2e-6 of alpha, and near a minimum the curve feels only what is left of it
            # (1e-10 seen); the search itself stops at 1e-13.
            allowed = mpf(1e-9) * ceiling + (exact.unreached(z, alpha) * abs(best) if j >= 2 else 0)
            assert abs(mpf(float(value)) - min(ceiling, best)) <= allowed, (j, side)


def within(found: long_runs.EngineError, rounds: int, noise: float) -> None:
    r"""A round puts an error of $\epsilon$ times the prior variance (1) over the noise into a gain; they add up."""
    share = np.finfo(float).eps * rounds / noise
    assert found.mean <= share and found.sd <= 10 * share, found  # an sd counts in units of itself, below 1
    assert found.log_det is None or found.log_det <= share, found


@pytest.mark.parametrize("noise", [1e-2, 1e-6])
@pytest.mark.parametrize("engine", long_runs.ENGINES)
def test_fast_engines_hold_after_ten_thousand_rounds(engine: str, noise: float) -> None:
    kernel = SquaredExponential(0.2)  # of full rank on paper, of rank about 20 in double precision
    within(long_runs.ENGINES[engine](kernel, 10_000, noise), 10_000, noise)


@pytest.mark.study
@pytest.mark.parametrize("kernel", long_runs.KERNELS)
@pytest.mark.parametrize("engine", long_runs.ENGINES)
def test_fast_engines_hold_after_a_hundred_thousand_rounds(engine: str, kernel: str) -> None:
    for noise in (1e-2, 1e-6):
        within(long_runs.ENGINES[engine](long_runs.KERNELS[kernel], 100_000, noise), 100_000, noise)
