r"""The lower bound as a world that can be played: a bump that hides anew as often as the budget allows.

The places are drawn before the learner moves, so every algorithm meets the same world; what it proves holds on
average over the places, not in one draw.

>>> world = tv.World(kind="adversary", horizon=60, budget=4.0, arms=40)
>>> [len(tv.adversary.plan(world).lengths), sum(tv.adversary.plan(world).lengths)]
[20, 60]
"""

from __future__ import annotations

import math

import numpy as np

from tvbo_core.kernels import ALL as KERNELS
from tvbo_core.records import World
from tvbo_core.worlds.lower_bound import Bumps, Switching, hidden_function_bound, switching

UNLIMITED_BUDGET = 1e9  # "as drawn": the budget of a bump that hides anew every round


def plan(world: World) -> Switching:
    r"""Amplitude, width, number and interval for this world's kernel, norm, noise, horizon and budget.

    Raises:
        ValueError: dimension above 2, no finite norm bound, or no noise.
    Source: `lower_bound.switching`.
    """
    if math.isinf(world.norm_bound):
        raise ValueError("norm_bound must be finite in an adversary's world, whose size it sets; got inf")
    if world.noise_sd <= 0:
        raise ValueError("noise_sd must be above 0 in an adversary's world, which hides behind it; got 0")
    nu = KERNELS[world.kernel].smoothness(world.nu)
    reach = (world.lengthscale / (world.high - world.low), world.dimension)
    budget = UNLIMITED_BUDGET if world.budget is None else world.budget
    return switching(world.horizon, float(budget), world.norm_bound, world.noise_sd, nu, *reach)


def hide(world: World, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(T, m) rewards on the unit box's arms x (m, d), whose places are drawn uniformly, interval by interval."""
    found = plan(world)
    values = found.bumps.values(x, x[seats(found.bumps, len(x))])
    places = rng.integers(len(values), size=len(found.lengths))
    return np.repeat(values[places], found.lengths, axis=0)


def seats(bumps: Bumps, arms: int) -> np.ndarray:
    """(p,) arms at which the bumps sit, at least a width apart; p = M where the arms are fine enough.

    In one dimension whole steps of the grid; in two the first p arms, which `with_lattice` put there.
    """
    if bumps.d == 2:
        return np.arange(_side(bumps, arms) ** 2)
    step = max(math.ceil(bumps.width * (arms - 1) - 1e-9), 1)
    here = np.arange(0, arms, step)[: bumps.count]
    return here + (arms - 1 - here[-1]) // 2


def with_lattice(world: World, x: np.ndarray) -> np.ndarray:
    """The arms of a two-dimensional world with the lattice of places in front; others as they are."""
    if world.dimension != 2:
        return x
    side = _side(plan(world).bumps, len(x))
    ticks = (np.arange(side) + 0.5) / side
    lattice = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
    return np.concatenate([lattice, x[len(lattice) :]])


def lower_bound(world: World, x: np.ndarray) -> np.ndarray:
    r"""(T,) what no algorithm's expected regret $E[R_t]$ can be below in this world, averaged over the places.

    The bound of the bumps as they lie on these arms (`hidden_function_bound`), interval by interval.

    Args:
        x: (m, d) arms on the unit box, as in `hide`.
    Source: derived here.
    """
    found = plan(world)
    values = found.bumps.values(x, x[seats(found.bumps, len(x))])
    longest = hidden_function_bound(values, np.arange(1, found.length + 1), world.noise_sd)
    # Regret only grows: what the first rounds of an interval cost is still owed when it is over.
    owed = np.maximum.accumulate(longest)
    starts = np.repeat(np.arange(len(found.lengths)), found.lengths)
    within = np.concatenate([np.arange(n) for n in found.lengths])
    return starts * owed[-1] + owed[within]


def _side(bumps: Bumps, arms: int) -> int:
    return min(bumps.side, math.isqrt(arms))
