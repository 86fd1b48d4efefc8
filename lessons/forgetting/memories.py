"""Six memories of one past: their settings, and the weights and estimates they make of the same observations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import tvbo_core as tv
from common.cache import keyed
from lessons.forgetting.influence import MemoryOverview, MemoryView, memory_views, overview
from lessons.shared import problems
from lessons.shared.knobs import METHODS
from tvbo_core import History, Problem, World, policies
from tvbo_core.gp.memory import Discount, Injected, Keep, Markov, Memory, Restart, Window, matched
from tvbo_core.worlds import events

NEVER, INJECTED = METHODS["gp"], "UI-GP-UCB"
MAX_MARKED_JUMPS = 12  # more of them are no landmarks
MAX_MARKED_RESTARTS = 12
SCALE_ROWS = 6
_views = keyed(16, 40_000_000)


@dataclass(frozen=True)
class Tuning:
    """Settings of the memories: plain values, set by m or one by one.

    Attributes:
        m: nominal memory, rounds.   restart, window: H and W, rounds.   discount: gamma.
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
    def said(self) -> dict[str, str]:
        """Name of the bandit -> its own letter and value."""
        return {
            NEVER: "keeps all",
            METHODS["r"]: f"H = {self.restart}",
            METHODS["sw"]: f"W = {self.window}",
            METHODS["wgp"]: f"γ = {self.discount:.4g}",
            METHODS["tv"]: f"ε = {self.epsilon:.3g}",
            INJECTED: f"α = {self.alpha:g}",
        }

    def nominal(self, method: str) -> float:
        """Return the m at which this method's own setting stands, infinite when it never forgets."""
        field = policies.ALL[method].memory
        own = {"restart": self.restart / 2, "window": self.window}
        if field in own:
            return float(own[field])
        rate = 1.0 - self.discount if field == "discount" else self.epsilon / 2.0
        return round(1.0 / rate, 6) if rate > 0 else math.inf


def tuned(values: Mapping[str, Any]) -> Tuning:
    """Return the tuning that these values of the page's knobs describe; 0 leaves a setting to m."""
    m = int(values["m"])
    q = matched(m)
    return Tuning(
        m,
        int(values["own_r"]) or q.restart,
        int(values["own_sw"]) or q.window,
        float(values["own_wgp"]) or q.discount,
        float(values["own_tv"]) or q.epsilon,
        float(values["alpha"]),
    )


@dataclass(frozen=True)
class ViewSetting:
    """Plain values: a world, how its data fall, the memories, the place as a share of the arms."""

    world: World
    design: str
    tuning: Tuning
    place: float


@dataclass(frozen=True, eq=False)
class MemoryViews:
    """One past under six memories.

    Attributes:
        problem: the world.   history: the observations that all memories share.   arm: the chosen place.
        recalls: name -> its view of every row of the film.   jumps: rows of outsized steps.
        restarts: rows in which the restarting memory is empty.   scale: rows whose influences set the scale of all.
    """

    problem: Problem
    history: History
    arm: int
    recalls: Mapping[str, MemoryView]
    jumps: tuple[int, ...]
    restarts: tuple[int, ...]
    scale: tuple[int, ...]

    @property
    def place(self) -> str:
        """The chosen place as a reader would say it."""
        return problems.place_name(self.problem, self.arm)


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
    """Return how many observations were heard before the last jump up to this row, 0 without one."""
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
    arm = round(past.place * (p.f.shape[1] - 1))
    # Pointing at another place changes neither what was heard nor what the memories make of it.
    history, every = _views(("everywhere", replace(past, place=0.0), rows), lambda: _everywhere(past, rows))
    if every is not None:
        seen = every.at(arm)
    else:
        seen = _views((past, rows), lambda: memory_views(*_observed(past, history), rows, arm))
    jumps, restarts, _ = stops(past)
    return MemoryViews(p, history, arm, seen, jumps, restarts, scale or scale_rows(rows, p.horizon))


def _everywhere(past: ViewSetting, rows: tuple[int, ...]) -> tuple[History, MemoryOverview | None]:
    """Return what was heard, and what the memories make of it at all places, where that is quick."""
    p, world = problems.problem(past.world), past.world
    rng = tv.observe.play_rng(world.seed)
    if past.design == "ucb":
        history = tv.observe.ucb_design(p, p.horizon, rng)
    elif past.design == "clustered" and p.arm_names is None:
        history = tv.observe.clustered_design(p, p.horizon, rng)
    else:
        history = tv.observe.random_design(p, p.horizon, rng)
    return history, overview(*_observed(past, history), rows)


def _observed(past: ViewSetting, history: History) -> tuple:
    """Return kernel, arms, observed arms, rewards, memories and ridge, as `lessons.forgetting.influence` takes them."""
    p = problems.problem(past.world)
    return p.kernel, p.x, history.arms, history.y, past.tuning.memories, max(p.noise_sd**2, 1e-6)
