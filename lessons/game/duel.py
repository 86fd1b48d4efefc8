r"""A person against the bandits: the same world and the same noise in the same round.

Rewards come from `designs.observe` on the stream of noise that `play` draws: the reward of a round depends on that
round's question alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tvbo_core.designs import observe, play_rng
from tvbo_core.records import History, Problem
from tvbo_core.worlds.make import events

YOU = "You"
NEAR_DISTANCE = 0.1  # units of x: questions this near to an action are questions about it
REGRET_TOLERANCE = 1e-9  # reward units: regrets closer than this are the same


def rewards_of(problem: Problem, arms: Sequence[int], seed: int) -> np.ndarray:
    """Return (n,) observations of the first n questions, the same as `play` returns whatever is asked later."""
    return observe(problem, np.asarray(arms, dtype=int), play_rng(seed)).y


@dataclass(frozen=True)
class Field:
    """Runs of the bandits of a game, which do not depend on the human.

    Attributes:
        histories: name -> what it did.   refused: name -> sentence of one that cannot play here.
    """

    histories: Mapping[str, History]
    refused: Mapping[str, str] = field(default_factory=dict)


class Ranking:
    """Players by their regret: the bandits in a world, and who plays against them.

    Attributes:
        problem: the world.   name: of who plays against the bandits.   total: name -> (T,) regret so far.
    """

    problem: Problem
    name: str
    total: Mapping[str, np.ndarray]

    @cached_property
    def place(self) -> dict[str, np.ndarray]:
        """Name -> (T,) place by regret so far: one more than there are players with less; equals share a place."""
        table = np.array(list(self.total.values()))
        better = (table[None, :, :] < table[:, None, :] - REGRET_TOLERANCE).sum(axis=1)
        return dict(zip(self.total, better + 1, strict=True))

    @property
    def order(self) -> list[str]:
        """Names by final regret, the least first; among equals who plays against the bandits comes first."""
        return sorted(self.total, key=lambda name: self.place[name][-1])

    @property
    def best_rival(self) -> str | None:
        """The bandit with the least regret; None when no bandit played."""
        return next((one for one in self.order if one != self.name), None)


@dataclass(frozen=True, eq=False)
class Duel(Ranking):
    """A finished game.

    Attributes:
        problem: the world.   you: what the person did.   rivals: name -> what a bandit did.
    """

    problem: Problem
    you: History
    rivals: Mapping[str, History]
    name = YOU

    @property
    def runs(self) -> dict[str, History]:
        """All players, the human first."""
        return {YOU: self.you, **self.rivals}

    @cached_property
    def total(self) -> dict[str, np.ndarray]:
        """Name -> (T,) regret so far."""
        return {name: np.cumsum(run.regret) for name, run in self.runs.items()}

    def close(self, name: str) -> int:
        """Rounds whose regret was at most one standard deviation of the noise: too little to hear at once."""
        return int((self.runs[name].regret <= self.problem.noise_sd).sum())


def duel(problem: Problem, arms: Sequence[int], field: Field, seed: int) -> Duel:
    """Return the whole game of a person who asked these arms, one in every round."""
    you = History(problem, np.asarray(arms, dtype=int), rewards_of(problem, arms, seed))
    return Duel(problem, you, field.histories)


@dataclass(frozen=True)
class StaleQuestions:
    """Number of rounds that a player goes on asking near the old best action after it has moved.

    Attributes:
        row: of the hop (from 0).   before, after: the best actions of the row before and of this one.
        rounds: questions in a row, from the hop on, within `NEAR_DISTANCE` of the old one.   cost: their regret.
    """

    row: int
    before: float
    after: float
    rounds: int
    cost: float


def stalest(run: History) -> StaleQuestions | None:
    """The hop after which the old best action was asked for longest; None when there was no such hop.

    Counting ends at the next hop, at the first question elsewhere, or where the old action costs nothing.
    """
    hops = events(run.problem, least_hop=NEAR_DISTANCE).hops
    starts = [*(hop.t for hop in hops), run.problem.horizon]
    pulled, regret = run.X[:, 0], run.regret
    found = []
    for hop, end in zip(hops, starts[1:], strict=True):
        rows = np.arange(hop.t, end)
        there = (np.abs(pulled[rows] - hop.before[0]) <= NEAR_DISTANCE + REGRET_TOLERANCE) & (
            regret[rows] > REGRET_TOLERANCE
        )
        count = int(np.argmin(there)) if not there.all() else len(rows)
        if count:
            cost = float(regret[hop.t : hop.t + count].sum())
            found.append(StaleQuestions(hop.t, hop.before[0], hop.after[0], count, cost))
    return max(found, key=lambda s: (s.rounds, s.cost), default=None)


def best_fixed(problem: Problem) -> tuple[int, float]:
    r"""The one arm that would have cost least if asked in every round, and its regret $\sum_t\max f_t-f_t(x)$."""
    cost = (problem.f.max(axis=1, keepdims=True) - problem.f).sum(axis=0)
    arm = int(cost.argmin())
    return arm, float(cost[arm])
