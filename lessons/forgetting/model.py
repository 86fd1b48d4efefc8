"""Regret against memory: the runs that it takes, and the curves as far as those runs have come."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from common.failure import Failure
from lessons.forgetting.experiment import WITH_LIMIT, ForgettingSetting, jobs, runs_of
from lessons.forgetting.knobs import MEMORY_STEPS, TOLD_NOTHING, WITH_MEMORY
from lessons.shared import stored_runs
from lessons.shared.knobs import METHODS
from lessons.shared.play_jobs import PlayJob
from tvbo_core.race_results import Run, paired_difference

FILE = stored_runs.FILE.with_name("memory.npz")
WINDOW = METHODS["sw"]
HELD = f"{WINDOW}: observations"  # fact: what it still holds


@dataclass(frozen=True)
class Legend:
    """Names and marks that the figures write.

    Attributes:
        front: (word, name) of the method on the stage.   means: what m sets in it.
        worlds: a short name of each world.   here: index of the one on the stage.   m: the reader's memory.
        has_limit: whether with endless memory the method is GP-UCB.
        kind: of the chosen world.   strip: the memory that the strip shows.
        place: of the reader's memory.
        places: (k,) where the memories of the grid stand; those with which the method is the same stand together.
        never: where endless memory stands, None for nowhere.   last: what stands under it, "" for its m.
    """

    front: tuple[str, str]
    means: str
    worlds: Sequence[str]
    here: int
    m: int
    has_limit: bool
    kind: str
    strip: str
    place: float
    places: Sequence[int]
    never: int | None
    last: str


@dataclass(frozen=True, eq=False)
class RegretVsMemory:
    """Regret of one method in one world against its memory, round by round.

    Attributes:
        total: (k, S, T) regret so far of the k memories that are played, the S seeds that are whole, the T rounds.
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

    @property
    def seeds(self) -> int:
        return self.total.shape[1]

    def best(self, row: int = -1) -> int:
        """Return the index of the memory with the lowest median."""
        return int(self.median[:, row].argmin())

    def as_low(self, best: int) -> tuple[int, ...]:
        """Return the other memories (indices) that chance alone may have put above this one at the end."""
        total, k = self.total[:, :, -1], best
        others = [i for i in range(len(total)) if i != k] if self.seeds > 1 else []
        return tuple(i for i in others if not paired_difference(total[i], total[k]).clear)


@dataclass(frozen=True, eq=False)
class MemorySweep:
    """Regret against memory of all methods in all worlds, as far as their runs have come.

    Attributes:
        setting: of the runs.
        curves: (method, world index) -> its regret; of GP-UCB and of the levels, which have no memory to set, k = 1.
        refused: name of a method -> why it cannot play.
    """

    setting: ForgettingSetting
    curves: Mapping[tuple[str, int], RegretVsMemory]
    refused: Mapping[str, str]

    def front(self, w: int) -> RegretVsMemory | None:
        """Return the curve of the method on the stage in one world."""
        return self.curves.get((self.setting.front, w))

    def limit(self, w: int, row: int = -1) -> float | None:
        """Return the median regret of the method on the stage as m grows without end: GP-UCB's, where it has one."""
        if self.setting.front not in WITH_LIMIT or w not in self.gp_ucb:
            return None
        return float(self.gp_ucb[w][row])

    def beside(self, w: int, k: int) -> np.ndarray | None:
        """Return the verdict of each memory, and of endless memory after them, beside memory k: (k + 1, T) or (k, T).

        The verdict is that of the paired difference of regret so far; None while runs are still to come.
        """
        with_limit = self.setting.front in WITH_LIMIT
        curves = [self.curves.get((method, w)) for method in (self.setting.front, *("gp",) * with_limit)]
        if any(curve is None or curve.seeds < self.setting.seeds for curve in curves):
            return None
        every = np.concatenate([curve.total for curve in curves if curve is not None]).transpose(1, 0, 2)
        verdict = paired_difference(every, np.broadcast_to(every[:, [k]], every.shape)).verdict
        return np.asarray(verdict)

    def level(self, w: int) -> np.ndarray | None:
        """Return the median regret so far of the method that is told nothing and has no memory to set, (T,)."""
        curve = self.curves.get((TOLD_NOTHING, w))
        return None if curve is None else curve.median[0]

    @property
    def gp_ucb(self) -> dict[int, np.ndarray]:
        """World index -> (T,) median regret of GP-UCB."""
        return {w: curve.median[0] for (method, w), curve in self.curves.items() if method == "gp"}

    @property
    def methods(self) -> tuple[str, ...]:
        """Return the methods with a curve in every world."""
        every = range(len(self.setting.worlds))
        return tuple(m for m in WITH_MEMORY if all((m, w) in self.curves for w in every))


def whole_seeds(
    setting: ForgettingSetting, results: Mapping[PlayJob, Any]
) -> dict[tuple[str, int], list[list[np.ndarray]]]:
    """Return (method, world index) -> of each seed that is through with every memory there, regret of each round."""
    found: dict[tuple[str, int], list[list[np.ndarray]]] = {}
    for method, seeds in runs_of(setting).items():
        for by_world in seeds.values():
            for w, some in enumerate(by_world):
                runs: list[Any] = [results.get(one) for one in some]
                if all(isinstance(run, Run) for run in runs):
                    found.setdefault((method, w), []).append([run.regret for run in runs])
    return found


def seeds_through(
    setting: ForgettingSetting, results: Mapping[PlayJob, Any]
) -> tuple[tuple[tuple[str, int], int], ...]:
    """Return (method, world index) with how many seeds are through with every memory there."""
    return tuple((key, len(some)) for key, some in whole_seeds(setting, results).items() if key[0] != "gp")


def gather(setting: ForgettingSetting, results: Mapping[PlayJob, Any]) -> MemorySweep:
    """Return regret so far: of each method in each world the seeds with which it is through there."""
    seeds = whole_seeds(setting, results)
    curves = {key: RegretVsMemory(np.array(some).swapaxes(0, 1).cumsum(axis=2)) for key, some in seeds.items()}
    played = ((job, results.get(job)) for job in reversed(jobs(setting)))
    refused = {job.name: str(found) for job, found in played if isinstance(found, Failure)}
    return MemorySweep(setting, curves, refused)


def facts(sweep: MemorySweep, row: int, held: float) -> dict[str, float | None]:
    """Return the numbers of a round, those of each world whose runs have come after its kind: `Scene.facts`.

    Args:
        held: observations that SW-GP-UCB still holds.
    """
    found: dict[str, float | None] = {"t": row + 1, HELD: held}
    for w, world in enumerate(sweep.setting.worlds):
        curve = sweep.front(w)
        if curve is not None:
            found[f"{world.kind}: seeds"] = curve.seeds
            pays = zip(MEMORY_STEPS, curve.median[:, row].tolist(), strict=True)
            found |= {regret_name(world.kind, m): regret for m, regret in pays}
            found[f"{world.kind}: best m"] = MEMORY_STEPS[curve.best(row)]
        if w in sweep.gp_ucb:
            found[regret_name(world.kind)] = float(sweep.gp_ucb[w][row])
        level = sweep.level(w)
        if level is not None:
            found[level_name(world.kind)] = float(level[row])
    return found


def regret_name(kind: str, m: float = math.inf) -> str:
    """Return the name of the fact that is the regret in a world of this kind with memory m; infinite: GP-UCB's."""
    return f"{kind}, {f'm = {m:g}' if math.isfinite(m) else 'never forgets'}: regret"


def level_name(kind: str) -> str:
    """Return the name of the fact that is the regret of the method that is told nothing."""
    return f"{kind}, {METHODS[TOLD_NOTHING]}: regret"


# Method -> power of its memory in the rising term of its bound, constants and logarithms left out: Iwazaki & Takeno,
# eq. 101; Deng et al., App. C.5; for restarts and windows derived here. TV-GP-UCB's bound has no such term.
STALENESS = {"rperp": 1.0, "r": 1.5, "sw": 1.5, "wgp": 1.5}


def bound_slopes(pays: np.ndarray, grid: np.ndarray, power: float, points: int = 40) -> tuple[np.ndarray, ...]:
    r"""Return memories m, a noise and a staleness term, each (points,).

    $a/\sqrt m$ and $b\,m^p$: slopes of the two terms of a bound. The heights are arbitrary; they are chosen so that
    the sum starts at the curve's own height, pays (k,), and is lowest where the curve is.

    Args:
        power: p, of `STALENESS`.
    """
    m, first, lowest = np.geomspace(grid[0], grid[-1], points), grid[0], grid[pays.argmin()]
    rise = 1.0 / (2.0 * power * lowest ** (power + 0.5))  # b/a, so that the sum is lowest at the lowest
    a = pays[0] / (1 / np.sqrt(first) + rise * first**power)
    return m, a / np.sqrt(m), a * rise * m**power
