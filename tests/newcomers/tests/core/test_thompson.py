"""Thompson sampling asks each arm as often as it is best in the posterior."""

from __future__ import annotations

import numpy as np

from tvbo_core.designs import play_rng
from tvbo_core.play import play
from tvbo_core.policies import ALL
from tvbo_core.records import World
from tvbo_core.worlds import make_problem

STILL = make_problem(World(kind="still", horizon=150, arms=30, seed=1))


def test_first_arms_are_best_in_the_prior() -> None:
    policy, rng = ALL["ts"].make(), np.random.default_rng(0)
    state = policy.init(STILL.known)
    asked = np.bincount([policy.select(state, 0, rng) for _ in range(4000)], minlength=30) / 4000
    K = STILL.kernel(STILL.x, STILL.x) + 1e-9 * np.eye(30)
    best = rng.multivariate_normal(np.zeros(30), K, 40_000, method="cholesky").argmax(axis=1)
    assert np.abs(asked - np.bincount(best, minlength=30) / 40_000).max() < 0.03


def test_in_a_still_world_it_finds_the_peak() -> None:
    regret = play(STILL, ALL["ts"].make(), play_rng(2)).regret
    assert regret[75:].mean() < 0.25 * regret[:10].mean()
