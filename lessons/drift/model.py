"""Drift of one or two worlds: the lesson's numbers, from plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from common.cache import shared
from lessons.drift.knobs import DRIFT_WORLD
from lessons.record import Values
from lessons.shared import worlds
from lessons.shared.problems import coordinates, place_name, problem
from tvbo_core import Problem, World
from tvbo_core.worlds import ALL, Events, Hop, events, moved_most

MAX_STOPS = 40  # of each sort: a key that stops more often does not help


@dataclass(frozen=True, eq=False)
class WorldDrift:
    """One world and the core's account of its drift.

    Attributes:
        world, problem: the world and its table of rewards.
        events: hops of the best action and outsized steps.
        moved: (T-1,) arm at which each step is longest.
    """

    world: World
    problem: Problem
    events: Events
    moved: np.ndarray

    def until(self, t: int) -> WorldDrift:
        """Return the drift up to time t, as if the world ended there."""
        hops, jumps = self.events.hops, self.events.jumps
        happened = Events(tuple(hop for hop in hops if hop.t < t), tuple(jump for jump in jumps if jump.t < t))
        return WorldDrift(self.world, self.problem.head(t), happened, self.moved[: t - 1])

    @cached_property
    def steps(self) -> np.ndarray:
        """(T,) length of the step that ends in each row; the first row has none, so 0."""
        return np.concatenate([[0.0], self.problem.steps])

    @cached_property
    def spent(self) -> np.ndarray:
        """(T,) drift so far, reward units."""
        return np.cumsum(self.steps)

    @cached_property
    def counted(self) -> np.ndarray:
        """(T,) number of steps so far, rounds without a change left out."""
        return np.cumsum(self.steps > 0)

    @cached_property
    def rods(self) -> np.ndarray:
        """(T, 2) arm and first row of the rod that ends in each row.

        A rod is as long as the largest changes since its first row together, because all of them fell at this arm and
        in one direction; it stays while nothing moves.
        """
        f, found = self.problem.f, np.zeros((len(self.steps), 2), dtype=int)
        last = None
        for row in np.flatnonzero(self.steps):
            arm = int(self.moved[row - 1])
            way = (arm, f[row, arm] > f[row - 1, arm])
            found[row:] = arm, found[row, 1] if way == last else row - 1
            last = way
        return found

    @property
    def x(self) -> np.ndarray:
        """(m,) the coordinates of the actions."""
        return coordinates(self.problem)

    @property
    def glides(self) -> bool:
        """Return whether the reward is on its way between two rounds, where it does not jump."""
        return ALL[self.world.kind].glides

    @property
    def span(self) -> list[float]:
        """The first and the last coordinate that is drawn."""
        low, high = float(self.x[0]), float(self.x[-1])
        return [low, high] if high > low else [low - 0.5, high + 0.5]

    @property
    def longest_hops(self) -> list[Hop]:
        """Hops of the best action, the longest first."""
        return sorted(self.events.hops, key=lambda hop: -hop.distance)

    @property
    def stops(self) -> list[int]:
        """Rows worth stopping at: outsized steps and the longest hops."""
        jumps = self.events.jumps[:MAX_STOPS]
        return sorted({jump.t for jump in jumps} | {hop.t for hop in self.longest_hops[:MAX_STOPS]})


@dataclass(frozen=True, eq=False)
class Side:
    """One world of the figure.

    Attributes:
        drift: of that world.   title: its headline.   short: its name at a line.   said: its name in a sentence.
        role: "first" or "second", which decides its dash.
    """

    drift: WorldDrift
    title: str
    short: str
    said: str
    role: str

    @property
    def kind(self) -> str:
        """Kind of the world, which decides its colour."""
        return self.drift.world.kind


@shared(16)
def world_drift(world: World) -> WorldDrift:
    """Return a world's drift: hops, outsized steps, and where each step is longest."""
    p = problem(world)
    return WorldDrift(world, p, events(p), moved_most(p))


def drifts_from(values: Values) -> list[WorldDrift]:
    """Return the drift of the one or two worlds that these values of the page's knobs describe.

    Raises:
        ValueError: a world that cannot be.
    """
    return [world_drift(world) for world in worlds.pair(values, DRIFT_WORLD)]


def facts(drifts: Sequence[WorldDrift], names: Sequence[str], row: int) -> dict[str, float | None]:
    """Return the numbers of a round, those of each world after its name: `Scene.facts`."""
    found: dict[str, float | None] = {"t": row + 1}
    before, normed = max(row - 1, 0), all(drift.problem.rkhs_variation is not None for drift in drifts)
    for name, drift in zip(names, drifts, strict=True):
        p, x = drift.problem, drift.x[drift.problem.best]
        numbers = {
            "V_T": float(drift.spent[-1]),
            "V_t": float(drift.spent[row]),
            "steps": int(drift.counted[row]),
            "largest change": float(drift.steps[row]),
            "x*": float(x[row]),
            "hop": float(abs(x[row] - x[before])),
            **({"B_T": p.rkhs_variation} if normed else {}),
        }
        found |= {f"{name} {fact}": number for fact, number in numbers.items()}
    return found


def table(drifts: Sequence[WorldDrift], names: Sequence[str]) -> list[dict]:
    """Return the numbers behind the figure, one row a round."""
    return [
        {
            "world": name,
            "t": t + 1,
            "best action x*": place_name(drift.problem, arm),
            "its reward": float(drift.problem.f[t, arm]),
            "largest change": float(drift.steps[t]),
            "moved most at": place_name(drift.problem, drift.moved[t - 1]) if t else "",
            "drift so far V_t": float(drift.spent[t]),
        }
        for name, drift in zip(names, drifts, strict=True)
        for t, arm in enumerate(drift.problem.best)
    ]
