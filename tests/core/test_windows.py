import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core.policies.side_queries.schedule import (
    floor_power,
    information_factor,
    least_query_exponent,
    planned_queries,
    query_exponent,
    quietest_length,
    window_starts,
)

exponents = st.floats(0.05, 2.0).map(lambda a: round(a, 2))
window_exponents = st.floats(0.0, 0.5).map(lambda a: round(a, 3))


def test_windows_are_those_printed():
    quarter = [1, 3, 5, 7, 9, 11, 13, 15, 17, 20, 23]
    assert window_starts(23, alpha=1, window_exponent=0.25) == quarter
    half = [1, 3, 5, 8, 11, 15, 19, 24, 29, 35, 41, 48, 55]
    assert window_starts(62, alpha=0.5, window_exponent=0.25) == half
    # From 81 = 3^4 on the quarter power is 3, from 256 = 4^4 on it is 4: the window grows exactly there.
    starts = window_starts(300, alpha=1, window_exponent=0.25)
    lengths = {a: b - a for a, b in pairwise(starts)}
    assert {n for a, n in lengths.items() if a < 16} == {2}
    assert {n for a, n in lengths.items() if 16 <= a < 81} == {3}
    assert {n for a, n in lengths.items() if 81 <= a < 256} == {4}
    assert {n for a, n in lengths.items() if a >= 256} == {5}


@pytest.mark.parametrize(
    ("alpha", "windows", "queries"), [(0.34, 17, 75), (0.5, 42, 211), (1.0, 123, 677), (2.0, 210, 1178)]
)
def test_windows_of_500_rounds_have_their_queries(alpha, windows, queries):
    starts = window_starts(500, alpha, 0.25)
    assert len(starts) == windows
    assert sum(planned_queries(starts, 1.0, 1)) == queries
    assert sum(planned_queries(range(1, 501), 1.0, 1)) == 2872  # SparQ asks every round


@LAW
@given(st.integers(1, 10**7), st.integers(0, 12), st.integers(1, 12))
def test_floored_powers_match_integer_arithmetic(t, a, b):
    n = floor_power(t, Fraction(a, b))
    assert n**b <= t**a < (n + 1) ** b


def chain(T, length):
    starts, t = [], 1
    while t <= T:
        starts.append(t)
        t += length(t) + 1
    return starts


def test_exponents_are_read_as_decimals():
    # .06/.18 is 1/3 on paper and a little less in binary, where the root of a cube falls below it.
    starts = chain(500, lambda t: max(n for n in range(1, 9) if n**3 <= t))
    assert chain(500, lambda t: int(t ** (0.06 / 0.18))) != starts
    for alpha, window_exponent in [(0.18, 0.06), (0.33, 0.11), (0.75, 0.25), (0.6, 0.2), (0.9, 0.3)]:
        assert window_starts(500, alpha, window_exponent) == starts


@LAW
@given(st.integers(1, 3000), exponents, window_exponents)
def test_windows_never_hear_too_stale_readings(T, alpha, window_exponent):
    starts = window_starts(T, alpha, window_exponent)
    assert starts[0] == 1
    for t, following in pairwise([*starts, T + 1]):
        oldest = following - 1 - t
        # 1e-9: both sides are powers in floating point.
        assert 1.0 + oldest**alpha * (oldest > 0) <= 2.0 * t**window_exponent * (1 + 1e-9)
    for t, following in pairwise(starts):  # eq. 32
        power = t ** (window_exponent / alpha)
        assert power * (1 - 1e-9) < following - t <= (power + 1) * (1 + 1e-9)


@LAW
@given(st.integers(0, 4000), exponents, window_exponents)
def test_batched_windows_are_windows_one_by_one(T, alpha, window_exponent):
    p = Fraction(str(window_exponent)) / Fraction(str(alpha))
    assert window_starts(T, alpha, window_exponent) == chain(T, lambda t: min(floor_power(t, p), 10**9))


def test_windows_at_the_edges_are_defined():
    assert window_starts(0, 1.0, 0.25) == []
    assert window_starts(1, 1.0, 0.25) == [1]
    assert window_starts(9, 1.0, 0.0) == [1, 3, 5, 7, 9]  # every power is 1
    assert window_starts(50, 0.01, 0.33) == [1, 3]  # a window longer than the horizon
    assert window_starts(50, 1e-300, 1e300) == [1, 3]
    assert window_starts(10**5, 1e6, 0.25)[:3] == [1, 3, 5]


def test_plan_asks_a_power_of_the_logarithm():
    assert planned_queries([0, 1, 2, 3, 100], 1.0, 1) == [0, 1, 2, 2, 5]
    assert planned_queries([100], 1.0, 2) == [math.ceil(math.log(101) ** 2)]
    assert planned_queries([3, 100], 50.0, 1) == [3, 100]
    assert planned_queries([1000], 0.5, 3) == [math.ceil(0.5 * math.log(1001) ** 3)]
    assert planned_queries([], 1.0, 1) == []


@pytest.mark.parametrize("alpha", [1.01, 1.5, 2.0, 5.0])
@pytest.mark.parametrize("T", [50.0, 1e4])
def test_quietest_length_has_the_least_information(T, alpha):
    best = quietest_length(T, alpha)
    least = information_factor(best, T, alpha)
    grid = np.geomspace(best / 50, best * 50, 2001)
    assert min(information_factor(L, T, alpha) for L in grid) >= least * (1 - 1e-12)
    assert least == pytest.approx((1 + alpha) * best**-alpha, rel=1e-9)
    assert least == pytest.approx((1 + alpha) * (alpha * T / 4) ** (-alpha / (alpha + 1)), rel=1e-9)
    # The printed value, with 8 in place of 4, is not the minimiser.
    assert information_factor((alpha * T / 8) ** (1 / (alpha + 1)), T, alpha) > least * 1.01


def test_floor_is_below_asked_from_one_third():
    # Ordering alpha/(alpha+1) < 1 - w/alpha iff alpha > w/(1-w), which is 1/3 at w = 1/4.
    assert query_exponent(1.0, 0.25) == pytest.approx(0.75)
    assert least_query_exponent(1.0) == pytest.approx(0.5)
    for alpha in (0.2, 0.3, 0.34, 0.5, 1.0, 2.0):
        assert (least_query_exponent(alpha) < query_exponent(alpha, 0.25)) == (alpha > 1 / 3)
    assert query_exponent(0.1, 0.25) == 0.0
