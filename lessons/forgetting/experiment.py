"""Runs behind the curves of regret against memory: which methods, memories, worlds and seeds are played."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import tvbo_core as tv
from common.cache import shared
from lessons.forgetting.knobs import (
    BUDGETED,
    BUDGETS,
    DRIFT,
    FAMILY,
    FORGETTING_WORLD,
    LEVELS,
    MEMORY_STEPS,
    PAYS,
    TOLD_NOTHING,
    WIDTH,
    WITH_MEMORY,
    WORLDS,
)
from lessons.forgetting.memories import ViewSetting, tuned
from lessons.shared import worlds
from lessons.shared.knobs import METHODS
from lessons.shared.play_jobs import PlayJob
from tvbo_core import World, policies
from tvbo_core.gp.memory import matched
from tvbo_core.policies import IndexPolicy
from tvbo_core.records import LearnerInfo, Policy

# Those that decide as GP-UCB does, which they are when m has no end.
WITH_LIMIT = tuple(w for w in WITH_MEMORY if getattr(policies.ALL[w].policy, "select", None) is IndexPolicy.select)


@dataclass(frozen=True)
class ForgettingSetting:
    """The runs behind the curves: plain values.

    Attributes:
        worlds: one, its family, or others to compare; the seed of each is the first.   front: the method on the stage.
        seeds: how many, from the worlds' own upwards.   methods: that are played besides GP-UCB.
        levels: those without a memory to set, guests last.   memories: at which the others are played.
    """

    worlds: tuple[World, ...]
    front: str
    seeds: int
    methods: tuple[str, ...] = WITH_MEMORY
    levels: tuple[str, ...] = LEVELS
    memories: tuple[int, ...] = MEMORY_STEPS

    def stage(self, world: World) -> ForgettingSetting:
        """Return the setting of the stage alone: its method in one of the worlds."""
        return replace(self, worlds=(world,), methods=(self.front,), levels=(TOLD_NOTHING,))

    @property
    def numbers(self) -> range:
        """The seeds."""
        return range(self.worlds[0].seed, self.worlds[0].seed + self.seeds)

    @cached_property
    def seeded(self) -> dict[tuple[int, int], World]:
        """(world index, seed) -> that world with that seed."""
        return {(w, s): replace(world, seed=s) for w, world in enumerate(self.worlds) for s in self.numbers}


def settings_from(values: Mapping[str, Any]) -> tuple[ViewSetting, ForgettingSetting]:
    """Return the memories that these values of the page's knobs describe, and the runs that they need."""
    base, front, seeds = worlds.build(values, FORGETTING_WORLD), str(values["bowl"]), int(values["seeds"])
    past, alone = ViewSetting(base, tuned(values)), ForgettingSetting((base,), front, seeds, (front,), ())
    if values["view"] == DRIFT:
        return past, replace(alone, worlds=drifting(base))
    if values["view"] == PAYS:
        return past, replace(alone, worlds=compared(values), memories=(past.tuning.m,))
    return past, ForgettingSetting(family(base), front, seeds)


def drifting(world: World) -> tuple[World, ...]:
    """Return the world with several drift budgets, its own among them; alone where its drift cannot be set."""
    if worlds.choice(world) not in BUDGETED:
        return (world,)
    return tuple(replace(world, budget=V) for V in sorted({*BUDGETS, float(world.budget or 0.0)}))


def compared(values: Mapping[str, Any]) -> tuple[World, ...]:
    """Return the worlds in which forgetting is compared with keeping everything; none of them is the reader's own."""
    same = {key: values[key] for key in ("T", "nu", "ell", "sigma", "B", "seed")}
    return tuple(worlds.build({**same, "kind": kind, "V": budget}, FORGETTING_WORLD) for kind, budget in WORLDS)


def family(world: World) -> tuple[World, ...]:
    """Return the world and its family where it has one: the same functions gliding, jumping and standing still."""
    return tuple(replace(world, kind=kind) for kind in FAMILY) if world.kind in FAMILY else (world,)


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


def never_forgets(method: str, m: int, horizon: int) -> bool:
    """Return whether a method with this memory forgets nothing in so many rounds: a longer one is the same policy."""
    return m < MEMORY_STEPS[-1] and policy(method, m, horizon) == policy(method, MEMORY_STEPS[-1], horizon)


def job(setting: ForgettingSetting, method: str, w: int, m: int, seed: int) -> PlayJob:
    """Return one run: a method with memory m in one world and seed."""
    world = setting.seeded[w, seed]
    return PlayJob(METHODS[method], policy(method, m, world.horizon), world)


def memories_of(setting: ForgettingSetting, method: str) -> tuple[int, ...]:
    """Return the memories at which a method is played: any one of those that have none to set."""
    return setting.memories if method in WITH_MEMORY else MEMORY_STEPS[:1]


@shared(16)  # thousands of runs, which a page that fills up counts again and again
def runs_of(setting: ForgettingSetting) -> Mapping[str, Mapping[int, tuple[tuple[PlayJob, ...], ...]]]:
    """Return method -> seed -> the runs by world and memory."""
    every = range(len(setting.worlds))
    return {
        method: {
            seed: tuple(tuple(job(setting, method, w, m, seed) for m in memories_of(setting, method)) for w in every)
            for seed in setting.numbers
        }
        for method in ("gp", *setting.methods, *setting.levels)
    }


def jobs(setting: ForgettingSetting) -> list[PlayJob]:
    """Return the different runs: the method on the stage and GP-UCB first, seed by seed; guests last."""
    first, others = ("gp", setting.front), tuple(x for x in setting.methods if x != setting.front)
    listed, guests = ([x for x in setting.levels if policies.ALL[x].own == own] for own in (False, True))
    every = runs_of(setting)
    return list(
        dict.fromkeys(
            one
            for some in (first, (*others, *listed), guests)
            for seed in setting.numbers
            for w in range(len(setting.worlds))
            for method in some
            for one in every[method][seed][w]
        )
    )


def starter(setting: ForgettingSetting) -> list[PlayJob]:
    """Return the first curves: the method on the stage and GP-UCB in the first seed."""
    return jobs(replace(setting, seeds=1, methods=(setting.front,), levels=()))


def papers_memory(method: str, known: LearnerInfo) -> float:
    """Return the m at which this method stands when its own paper tunes it by the drift; infinite: never forgets."""
    knob = policies.ALL[method].memory
    own: Any = policies.ALL[method].tuned(None)  # of the class that has this field
    if knob == "restart":
        rounds = own.restart_rounds(known) if isinstance(own, tv.RPERP) else own.memory(known).interval
        return rounds / 2
    kept = own.memory(known)
    if knob == "window":
        return float(kept.length)
    rate = 1.0 - kept.gamma if knob == "discount" else kept.epsilon / 2.0
    return 1.0 / rate if rate > 0 else math.inf
