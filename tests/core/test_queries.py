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
from tvbo_core.policies.side_queries.policy import SparQ, WSparQ
from tvbo_core.policies.side_queries.schedule import (
    floor_power,
    planned_queries,
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

    def answer(self, state, t, arms, ys):
        if len(arms):
            self.asked[t + 1] = [(int(a), float(y)) for a, y in zip(arms, ys, strict=True)]
        return self.policy.answer(state, t, arms, ys)

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


@pytest.mark.parametrize("policy", [SparQ(width=1.0), WSparQ(alpha=2.0, width=1.0)], ids=repr)
def test_first_and_last_rounds_are_within_reach(policy):
    """Questions from after round 1 to before round T, and evidence of age T in the band after the last round."""
    T, known = 12, make_problem(World(horizon=12, arms=7, noise_sd=0.1)).known
    last = {SparQ: T - 1}.get(type(policy), max(window_starts(T - 1, 2.0, 0.25)))
    starts = policy.starts(T)
    assert starts[0] == 1 and starts[-1] == last < T
    state = policy.update(policy.init(known), 0, 3, 0.5)
    variance = 0.01 * (1 + T**2.0 if isinstance(policy, WSparQ) else 1)
    mean, _ = posterior(known.kernel, known.x[[3]], np.array([0.5]), known.x, variance)
    assert policy.band(state, T).mean == pytest.approx(mean, abs=1e-12)


# --- windows ------------------------------------------------------------

exponents = st.floats(0.05, 2.0).map(lambda a: round(a, 2))
window_exponents = st.floats(0.0, 0.5).map(lambda a: round(a, 3))


@LAW
@given(st.integers(1, 10**7), st.integers(0, 12), st.integers(1, 12))
def test_floored_powers_match_integer_arithmetic(t, a, b):
    n = floor_power(t, Fraction(a, b))
    assert n**b <= t**a < (n + 1) ** b


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
