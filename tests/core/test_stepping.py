"""The slow-motion film of R-PERP: which line each frame shows, the variance behind the picks, what a batch costs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core.designs import play_rng
from tvbo_core.gp import posterior
from tvbo_core.play import play
from tvbo_core.policies.elimination.policy import PE, RPERP
from tvbo_core.policies.elimination.schedule import least_variation, resolve_restart, restart_length
from tvbo_core.policies.elimination.steps import steps
from tvbo_core.records import World
from tvbo_core.worlds import make_problem

WORLD = make_problem(World(kind="jumps", horizon=120, arms=30, seed=2, switches=4))
FEWER = settings(LAW, max_examples=30)


def run(H: int = 25, problem=WORLD, seed: int = 0, **more) -> list:
    return list(RPERP(restart=H, **more).batches(problem, play_rng(seed)))


RULES = [PE(width=0.5), RPERP(restart=30, width=0.5), RPERP(restart=30, width="theory")]


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_batch_records_tell_what_the_screen_shows(rule) -> None:
    lost = 0
    for b in rule.batches(WORLD, play_rng(3)):
        for m, arm in enumerate(b.picks):
            sd = posterior(WORLD.kernel, WORLD.x[b.picks[:m]], np.zeros(m), WORLD.x, 0.01)[1]
            assert b.sds[m] == pytest.approx(sd[arm], abs=1e-6)  # a root of a variance known to 1e-12
            assert sd[arm] >= sd[b.alive].max() - 1e-6
        np.testing.assert_allclose(b.truth, np.mean([WORLD.f[t] for t in range(b.start, b.end)], axis=0), atol=1e-12)
        assert b.restart == min((b.interval) * rule.restart_rounds(WORLD.known), 120)
        today = WORLD.f[min(b.end, 119)].argmax()
        assert b.lost == (b.alive[today] and not b.survivors[today])
        rest = [WORLD.f[t].max() - WORLD.f[t, b.survivors].max() for t in range(b.end, b.restart)]
        assert b.cost == pytest.approx(np.mean(rest) if rest else 0.0, abs=1e-12)
        assert b.cost >= 0 and (not b.lost or b.cost > 0)
        lost += b.lost
    assert lost > 0 or not isinstance(rule, PE)  # without restarts the jumps make it lose the best


def test_runs_know_nothing_of_the_truth() -> None:
    class Watch(RPERP):
        def update(self, state, t, arm, y):
            state = super().update(state, t, arm, y)
            if state.batch is not None:
                assert (state.batch.truth, state.batch.lost, state.batch.cost) == (None, None, None)
            return state

    play(WORLD, Watch(restart=25), play_rng(0))


def test_other_orders_hear_the_same_noise() -> None:
    one = next(RPERP(restart=25).batches(WORLD, play_rng(0)))
    other = next(RPERP(restart=25).batches(WORLD, play_rng(0), np.random.default_rng(5)))
    assert np.array_equal(one.picks, other.picks) and not np.array_equal(one.permutation, other.permutation)
    noise = WORLD.noise_sd * play_rng(0).standard_normal(120)
    for b in (one, other):
        np.testing.assert_allclose(b.rewards, WORLD.f[b.times, b.picks] + noise[b.times])
    again = list(RPERP(restart=25).batches(WORLD, play_rng(0)))
    assert np.array_equal(again[0].permutation, one.permutation)  # left out, the orders are those of `play`


# ------------------------------------------------------------------ the film


def test_lines_of_a_restart_follow_the_algorithm() -> None:
    batches = run(25)
    film = steps(batches, "line")
    want = [2, 3]
    for n, last in ((5, False), (12, False), (8, True)):
        want += [5, *[8] * n, 11, *[13] * n, *([16] if last else [19, 20])]
    assert [s.line for s in film] == want
    assert [s.picked for s in film if s.batch == 0] == [0, 0, 0, 1, 2, 3, 4, 5, *[5] * 8]
    assert [s.heard for s in film if s.batch == 0 and s.line == 13] == [1, 2, 3, 4, 5]
    for s in film:
        assert s.ordered == (s.line in (11, 13, 16, 19, 20)) and s.judged == (s.line in (16, 19, 20))
        assert s.dropped == (s.line == 20)


@FEWER
@given(st.integers(2, 120), st.integers(1, 40), st.integers(2, 20))
def test_long_batches_are_thinned_but_keep_ends(H: int, interval: int, most: int) -> None:
    batches = run(H)
    film = steps(batches, "line", interval, most)
    shown = sorted({s.batch for s in film})
    assert {batches[b].interval for b in shown} == {min(interval, batches[-1].interval)}
    for b in shown:
        n = len(batches[b].picks)
        for line, count in ((8, "picked"), (13, "heard")):
            seen = [getattr(s, count) for s in film if s.batch == b and s.line == line]
            assert seen == sorted(set(seen)) and seen[-1] == n and len(seen) <= most
            assert seen[0] == 1 or n == 1
            assert len(seen) == n or n > most
    assert film[-1].line == 16


# ------------------------------------------------------------------ Theorem 5


@LAW
@given(st.integers(3, 10**6), st.floats(0.5001, 20) | st.just(math.inf), st.integers(1, 6))
def test_least_drift_restarts_at_the_horizon(T: int, nu: float, d: int) -> None:
    V = least_variation(T, nu, d)
    assert restart_length(T, V, nu, d) == pytest.approx(T, rel=1e-9)
    assert restart_length(T, 1.01 * V, nu, d) < T < restart_length(T, 0.99 * V, nu, d)


def test_below_the_least_drift_nothing_restarts() -> None:
    # From T^(-1/2) ln^(3/2) T = 0.862 on (SE, d = 1, T = 200).
    assert least_variation(200, math.inf, 1) == pytest.approx(0.8624, abs=1e-4)
    for budget, never in ((0.85, True), (0.88, False)):
        known = make_problem(World(kind="glide", horizon=200, budget=budget)).known
        assert (resolve_restart("paper", known) == 200) == never
