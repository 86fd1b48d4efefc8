"""Worlds and their drift: the lesson's numbers, from plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import tvbo_core as tv
from lessons.shared.cache import shared
from lessons.shared.problems import place_name, problem
from tvbo_core import Problem, World
from tvbo_core.worlds import Events, events, moved_most, ties


@dataclass(frozen=True, eq=False)
class DriftShow:
    """One world and what the core says about its drift: what page 1 draws."""

    world: World
    problem: Problem
    events: Events
    moved: np.ndarray  # (T-1,) arm at which each step is longest
    tied: dict[int, np.ndarray]  # row -> arms, where several share the best reward

    @property
    def unit(self) -> str:
        """What a reward of a table is; empty for a synthetic world."""
        return tv.data.load(self.world.dataset).unit if self.world.kind == "data" else ""

    @property
    def longest_hops(self) -> list[tuple[int, float, float]]:
        """(row, from, to) of the hops of the best action, the longest first."""
        hops = sorted(self.events.hops, key=lambda h: -h.distance)
        return [(h.t, h.before[0], h.after[0]) for h in hops]

    @property
    def stops(self) -> list[int]:
        """Rows worth stopping at: outsized steps and the longest hops, few enough that a key press helps."""
        hops = sorted(self.events.hops, key=lambda h: -h.distance)[:40]
        return sorted({e.t for e in self.events.jumps[:40]} | {h.t for h in hops})


@shared(16)
def drift_show(world: World) -> DriftShow:
    """A world's drift: hops, outsized steps, where each step is longest, ties."""
    p = problem(world)
    share = (p.f >= p.f.max(axis=1, keepdims=True) - 1e-9).sum(axis=1)
    tied = {int(t): ties(p, int(t)) for t in np.flatnonzero(share > 1)}
    return DriftShow(world, p, events(p), moved_most(p), tied)


def drift_table(shows: Sequence[DriftShow], names: Sequence[str]) -> list[dict]:
    """The numbers behind the drift figure, one row a round."""
    rows = []
    for name, show in zip(names, shows, strict=True):
        p, spent = show.problem, 0.0
        steps = [0.0, *p.steps.tolist()]
        for t, arm in enumerate(p.best):
            spent += steps[t]
            rows.append(
                {
                    "world": name,
                    "t": t + 1,
                    "best action x*": place_name(p, arm),
                    "its reward": float(p.f[t, arm]),
                    "largest change": steps[t],
                    "moved most at": place_name(p, show.moved[t - 1]) if t else "",
                    "drift so far V_t": spent,
                }
            )
    return rows
