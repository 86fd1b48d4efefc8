"""Restarts, windows, discounts and widths as the papers print them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core.kernels import Matern, SquaredExponential, Tabulated
from tvbo_core.policies import RGPUCB, SWGPUCB, TVGPUCB, WGPUCB, tuning
from tvbo_core.policies.width import LogWidth, markov_width, resolve, resolve_ridge, slope_tail
from tvbo_core.records import LearnerInfo, World
from tvbo_core.worlds import make_problem


def known(T=5000, d=2, kernel=None, V=4.0, B=None, m=6) -> LearnerInfo:
    x = np.random.default_rng(0).uniform(size=(m, d))
    return LearnerInfo(x, T, 0.1, kernel or SquaredExponential(0.5), 3.0, V, B)


def test_gain_rates_are_those_of_iwazaki_takeno():
    # ln 5000 = 8.5171932; its cube; Matern-5/2 in d = 2 has d/(2 nu + d) = 2/7.
    assert tuning.gain_rate(5000, math.inf, 2) == pytest.approx(617.859, rel=1e-6)
    assert tuning.gain_rate(5000, 2.5, 2) == pytest.approx(5000 ** (2 / 7) * 8.5171932 ** (5 / 7), rel=1e-7)
    assert tuning.gain_rate(1, math.inf, 1) == 1.0


def test_restarts_match_the_published_experiments():
    # T = 5000, d = 2, V_T = 4: ln^3(5000)^(1/4) * sqrt(1250) = 4.98566 * 35.35534 = 176.27 -> 177.
    assert RGPUCB().memory(known()).interval == 177
    assert SWGPUCB().memory(known()).length == 177
    # Unknown budget: 4.98566 * sqrt(5000) = 352.54 -> 353.
    assert RGPUCB("unknown").memory(known()).interval == 353


def test_known_rkhs_budget_is_preferred():
    # B_T = 16: 4.98566 * sqrt(5000 / 16) = 88.13 -> 89.
    assert RGPUCB().memory(known(B=16.0)).interval == 89


def test_sup_norm_is_divided_by_prior_sd():
    assert tuning.budget(known(kernel=SquaredExponential(0.5, 4.0), V=6.0)) == pytest.approx(3.0, rel=1e-12)


def test_discount_is_that_of_deng():
    # T = 500, d = 1, SE, B_T = 4: ln^2(500) = 38.62139, to the -1/4 0.401139; times sqrt(4/500): 0.0358790.
    assert WGPUCB().memory(known(T=500, d=1, B=4.0)).gamma == pytest.approx(1 - 0.0358790, abs=1e-6)
    assert WGPUCB("unknown").memory(known(T=500, d=1, B=4.0)).gamma == pytest.approx(1 - 0.0358790 / 2, abs=1e-6)


@pytest.mark.parametrize(("epsilon", "interval"), [(0.001, 68), (0.01, 38), (0.03, 29)])
def test_se_restarts_are_those_of_bogunovic(epsilon, interval):
    assert tuning.markov_restart(200, epsilon) == interval


@pytest.mark.parametrize(("epsilon", "interval"), [(0.001, 178), (0.01, 92), (0.03, 67)])
def test_matern_restarts_are_those_of_bogunovic(epsilon, interval):
    assert tuning.markov_restart(200, epsilon, nu=2.5, d=2) == interval


def test_nearly_still_worlds_never_restart():
    assert tuning.markov_restart(200, 0.0) == 200 and tuning.markov_restart(200, 1e-12) == 200


def test_matched_epsilon_moves_by_the_average_step():
    epsilon = tuning.markov_epsilon(T=101, sup_variation=20.0, prior=2.0)
    # One step of f' = sqrt(1-eps) f + sqrt(eps) g has variance 2 (1 - sqrt(1-eps)) prior.
    assert 2 * (1 - math.sqrt(1 - epsilon)) * 2.0 == pytest.approx(0.2**2, rel=1e-9)
    assert tuning.markov_epsilon(100, 0.0, 1.0) == 0.0
    assert tuning.markov_epsilon(100, 1e9, 1.0) == 1.0
    assert tuning.markov_epsilon(1, 0.0, 1.0) == 0.0


@LAW
@given(
    st.integers(1, 10_000),
    st.floats(0, 1e9),
    st.one_of(st.none(), st.floats(0, 1e9)),
    st.sampled_from([SquaredExponential(0.2), Matern(0.05, 0.2), Matern(2.5, 1.0, 9.0), Tabulated(np.eye(6))]),
)
def test_every_tuning_is_legal_at_any_budget(T, V, B, kernel):
    x = np.arange(6.0)[:, None]
    told = LearnerInfo(x, T, 0.1, kernel, None, V, B)
    for word in ("paper", "unknown"):
        assert 1 <= RGPUCB(word).memory(told).interval <= T
        assert 1 <= SWGPUCB(word).memory(told).length <= T
        assert 0 <= WGPUCB(word).memory(told).gamma <= 1
    assert 0 <= TVGPUCB().memory(told).epsilon <= 1


def test_still_worlds_are_never_forgotten():
    told = make_problem(World(kind="still", horizon=60)).known
    assert RGPUCB().memory(told).interval == 60 and SWGPUCB().memory(told).length == 60
    assert WGPUCB().memory(told).gamma == 1.0 and TVGPUCB().memory(told).epsilon == 0.0


# --- width ------------------------------------------------------------


def noisy(noise_sd: float = 0.1, norm: float | None = 3.0, variance: float = 1.0) -> LearnerInfo:
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
    assert resolve_ridge(None, noisy(noise_sd=0.3)) == pytest.approx(0.09, rel=1e-15)
    assert resolve_ridge(2.5, noisy(noise_sd=0.3)) == 2.5


def test_noiseless_ridge_is_tiny_but_positive():
    assert resolve_ridge(None, noisy(noise_sd=0.0, variance=4.0)) == pytest.approx(4e-6, rel=1e-12)


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
