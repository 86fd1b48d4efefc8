"""Policies that start over where a reward leaves their bound: when they do, and hardly ever where nothing moves."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import tvbo_core as tv
from tests.core.test_every_policy import KNOWN
from tests.standins import problem
from tvbo_core.bands.coverage import draw_still_worlds
from tvbo_core.gp.dense import posterior

JUMPS = problem(T=80, m=15, budget=12.0)


def rho(t: int) -> float:
    """Return 2 ln(2 pi_t / delta) of round t = 0, 1, ... at delta = 0.1, with pi_t = pi^2 t^2 / 6."""
    return 2 * math.log(2 * (math.pi**2 * (t + 1) ** 2 / 6) / 0.1)


def by_posterior(X: np.ndarray, y: np.ndarray, x: np.ndarray, t: int) -> tuple[float, float]:
    """Return the interval of ET-GP-UCB around the rewards kept."""
    mean, sd = posterior(JUMPS.kernel, X, y, x, 0.01)
    half = math.sqrt(rho(t)) * (sd[0] + 0.1)
    return mean[0] - half, mean[0] + half


def by_set(X: np.ndarray, y: np.ndarray, x: np.ndarray, t: int) -> tuple[float, float]:
    """Return that of Kernel CMM-UCB: CMM's band of the rewards kept, and the noise around it."""
    seen = tv.CMM(B=JUMPS.norm_bound, sigma=0.1, delta=0.1, c=1.0).band(JUMPS.kernel, X, y, x)
    near = 0.1 * math.sqrt(rho(t))
    return (math.inf, -math.inf) if seen.empty else (seen.lower[0] - near, seen.upper[0] + near)


@pytest.mark.parametrize(
    ("policy", "interval"),
    [(tv.ETGPUCB(), by_posterior), (tv.ETGPUCB(dense=True), by_posterior), (tv.ETCMMUCB(), by_set)],
)
def test_restarts_are_those_of_the_statement(policy, interval):
    jumps = JUMPS.head(60) if interval is by_set else JUMPS  # a band of so many rounds takes long
    history = tv.play(jumps, policy, tv.observe.play_rng(0))
    state, kept, restarts = policy.init(jumps.known), [], []
    for t, (arm, y) in enumerate(zip(history.arms.tolist(), history.y.tolist(), strict=True)):
        low, high = interval(history.X[kept], history.y[kept], JUMPS.x[[arm]], t)
        if not low <= y <= high:
            kept, restarts = [], [*restarts, t]
        kept.append(t)
        state = policy.update(state, t, arm, y)
    assert state.restarts == tuple(restarts) and len(restarts) >= 2
    moved = np.flatnonzero(JUMPS.steps) + 1
    assert interval is by_set or all(np.abs(moved - t).min() <= 2 for t in restarts)  # within two rounds of a jump


def test_first_threshold_is_that_by_hand():
    """Prior mean 0 and sd 1, noise 0.1, delta 0.1: pi_1 = pi^2 / 6, and 1.1 times the root of 2 ln(20 pi_1) is 2.91."""
    limit = 1.1 * math.sqrt(2 * math.log(20 * math.pi**2 / 6))
    assert limit == pytest.approx(2.907, abs=1e-3)
    for y, restarts in ((limit - 1e-9, ()), (limit + 1e-9, (0,)), (1e-9 - limit, ()), (-limit - 1e-9, (0,))):
        policy = tv.ETGPUCB()
        assert policy.update(policy.init(KNOWN), 0, 3, y).restarts == restarts


def test_contradictions_alone_do_not_empty_cmm():
    """One arm says 1 and -1 in turn under a noise of 0.01: its misfit widens the radius, and the set is never empty."""
    y = np.tile([1.0, -1.0], 20)
    X = np.zeros((len(y), 1))
    assert not any(tv.CMM(3.0, 0.01, 0.1, 1.0).band(KNOWN.kernel, X[:n], y[:n], X[:1]).empty for n in range(len(y) + 1))


@pytest.mark.parametrize("policy", [tv.ETGPUCB(delta=0.2), tv.ETCMMUCB(delta=0.2)])
def test_still_worlds_hardly_restart(policy):
    """At most the share delta, here with the norm of the drawn worlds within the bound."""
    worlds = 12
    drawn = draw_still_worlds(KNOWN.kernel, KNOWN.x, KNOWN.horizon, worlds, 2.0, 0.1, np.random.default_rng(0))
    restarted = 0
    for w in range(worlds):
        state = policy.init(KNOWN)
        for t in range(KNOWN.horizon):
            state = policy.update(state, t, int(drawn.picks[w, t]), float(drawn.y[w, t]))
        restarted += bool(state.restarts)
    assert restarted <= 0.2 * worlds


@pytest.mark.parametrize("policy", [tv.ETGPUCB(), tv.ETCMMUCB()])
def test_restarted_run_keeps_its_round(policy):
    """Arms are fresh in each round, and so tell at which one the run stands; rounds 0, 1 and 3 to 8 pass unheard."""
    x = np.random.default_rng(0).uniform(size=(KNOWN.horizon, 5, 1))
    known = replace(KNOWN, x=x)
    y = 2.6  # above the bound 2 on a reward by more than 3.9 sd of the noise, and CMM still holds a function near
    state = policy.update(policy.update(policy.init(known), 2, 1, 0.0), 9, 3, y)
    assert state.restarts == (9,)
    if isinstance(policy, tv.ETGPUCB):
        mean, _ = posterior(known.kernel, x[9, [3]], np.array([y]), x[12], 0.01)
    else:
        mean = tv.CMM(2.0, 0.1, 0.1, 1.0).band(known.kernel, x[9, [3]], np.array([y]), x[12]).mean
    assert policy.band(state, 12).mean == pytest.approx(mean, abs=1e-9)  # one observation
