"""Epsilon-greedy plays the best estimate, and every other arm with probability explore / m."""

from __future__ import annotations

import numpy as np

from tvbo_core.policies import ALL
from tvbo_core.records import World
from tvbo_core.worlds import make_problem

STILL = make_problem(World(kind="still", horizon=150, arms=30, seed=1))


def test_other_arms_are_drawn_uniformly() -> None:
    policy, rng, draws = ALL["eg"].make(), np.random.default_rng(0), 20_000
    state = policy.update(policy.init(STILL.known), 0, 12, 3.0)
    share = np.bincount([policy.select(state, 1, rng) for _ in range(draws)], minlength=30) / draws
    # Four standard deviations of a share: one arm in 16,000 would leave it by chance.
    off = 4 * np.sqrt(0.1 / 30 / draws)
    assert share.argmax() == 12 and np.abs(np.delete(share, 12) - 0.1 / 30).max() < off
