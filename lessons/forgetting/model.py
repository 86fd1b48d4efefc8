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
from lessons.forgetting.knobs import MEMORY_STEPS, TOLD_NOTHING
from lessons.shared.knobs import METHODS
from lessons.shared.play_jobs import PlayJob
from tvbo_core.race_results import Run, paired_difference

WINDOW = METHODS["sw"]
HELD = f"{WINDOW}: observations"  # fact: what it still holds
LEVEL = f"{METHODS[TOLD_NOTHING]}: regret"  # fact: of the method that is told nothing


@dataclass(frozen=True)
class Legend:
    """Names and marks that the figures write.

    Attributes:
        front: (word, name) of the method on the stage.   means: what m sets in it.   m: the reader's memory.
        has_limit: whether with endless memory the method is GP-UCB.
        strip: the memory that the strip shows.   place: of the reader's memory.
        places: (k,) where the memories of the grid stand; those with which the method is the same stand together.
        never: where endless memory stands, None for nowhere.   last: what stands under it, "" for its m.
    """

    front: tuple[str, str]
    means: str
    m: int
    has_limit: bool
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
    """Regret against memory in all worlds, as far as its runs have come.

    Attributes:
        setting: of the runs.
        curves: (method, world index) -> its regret; of those that have no memory to set k = 1.
        refused: name of a method -> why it cannot play.
    """

    setting: ForgettingSetting
    curves: Mapping[tuple[str, int], RegretVsMemory]
    refused: Mapping[str, str]

    def front(self, w: int = 0) -> RegretVsMemory | None:
        """Return the curve of the method on the stage in one world."""
        return self.curves.get((self.setting.front, w))

    def limit(self, row: int = -1) -> float | None:
        """Return the median regret of the method on the stage as m grows without end: GP-UCB's, where it has one."""
        never = self.level("gp")
        return None if never is None or self.setting.front not in WITH_LIMIT else float(never[row])

    def beside(self, k: int) -> np.ndarray | None:
        """Return the verdict of each memory, and of endless memory after them, beside memory k: (k + 1, T) or (k, T).

        The verdict is that of the paired difference of regret so far; None while runs are still to come.
        """
        with_limit = self.setting.front in WITH_LIMIT
        curves = [self.curves.get((method, 0)) for method in (self.setting.front, *("gp",) * with_limit)]
        if any(curve is None or curve.seeds < self.setting.seeds for curve in curves):
            return None
        every = np.concatenate([curve.total for curve in curves if curve is not None]).transpose(1, 0, 2)
        verdict = paired_difference(every, np.broadcast_to(every[:, [k]], every.shape)).verdict
        return np.asarray(verdict)

    def level(self, method: str = TOLD_NOTHING) -> np.ndarray | None:
        """Return the median regret so far of a method that has no memory to set, (T,)."""
        curve = self.curves.get((method, 0))
        return None if curve is None else curve.median[0]


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
    """Return the numbers of a round, as far as its runs have come: `Scene.facts`.

    Args:
        held: observations that SW-GP-UCB still holds.
    """
    found: dict[str, float | None] = {"t": row + 1, HELD: held}
    curve = sweep.front()
    if curve is not None:
        found["seeds"] = curve.seeds
        found |= {regret_name(m): float(regret) for m, regret in zip(MEMORY_STEPS, curve.median[:, row], strict=True)}
        found["best m"] = MEMORY_STEPS[curve.best(row)]
    for method, name in (("gp", regret_name()), (TOLD_NOTHING, LEVEL)):
        level = sweep.level(method)
        if level is not None:
            found[name] = float(level[row])
    return found


def regret_name(m: float = math.inf) -> str:
    """Return the name of the fact that is the regret with memory m; infinite: GP-UCB's."""
    return f"{f'm = {m:g}' if math.isfinite(m) else 'never forgets'}: regret"
