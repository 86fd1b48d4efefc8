r"""The registry of theorems: exact exponents of the papers' tables, borders that join, and bounds that bound."""

from __future__ import annotations

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core.policies.elimination.schedule import restart_length, shuffled_width
from tvbo_core.theory import LOWER, THEOREMS, UPPER
from tvbo_core.theory.finite import rperp_width_terms

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


SE, MATERN = {"nu": math.inf, "d": 2}, {"nu": F(5, 2), "d": 2}
OLDER = ("zhou-r", "zhou-sw", "deng-5")
# Powers of T and of the drift as Tables 1 and 2 of Iwazaki & Takeno print them, and powers of T as those of Mauduit et
# al. do, at these places.
RATES = [
    *((key, SE, F(3, 4), F(1, 4)) for key in OLDER),
    *((key, MATERN, F(1), F(1, 4)) for key in OLDER),
    *((f"{key}-unknown", SE, F(3, 4), 1) for key in OLDER),
    *((f"{key}-unknown", MATERN, F(1), 1) for key in OLDER),
    ("hong-ada", SE, F(2, 3), F(1, 3)),
    ("hong-ada", MATERN, F(16, 21), F(1, 3)),
    *((key, SE, F(2, 3), F(1, 3)) for key in ("iwazaki-1-se", "iwazaki-5-se")),
    *((key, MATERN, F(14, 19), F(5, 19)) for key in ("iwazaki-1-matern", "iwazaki-5-matern")),
    ("iwazaki-d-se", SE, F(2, 3), 1),
    ("iwazaki-d-matern", MATERN, F(14, 19), 1),
    ("mauduit-2.2", {"alpha": F(1, 6), "d": 1}, F(3, 4), 0),
    ("scarlett-se", {"alpha": F(1, 6), "d": 1}, F(1, 2), 0),
    ("mauduit-2.6", {"alpha": F(1, 2), "d": 1}, F(3, 4), 0),
    ("mauduit-2.6", {"alpha": F(3, 2), "d": 1}, F(1), 0),
    ("mauduit-5.3", {"alpha": F(3, 2), "d": 1}, F(1), 0),
    ("mauduit-3.10", {"alpha": F(3, 2), "d": 1}, F(7, 8), 0),
    ("mauduit-table-2", {"alpha": F(1, 2), "d": 1}, F(1, 2), 0),
]


@pytest.mark.parametrize(("key", "place", "time", "drift"), RATES)
def test_printed_tables_have_the_theorems_rates(key, place, time, drift):
    assert THEOREMS[key].exponent(**place) == (time, drift)


@pytest.mark.parametrize(("key", "asked"), [("mauduit-5.3", F(3, 5)), ("mauduit-3.10", F(5, 6))])
def test_printed_borders_of_side_queries(key, asked):
    assert THEOREMS[key].query_exponent(alpha=F(3, 2), d=1) == asked


# --- every record -------------------------------------------------------------------------------------------------


@given(NUS, DS, st.floats(20, 1e6), st.floats(1e-4, 1e4))
@LAW
def test_r_perp_holds_where_its_restart_fits(nu, d, T, V):
    for n, key in ((float(nu), "iwazaki-5-matern"), (math.inf, "iwazaki-5-se")):
        least, most = THEOREMS[key].limits(T=T, V=V, nu=nu if n < math.inf else n, d=d)
        if least * (1 - 1e-9) > V or least * (1 + 1e-9) < V:  # a float's width from the border may fall either way
            assert (restart_length(T, V, n, d) <= T) == (least <= V)
        assert most == T
        assert restart_length(T, least, n, d) == pytest.approx(T, rel=1e-9)


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


def test_theorem_4_1_needs_nu_above_four() -> None:
    """Bogunovic et al., sec. 4.1: its condition (11) is met by SE kernels, and by Matérn kernels with nu > 4."""
    lower = THEOREMS["bogunovic-4.1"]
    assert [lower.allows(nu) for nu in (2.5, 4.0, 4.5, math.inf)] == [False, False, True, True]


def test_ada_opkb_is_the_larger_term() -> None:
    """Hong et al. (2023): (gamma V)^(1/3) T^(2/3) + sqrt(gamma T), gamma = T^(1/6) at nu = 5/2, d = 1."""
    ada, T = THEOREMS["hong-ada"], 1e6
    gamma = T ** (1 / 6)
    for V in (0.0, 1e-4, 1.0, 50.0):
        want = max((gamma * V) ** (1 / 3) * T ** (2 / 3), (gamma * T) ** 0.5)
        assert ada.curve(T=T, V=V, nu=2.5, d=1) == pytest.approx(want, rel=1e-12)  # rounding
        assert ada.valid(T=T, V=V, nu=2.5, d=1)
        drifts = (gamma * V) ** (1 / 3) * T ** (2 / 3) > (gamma * T) ** 0.5
        assert ada.leading(T=T, V=V, nu=2.5, d=1) == ((F(13, 18), F(1, 3)) if drifts else (F(7, 12), 0))
