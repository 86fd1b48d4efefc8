"""Regret against memory: the runs that it takes, and the curves as far as those runs have come."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from lessons.forgetting.experiment import WITH_LIMIT, ForgettingSetting, jobs, runs_of
from lessons.forgetting.knobs import MEMORY_STEPS, WITH_MEMORY
from lessons.shared import stored_runs
from lessons.shared.knobs import METHODS
from tvbo_core.jobs import Failure, PlayJob
from tvbo_core.race_results import Run, paired_difference

FILE = stored_runs.FILE.with_name("memory.npz")
WINDOW = METHODS["sw"]
HELD = f"{WINDOW}: observations"  # fact: what it still holds


@dataclass(frozen=True)
class Legend:
    """Names and marks that the figures write.

    Attributes:
        settings: name of a memory -> its setting.   front: (word, name) of the method on the stage.
        worlds: a short name of each world.   here: index of the one on the stage.
        drifts: whether that one moves.   m: the reader's memory.   horizon: rounds.
        has_limit: whether with endless memory the method is GP-UCB.
        kind: of the chosen world.   strip: the memory that the strip shows.
        held: name of a memory -> what the strip says of it, with {} for how much it holds.
        place: of the reader's memory.
        places: (k,) where the memories of the grid stand; those with which the method is the same stand together.
        never: where endless memory stands, None for nowhere.   last: what stands under it, "" for its m.
    """

    settings: Mapping[str, str]
    front: tuple[str, str]
    worlds: Sequence[str]
    here: int
    drifts: bool
    m: int
    horizon: int
    has_limit: bool
    kind: str
    strip: str
    held: Mapping[str, str]
    place: float
    places: Sequence[int]
    never: int | None
    last: str

    @property
    def endless(self) -> bool:
        """Return whether the reader's memory never forgets within the horizon."""
        return self.place == self.never


@dataclass(frozen=True, eq=False)
class RegretCurves:
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
class RegretVsMemory:
    """Regret of one method in one world against its memory, at the rows of a film.

    The medians of all rounds are kept with the curves: other rows, as for another m, cost no new ones.
    """

    curves: RegretCurves
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
        """Return the index of the memory with the lowest median."""
        return int(self.median[:, frame].argmin())

    def as_low(self, best: int) -> tuple[int, ...]:
        """Return the other memories (indices) that chance alone may have put above this one at the end."""
        total, k = self.total[:, :, -1], best
        others = [i for i in range(len(total)) if i != k] if self.seeds > 1 else []
        return tuple(i for i in others if not paired_difference(total[i], total[k]).clear)


@dataclass(frozen=True, eq=False)
class MemorySweep:
    """Regret against memory of all methods in all worlds, as far as their runs have come, at the rows of a film.

    Attributes:
        setting: of the runs.   rows: (F,) of the film.
        curves: (method, world index) -> its regret against memory.   gp_ucb: world index -> (S, F) its regret.
        levels: world index -> name -> (F,) median regret of the methods without a memory to set.
        done, total: runs that are finished, and runs there are.   refused: name of a method -> why it cannot play.
    """

    setting: ForgettingSetting
    rows: tuple[int, ...]
    curves: Mapping[tuple[str, int], RegretVsMemory]
    gp_ucb: Mapping[int, np.ndarray]
    levels: Mapping[int, Mapping[str, np.ndarray]]
    done: int
    total: int
    refused: Mapping[str, str]

    def front(self, w: int) -> RegretVsMemory | None:
        """Return the curve of the method on the stage in one world."""
        return self.curves.get((self.setting.front, w))

    def limit(self, w: int, frame: int = -1) -> float | None:
        """Return the median regret of the method on the stage as m grows without end: GP-UCB's, where it has one."""
        if self.setting.front not in WITH_LIMIT or w not in self.gp_ucb:
            return None
        return float(self.gp_ucb_median[w][frame])

    @cached_property
    def gp_ucb_median(self) -> dict[int, np.ndarray]:
        """World index -> (F,) median regret of GP-UCB."""
        return {w: np.median(total, axis=0) for w, total in self.gp_ucb.items()}

    @property
    def methods(self) -> tuple[str, ...]:
        """Return the methods with a curve in every world."""
        every = range(len(self.setting.worlds))
        return tuple(m for m in WITH_MEMORY if all((m, w) in self.curves for w in every))


@dataclass(frozen=True, eq=False)
class Finished:
    """The runs as far as they have come, round by round: (method, world index) -> its curves."""

    setting: ForgettingSetting
    curves: Mapping[tuple[str, int], RegretCurves]
    done: int
    total: int
    refused: Mapping[str, str] = field(default_factory=dict)

    def at(self, rows: tuple[int, ...]) -> MemorySweep:
        """Return regret against memory at these rounds."""
        curves = {key: RegretVsMemory(found, rows) for key, found in self.curves.items() if key[0] in WITH_MEMORY}
        gp_ucb = {w: found.total[0][:, rows] for (method, w), found in self.curves.items() if method == "gp"}
        levels: dict[int, dict[str, np.ndarray]] = {}
        for (method, w), found in self.curves.items():
            if method in self.setting.levels:
                levels.setdefault(w, {})[METHODS[method]] = found.median[0][list(rows)]
        return MemorySweep(self.setting, rows, curves, gp_ucb, levels, self.done, self.total, self.refused)


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


def finished(setting: ForgettingSetting, results: Mapping[PlayJob, Any]) -> Finished:
    """Return the curves so far: of each method in each world the seeds with which it is through there."""
    seeds = whole_seeds(setting, results)
    curves = {key: RegretCurves(np.array(some).swapaxes(0, 1).cumsum(axis=2)) for key, some in seeds.items()}
    everything = jobs(setting)
    refused = {job.name: str(found) for job in reversed(everything) if isinstance(found := results.get(job), Failure)}
    return Finished(setting, curves, sum(j in results for j in everything), len(everything), refused)


def gather(setting: ForgettingSetting, results: Mapping[PlayJob, Any], rows: tuple[int, ...]) -> MemorySweep:
    """Return regret against memory so far, at these rounds."""
    return finished(setting, results).at(rows)


def facts(sweep: MemorySweep, held: np.ndarray, frame: int) -> dict[str, float | None]:
    """Return the numbers of a frame, those of each world whose runs have come after its kind: `Scene.facts`.

    Args:
        held: (F,) observations that SW-GP-UCB still holds.
    """
    found: dict[str, float | None] = {"t": sweep.rows[frame] + 1, HELD: float(held[frame])}
    for w, world in enumerate(sweep.setting.worlds):
        curve = sweep.front(w)
        if curve is not None:
            found[f"{world.kind}: seeds"] = curve.seeds
            pays = zip(MEMORY_STEPS, curve.median[:, frame].tolist(), strict=True)
            found |= {regret_name(world.kind, m): regret for m, regret in pays}
            found[f"{world.kind}: best m"] = MEMORY_STEPS[curve.best(frame)]
        if w in sweep.gp_ucb:
            found[regret_name(world.kind)] = float(sweep.gp_ucb_median[w][frame])
    return found


def regret_name(kind: str, m: float = math.inf) -> str:
    """Return the name of the fact that is the regret in a world of this kind with memory m; infinite: GP-UCB's."""
    return f"{kind}, {f'm = {m:g}' if math.isfinite(m) else 'never forgets'}: regret"


def bound_slopes(line: RegretVsMemory, grid: Sequence[int], points: int = 40) -> tuple[np.ndarray, ...]:
    r"""Return memories m (points,), and at each frame a noise and a staleness term, each (F, points).

    $a/\sqrt m$ and $b\,m$: slopes of the two terms of the bounds. The heights are arbitrary; they are chosen so that
    the sum starts at the curve's own height and is lowest where the curve is.

    Source: Iwazaki & Takeno, eq. 101, with $H=2m$, without constants and logarithms.
    """
    m, first = np.geomspace(grid[0], grid[-1], points), float(grid[0])
    lowest = np.asarray(grid, dtype=float)[line.median.argmin(axis=0)][:, None]
    a = line.median[:1].T / (1 / np.sqrt(first) + first / (2 * lowest**1.5))
    return m, a / np.sqrt(m), 0.5 * a * m / lowest**1.5
