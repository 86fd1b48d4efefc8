"""One world of a race, summarised over its seeds: medians, ranks, distances from the leader, changes of the lead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tvbo_core import Problem, World
from tvbo_core.race_results import MORE, PairedDifference, paired_difference


@dataclass(frozen=True, eq=False)
class Lane:
    """One world of a race, summarised over the seeds that are shown.

    Attributes:
        world: with the first seed that is shown.   problem: its table.
        total: name -> (k, T) regret so far, a row a seed.   median: name -> (T,) its median.
        rank: name -> (T,) place by the median, 1 is best.
        asked: name -> (T,) queries repeated so far (median), 0 for most.   seconds: name -> time of a round.
        arms: name -> (T,) arms queried in the first seed.
        jumps: rows of this world's outsized steps.   lead: (row, leader, passed) of the changes of the lead.
    """

    world: World
    problem: Problem
    total: Mapping[str, np.ndarray]
    asked: Mapping[str, np.ndarray]
    seconds: Mapping[str, float]
    arms: Mapping[str, np.ndarray]
    jumps: tuple[int, ...]
    lead: tuple[tuple[int, str, str], ...]

    @cached_property
    def median(self) -> dict[str, np.ndarray]:
        return dict(zip(self.names, np.median(self._runs, axis=1), strict=True))

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
            asked={name: queries[:t] for name, queries in self.asked.items()},
            arms={name: arms[:t] for name, arms in self.arms.items()},
            jumps=tuple(row for row in self.jumps if row < t),
            lead=tuple(change for change in self.lead if change[0] < t),
        )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.total)

    @cached_property
    def side_queries(self) -> dict[str, int]:
        """name -> queries repeated in a run."""
        return {name: int(queries[-1]) for name, queries in self.asked.items()}

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
    def beside_leader(self) -> PairedDifference:
        """Return how far every method lies above the leader of the round, paired by seeds: arrays (P, T)."""
        leading = self._runs[self._order[0], :, np.arange(self.visible_rounds)].T
        every = self._runs.transpose(1, 0, 2)
        return paired_difference(every, np.broadcast_to(leading[:, None], every.shape))

    @cached_property
    def verdicts(self) -> dict[str, np.ndarray]:
        """name -> (T,) verdict of its paired difference from the leader: "more" is clearly behind."""
        return dict(zip(self.names, self.beside_leader.verdict, strict=True))

    def contenders(self, row: int) -> dict[str, str]:
        """Return the methods that are not clearly behind the leader, best median first: name -> verdict."""
        order = (self.names[p] for p in self._order[1:, row])
        return {name: str(said) for name in order if (said := self.verdicts[name][row]) != MORE}

    def verdict(self, one: str, other: str) -> str:
        """Return the verdict of the paired difference of two methods at the end."""
        return str(paired_difference(self.total[one][:, -1], self.total[other][:, -1]).verdict)
