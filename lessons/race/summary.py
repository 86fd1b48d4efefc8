"""One world of a race, summarised over its seeds: medians, ranks, ties and changes of the lead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tvbo_core import Problem, World


@dataclass(frozen=True, eq=False)
class Lane:
    """One world of a race, summarised over the seeds that are shown.

    Attributes:
        world: with the first seed that is shown.   problem: its table.
        total: name -> (k, T) regret so far, a row a seed.   median, spread: name -> (T,) its median and IQR.
        rank: name -> (T,) place by the median, 1 is best.
        side_queries: name -> queries repeated in a run (median), 0 for most.   seconds: name -> time of a round.
        arms: name -> (T,) arms queried in the first seed.
        jumps: rows of this world's outsized steps.   lead: (row, leader, passed) of the changes of the lead.
    """

    world: World
    problem: Problem
    total: Mapping[str, np.ndarray]
    side_queries: Mapping[str, int]
    seconds: Mapping[str, float]
    arms: Mapping[str, np.ndarray]
    jumps: tuple[int, ...]
    lead: tuple[tuple[int, str, str], ...]

    @cached_property
    def median(self) -> dict[str, np.ndarray]:
        return dict(zip(self.names, np.median(self._runs, axis=1), strict=True))

    @cached_property
    def spread(self) -> dict[str, np.ndarray]:
        high, low = np.quantile(self._runs, (0.75, 0.25), axis=1)
        return dict(zip(self.names, high - low, strict=True))

    @property
    def _runs(self) -> np.ndarray:
        """(P, k, T) the regret so far of all methods: one call for all of them costs as much as for two."""
        return np.stack(list(self.total.values()))

    @cached_property
    def _order(self) -> np.ndarray:
        """(P, T) the methods by their median, best first."""
        return np.argsort(np.array(list(self.median.values())), axis=0, kind="stable")

    @cached_property
    def rank(self) -> dict[str, np.ndarray]:
        return dict(zip(self.median, np.argsort(self._order, axis=0) + 1, strict=True))

    def until(self, t: int) -> Lane:
        """Return the race up to time t."""
        return replace(
            self,
            total={name: curves[:, :t] for name, curves in self.total.items()},
            side_queries=dict.fromkeys(self.side_queries, 0),
            arms={name: arms[:t] for name, arms in self.arms.items()},
            jumps=tuple(row for row in self.jumps if row < t),
            lead=tuple(change for change in self.lead if change[0] < t),
        )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.total)

    @property
    def horizon(self) -> int:
        return self.problem.horizon

    @property
    def visible_rounds(self) -> int:
        """Rounds that are shown of it."""
        return next(iter(self.total.values())).shape[1]

    @property
    def stops(self) -> list[int]:
        """Rows worth stopping at: jumps, and the latest changes of the lead."""
        return [*self.jumps, *(row for row, *_ in self.lead[-8:])]

    def at_place(self, place: int, row: int) -> str:
        return self.names[self._order[place - 1, row]]

    @cached_property
    def ties(self) -> dict[str, np.ndarray]:
        """name -> (T,) with how many others it is tied."""
        m, s = (np.stack(list(curves.values())) for curves in (self.median, self.spread))
        near = np.abs(m[:, None] - m) < np.where(m[:, None] <= m, s[:, None], s)
        near[np.arange(len(m)), np.arange(len(m))] = False
        return dict(zip(self.names, near.sum(axis=1), strict=True))

    def tied(self, one: str, other: str, row: int) -> bool:
        """Return whether their medians are closer than one interquartile range of the better of the two."""
        better, worse = sorted((one, other), key=lambda n: self.median[n][row])
        return bool(self.median[worse][row] - self.median[better][row] < self.spread[better][row])
