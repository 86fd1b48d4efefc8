"""The bowls of the forgetting page: which runs regret against memory takes, and the table so far."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

import tvbo_core as tv
from lessons.forgetting import model as forgetting
from lessons.forgetting.knobs import FORGETTING_WORLD
from lessons.forgetting.memories import Look, tuned
from lessons.shared import durations
from lessons.shared import worlds as world
from lessons.shared.knobs import METHODS
from tvbo_core import World
from tvbo_core.gp.memory import matched
from tvbo_core.jobs import Job
from tvbo_core.policies.width import LogWidth, Width
from tvbo_core.race_results import Run
from tvbo_core.records import LearnerInfo, Policy

FILE = Path(__file__).resolve().parents[2] / "assets" / "memory.npz"
FAMILY = ("glide", "jumps", "still")  # worlds whose bowls stand side by side
GRID = (5, 10, 20, 40, 80, 160, 320, 1000, 3000)
FORGETFUL = ("r", "sw", "wgp", "tv", "rperp")  # the methods that m sets
LIMIT = FORGETFUL[:-1]  # those that are GP-UCB when m has no end; R-PERP then eliminates for good
# Milliseconds of a run of 300 rounds with 100 arms, only to say in advance how long a bowl will take.
COST = {"gp": 6, "r": 8, "sw": 12, "wgp": 22, "tv": 10, "rperp": 9}


@dataclass(frozen=True)
class Setting:
    """The runs behind the bowls: plain values.

    Attributes:
        worlds: one, or the family; the seed of each is the first.   front: the method whose bowl is on the stage.
        width: a number as text, or "log".   seeds: how many, from the worlds' own upwards.
    """

    worlds: tuple[World, ...]
    front: str
    width: str
    seeds: int

    @property
    def numbers(self) -> range:
        """The seeds."""
        return range(self.worlds[0].seed, self.worlds[0].seed + self.seeds)

    @cached_property
    def seeded(self) -> dict[tuple[int, int], World]:
        """(world index, seed) -> that world with that seed."""
        return {(w, s): replace(world, seed=s) for w, world in enumerate(self.worlds) for s in self.numbers}


def worlds(world: World) -> tuple[World, ...]:
    """The world and its family where it has one: the same functions gliding, jumping and standing still."""
    return tuple(replace(world, kind=kind) for kind in FAMILY) if world.kind in FAMILY else (world,)


@lru_cache(maxsize=1024)
def policy(method: str, m: int, horizon: int, width: str) -> Policy:
    """A bandit with this memory; what reaches beyond the horizon is the same run and is played once."""
    w: Width = LogWidth(2.0) if width == "log" else float(width)
    q = matched(m)
    made = {
        "gp": lambda: tv.GPUCB(width=w),
        "r": lambda: tv.RGPUCB(restart=min(q.restart, horizon), width=w),
        "sw": lambda: tv.SWGPUCB(window=min(q.window, horizon), width=w),
        "wgp": lambda: tv.WGPUCB(discount=q.discount, width=w),
        "tv": lambda: tv.TVGPUCB(epsilon=q.epsilon, width=w),
        "rperp": lambda: tv.RPERP(restart=min(q.restart, horizon), width=w),
    }
    return made[method]()


def job(setting: Setting, method: str, w: int, m: int, seed: int) -> Job:
    """One run of a bowl."""
    world = setting.seeded[w, seed]
    return Job(METHODS[method], policy(method, m, world.horizon, setting.width), world)


def jobs(setting: Setting, methods: Iterable[str] | None = None) -> list[Job]:
    """The different runs: the method on the stage and the one that never forgets first, seed by seed."""
    order = tuple(methods) if methods else ("gp", setting.front, *(x for x in FORGETFUL if x != setting.front))
    first = order[: 2 if methods is None else len(order)]
    return list(
        dict.fromkeys(
            job(setting, method, w, m, seed)
            for some in (first, order[len(first) :])
            for seed in setting.numbers
            for w in range(len(setting.worlds))
            for method in some
            for m in (GRID if method != "gp" else GRID[:1])
        )
    )


def seconds(runs: Iterable[Job]) -> float:
    """Return about how long these runs take on one core."""
    return durations.of_runs(runs, COST)


@dataclass(frozen=True, eq=False)
class Curves:
    """Regret of one method in one world, round by round.

    Attributes:
        total: (k, S, T) regret so far of the k memories of the grid, the S seeds that are whole, the T rounds.
    """

    total: np.ndarray

    @cached_property
    def median(self) -> np.ndarray:
        """(k, T)"""
        return np.median(self.total, axis=1)

    @cached_property
    def quartiles(self) -> np.ndarray:
        """(2, k, T)"""
        return np.quantile(self.total, (0.25, 0.75), axis=1)


@dataclass(frozen=True, eq=False)
class Bowl:
    """Regret of one method in one world against its memory, at the rows of a film."""

    curves: Curves
    rows: tuple[int, ...]

    @property
    def total(self) -> np.ndarray:
        """(k, S, F)"""
        return self.curves.total[:, :, self.rows]

    @cached_property
    def median(self) -> np.ndarray:
        """(k, F)"""
        return self.curves.median[:, self.rows]

    @cached_property
    def quartiles(self) -> np.ndarray:
        """(2, k, F)"""
        return self.curves.quartiles[:, :, self.rows]

    @property
    def seeds(self) -> int:
        return self.curves.total.shape[1]

    def best(self, frame: int = -1) -> int:
        """The index of the memory with the lowest median."""
        return int(self.median[:, frame].argmin())


@dataclass(frozen=True, eq=False)
class Bowls:
    """All bowls as far as their runs have come.

    Attributes:
        setting: of the runs.   rows: of the film.
        bowls: (method, world index) -> its bowl.   never: world index -> (S, F) regret of GP-UCB.
        done, total: runs that are finished, and runs there are.
    """

    setting: Setting
    rows: tuple[int, ...]
    bowls: Mapping[tuple[str, int], Bowl]
    never: Mapping[int, np.ndarray]
    done: int
    total: int

    def front(self, w: int) -> Bowl | None:
        return self.bowls.get((self.setting.front, w))

    def endless(self, w: int, frame: int = -1) -> float | None:
        """Median regret of the method on the stage with endless memory: GP-UCB's, where that is its limit."""
        if self.setting.front not in LIMIT or w not in self.never:
            return None
        return float(self.limits[w][frame])

    @cached_property
    def limits(self) -> dict[int, np.ndarray]:
        """World index -> (F,) median regret of GP-UCB."""
        return {w: np.median(total, axis=0) for w, total in self.never.items()}

    @property
    def methods(self) -> tuple[str, ...]:
        """Those with a bowl in every world."""
        every = range(len(self.setting.worlds))
        return tuple(m for m in FORGETFUL if all((m, w) in self.bowls for w in every))


@dataclass(frozen=True, eq=False)
class Gathered:
    """The runs as far as they have come, round by round: (method, world index) -> its curves."""

    setting: Setting
    curves: Mapping[tuple[str, int], Curves]
    done: int
    total: int

    def at(self, rows: tuple[int, ...]) -> Bowls:
        """The bowls at these rounds."""
        bowls = {key: Bowl(curves, rows) for key, curves in self.curves.items() if key[0] != "gp"}
        never = {w: curves.total[0][:, rows] for (method, w), curves in self.curves.items() if method == "gp"}
        return Bowls(self.setting, rows, bowls, never, self.done, self.total)


def whole(setting: Setting, results: Mapping[Job, object]) -> dict[str, dict[int, list[list[np.ndarray]]]]:
    """Method -> the seeds with which it is through in every world -> the regret of each round, by world and memory."""
    found: dict[str, dict[int, list[list[np.ndarray]]]] = {}
    for method in ("gp", *FORGETFUL):
        grid = GRID if method != "gp" else GRID[:1]
        found[method] = {}
        for seed in setting.numbers:
            runs = [[results.get(job(setting, method, w, m, seed)) for m in grid] for w in range(len(setting.worlds))]
            if all(isinstance(run, Run) for some in runs for run in some):
                found[method][seed] = [[run.regret for run in some] for some in runs]
    return found


def gathered(setting: Setting, results: Mapping[Job, object]) -> Gathered:
    """The bowls so far: of each method the seeds with which it is through in every world."""
    curves = {}
    for method, seeds in whole(setting, results).items():
        for w in range(len(setting.worlds)) if seeds else ():
            curves[method, w] = Curves(np.array([runs[w] for runs in seeds.values()]).swapaxes(0, 1).cumsum(axis=2))
    everything = jobs(setting)
    return Gathered(setting, curves, sum(j in results for j in everything), len(everything))


def gather(setting: Setting, results: Mapping[Job, object], rows: tuple[int, ...]) -> Bowls:
    """The bowls so far at these rounds."""
    return gathered(setting, results).at(rows)


def papers_memory(method: str, known: LearnerInfo) -> float:
    """The m at which this method stands when its own paper tunes it, told the drift; infinite: never forgets."""
    if method in ("r", "sw"):
        own = tv.RGPUCB().memory(known).interval if method == "r" else tv.SWGPUCB().memory(known).length
        return own / 2 if method == "r" else float(own)
    if method == "rperp":
        return tv.RPERP().restart_rounds(known) / 2
    rate = 1.0 - tv.WGPUCB().memory(known).gamma if method == "wgp" else tv.TVGPUCB().memory(known).epsilon / 2.0
    return 1.0 / rate if rate > 0 else math.inf


def chosen(values: Mapping[str, object]) -> tuple[Look, Setting]:
    """What these values of the page's knobs look at, and the runs they ask for."""
    base = world.build(values, FORGETTING_WORLD)
    look = Look(base, str(values["design"]), tuned(values), float(values["place"]))
    runs = Setting(forgetting.worlds(base), str(values["bowl"]), str(values["beta"]), int(values["seeds"]))
    return look, runs
