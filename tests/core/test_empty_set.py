"""Kernel CMM-UCB starts over where no function of CMM's set is near a reward, and else never."""

from __future__ import annotations

import math

import numpy as np

import tvbo_core as tv
from tests.core.test_every_policy import KNOWN
from tests.standins import problem
from tvbo_core.bands.coverage import draw_still_worlds

JUMPS = problem(T=60, m=15, budget=12.0)


def test_restarts_are_those_of_the_sets_left():
    """Round by round from the statement: CMM's band of the rewards kept, and the noise around it."""
    policy = tv.ETCMMUCB()
    history = tv.play(JUMPS, policy, tv.observe.play_rng(0))
    band = tv.CMM(B=JUMPS.norm_bound, sigma=0.1, delta=0.1, c=1.0)
    state, kept, restarts = policy.init(JUMPS.known), [], []
    for t, (arm, y) in enumerate(zip(history.arms.tolist(), history.y.tolist(), strict=True)):
        seen = band.band(JUMPS.kernel, history.X[kept], history.y[kept], JUMPS.x[[arm]])
        near = 0.1 * math.sqrt(2 * math.log(2 * (math.pi**2 * (t + 1) ** 2 / 6) / 0.1))
        if seen.empty or not seen.lower[0] - near <= y <= seen.upper[0] + near:
            kept, restarts = [], [*restarts, t]
        kept.append(t)
        state = policy.update(state, t, arm, y)
    assert state.restarts == tuple(restarts) and len(restarts) >= 2


def test_contradictions_alone_do_not_empty_cmm():
    """One arm says 1 and -1 in turn under a noise of 0.01: its misfit widens the radius, and the set is never empty."""
    y = np.tile([1.0, -1.0], 20)
    X = np.zeros((len(y), 1))
    assert not any(tv.CMM(3.0, 0.01, 0.1, 1.0).band(KNOWN.kernel, X[:n], y[:n], X[:1]).empty for n in range(len(y) + 1))


def test_still_worlds_of_the_norm_hardly_restart():
    policy, delta, worlds = tv.ETCMMUCB(delta=0.1), 0.1, 15
    drawn = draw_still_worlds(KNOWN.kernel, KNOWN.x, KNOWN.horizon, worlds, 2.0, 0.1, np.random.default_rng(0))
    restarted = 0
    for w in range(worlds):
        state = policy.init(KNOWN)
        for t in range(KNOWN.horizon):
            state = policy.update(state, t, int(drawn.picks[w, t]), float(drawn.y[w, t]))
        restarted += bool(state.restarts)
    assert restarted <= 2 * delta * worlds
