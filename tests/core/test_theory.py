r"""The registry of theorems: exact exponents of the papers' tables, borders that join, and bounds that bound."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tvbo_core as tv
from tests.strategies import LAW
from tvbo_core.designs import play_rng
from tvbo_core.play import play
from tvbo_core.policies.elimination.schedule import restart_length, shuffled_width
from tvbo_core.theory import BUDGETS, LOWER, THEOREMS, UPPER, for_kernel
from tvbo_core.theory.against import CASES, rkhs_budget, still_or_hidden
from tvbo_core.theory.finite import kernelucb_bound, rperp_bound, rperp_width_terms, tvgp_bound, wgp_bound
from tvbo_core.worlds import adversary, make_problem

NUS = st.fractions(F(3, 5), 50, max_denominator=8)
DS = st.integers(1, 6)


# --- every record -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", THEOREMS)
def test_statements_carry_source_budget_and_words(key):
    t = THEOREMS[key]
    assert t.key == key and t.name and t.words.endswith(".") and "\\" in t.statement
    assert t.budget in BUDGETS and t.side in (UPPER, LOWER)
    assert t.model in ("frequentist", "Bayesian", "idealised") and t.kernels in ("se", "matern", "any")
    # The authors: one of the five papers, or somebody else with a year.
    assert re.search(
        r"(Iwazaki & Takeno|Deng et al.|Bogunovic et al.|Mauduit et al.|Flynn & Reeb|derived here)|"
        r"[A-Z]\w+ (et al\.|& [A-Z]\w+) \(\d{4}\)",
        t.source,
    )
    numbered = ("Theorem", "Corollary", "Proposition", "Appendix", "Table", "ADA-OPKB", "derived here")
    assert any(n in t.source for n in numbered)
    assert t.statement.count("{") == t.statement.count("}")
    if t.side == UPPER and t.budget in ("V_T", "B_T", "epsilon"):
        assert t.knows


@pytest.mark.parametrize("key", THEOREMS)
@given(nu=NUS, d=DS, alpha=st.fractions(0, 2, max_denominator=12))
@LAW
def test_curves_are_power_laws_of_exact_fractions(key, nu, d, alpha):
    t = THEOREMS[key]
    at = {"nu": nu, "d": d, "alpha": alpha}
    a, b = t.exponent(**at)
    assert isinstance(a, F) and isinstance(b, F) and a > 0 and b >= 0
    T, V = np.array([1e2, 1e6]), 3.0
    drift = V + 1 if t.plus_one else V
    np.testing.assert_allclose(t.curve(T=T, V=V, **at), T ** float(a) * drift ** float(b), rtol=1e-12)
    logs = t.curve(T=T, V=V, logs=True, **at)
    np.testing.assert_allclose(logs, t.curve(T=T, V=V, **at) * np.log(T) ** float(t.log_power(**at)), rtol=1e-12)


@pytest.mark.parametrize("key", THEOREMS)
@given(nu=NUS, d=DS, T=st.floats(3, 1e7), V=st.floats(1e-3, 1e5), grow=st.floats(1.01, 10.0))
@LAW
def test_curves_grow_with_horizon_and_drift(key, nu, d, T, V, grow):
    t = THEOREMS[key]
    for logs in (False, True):
        here = t.curve(T=T, V=V, nu=nu, d=d, logs=logs)
        assert here > 0
        assert t.curve(T=grow * T, V=V, nu=nu, d=d, logs=logs) > here
        assert t.curve(T=T, V=grow * V, nu=nu, d=d, logs=logs) >= here


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


def test_rough_rewards_are_outside_upper_bounds():
    assert not THEOREMS["iwazaki-5-matern"].valid(T=1e4, V=1.0, nu=0.5, d=1)
    assert THEOREMS["iwazaki-5-matern"].valid(T=1e4, V=1.0, nu=0.51, d=1)
    assert THEOREMS["iwazaki-1-matern"].valid(T=1e4, V=1.0, nu=0.5, d=1)
    assert THEOREMS["flynn-6.4-se"].valid(T=1e4, V=0.0) and not THEOREMS["flynn-6.4-se"].valid(T=1e4, V=1.0)


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
SMOOTH = st.one_of(st.just(math.inf), NUS)


@pytest.mark.parametrize("key", [k for k, t in THEOREMS.items() if t.side == LOWER and t.queries is None])
@given(nu=SMOOTH, d=DS, log_T=st.floats(0.5, 9), log_V=st.floats(-8, 9), alpha=st.fractions(0, 2, max_denominator=12))
@LAW
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


@pytest.mark.parametrize("key", [k for k, t in THEOREMS.items() if t.side == UPPER])
@given(nu=SMOOTH, d=DS, T=st.floats(3, 1e9), V=st.one_of(st.just(0.0), st.floats(1e-9, 1e9)))
@LAW
def test_valid_records_never_promise_zero_regret(key, nu, d, T, V):
    t = THEOREMS[key]
    if t.valid(T=T, V=V, nu=nu, d=d):
        assert t.curve(T=T, V=V, nu=nu, d=d) >= 1


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


@given(eps=st.floats(1e-12, 1.0), T=st.floats(3, 1e6))
@LAW
def test_two_term_rates_are_their_maximum(eps, T):
    for key, top in (("bogunovic-4.2", 4), ("bogunovic-4.3", 3)):
        t = THEOREMS[key]
        assert t.curve(T=T, V=eps) == pytest.approx(max(math.sqrt(T), T * eps ** (0.5 / top)))  # SE: c = 0
        assert t.valid(T=T, V=eps) and t.drift_decides_from(T=T) == pytest.approx(T**-top)


# --- bounds with constants ------------------------------------------------------------------------------------------


def test_r_perp_bound_is_the_printed_formula():
    T, V, H, B, width, gain, lam = 1000, 2.0, 100, 3.0, 50.0, 9.0, 0.01
    loglog = math.log2(math.log2(100))
    C1 = 8 / math.log(1 + 1 / lam)
    by_hand = (7 + loglog) * V * H + 10 * (2 * B * 11 + 4 * (loglog + 1) * 11 * math.sqrt(C1 * gain * width**2))
    bound = rperp_bound(T, V, H, B, width, gain, lam, 0.1)
    assert bound.total == pytest.approx(by_hand, rel=1e-12)
    assert bound.total == pytest.approx(sum(v for _, v in bound.terms)) and bound.largest == "confidence"
    tight = (6 + loglog) * V * H + 10 * (2 * B * 11 + 2 * (loglog + 1) * 11 * math.sqrt(C1 * gain * width**2))
    assert rperp_bound(T, V, H, B, width, gain, lam, 0.1, tight=True).total == pytest.approx(tight, rel=1e-12)


def test_other_papers_bounds_are_their_formulas():
    T, gain, delta = 500, 12.0, 0.1
    beta = 2 * math.log(3 * 40 * math.pi**2 * T**2 / 6 / delta)
    assert tvgp_bound(T, 40, gain, 0.01, delta).total == pytest.approx(
        math.sqrt(8 / math.log(1 + 100) * T * beta * gain), rel=1e-12
    )
    radius = 2 * 0.04 * gain + 0.04 * 9 + 2 * 0.04 * math.log(10)
    assert kernelucb_bound(T, 3.0, 0.2, 1.0, gain, delta).total == pytest.approx(
        math.sqrt(12 * T * gain * max(9.0, radius)), rel=1e-12
    )
    loud = kernelucb_bound(T, 1.0, 2.0, 1.0, gain, delta)  # here the information, not the size, decides
    assert loud.total == pytest.approx(math.sqrt(12 * T * gain * (8 * gain + 4 + 8 * math.log(10))), rel=1e-12)
    assert [name for name, _ in loud.terms] == ["information", "norm", "failure probability"]
    # Deng et al., C.5, at a ridge where 2 lambda is valid as printed, and no feature error.
    lam, g, B, BT, m, w = 1.0, 0.9, 2.0, 3.0, 20, 4.0
    c = math.ceil(math.log(T) / 0.1)
    by_hand = 2 * w * math.sqrt(4 * lam * T * gain + 2 * lam * m * T**2 * math.log(1 / g))
    by_hand += 2 / lam * c**1.5 * BT * math.sqrt(4 * lam * gain + 2 * lam * m * c * math.log(1 / g))
    by_hand += 4 * B * g**c * T / (lam * 0.1)
    assert wgp_bound(T, BT, g, B, w, gain, m, 0.0, lam, delta).total == pytest.approx(by_hand, rel=1e-12)
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        wgp_bound(T, BT, 1.0, B, w, gain, m, 0.0, lam, delta)


def test_erring_features_cost_wgp_two_terms():
    T, BT, g, B, w, gain, m, error, lam = 500, 3.0, 0.9, 2.0, 4.0, 12.0, 20, 1e-8, 0.6
    c = math.ceil(math.log(T) / 0.1)
    exact, erring = (wgp_bound(T, BT, g, B, w, gain, m, e, lam, 0.1).total for e in (0.0, error))
    features = 2 * BT * c**2 * math.sqrt(error) / (lam * 0.1) + 2 * w * T * math.sqrt(error) / 0.1
    assert erring - exact == pytest.approx(features, rel=1e-6)  # a small difference of large numbers


@pytest.mark.parametrize("kappa", [1.0, 0.5])
def test_r_perp_width_has_three_parts(kappa):
    B, rho, lam, C, L = 3.0, 0.2, 0.04, 2 * math.sqrt(2), math.log(4 * 40 * 10 * (1 + math.log2(math.log2(50))) / 0.1)
    width = shuffled_width(40, 500, 50, B, rho, lam, 0.1, kappa=kappa)
    parts = rperp_width_terms(width, B, rho, lam, kappa)
    assert list(parts.values()) == pytest.approx(
        [B * C * math.sqrt(kappa * L / lam), rho * math.sqrt(2 * L / lam), B], rel=1e-12
    )
    assert sum(parts.values()) == pytest.approx(width, rel=1e-12)


def test_hidden_bumps_move_within_their_budget():
    world = tv.World(kind="adversary", kernel="se", horizon=400, arms=60, budget=1.0, norm_bound=2.0, seed=3)
    p = make_problem(world)
    switches = int((p.steps > 0).sum())
    places = len(adversary.plan(world).lengths)
    assert p.rkhs_variation is None and places > 1 and switches <= places - 1
    assert rkhs_budget(p, world) == pytest.approx(2 * 2.0 * (places - 1))


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
    # 75 random runs in all; each bound may fail with probability 0.1, and in fact none comes near.
    case = CASES[key]
    for world in drawn_worlds(case, 15):
        p = make_problem(world)
        regret = play(p, case.policy(world), play_rng(world.seed)).regret.sum()
        bound = case.bound(p, world)
        assert 0 <= regret <= bound.total, (key, world)
        assert all(v >= 0 and math.isfinite(v) for _, v in bound.terms) and 0 < bound.chance < 1


def test_case_worlds_obey_their_assumptions():
    base = tv.World(kernel="matern", nu=2.5, budget=4.0)
    assert still_or_hidden(CASES["kernelucb"], base, "adversary").budget == 0.0
    assert CASES["wgp"].world(base).kernel == "se"
    assert CASES["tv"].world(base, "adversary").kind == "markov"
    assert CASES["rperp"].world(base, "adversary") == replace(base, kind="adversary")


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
