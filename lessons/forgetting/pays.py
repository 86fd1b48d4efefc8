"""Forgetting beside keeping everything: regret in several worlds, by how far their peaks move within a memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from common.cache import shared
from lessons.forgetting.experiment import ForgettingSetting
from lessons.forgetting.model import MemorySweep
from lessons.shared import problems
from lessons.shared.knobs import KINDS
from tvbo_core import World
from tvbo_core.race_results import LESS, MORE, PairedDifference, paired_difference
from tvbo_core.worlds import ALL


@dataclass(frozen=True, eq=False)
class Comparison:
    """One world in which forgetting is compared with keeping everything.

    Attributes:
        name: short, with its drift budget.
        moves: distance between the best actions of two rounds that are a memory apart, mean over rounds and seeds.
        difference: of regret so far, forgetting minus keeping, (T,) each; None while its runs have not come.
    """

    name: str
    moves: float
    difference: PairedDifference | None


def comparisons(sweep: MemorySweep) -> tuple[Comparison, ...]:
    """Return the worlds of a sweep, from the peak that moves least."""
    setting, found = sweep.setting, []
    for w, world in enumerate(setting.worlds):
        moves = _moves(world, setting.memories[0], setting.seeds)
        found.append(Comparison(name(world), moves, _difference(sweep, setting, w)))
    return tuple(sorted(found, key=lambda one: one.moves))


def _difference(sweep: MemorySweep, setting: ForgettingSetting, w: int) -> PairedDifference | None:
    both = sweep.front(w), sweep.curves.get(("gp", w))
    if any(curve is None or curve.seeds < setting.seeds for curve in both):
        return None
    forgets, keeps = (curve.total[0] for curve in both if curve is not None)
    return paired_difference(forgets, keeps)


@shared(256)
def _moves(world: World, m: int, seeds: int) -> float:
    """Return how far the best action moves within m rounds, units of x."""
    apart = []
    for seed in range(world.seed, world.seed + seeds):
        p = problems.problem(replace(world, seed=seed))
        peak = p.x[p.best, 0]
        apart.append(float(np.abs(peak[m:] - peak[:-m]).mean()) if m < len(peak) else 0.0)
    return float(np.mean(apart))


def name(world: World) -> str:
    """Return a world in a few words."""
    budget = f", V = {world.budget:g}" if ALL[world.kind].has_budget else ""
    return f"{KINDS[world.kind]}{budget}"


def count(worlds: tuple[Comparison, ...], row: int, verdict: str) -> int:
    """Return in how many worlds forgetting stands so beside keeping everything."""
    return sum(str(_said(one, row)) == verdict for one in worlds)


def _said(one: Comparison, row: int) -> str:
    return "" if one.difference is None else str(np.asarray(one.difference.verdict)[row])


def facts(worlds: tuple[Comparison, ...], row: int) -> dict[str, float | None]:
    """Return the numbers of a round: `Scene.facts`."""
    named: dict[str, float | None] = {
        "t": row + 1,
        "worlds": len(worlds),
        "forgetting has less": count(worlds, row, LESS),
        "keeping has less": count(worlds, row, MORE),
    }
    for one in worlds:
        named[f"{one.name}: the peak moves"] = one.moves
        if one.difference is not None:
            named[f"{one.name}: difference"] = float(np.asarray(one.difference.mean)[row])
    return named


def table(worlds: tuple[Comparison, ...]) -> list[Mapping]:
    """Return the differences at the horizon, a row a world."""
    return [
        {
            "world": one.name,
            "the peak moves within a memory": one.moves,
            "mean difference of regret": float(np.asarray(one.difference.mean)[-1]),
            "its standard error": float(np.asarray(one.difference.error)[-1]),
            "forgetting has": _said(one, -1),
            "seeds": one.difference.seeds,
        }
        for one in worlds
        if one.difference is not None
    ]
