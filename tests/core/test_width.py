import math

import numpy as np
import pytest

from tvbo_core.gp.grid import RankOne
from tvbo_core.kernels import SquaredExponential
from tvbo_core.policies.index import RGPUCB, TVGPUCB
from tvbo_core.policies.width import (
    LogWidth,
    check_width,
    markov_width,
    norm_bound,
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


def test_a_number_is_the_width_in_every_round():
    assert [resolve(2, t, never) for t in (0, 1, 1000)] == [2.0, 2.0, 2.0]


def test_a_log_width_is_c_root_log_of_the_papers_round():
    assert resolve(LogWidth(1.5), 99, never) == pytest.approx(1.5 * math.sqrt(math.log(100)), rel=1e-15)


def test_a_log_width_reproduces_the_practical_width_of_bogunovic():
    # beta_t = 0.8 log(4 t), index mu + sqrt(beta_t) sigma, at t = 25: sqrt(0.8 * 4.60517019).
    assert resolve(LogWidth(math.sqrt(0.8), 4), 24, never) == pytest.approx(1.91941036, abs=1e-8)


@pytest.mark.parametrize("scale", [1e-9, 0.4, 1.0, 4.0])
def test_a_log_width_is_positive_from_the_first_round_and_never_falls(scale):
    widths = [LogWidth(1.0, scale).at(t) for t in range(60)]
    assert widths[0] >= math.sqrt(math.log(2)) and widths == sorted(widths)


def test_the_theory_is_asked_when_the_width_says_so():
    assert resolve("theory", 3, lambda: 7.5) == 7.5


@pytest.mark.parametrize("width", [0, -1.0, math.inf, math.nan, "wide", None, True, [2.0]])
def test_what_is_no_width_is_refused_in_one_sentence(width):
    with pytest.raises(ValueError, match="width must be a positive finite number"):
        check_width(width)


@pytest.mark.parametrize("field", [{"c": 0}, {"c": math.nan}, {"scale": -1.0}])
def test_a_log_width_needs_positive_fields(field):
    with pytest.raises(ValueError, match="of a LogWidth must be a positive finite number"):
        LogWidth(**field)


def test_no_ridge_means_the_noise_variance():
    assert resolve_ridge(None, known(noise_sd=0.3)) == pytest.approx(0.09, rel=1e-15)
    assert resolve_ridge(2.5, known(noise_sd=0.3)) == 2.5


def test_a_noiseless_problem_gets_a_tiny_positive_ridge():
    assert resolve_ridge(None, known(noise_sd=0.0, variance=4.0)) == pytest.approx(4e-6, rel=1e-12)


def test_a_problem_without_a_norm_bound_says_so():
    assert norm_bound(known(norm=3.0)) == 3.0
    with pytest.raises(ValueError, match="needs a bound on the norm"):
        norm_bound(known(norm=None))


# --- widths for a whole interval (Bogunovic et al., eq. 16 and 19)


@pytest.mark.parametrize(
    ("T", "delta", "a", "b", "d", "r"), [(200, 0.1, 3.0, 7.0, 1, 1.0), (50, 0.01, 1.5, 2.0, 2, 4.0)]
)
def test_the_widths_are_those_that_are_printed(T, delta, a, b, d, r):
    sixteen = 2 * math.log(2 * math.pi**2 * T**2 / (3 * delta)) + 2 * d * math.log(
        r * d * b * T**2 * math.sqrt(math.log(2 * d * a * math.pi**2 * T**2 / (3 * delta)))
    )
    nineteen = 2 * math.log(math.pi**2 * T**2 / (2 * delta)) + 2 * d * math.log(
        r * d * b * T**2 * math.sqrt(math.log(d * a * math.pi**2 * T**2 / (2 * delta)))
    )
    assert markov_width(T, delta, a, b, d, r, restarts=True) ** 2 == pytest.approx(sixteen, rel=1e-12)
    assert markov_width(T, delta, a, b, d, r) ** 2 == pytest.approx(nineteen, rel=1e-12)


def test_it_is_the_width_of_a_finite_domain_with_the_points_of_the_proof():
    """Between the points a path moves by at most 1/T^2: slope at most b sqrt(ln(3 a pi_T / delta)), step r / cells."""
    T, delta, (a, b) = 100, 0.1, slope_tail(0.2)
    pi = (math.pi * T) ** 2 / 6.0
    slope = b * math.sqrt(math.log(3.0 * a * pi / delta))
    cells = slope * T**2
    assert markov_width(T, delta, a, b) ** 2 == pytest.approx(2.0 * math.log(3.0 * cells * pi / delta), rel=1e-12)


@pytest.mark.parametrize("lengthscale", [0.1, 0.3])
def test_no_more_paths_are_steeper_than_the_tail_allows(lengthscale):
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


def test_a_band_of_this_width_holds_on_the_whole_interval_in_every_round():
    """200 paths of the model, 30 rounds each: the promise is for all rounds and actions at once."""
    x, ell, sigma, epsilon, T, delta = np.linspace(0.0, 1.0, 101), 0.2, 0.1, 0.02, 30, 0.1
    gram = SquaredExponential(ell)(x[:, None], x[:, None])
    root = np.linalg.cholesky(gram + 1e-9 * np.eye(len(x)))
    width, rng, missed = markov_width(T, delta, *slope_tail(ell)), np.random.default_rng(0), 0
    for _ in range(200):
        engine, f, out = RankOne(gram), root @ rng.standard_normal(len(x)), False
        for _ in range(T):
            out |= bool((np.abs(f - engine.mean) > width * engine.sd + 1.0 / T**2).any())
            arm = int(engine.variance.argmax())
            engine.learn(arm, float(f[arm] + sigma * rng.standard_normal()), sigma**2)
            engine.fade(epsilon)
            f = math.sqrt(1 - epsilon) * f + math.sqrt(epsilon) * (root @ rng.standard_normal(len(x)))
        missed += out
    assert missed <= delta * 200


def test_the_width_is_a_number_that_both_methods_take():
    width = markov_width(100, 0.1, *slope_tail(0.2))
    assert TVGPUCB(epsilon=0.01, width=width).width == RGPUCB(restart=20, width=width).width == width
    assert markov_width(100, 0.1, *slope_tail(0.2), restarts=True) > width


def test_a_width_that_cannot_be_is_refused_in_one_sentence():
    for wrong in ({"T": 0}, {"dimension": 0}, {"a": 0.5}, {"b": 0.0}, {"side": -1.0}, {"side": 1e-9}):
        with pytest.raises(ValueError, match="at least"):
            markov_width(**{"T": 10, "delta": 0.1, "a": 2.0, "b": 1.0} | wrong)
    with pytest.raises(ValueError, match="positive"):
        slope_tail(0.0)
