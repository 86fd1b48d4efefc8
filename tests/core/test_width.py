import math

import numpy as np
import pytest

from tvbo_core.kernels import SquaredExponential
from tvbo_core.policies.width import (
    LogWidth,
    markov_width,
    resolve,
    resolve_ridge,
    slope_tail,
)
from tvbo_core.records import LearnerInfo


def known(noise_sd: float = 0.1, norm: float | None = 3.0, variance: float = 1.0) -> LearnerInfo:
    x = np.linspace(0, 1, 5)[:, None]
    return LearnerInfo(x, 10, noise_sd, SquaredExponential(0.2, variance), norm, 1.0, None)


def never() -> float:
    raise AssertionError("the theory was asked although the width is a number")


def test_log_width_is_c_root_log_round():
    assert resolve(LogWidth(1.5), 99, never) == pytest.approx(1.5 * math.sqrt(math.log(100)), rel=1e-15)


def test_log_width_reproduces_bogunovic():
    # beta_t = 0.8 log(4 t), index mu + sqrt(beta_t) sigma, at t = 25: sqrt(0.8 * 4.60517019).
    assert resolve(LogWidth(math.sqrt(0.8), 4), 24, never) == pytest.approx(1.91941036, abs=1e-8)


@pytest.mark.parametrize("scale", [1e-9, 0.4, 1.0, 4.0])
def test_log_width_is_positive_and_never_falls(scale):
    widths = [LogWidth(1.0, scale).at(t) for t in range(60)]
    assert widths[0] >= math.sqrt(math.log(2)) and widths == sorted(widths)


def test_default_ridge_is_the_noise_variance():
    assert resolve_ridge(None, known(noise_sd=0.3)) == pytest.approx(0.09, rel=1e-15)
    assert resolve_ridge(2.5, known(noise_sd=0.3)) == 2.5


def test_noiseless_ridge_is_tiny_but_positive():
    assert resolve_ridge(None, known(noise_sd=0.0, variance=4.0)) == pytest.approx(4e-6, rel=1e-12)


# --- widths for a whole interval (Bogunovic et al., eq. 16 and 19)


@pytest.mark.parametrize(
    ("T", "delta", "a", "b", "d", "r"), [(200, 0.1, 3.0, 7.0, 1, 1.0), (50, 0.01, 1.5, 2.0, 2, 4.0)]
)
def test_markov_widths_are_those_printed(T, delta, a, b, d, r):
    sixteen = 2 * math.log(2 * math.pi**2 * T**2 / (3 * delta)) + 2 * d * math.log(
        r * d * b * T**2 * math.sqrt(math.log(2 * d * a * math.pi**2 * T**2 / (3 * delta)))
    )
    nineteen = 2 * math.log(math.pi**2 * T**2 / (2 * delta)) + 2 * d * math.log(
        r * d * b * T**2 * math.sqrt(math.log(d * a * math.pi**2 * T**2 / (2 * delta)))
    )
    assert markov_width(T, delta, a, b, d, r, restarts=True) ** 2 == pytest.approx(sixteen, rel=1e-12)
    assert markov_width(T, delta, a, b, d, r) ** 2 == pytest.approx(nineteen, rel=1e-12)


@pytest.mark.parametrize("lengthscale", [0.1, 0.3])
def test_steep_paths_are_rarer_than_the_tail(lengthscale):
    rng, x = np.random.default_rng(5), np.linspace(0.0, 1.0, 241)
    gaps = (x[:, None] - x) / lengthscale
    covariance = (1.0 - gaps**2) * np.exp(-0.5 * gaps**2) / lengthscale**2  # of f', exactly
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    steepest = np.abs(root @ rng.standard_normal((len(x), 4000))).max(axis=0)
    a, b = slope_tail(lengthscale)
    for L in np.array([2.0, 2.5, 3.0, 3.5]) / lengthscale:
        allowed = a * math.exp(-((L / b) ** 2))
        share = (steepest > L).mean()
        error = math.sqrt(max(share * (1 - share), 1e-4) / 4000)
        assert share <= allowed + 3 * error  # three standard errors of a share of 4000 paths
        assert allowed < 6 * share + 20 / 4000  # Rice's formula counts crossings: not far above
