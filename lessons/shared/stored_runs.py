"""Races that are opened again and again, played in advance: the page as it opens and its moments.

A stored run holds its arms, its side queries and its time; regret is computed from the world, as ever. A run
whose policy or world is not letter for letter the one that was stored is simply played. Play them anew, after a
change of a policy or of a moment, with `python -m lessons.store NAME` (race, forgetting, side_queries, theorems).
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from common.cache import shared
from lessons.record import Results, RunPlan, Scene, Values
from lessons.shared.play_jobs import PlayJob, cached_problem, outcome
from tvbo_core import policies
from tvbo_core.race_results import Run
from tvbo_core.records import World

Stored = tuple[np.ndarray, np.ndarray, float]  # arms, side queries and seconds of a run
FILE = Path(__file__).resolve().parents[2] / "assets" / "races.npz"


def name(job: PlayJob, world: str = "") -> str:
    """Everything that decides a run, as text (its `world` may be written already)."""
    return f"{job.name} | {job.policy!r} | {world or repr(job.world)}"


@cache
def _stored(file: Path) -> dict[str, Stored]:
    """Return the content of the file, nothing for a damaged one: its runs are then played."""
    if not file.exists():
        return {}
    try:
        with file.open("rb") as raw, np.load(raw, allow_pickle=False) as held:
            starts = np.concatenate([[0], np.cumsum(held["length"])])
            arms, queries, seconds = held["arms"], held["asked"], held["seconds"]
            spans = list(pairwise(starts))
            return {
                str(key): (arms[a:b], queries[a:b], float(s))
                for key, (a, b), s in zip(held["names"], spans, seconds, strict=True)
            }
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile, zlib.error) as problem:
        warned = "%s cannot be read (%s): its runs are played anew; restore the file to open pages faster"
        logging.getLogger(__name__).warning(warned, file.name, type(problem).__name__)
        return {}


def runs(jobs: Iterable[PlayJob], file: Path = FILE) -> dict[PlayJob, Run]:
    """Return those of these runs that are stored and fit their world."""
    found = {}
    for world, held in _by_world(jobs, file).items():
        if not held:
            continue
        f = cached_problem(world).f
        best, rounds = f.max(axis=1), np.arange(len(f))
        for job, (arms, queries, seconds) in held.items():
            each = np.full(len(f), seconds / len(f), dtype=np.float32)
            # What `lean` keeps of the run: a stored run has the smallest integers already.
            found[job] = Run(job.name, 0, world.seed, arms, best - f[rounds, arms], queries, each)
    return found


def _by_world(jobs: Iterable[PlayJob], file: Path) -> dict[World, dict[PlayJob, Stored]]:
    """Return what is stored of these runs and fits their world; each world is written once, which takes long."""
    stored, found = _stored(file), {}
    written: dict[World, str] = {}
    for job in jobs:
        world, held = job.world, found.setdefault(job.world, {})
        one = stored.get(name(job, written.setdefault(world, repr(world))))
        if one and len(one[0]) == len(one[1]) == world.horizon and one[0].max() < world.arm_count:
            held[job] = one
    return found


def played(jobs: Collection[PlayJob], file: Path = FILE) -> dict[PlayJob, object]:
    """Return these runs: those that are stored, and the others played here and now."""
    found = runs(jobs, file)
    return found | {job: outcome(job) for job in jobs if job not in found}


def hold(jobs: Collection[PlayJob], file: Path = FILE) -> bool:
    """Return whether all of these runs are stored, so that nothing has to be played."""
    return sum(map(len, _by_world(jobs, file).values())) == len(set(jobs))


def duration(jobs: Iterable[PlayJob]) -> float:
    """Return about how many seconds these runs take on one core, from the costs in the list of policies."""
    return sum(policies.entry_of(job.policy).seconds(job.world.horizon, job.world.arm_count) for job in jobs)


def in_place(function: Any, *arguments: Hashable, seconds: float, own: bool = False) -> Any:
    """Return what a function returns, called here and now; `seconds` is about how long it takes."""
    return function(*arguments)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class StoredPlan(RunPlan):
    """The plan of runs of policies, some of which a file holds."""

    stored: Callable[[Collection[PlayJob], Path], Results] = runs
    seconds: Callable[[Iterable[PlayJob]], float] = duration

    def scene(self, values: Values, theme: Any) -> Scene:
        """Return the scene of these knob values, with every run played.

        Raises:
            ValueError: a world that cannot be, or what a method refuses.
        """
        self.ready(values, in_place)
        setting = self.setting(values)
        return self.scene_of(values, self.gather(setting, played(self.jobs(setting), self.file)), theme, "all")

    def is_instant(self, values: Values) -> bool:
        """Return whether every run of these knob values is stored, but for what `ready` plays.

        Raises:
            ValueError: a world that cannot be, or what a method refuses.
        """
        setting = self.setting(values)
        if setting is None:
            return True
        if held := _held(setting, self):
            self.ready(values, in_place)
        return held


@shared(100)  # another value of a knob that decides no run asks for the same runs
def _held(setting: Any, plan: StoredPlan) -> bool:
    return hold(plan.jobs(setting), plan.file)


def in_order(jobs: Iterable[PlayJob], file: Path) -> list[PlayJob]:
    """Return the different jobs in the order in which a file holds them, new ones last."""
    places = {key: place for place, key in enumerate(_stored(file))}
    return sorted(dict.fromkeys(jobs), key=lambda job: places.get(name(job), len(places)))


def store(played: Sequence[tuple[PlayJob, Run]], file: Path = FILE) -> None:
    """Write these runs; arms and questions of a round must be below 256."""
    arms = [run.arms for _, run in played]
    queries = [run.extra_queries for _, run in played]
    if max(int(a.max()) for a in (*arms, *queries)) > 255:
        raise ValueError("a stored run may have at most 256 arms and 255 questions in a round")
    np.savez_compressed(
        file,
        names=np.array([name(job) for job, _ in played]),
        length=np.array([len(a) for a in arms]),
        arms=np.concatenate(arms).astype(np.uint8),
        asked=np.concatenate(queries).astype(np.uint8),
        seconds=np.array([run.seconds.sum() for _, run in played], dtype=np.float32),
    )
