"""Side queries by schedule are counted, and the proved minimum has the power of its proof."""

import math

import pytest

from lessons.side_queries.schedules import least_query_exponent, regime, totals
from tvbo_core.policies.side_queries.schedule import planned_queries, window_starts


def test_regimes_end_at_a_third_and_one():
    assert [regime(a) for a in (0.33, 1 / 3, 1.0, 1.01)] == ["slow", "moderate", "moderate", "fast"]


def test_totals_are_those_of_the_schedules():
    for alpha in (0.2, 2.0):
        found = totals(800, alpha, 0.25, 1.25, 1)
        for t, s, w in zip(found.t, found.sparq, found.wsparq, strict=True):
            assert s == sum(planned_queries(range(1, int(t)), 1.25, 1))
            assert w == sum(planned_queries(window_starts(int(t) - 1, alpha, 0.25), 1.25, 1))
        assert found.t[0] == 2 and found.t[-1] == 800
        assert found.floor == pytest.approx(found.t ** (alpha / (alpha + 1)))


def information(L, T, alpha):
    """Information of side queries in the round that ends a quiet window of length L (Mauduit et al., Thm 5.3)."""
    return L**-alpha + 4.0 * L / T


@pytest.mark.parametrize("alpha", [1.2, 1.5, 2.0])
def test_proved_minimum_has_the_power_of_its_proof(alpha):
    """N questions tell at most N F(L*), so they are worth a fresh answer from N = 1 / F(L*) on: a power of T."""
    horizons = [1e6, 1e9]
    quietest = [(alpha * T / 4.0) ** (1.0 / (alpha + 1.0)) for T in horizons]
    worth_one = [1 / information(L, T, alpha) for L, T in zip(quietest, horizons, strict=True)]
    slope = math.log(worth_one[1] / worth_one[0]) / math.log(horizons[1] / horizons[0])
    assert least_query_exponent(alpha) == pytest.approx(slope, rel=1e-9)
