"""Bounds and promises as numbers, not only as inequalities: each against its formula, written out from its paper.

With one arm and k(x, x) = 1 every gain is a logarithm: n observations of weight w have 1/2 ln(1 + n w / lambda).
"""

from __future__ import annotations

import math
import sys
from itertools import count
from typing import ClassVar

import numpy as np
import pytest

from lessons.real_data.side_by_side import play_many
from tvbo_core.bands.base import Bound, Curves, FitAt, around
from tvbo_core.bands.coverage import draw_still_worlds, score
from tvbo_core.designs import play_rng
from tvbo_core.gp.information_gain import best_blocks, largest_gain
from tvbo_core.kernels import SquaredExponential
from tvbo_core.play import play
from tvbo_core.policies import GPUCB, TVGPUCB, WGPUCB, KernelUCB
from tvbo_core.policies.elimination.schedule import still_width, union_log
from tvbo_core.records import LearnerInfo, Problem
from tvbo_core.theory.against import CASES
from tvbo_core.theory.qff import Quadrature
from tvbo_core.worlds.lower_bound import hidden_function_bound

T, B, RHO, LAM, DELTA = 500, 2.0, 0.3, 0.09, 0.05  # horizon, norm, noise sd, its square, failure probability
NEAR = 1e-9  # the same formula in another order of operations


def one_arm(horizon: int = T, ell: float = 0.5) -> LearnerInfo:
    return LearnerInfo(np.array([[0.5]]), horizon, RHO, SquaredExponential(ell), B, sup_variation=1.0)


def gain(weight: float) -> float:
    return 0.5 * math.log(1 + weight / LAM)


def rperp(V: float) -> float:
    """Iwazaki & Takeno, Theorem 5 (SE, d = 1), eq. 8 with C = 2 sqrt 2, eq. 101."""
    H = math.ceil(T ** (2 / 3) * V ** (-2 / 3) * math.log(T))
    loglog = math.log2(math.log2(H))
    L = math.log(4 * 1 * math.ceil(T / H) * (1 + loglog) / DELTA)
    beta = (B * (2 * math.sqrt(2) / RHO * math.sqrt(L) + 1) + RHO / RHO * math.sqrt(2 * L)) ** 2
    C1 = 8 / math.log(1 + 1 / LAM)
    batches = 4 * (loglog + 1) * (math.sqrt(H) + 1) * math.sqrt(C1 * gain(H) * beta)
    return (7 + loglog) * V * H + math.ceil(T / H) * (2 * B * (math.sqrt(H) + 1) + batches)


def wgp(drift: float) -> float:
    """Deng et al., Corollary 5 (SE, d = 1), Lemma 10 at level delta / T, Appendix C.5 with 2 m features."""
    rate = math.log(T) ** 2
    g = 1 - rate ** (-1 / 4) * drift ** (1 / 2) * T ** (-1 / 2)
    once, twice = (1 - g**T) / (1 - g), (1 - g ** (2 * T)) / (1 - g**2)
    beta = B + RHO / RHO * math.sqrt(2 * math.log(T / DELTA) + 2 * gain(twice))
    nodes = max(math.ceil(math.log(T**3 * rate ** (3 / 2)) / math.log(4 / math.e)), math.floor(1 / 0.5**2) + 1)
    m, error = 2 * nodes, Quadrature(nodes, 1, 0.5).error
    s = max(2 * LAM, 1 / math.log(1 + 1 / LAM))  # Lemma 16 for small lambda
    c = math.ceil(math.log(T) / (1 - g))
    fade = math.log(1 / g)
    return (
        2 * beta * math.sqrt(2 * s * T * gain(once) + s * m * T**2 * fade)
        + 2 / LAM * c ** (3 / 2) * drift * math.sqrt(2 * s * gain(once) + s * m * c * fade)
        + 4 * B * g**c * T / (LAM * (1 - g))
        + 2 * drift * c**2 * math.sqrt(error) / (LAM * (1 - g))
        + 2 * beta * T * math.sqrt(error) / (1 - g)
    )


def tvgp(epsilon: float) -> float:
    """Bogunovic et al., eq. 20 on one arm; the gain of a reward that stands still is that of one block."""
    assert epsilon == 0.0
    beta = 2 * math.log(3 * 1 * math.pi**2 * T**2 / 6 / DELTA)
    return math.sqrt(8 / math.log(1 + 1 / LAM) * T * beta * gain(T))


def rgp(epsilon: float) -> float:
    """Bogunovic et al., Corollary 4.1 with the 12 of section 5, and eq. 17-18 with a_0 = |D|, b_0 = sqrt 2."""
    N = math.ceil(min(T, 12 * epsilon ** (-1 / 4)))
    pi = math.pi**2 * T**2
    beta = 2 * math.log(4 * 1 * pi / 6 / DELTA)
    still = math.sqrt(8 / math.log(1 + 1 / LAM) * T * beta * (T / N + 1) * gain(N))
    sd = math.sqrt(beta * (3 / LAM + 1 / LAM**2) * N**3 * epsilon)
    mean = (1 / LAM + 1 / LAM**2) * N**3 * epsilon * (2 + math.sqrt(2))
    return still + T * (sd + mean * math.sqrt(math.log(2 * (1 + 1) * pi / (3 * DELTA))))


def kernelucb(_: float) -> float:
    """Flynn & Reeb, end of Appendix D.2, at c = 1."""
    radius = 2 * LAM * gain(T) + LAM * B**2 + 2 * LAM * math.log(1 / DELTA)
    return math.sqrt(12 * T * gain(T) * max(B**2, radius))


BY_HAND = {"rperp": (rperp, 3.0), "wgp": (wgp, 0.7), "tv": (tvgp, 0.0), "rgp": (rgp, 0.02), "kernelucb": (kernelucb, 0)}


@pytest.mark.parametrize("key", CASES)
def test_bound_of_one_arm_is_its_papers(key: str) -> None:
    formula, drift = BY_HAND[key]
    found = CASES[key].at(one_arm(), drift, DELTA)
    # Of one arm the relaxation's design is exact: its gap is rounding.
    assert found.total == pytest.approx(formula(drift), rel=NEAR) and found.chance == pytest.approx(1 - DELTA)


@pytest.mark.parametrize("epsilon", [0.0, 0.01, 0.5, 1.0])
def test_block_bound_of_two_rounds_by_hand(epsilon: float) -> None:
    """Two blocks of one round, or one of two: gamma_2 + eps 2 sqrt 3 sqrt gamma_2 / (2 sqrt 3 sigma^2)."""
    single, both = 2 * gain(1), gain(2) + epsilon * math.sqrt(gain(2)) / LAM
    bound, N = best_blocks(gain, 2, LAM, epsilon)
    assert bound == pytest.approx(min(single, both), rel=NEAR)
    assert 1 + (both <= single) == N


@pytest.mark.parametrize(("horizon", "H", "intervals"), [(300, 100, 3), (301, 100, 4), (99, 100, 1)])
def test_elimination_widths_are_unions_over_batches(horizon: int, H: int, intervals: int) -> None:
    """Theorem 4's Q = ceil(T/H) (1 + log2 log2 H); Vakili et al., Theorem 1, once a batch, for 40 arms."""
    by_hand = math.log(4 * 40 * intervals * (1 + math.log2(math.log2(H))) / DELTA)
    assert union_log(40, horizon, H, DELTA) == pytest.approx(by_hand, rel=NEAR)
    still = B + RHO / 0.5 * math.sqrt(2 * math.log(2 * 40 * (1 + math.log2(math.log2(horizon))) / DELTA))
    assert still_width(40, horizon, B, RHO, 0.25, DELTA) == pytest.approx(still, rel=NEAR)


@pytest.mark.parametrize("mass", [1.0, 1e6, 1e14, 1e18])
def test_largest_gain_is_a_logarithm_at_any_mass(mass: float) -> None:
    """Of m arms without correlation: m / 2 ln(1 + M / (m lambda)), above 1e13 lambda by the step to larger weights."""
    for m in (1, 3):
        expected = 0.5 * m * math.log1p(mass / (m * LAM))
        assert largest_gain(np.eye(m), mass, LAM) == pytest.approx(expected, rel=1e-6)  # the gap of the design


@pytest.mark.parametrize("horizon", [10, 500])
def test_igp_ucb_has_its_eta(horizon: int) -> None:
    """Chowdhury & Gopalan (2017): eta = 2 / T; one arm heard once at regulariser 1 + eta, width with t eta = eta."""
    known, eta = one_arm(horizon), 2 / horizon
    policy = KernelUCB("IGP", delta=DELTA)
    band = policy.band(policy.update(policy.init(known), 0, 0, 0.7), 1)
    alpha = 1 + eta
    sd = math.sqrt(1 - 1 / (1 + alpha))
    width = B + RHO * math.sqrt(math.log(1 + 1 / alpha) + eta + 2 * math.log(1 / DELTA))
    assert band.mean[0] == pytest.approx(0.7 / (1 + alpha), rel=NEAR)
    assert band.upper[0] - band.lower[0] == pytest.approx(2 * width * sd, rel=NEAR)


def test_hidden_function_bound_is_its_formula() -> None:
    """Three functions on two arms, one hidden: T (mean max - max mean - range / (2 sigma) sqrt(T max mean square))."""
    F = np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    by_hand = 4 * (5 / 3 - 1.0 - 2.0 / (2 * 20.0) * math.sqrt(4 * 5 / 3))
    assert hidden_function_bound(F, 4, 20.0) == pytest.approx(by_hand, rel=NEAR)


class OneTime(Bound):
    """A band that promises one time that is fixed in advance."""

    name: ClassVar[str] = "one time"
    at_all_times: ClassVar[bool] = False

    def from_fits(self, fit_at: FitAt) -> Curves:
        fit = fit_at(1.0)
        return around(self, fit, np.full(np.shape(fit.log_det), 9.0))


def test_one_time_promise_pays_for_each_time() -> None:
    """After 0, 1, ..., 7 observations the curve may leave it eight times."""
    x = np.linspace(0, 1, 5)[:, None]
    drawn = draw_still_worlds(SquaredExponential(0.3), x, 7, 2, 1.0, 0.1, np.random.default_rng(0))
    count = score({"one": OneTime(1.0, 0.1, 0.01)}, drawn).counts["one"]
    assert count.promised == pytest.approx(1 - 8 * 0.01, rel=NEAR)


def test_time_of_a_stack_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second of a play is booked once, and runs that go side by side have the same: a clock that counts."""
    clock = count()
    for name in ("tvbo_core.play", "lessons.real_data.side_by_side"):
        monkeypatch.setattr(sys.modules[name], "perf_counter", lambda: float(next(clock)))
    problem = Problem(np.array([[0.0], [1.0]]), np.zeros((10, 2)), 0.1, SquaredExponential(), None)
    alone = play(problem, GPUCB(), play_rng(0)).seconds
    assert alone.tolist() == [1.0] * 10
    summed, others = [(WGPUCB(0.9), 0)], [(GPUCB(), 0), (TVGPUCB(0.1), 1), (GPUCB(), 2), (GPUCB(1.0), 3)]
    first, *rest = (history.seconds.tolist() for history in play_many(problem, [*summed, *others]))
    assert first == [1.0] * 10 and rest == [[0.25] * 10] * 4  # two stacks
