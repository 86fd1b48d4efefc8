"""The reader's own queries: as a link carries them, and as a policy in whose place the reader chooses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons.record import Code
from tvbo_core.policies.index import IndexPolicy
from tvbo_core.records import Band, LearnerInfo

Queries = tuple[tuple[int, int], ...]  # (row, arm) of each; rows count from 0
QUERY = r"\d{1,2}-\d{1,3}"


def knob(rounds: int) -> Code:
    """Return the knob of a page on which the reader may query in each of so many rounds."""
    return Code(
        "asked",
        "Your queries",
        "Rounds in which you queried in place of the learner.",
        "none",
        options=("none",),
        widget="select",
        form=f"{QUERY}(_{QUERY}){{0,{rounds - 1}}}",
        means="pairs of round and action as 3-72, with _ between",
    )


def read(code: str, rounds: int, arms: int) -> Queries:
    """Return the queries that a link's text stands for; of two for one round the last counts."""
    pairs = [] if code == "none" else [part.split("-") for part in code.split("_")]
    found = {int(row): int(arm) for row, arm in pairs}
    return tuple((row, arm) for row, arm in sorted(found.items()) if row < rounds and arm < arms)


@dataclass(frozen=True)
class Guided:
    """A policy in whose place the reader chooses in some rounds; it learns from these answers as well.

    Attributes:
        policy: chooses in all other rounds.   queries: (row, arm) of these rounds.
    """

    policy: IndexPolicy
    queries: Queries

    def init(self, known: LearnerInfo) -> Any:
        return self.policy.init(known)

    def select(self, state: Any, t: int, rng: np.random.Generator) -> int:
        """Return the reader's arm of this round, or else the policy's own choice."""
        own = self.policy.select(state, t, rng)
        return dict(self.queries).get(t, own)

    def update(self, state: Any, t: int, arm: int, y: float) -> Any:
        return self.policy.update(state, t, arm, y)

    def band(self, state: Any, t: int) -> Band:
        return self.policy.band(state, t)
