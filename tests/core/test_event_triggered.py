"""ET-GP-UCB starts over where a reward leaves its bound, and hardly ever where nothing moves."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import tvbo_core as tv
from tests.core.test_every_policy import KNOWN
from tests.standins import problem
from tvbo_core.gp.dense import posterior

JUMPS = problem(T=80, m=15, budget=12.0)


def test_first_threshold_is_that_by_hand():
    """Prior mean 0 and sd 1, noise 0.1, delta 0.1: pi_1 = pi^2 / 6, and 1.1 times the root of 2 ln(20 pi_1) is 2.91."""
    limit = 1.1 * math.sqrt(2 * math.log(20 * math.pi**2 / 6))
    assert limit == pytest.approx(2.907, abs=1e-3)
    for y, restarts in ((limit - 1e-9, ()), (limit + 1e-9, (0,)), (1e-9 - limit, ()), (-limit - 1e-9, (0,))):
        policy = tv.ETGPUCB()
        assert policy.update(policy.init(KNOWN), 0, 3, y).restarts == restarts


@pytest.mark.parametrize("dense", [False, True])
def test_rewards_since_the_last_surprise_count(dense):
    """Round by round from the statement: the posterior of what was kept, and the threshold around it."""
    policy = tv.ETGPUCB(dense=dense)
    history = tv.play(JUMPS, policy, tv.observe.play_rng(0))
    state, kept, restarts = policy.init(JUMPS.known), [], []
    for t, (arm, y) in enumerate(zip(history.arms.tolist(), history.y.tolist(), strict=True)):
        mean, sd = posterior(JUMPS.kernel, history.X[kept], history.y[kept], JUMPS.x, 0.01)
        assert policy.band(state, t).mean == pytest.approx(mean, abs=1e-7)  # fast and dense forms
        rho = 2 * math.log(2 * (math.pi**2 * (t + 1) ** 2 / 6) / 0.1)
        if abs(y - mean[arm]) > math.sqrt(rho) * sd[arm] + 0.1 * math.sqrt(rho):
            kept, restarts = [], [*restarts, t]
        kept.append(t)
        state = policy.update(state, t, arm, y)
    assert state.restarts == tuple(restarts) and len(restarts) >= 2
    moved = np.flatnonzero(JUMPS.steps) + 1
    assert all(np.abs(moved - t).min() <= 2 for t in restarts)  # it notices within two rounds of a jump


def test_still_worlds_seldom_surprise():
    """Of 200 paths of the prior at most the share delta, here far fewer; plain GP-UCB plays the others alike."""
    rng, policy = np.random.default_rng(0), tv.ETGPUCB(delta=0.2)
    root = np.linalg.cholesky(KNOWN.kernel(KNOWN.x, KNOWN.x) + 1e-10 * np.eye(len(KNOWN.x)))
    restarted = 0
    for _ in range(200):
        state, plain = policy.init(KNOWN), tv.GPUCB().init(KNOWN)
        f = root @ rng.standard_normal(len(root))
        for t in range(KNOWN.horizon):
            arm = policy.select(state, t, rng)
            assert state.restarts or arm == tv.GPUCB().select(plain, t, rng)
            y = f[arm] + 0.1 * rng.standard_normal()
            state, plain = policy.update(state, t, arm, y), tv.GPUCB().update(plain, t, arm, y)
        restarted += bool(state.restarts)
    assert restarted <= 200 * 0.2


def test_skipped_rounds_and_fresh_arms_keep_their_round():
    policy = tv.ETGPUCB()
    x = np.random.default_rng(0).uniform(size=(KNOWN.horizon, 5, 1))
    known = replace(KNOWN, x=x)
    state = policy.update(policy.update(policy.init(known), 2, 1, 0.0), 9, 3, 50.0)
    assert state.restarts == (9,)
    mean, _ = posterior(known.kernel, x[9, [3]], np.array([50.0]), x[12], 0.01)
    assert policy.band(state, 12).mean == pytest.approx(mean, abs=1e-9)  # one observation
