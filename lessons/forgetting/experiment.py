"""Runs behind the curves of regret against memory: which methods, memories, worlds and seeds are played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from common.cache import shared
from lessons.forgetting.knobs import (
    BUDGETED,
    BUDGETS,
    DRIFT,
    FORGETTING_WORLD,
    LEARNERS,
    MEMORY,
    MEMORY_STEPS,
    PAYS,
    TOLD_NOTHING,
    WIDTH,
    WITH_MEMORY,
    WORLDS,
)
from lessons.forgetting.memories import ViewSetting, tuned
from lessons.shared import stored_runs, worlds
from lessons.shared.knobs import METHODS
from lessons.shared.play_jobs import PlayJob
from tvbo_core import World, policies
from tvbo_core.gp.memory import matched
from tvbo_core.policies import IndexPolicy
from tvbo_core.records import Policy

FILE = stored_runs.FILE.with_name("memory.npz")
# Those that decide as GP-UCB does, which they are when m has no end.
WITH_LIMIT = tuple(w for w in WITH_MEMORY if getattr(policies.ALL[w].policy, "select", None) is IndexPolicy.select)


@dataclass(frozen=True)
class ForgettingSetting:
    """The runs behind the curves: plain values.

    Attributes:
        worlds: one, or several to compare; the seed of each is the first.   front: the method on the stage.
        seeds: how many, from the worlds' own upwards.   beside: methods without a memory to set, played too.
        memories: at which the method on the stage is played.
    """

    worlds: tuple[World, ...]
    front: str
    seeds: int
    beside: tuple[str, ...] = ("gp", TOLD_NOTHING)
    memories: tuple[int, ...] = MEMORY_STEPS

    @property
    def numbers(self) -> range:
        """The seeds."""
        return range(self.worlds[0].seed, self.worlds[0].seed + self.seeds)


def settings_from(values: Mapping[str, Any]) -> tuple[ViewSetting, ForgettingSetting]:
    """Return the memories that these values of the page's knobs describe, and the runs that they need."""
    base, front, seeds = worlds.build(values, FORGETTING_WORLD), str(values["bowl"]), int(values["seeds"])
    past, setting = ViewSetting(base, tuned(values)), ForgettingSetting((base,), front, seeds)
    if values["view"] == MEMORY and _has_learners(setting):
        setting = replace(setting, beside=(*setting.beside, *LEARNERS))
    if values["view"] == DRIFT:
        setting = replace(setting, worlds=drifting(base), beside=("gp",))
    if values["view"] == PAYS:
        setting = replace(setting, worlds=compared(values), beside=("gp",), memories=(past.tuning.m,))
    return past, setting


def drifting(world: World) -> tuple[World, ...]:
    """Return the world with several drift budgets, its own among them; alone where its drift cannot be set."""
    if world.kind not in BUDGETED:
        return (world,)
    return tuple(replace(world, budget=V) for V in sorted({*BUDGETS, float(world.budget or 0.0)}))


def compared(values: Mapping[str, Any]) -> tuple[World, ...]:
    """Return the worlds in which forgetting is compared with keeping everything; none of them is the reader's own."""
    same = {key: values[key] for key in ("T", "nu", "ell", "sigma", "B", "seed")}
    return tuple(worlds.build({**same, "kind": kind, "V": budget}, FORGETTING_WORLD) for kind, budget in WORLDS)


@shared(100)  # every move of a slider asks
def _has_learners(setting: ForgettingSetting) -> bool:
    """Return whether the runs of `LEARNERS` are stored: a run of W-DBO takes over a minute in 1,000 rounds."""
    return stored_runs.hold(jobs(replace(setting, beside=LEARNERS, memories=())), FILE)


@lru_cache(maxsize=1024)
def policy(method: str, m: int, horizon: int) -> Policy:
    """Return a bandit with this memory; a restart or window beyond the horizon is one run, and is played once."""
    q, most = matched(m), max(horizon, 1)
    lengths = replace(q, restart=min(q.restart, most), window=min(q.window, most))
    return policies.ALL[method].tuned(lengths, WIDTH)


def places(setting: ForgettingSetting) -> tuple[int, ...]:
    """Return where each memory of the grid stands on an axis of equal steps; equal policies stand together."""
    of = [policy(setting.front, m, setting.worlds[0].horizon) for m in MEMORY_STEPS]
    return tuple(of.index(one) for one in of)


@shared(16)  # hundreds of runs, which a page that fills up counts again and again
def runs_of(setting: ForgettingSetting) -> Mapping[str, Mapping[int, tuple[tuple[PlayJob, ...], ...]]]:
    """Return method -> seed -> the runs by world and memory."""
    memories = dict.fromkeys(setting.beside, MEMORY_STEPS[:1]) | {setting.front: setting.memories}
    return {
        method: {
            seed: tuple(_runs(replace(world, seed=seed), method, some) for world in setting.worlds)
            for seed in setting.numbers
        }
        for method, some in memories.items()
    }


def _runs(world: World, method: str, memories: Sequence[int]) -> tuple[PlayJob, ...]:
    """Return the runs of a method in a world, one a memory."""
    return tuple(PlayJob(METHODS[method], policy(method, m, world.horizon), world) for m in memories)


def jobs(setting: ForgettingSetting) -> list[PlayJob]:
    """Return the different runs, seed by seed."""
    every = runs_of(setting).values()
    listed = [job for seed in setting.numbers for runs in every for some in runs[seed] for job in some]
    return list(dict.fromkeys(listed))


def starter(setting: ForgettingSetting) -> list[PlayJob]:
    """Return the first curves: the method on the stage and GP-UCB in the first seed."""
    return jobs(replace(setting, seeds=1, beside=("gp",)))
