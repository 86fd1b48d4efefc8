"""The kinds of worlds, each with its words and, where its rewards are kernel sums, the path of their coefficients.

`ALL` lists them. A new kind is a path function and one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tvbo_core.kernels import Kernel
from tvbo_core.records import World
from tvbo_core.worlds import draws

# Returns the path of a world from its kernel, the (m, d) arms on the unit box and its stream of chance.
PathOf = Callable[[World, Kernel, np.ndarray, np.random.Generator], draws.Path]


@dataclass(frozen=True)
class WorldKind:
    """A kind of world as `ALL` lists it.

    Attributes:
        name: of `World.kind`.   title: with a capital.   adjective: before "world"; empty for a table.
        does: how its reward moves, in a few words; empty where the title says it.
        path: draws its rewards as kernel sums; None for a kind with a branch of its own in `make_problem`.
        has_budget: its movement is fitted to the budget that is asked.
        norm_sets_size: it has no size as drawn, the norm bound sets it.
        glides: between two rounds the reward is on its way from one to the other; elsewhere nothing is known there.
    """

    name: str
    title: str
    adjective: str
    does: str = ""
    path: PathOf | None = None
    has_budget: bool = False
    norm_sets_size: bool = False
    glides: bool = False


def pieces(world: World, kernel: Kernel, x: np.ndarray, rng: np.random.Generator) -> draws.Path:
    """Return the functions between which a still, gliding or jumping world moves."""
    count = {"still": 1, "glide": 2}.get(world.kind, world.switches + 1)
    return draws.draw_pieces(kernel, x, count, world.centres, world.norm_bound, rng)


def _glide(world: World, kernel: Kernel, x: np.ndarray, rng: np.random.Generator) -> draws.Path:
    return draws.glide(pieces(world, kernel, x, rng), world.horizon, world.budget)


def _jumps(world: World, kernel: Kernel, x: np.ndarray, rng: np.random.Generator) -> draws.Path:
    # A still world is a world of jumps with one piece and nowhere to jump.
    budget = 0.0 if world.kind == "still" else world.budget
    return draws.jump(pieces(world, kernel, x, rng), world.horizon, budget)


def _travel(world: World, kernel: Kernel, x: np.ndarray, rng: np.random.Generator) -> draws.Path:
    return draws.travel(kernel, x, world.horizon, world.norm_bound, world.budget, rng)


def _cyclic(world: World, kernel: Kernel, x: np.ndarray, rng: np.random.Generator) -> draws.Path:
    path = draws.cyclic(kernel, x, world.horizon, world.centres, world.norm_bound)
    return draws.shrink_to(path, world.budget)


def _rough(world: World, kernel: Kernel, x: np.ndarray, rng: np.random.Generator) -> draws.Path:
    path = draws.rough(kernel, x, world.horizon, world.centres, world.norm_bound, world.alpha, rng)
    return draws.shrink_to(path, world.budget)


ALL: dict[str, WorldKind] = {
    kind.name: kind
    for kind in (
        WorldKind("still", "Static", "static", path=_jumps),
        WorldKind("glide", "Glide", "gliding", "one function turns evenly into another", _glide, has_budget=True,
                  glides=True),
        WorldKind("jumps", "Jumps", "jumping", "sudden changes", _jumps, has_budget=True),
        WorldKind("markov", "Markov ε", "Markov", "a random walk drawn back towards zero (Bogunovic et al.)"),
        WorldKind("cyclic", "Cyclic", "cyclic", "comes back again and again (Mauduit et al.)", _cyclic, has_budget=True,
                  norm_sets_size=True),
        WorldKind("rough", "Rough α", "rough", "a random walk of chosen roughness", _rough, has_budget=True),
        WorldKind("adversary", "Adversary", "hostile",
                  "a bump that often moves to a new hidden place, made to prove a lower bound on regret "
                  "(Iwazaki & Takeno)", norm_sets_size=True),
        WorldKind("travel", "Travelling hill", "travelling", "one hill that rests, travels and rests", _travel,
                  has_budget=True, norm_sets_size=True, glides=True),
        WorldKind("data", "Real data", "", "a table of rewards"),
    )
}  # fmt: skip
