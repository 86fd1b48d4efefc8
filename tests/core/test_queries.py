"""Side queries: the windows that plan them, the printed choices, and what each estimate rested on."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core.designs import play_rng
from tvbo_core.gp import posterior
from tvbo_core.play import play
from tvbo_core.policies.side_queries.policy import SparQ, WSparQ, evidence_of
from tvbo_core.policies.side_queries.schedule import (
    floor_power,
    information_factor,
    planned_queries,
    quietest_length,
    window_starts,
)
from tvbo_core.policies.width import LogWidth
from tvbo_core.records import World
from tvbo_core.worlds import make_problem

JUMPS = make_problem(World(kind="jumps", horizon=80, arms=30, noise_sd=0.1, seed=1))
POLICIES = [
    SparQ(),
    SparQ(q_const=3.0, width="theory", picker="greedy"),
    WSparQ(),
    WSparQ(alpha=0.5, width=LogWidth(1.0), picker="random"),
    WSparQ(alpha=2.0, window_exponent=0.3, width="theory", append_start=True),
    WSparQ(alpha=0.4, window_exponent=0.3, q_const=0.5, picker="mcmc", ridge=0.05),
]


class Diary:
    """A policy that plays as another and writes down what was asked, heard and believed."""

    def __init__(self, policy):
        self.policy, self.asked, self.pulled, self.bands, self.evidence = policy, {}, [], [], []

    def init(self, known):
        return self.policy.init(known)

    def questions(self, state, t, rng):
        return self.policy.questions(state, t, rng)

    def answered(self, state, t, arms, ys):
        if len(arms):
            self.asked[t + 1] = [(int(a), float(y)) for a, y in zip(arms, ys, strict=True)]
        return self.policy.answered(state, t, arms, ys)

    def select(self, state, t, rng):
        self.bands.append(self.policy.band(state, t))
        self.evidence.append(self.policy.evidence(state, t))
        return self.policy.select(state, t, rng)

    def update(self, state, t, arm, y):
        self.pulled.append((arm, y))
        return self.policy.update(state, t, arm, y)


@cache
def watched(policy):
    diary = Diary(policy)
    return diary, play(JUMPS, diary, play_rng(0))


def printed_data(policy, diary, t):
    """Rows (arm, y, round heard) that the paper lets choose x_t (t from 1), from the diary alone."""
    if isinstance(policy, WSparQ):
        opened = [s for s in window_starts(t - 1, policy.alpha, policy.window_exponent) if s <= t - 1]
    else:
        opened = list(range(1, t))
    if not opened:
        return [(a, y, i + 1) for i, (a, y) in enumerate(diary.pulled[: t - 1])]
    start = opened[-1]  # t_j: asked after round t_j, before x_{t_j + 1}
    rows = [(a, y, start + 1) for a, y in diary.asked[start + 1]]
    first = start if getattr(policy, "append_start", False) else start + 1
    return rows + [(*diary.pulled[i - 1], i) for i in range(first, t)]


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_choices_are_those_of_the_printed_algorithm(policy):
    problem, (diary, history) = JUMPS, watched(policy)
    x, ridge = problem.x, policy.ridge or problem.noise_sd**2
    for t in range(1, problem.horizon + 1):
        rows = printed_data(policy, diary, t)
        arms, y = np.array([a for a, _, _ in rows], dtype=int), np.array([v for _, v, _ in rows])
        ages = np.array([float(t - heard) for _, _, heard in rows])
        noise = ridge * (1 + np.where(ages > 0, ages, 0) ** getattr(policy, "alpha", 1.0))
        mean, sd = posterior(problem.kernel, x[arms], y, x, noise)
        if policy.width == "theory":
            K = problem.kernel(x[arms], x[arms])
            log_det = np.linalg.slogdet(np.eye(len(K)) + K / np.sqrt(np.outer(noise, noise)))[1]
            width = problem.norm_bound + np.sqrt(2 * np.log(2 / policy.delta) + log_det)
        else:
            width = policy.width.at(t - 1) if isinstance(policy.width, LogWidth) else policy.width
        band = diary.bands[t - 1]
        assert band.mean == pytest.approx(mean, abs=1e-9)
        assert band.upper == pytest.approx(mean + width * sd, abs=1e-9)
        assert band.lower == pytest.approx(mean - width * sd, abs=1e-9)
        # 1e-9: arms tied by symmetry differ in the last digits between the two computations.
        assert (mean + width * sd)[history.arms[t - 1]] >= (mean + width * sd).max() - 1e-9


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_histories_tell_what_each_estimate_rested_on(policy):
    problem, (diary, history) = JUMPS, watched(policy)
    for t in range(problem.horizon):
        arms, answers = history.asked_before(t)
        assert list(zip(arms.tolist(), answers.tolist(), strict=True)) == diary.asked.get(t + 1, [])
    assert len(history.asked) == len(history.answers) == history.extra_queries.sum()
    known = problem.known
    for t, (mine, seen) in enumerate(zip(evidence_of(policy, history, range(80)), diary.evidence, strict=True)):
        rows = [
            sorted(zip(*(getattr(e, n).tolist() for n in ("heard", "arms", "y", "asked", "noise")), strict=True))
            for e in (mine, seen)
        ]
        assert rows[0] == rows[1]
        band = diary.bands[t]
        mean, sd = posterior(problem.kernel, problem.x[mine.arms], mine.y, problem.x, mine.noise)
        width = policy.width_of(known, mine, t)
        assert band.upper == pytest.approx(mean + width * sd, abs=1e-9)
    after = evidence_of(policy, history, [80])[0]
    assert after.heard.max() == 79  # the last round is part of what a round after it would rest on


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_only_planned_distinct_past_arms_are_asked(policy):
    problem, (diary, history) = JUMPS, watched(policy)
    T, arms = problem.horizon, [a for a, _ in diary.pulled]
    is_windowed = isinstance(policy, WSparQ)
    starts = window_starts(T - 1, policy.alpha, policy.window_exponent) if is_windowed else range(1, T)
    assert sorted(diary.asked) == [s + 1 for s in starts]
    for s, planned in zip(starts, planned_queries(starts, policy.q_const, 1), strict=True):
        asked = [a for a, _ in diary.asked[s + 1]]
        assert len(set(asked)) == len(asked) <= planned
        assert set(asked) <= set(arms[:s])
        # Twelve arms of this kernel are independent to rounding: below that only the different arms count.
        if len(set(arms[:s])) <= 12 or planned <= 12:
            assert len(asked) == min(planned, len(set(arms[:s])))
        assert history.extra_queries[s] == len(asked)
    assert history.extra_queries.sum() == sum(map(len, diary.asked.values()))


# --- windows ------------------------------------------------------------

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
