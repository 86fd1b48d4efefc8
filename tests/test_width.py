import math

import numpy as np
import pytest

from tvbo_core.kernels import SquaredExponential
from tvbo_core.policies.width import LogWidth, check_width, norm_bound, resolve, resolve_ridge
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
