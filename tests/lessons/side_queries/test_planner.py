"""A budget of side queries: what fits is counted, and what is claimed is only claimed where it is."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.side_queries.planner import (
    WINDOW_EXPONENTS,
    information_factor,
    least_query_exponent,
    plan,
    quietest_length,
    regime,
    totals,
)
from lessons.side_queries.words import plan as said
from tests.laws.test_facts import is_fact, numbers
from tests.strategies import LAW
from tvbo_core.policies.side_queries.schedule import planned_queries, window_starts


@LAW
@given(st.integers(2, 3000), st.floats(0.1, 2.0), st.integers(1, 3), st.integers(0, 3000))
def test_offered_schedules_fit_and_larger_do_not(T, alpha, d, budget):
    found = plan(T, round(alpha, 2), d, budget)
    for fit in found.fits:
        starts = window_starts(T - 1, round(alpha, 2), fit.window_exponent)
        assert fit.windows == len(starts)
        assert fit.total == sum(planned_queries(starts, fit.q_const, d)) <= budget
        assert fit.last == planned_queries(starts[-1:], fit.q_const, d)[0]
        if fit.q_const < 20.0:
            assert sum(planned_queries(starts, fit.q_const + 0.01, d)) > budget
    offered = {fit.window_exponent for fit in found.fits}
    for w in {*WINDOW_EXPONENTS} - offered:  # not even the smallest constant fits
        assert sum(planned_queries(window_starts(T - 1, round(alpha, 2), w), 0.01, d)) > budget


def test_each_regime_has_its_theory():
    assert [regime(a) for a in (0.33, 1 / 3, 1.0, 1.01)] == ["slow", "moderate", "moderate", "fast"]
    slow, moderate, fast = (plan(400, a, 1, 100) for a in (0.2, 1.0, 2.0))
    assert slow.floor is None and moderate.floor is None
    assert fast.floor == pytest.approx(400 ** (2 / 3))
    assert fast.quiet == quietest_length(400, 2.0)
    assert fast.worth == pytest.approx(100 * information_factor(fast.quiet, 400, 2.0))


def test_totals_are_those_of_the_schedules():
    for alpha in (0.2, 2.0):
        found = totals(800, alpha, 0.25, 1.25, 1)
        for t, s, w in zip(found.t, found.sparq, found.wsparq, strict=True):
            assert s == sum(planned_queries(range(1, int(t)), 1.25, 1))
            assert w == sum(planned_queries(window_starts(int(t) - 1, alpha, 0.25), 1.25, 1))
        assert found.t[0] == 2 and found.t[-1] == 800
        assert found.floor == pytest.approx(found.t ** (alpha / (alpha + 1)))


CONSTANTS = (3.10, 5.1, 5.3, 2.2, 1, 3)  # numbers of theorems, the constant 1, and 1/3


@LAW
@given(st.integers(50, 5000), st.floats(0.1, 2.0), st.integers(1, 3), st.integers(0, 3000), st.floats(0.1, 5.0))
def test_plan_says_facts_and_the_cores_powers(T, alpha, d, budget, q):
    """Also where alpha is above 1, which no prepared state shows."""
    alpha, q = round(alpha, 2), round(q, 2)
    found = plan(T, alpha, d, budget)
    fit, text = found.affordable(q), said(found, q)
    powers = re.findall(r"T\^\{([^}\\]+)\}", text)
    claimed = [] if fit is None else [fit.regret_exponent]
    proved = [1 / (1 + 1 / alpha)] if alpha > 1 else []  # Thm 5.3: alpha / (alpha + 1)
    assert powers == [f"{power:.3g}" for power in (*claimed, *proved)]
    schedules = [value for one in found.fits for value in (*vars(one).values(), one.regret_exponent)]
    fast = [found.floor_exponent, found.floor, found.quiet, found.worth] if alpha > 1 else []
    known = [T, alpha, d, budget, q, *schedules, *fast, *CONSTANTS]
    plain = re.sub(r"\$T\^\{\(3.*?\$|\*\*|order T\^\S+", "", text)
    assert [one for one in numbers(plain) if not any(is_fact(one, float(fact)) for fact in known)] == [], text


@pytest.mark.parametrize("alpha", [1.2, 1.5, 2.0])
def test_proved_minimum_has_the_power_of_its_proof(alpha):
    """N questions tell at most N F(L*), so they are worth a fresh answer from N = 1 / F(L*) on: a power of T."""
    horizons = [1e6, 1e9]
    worth_one = [1 / information_factor(quietest_length(T, alpha), T, alpha) for T in horizons]
    slope = math.log(worth_one[1] / worth_one[0]) / math.log(horizons[1] / horizons[0])
    assert least_query_exponent(alpha) == pytest.approx(slope, rel=1e-9)
