"""Information gain of the first observations at random arms."""

from __future__ import annotations

import numpy as np

import tvbo_core as tv
from lessons.shared.problems import problem

STILL = tv.World(kind="still", budget=0.0, horizon=100)


def gain(world: tv.World) -> np.ndarray:
    """Return the information gain (T+1,) in nats after 0, 1, ..., T observations of a world.

    Raises:
        ValueError: a world that cannot be.
    """
    p = problem(world)
    X = tv.observe.random_design(p, p.horizon, tv.observe.play_rng(world.seed)).X
    K = p.kernel(X, X)
    return np.array([tv.information_gain(K[:t, :t], p.noise_sd**2) for t in range(p.horizon + 1)])
