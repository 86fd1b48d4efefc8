r"""The registry of theorems: exact exponents of the papers' tables, borders that join, and bounds that bound."""

from __future__ import annotations

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvbo_core as tv
from tests.strategies import LAW
from tvbo_core.designs import play_rng
from tvbo_core.play import play
from tvbo_core.policies.elimination.schedule import restart_length, shuffled_width
from tvbo_core.theory import LOWER, THEOREMS, UPPER, for_kernel
from tvbo_core.theory.against import CASES, still_or_hidden
from tvbo_core.theory.finite import rperp_width_terms
from tvbo_core.worlds import make_problem

NUS = st.fractions(F(3, 5), 50, max_denominator=8)
DS = st.integers(1, 6)


def test_curves_are_powers_of_their_exponents():
    T, V = np.array([1e2, 1e6]), 3.0
    for key, (nu, d, alpha) in product(THEOREMS, ((F(5, 2), 2, F(1, 2)), (F(3, 4), 1, F(3, 2)))):
        t, at = THEOREMS[key], {"nu": nu, "d": d, "alpha": alpha}
        a, b = t.exponent(**at)
        assert a > 0 and b >= 0 and t.key == key
        power = T ** float(a) * (V + t.plus_one) ** float(b)
        np.testing.assert_allclose(t.curve(T=T, V=V, **at), power, rtol=1e-12, err_msg=key)
        logs = power * np.log(T) ** float(t.log_power(**at))
        np.testing.assert_allclose(t.curve(T=T, V=V, logs=True, **at), logs, rtol=1e-12, err_msg=key)


# --- every record -------------------------------------------------------------------------------------------------


def test_exponents_match_the_table_at_matern_52():
    at = {"nu": 2.5, "d": 2}
    assert tv.THEOREMS["iwazaki-5-matern"].exponent(**at) == (F(14, 19), F(5, 19))
    for key in ("iwazaki-1-matern", "iwazaki-3-matern"):
        assert THEOREMS[key].exponent(**at) == (F(14, 19), F(5, 19))
    assert THEOREMS["hong-ada"].exponent(**at) == (F(16, 21), F(1, 3))
    for key in ("zhou-r", "zhou-sw", "deng-5"):
        assert THEOREMS[key].exponent(**at) == (F(1), F(1, 4))
    assert F(9, 14) == THEOREMS["scarlett-matern"].exponent(**at).T
    assert THEOREMS["iwazaki-d-matern"].exponent(**at) == (F(14, 19), F(1))
    assert F(25, 266) == THEOREMS["iwazaki-5-matern"].exponent(**at).T - THEOREMS["scarlett-matern"].exponent(**at).T
    # H = T^(14/19) V^(-14/19) ln^(12/19) T, and the regret carries the same power of ln T.
    assert THEOREMS["iwazaki-5-matern"].log_power(**at) == F(12, 19)


@given(NUS, DS, st.floats(20, 1e6), st.floats(1e-4, 1e4))
@LAW
def test_r_perp_holds_where_its_restart_fits(nu, d, T, V):
    for n, key in ((float(nu), "iwazaki-5-matern"), (math.inf, "iwazaki-5-se")):
        least, most = THEOREMS[key].limits(T=T, V=V, nu=nu if n < math.inf else n, d=d)
        if least * (1 - 1e-9) > V or least * (1 + 1e-9) < V:  # a float's width from the border may fall either way
            assert (restart_length(T, V, n, d) <= T) == (least <= V)
        assert most == T
        assert restart_length(T, least, n, d) == pytest.approx(T, rel=1e-9)


def test_each_smoothness_finds_its_statement():
    assert for_kernel("iwazaki-5", math.inf).key == "iwazaki-5-se"
    assert for_kernel("iwazaki-5", 2.5).key == "iwazaki-5-matern"
    assert for_kernel("zhou-r", 2.5).key == "zhou-r" and for_kernel("deng-5", 2.5).key == "deng-5-matern"
    with pytest.raises(ValueError, match="no theorem is called"):
        for_kernel("iwazaki-3", math.inf)
    with pytest.raises(ValueError, match="T must be at least 2"):
        THEOREMS["deng-5"].valid(T=0.0, V=1.0)


# --- validity is part of a theorem ----------------------------------------------------------------------------------

# Whose worlds an upper bound covers: a budget B_T is one in V_T too (kappa = 1), and a still world is in every class.
COVERED = {
    "none": ("none", "V_T", "B_T"),
    "V_T": ("V_T",),
    "B_T": ("B_T", "V_T"),
    "epsilon": ("epsilon",),
    "alpha": ("alpha",),
}
FLOORS = [key for key, t in THEOREMS.items() if t.side == LOWER and t.queries is None]
SMOOTH = st.one_of(st.just(math.inf), NUS)


@given(
    key=st.sampled_from(FLOORS),
    nu=SMOOTH,
    d=DS,
    log_T=st.floats(2, 9),  # below, ln^3 T > T: rates with many logarithms say nothing at constants of 1
    log_V=st.floats(-8, 9),
    alpha=st.fractions(0, 2, max_denominator=12),
)
@settings(LAW, max_examples=200)
def test_valid_lower_bounds_stay_below_upper_bounds(key, nu, d, log_T, log_V, alpha):
    """Constants count as 1: 2BT is of order T. Rates of algorithms that ask old questions again are another problem."""
    floor, place = THEOREMS[key], {"nu": nu, "d": d, "alpha": alpha}
    T, V = 10.0**log_T, 10.0**log_V
    if (floor.kernels == "matern" and nu == math.inf) or not floor.valid(T=T, V=V, **place):
        return
    least = floor.curve(T=T, V=V, logs=True, **place)
    assert 0 < least <= T * (1 + 1e-9)  # rounding of powers
    for upper in THEOREMS.values():
        fits = upper.side == UPPER and upper.queries is None and upper.budget in COVERED[floor.budget]
        if fits and not (upper.kernels == "matern" and nu == math.inf) and upper.valid(T=T, V=V, **place):
            assert least <= upper.curve(T=T, V=V, logs=True, **place) * (1 + 1e-9), upper.key


def test_records_hold_their_papers_conditions():
    se = THEOREMS["iwazaki-1-se"]  # V_T <= C T^c with c < 1, so not V_T = T
    assert not se.valid(T=1e4, V=1e4, d=2) and se.valid(T=1e4, V=1e4**0.5, d=2)
    assert not any(se.valid(T=10.0**k, V=0.99 * 10.0**k, d=1) for k in range(1, 9))
    assert THEOREMS["iwazaki-1-matern"].valid(T=1e4, V=1e4, nu=2.5, d=2)  # Matern: up to a constant times T
    floor = THEOREMS["bogunovic-4.1"]  # twice continuously differentiable paths
    assert not floor.valid(T=1e4, V=0.1, nu=0.5) and not floor.valid(T=1e4, V=0.1, nu=2.0)
    assert floor.valid(T=1e4, V=0.1, nu=2.5) and floor.valid(T=1e4, V=0.1)
    for stem in ("zhou-r", "zhou-sw", "deng-5", "zhou-r-unknown", "zhou-sw-unknown", "deng-5-unknown"):
        for nu in (2.5, math.inf):  # Table 1 assumes a budget of at least a constant
            t = for_kernel(stem, nu)
            assert not t.valid(T=1e4, V=0.0, nu=nu, d=2) and t.valid(T=1e4, V=1.0, nu=nu, d=2), t.key


# --- bounds with constants ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kappa", [1.0, 0.5])
def test_r_perp_width_has_three_parts(kappa):
    B, rho, lam, C, L = 3.0, 0.2, 0.04, 2 * math.sqrt(2), math.log(4 * 40 * 10 * (1 + math.log2(math.log2(50))) / 0.1)
    width = shuffled_width(40, 500, 50, B, rho, lam, 0.1, kappa=kappa)
    parts = rperp_width_terms(width, B, rho, lam, kappa)
    assert list(parts.values()) == pytest.approx(
        [B * C * math.sqrt(kappa * L / lam), rho * math.sqrt(2 * L / lam), B], rel=1e-12
    )
    assert sum(parts.values()) == pytest.approx(width, rel=1e-12)


def drawn_worlds(case, count):
    """Random worlds inside the case's assumptions."""
    rng = np.random.default_rng(11)
    for seed in range(count):
        base = tv.World(
            kernel="matern",
            nu=float(rng.choice([1.5, 2.5])),
            lengthscale=float(rng.uniform(0.1, 0.5)),
            seed=seed,
            budget=float(rng.uniform(0, 8)),
            norm_bound=float(rng.uniform(1, 5)),
            switches=int(rng.integers(1, 4)),
            noise_sd=float(rng.uniform(0.02, 0.5)),
            epsilon=float(rng.uniform(0.001, 0.2)),
            arms=30,
            horizon=int(rng.integers(20, 90)),
        )
        yield still_or_hidden(case, base, case.kinds[seed % len(case.kinds)])


@pytest.mark.parametrize("key", CASES)
def test_finite_bounds_exceed_the_measured_regret(key):
    # 25 random runs in all; each bound may fail with probability 0.1, and in fact none comes near.
    case = CASES[key]
    for world in drawn_worlds(case, 5):
        p = make_problem(world)
        regret = play(p, case.policy(world), play_rng(world.seed)).regret.sum()
        bound = case.bound(p, world)
        assert 0 <= regret <= bound.total, (key, world)
        assert all(v >= 0 and math.isfinite(v) for _, v in bound.terms) and 0 < bound.chance < 1


def test_drift_exponent_has_its_thresholds():
    upper, floor = THEOREMS["mauduit-2.2"], THEOREMS["mauduit-2.6"]
    assert upper.exponent(alpha=F(1, 3)).T == 1 and floor.exponent(alpha=1).T == 1 == floor.exponent(alpha=2).T
    assert upper.exponent(alpha=0).T == F(1, 2) == floor.exponent(alpha=0).T
    windows = THEOREMS["mauduit-3.10"]
    assert F(7, 8) == windows.exponent(window_exponent=F(1, 4)).T  # with the root
    assert windows.query_exponent(alpha=1, window_exponent=F(1, 4)) == F(3, 4)
    assert windows.query_exponent(alpha=F(1, 8), window_exponent=F(1, 4)) == 0
    assert THEOREMS["mauduit-5.3"].query_exponent(alpha=2) == F(2, 3)
    assert not THEOREMS["mauduit-5.3"].valid(T=1e4, alpha=1) and THEOREMS["mauduit-5.3"].valid(T=1e4, alpha=F(3, 2))
    assert windows.valid(T=1e4) and not windows.valid(T=1e4, window_exponent=F(1, 3))
