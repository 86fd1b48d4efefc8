"""Six memories of one past: their settings, and the weights and influences that they give the same observations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from common.cache import keyed
from lessons.forgetting.influence import influence, weights
from lessons.shared import problems
from lessons.shared.knobs import METHODS
from tvbo_core import History, Problem, World
from tvbo_core.gp.memory import Discount, Injected, Keep, Markov, Memory, Restart, Window, matched
from tvbo_core.worlds import events

NEVER, INJECTED = METHODS["gp"], "UI-GP-UCB"
MAX_MARKED_JUMPS = 12  # more of them are no landmarks
MAX_MARKED_RESTARTS = 12
SCALE_ROWS = 6
_influences = keyed(16, 40_000_000)


@dataclass(frozen=True)
class Tuning:
    """Settings of the memories: plain values, all but alpha set by m.

    Attributes:
        m: memory, rounds.   restart, window: H and W, rounds.   discount: gamma.
        epsilon: per-round change.   alpha: drift exponent of the injected uncertainty.
    """

    m: int
    restart: int
    window: int
    discount: float
    epsilon: float
    alpha: float

    @property
    def memories(self) -> dict[str, Memory]:
        """Name of the bandit -> weights of its past."""
        return {
            NEVER: Keep(),
            METHODS["r"]: Restart(self.restart),
            METHODS["sw"]: Window(self.window),
            METHODS["wgp"]: Discount(self.discount),
            METHODS["tv"]: Markov(self.epsilon),
            INJECTED: Injected(self.alpha),
        }

    @property
    def labels(self) -> dict[str, str]:
        """Name of the bandit -> its own letter and value."""
        return {
            NEVER: "keeps all",
            METHODS["r"]: f"every {self.restart} rounds",
            METHODS["sw"]: f"W = {self.window}",
            METHODS["wgp"]: f"γ = {self.discount:.4g}",
            METHODS["tv"]: f"ε = {self.epsilon:.3g}",
            INJECTED: f"α = {self.alpha:g}",
        }


def tuned(values: Mapping[str, Any]) -> Tuning:
    """Return the tuning that these values of the page's knobs describe."""
    m = int(values["m"])
    q = matched(m)
    return Tuning(m, q.restart, q.window, q.discount, q.epsilon, float(values["alpha"]))


@dataclass(frozen=True)
class ViewSetting:
    """Plain values: a world, and the memories of what was observed there at random."""

    world: World
    tuning: Tuning


@dataclass(frozen=True, eq=False)
class MemoryViews:
    """One past under six memories.

    Attributes:
        past: the world and the tuning of the memories.   problem: the world.   rows: of the film.
        jumps: rows of outsized steps.   restarts: rows in which the restarting memory is empty.
        scale: rows whose influences set the scale of all.
    """

    past: ViewSetting
    problem: Problem
    rows: tuple[int, ...]
    jumps: tuple[int, ...]
    restarts: tuple[int, ...]
    scale: tuple[int, ...]

    def weight(self, name: str) -> np.ndarray:
        """Return (F, T) weight of each observation in a memory, whatever was observed."""
        return weights(self.tuning.memories[name], self.rows, self.problem.horizon)

    def effective_size(self, name: str) -> np.ndarray:
        """Return (F,) how many new observations a memory's past weighs as much as."""
        return self.weight(name).sum(axis=1)

    @property
    def arm(self) -> int:
        """The arm in the middle, whose estimate is looked at."""
        return round(0.5 * (self.problem.f.shape[1] - 1))

    @property
    def place(self) -> str:
        """Name of that arm."""
        return problems.place_name(self.problem, self.arm)

    @property
    def tuning(self) -> Tuning:
        """Tuning of the memories."""
        return self.past.tuning

    @cached_property
    def history(self) -> History:
        """The observations that all memories share."""
        return problems.observations(self.problem, "random", self.past.world.seed)

    @cached_property
    def influences(self) -> Mapping[str, np.ndarray]:
        """Name -> (F, T) influence of each observation on the estimate of that arm."""
        return _influences((self.past, self.rows), self._influences)

    def _influences(self) -> Mapping[str, np.ndarray]:
        p, arms = self.problem, self.history.arms
        ridge = max(p.noise_sd**2, 1e-6)
        memories = self.tuning.memories.items()
        return {name: influence(p.kernel, p.x, arms, memory, ridge, self.rows, self.arm) for name, memory in memories}


def stops(past: ViewSetting) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Return rows of jumps, rows of restarts, and the horizon.

    Raises:
        ValueError: a world that cannot be.
    """
    p = problems.problem(past.world)
    found = events(p).jumps
    jumps = tuple(e.t for e in found) if len(found) <= MAX_MARKED_JUMPS else ()
    return jumps, tuple(range(past.tuning.restart, p.horizon, past.tuning.restart)), p.horizon


def last_jump(jumps: Sequence[int], row: int) -> int:
    """Return how many observations came before the last jump up to this row, 0 without one."""
    return max((jump for jump in jumps if jump <= row), default=0)


def landmarks(jumps: Sequence[int], restarts: Sequence[int], horizon: int) -> list[int]:
    """Return rows that a film must not skip: jumps, the first restarts, and each step around the very first ones."""
    around = [row + step for row in restarts[:3] for step in range(-4, 5)]
    return sorted({row for row in (*jumps, *restarts[:MAX_MARKED_RESTARTS], *around) if 0 <= row < horizon})


def scale_rows(rows: Sequence[int], horizon: int) -> tuple[int, ...]:
    """Return a few of a film's rounds, evenly spread over those with some past: one scale serves every frame."""
    later = [row for row in rows if row >= min(20, horizon // 2)]
    return tuple(later[round(i * (len(later) - 1) / (SCALE_ROWS - 1))] for i in range(SCALE_ROWS)) if later else ()


def views(past: ViewSetting, rows: tuple[int, ...], scale: tuple[int, ...] | None = None) -> MemoryViews:
    """Return six memories of the same observations, seen from these rounds.

    Args:
        scale: rounds among them that set the scale of all influences; those of `scale_rows` when left out.

    Raises:
        ValueError: a world that cannot be.
    """
    p = problems.problem(past.world)
    jumps, restarts, _ = stops(past)
    return MemoryViews(past, p, rows, jumps, restarts, scale or scale_rows(rows, p.horizon))
