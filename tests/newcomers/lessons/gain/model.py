"""Information gain of the first observations at random arms, from plain values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import tvbo_core as tv
from common.cache import shared
from lessons.record import Values
from lessons.shared import worlds
from lessons.shared.problems import problem
from tvbo_core import World

GAIN_WORLD = World(kind="still", horizon=100)


@dataclass(frozen=True, eq=False)
class GainCurve:
    """Information gain (T+1,) in nats after 0, 1, ..., T observations of a world."""

    world: World
    nats: np.ndarray


def facts(curve: GainCurve, t: int) -> dict[str, float | None]:
    """Return the numbers of a time: `Scene.facts`."""
    return {"t": t, "gain in nats": float(curve.nats[t])}


def world_from(values: Values) -> World:
    """Return the world that these values of the page's knobs describe."""
    return worlds.build({**values, "V": 0.0}, GAIN_WORLD)


@shared(16)
def gain(world: World) -> GainCurve:
    """Return the gain of random arms.

    Raises:
        ValueError: a world that cannot be.
    """
    p = problem(world)
    X = tv.observe.random_design(p, p.horizon, tv.observe.play_rng(world.seed)).X
    K = p.kernel(X, X)
    nats = [tv.information_gain(K[:t, :t], p.noise_sd**2) for t in range(p.horizon + 1)]
    return GainCurve(world, np.array(nats))
