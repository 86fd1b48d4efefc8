r"""A human player against the bandits: the same world, the same noise in the same round, the same loop.

The human's questions are replayed by a policy with a fixed list of arms, so that `play` computes regret exactly as
it does for the bandits. Rewards shown while the game goes on come from `designs.observe` on the same stream of noise:
the reward of a round depends on that round's question alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tvbo_core.designs import observe, play_rng
from tvbo_core.play import play
from tvbo_core.records import History, LearnerInfo, Policy, Problem
from tvbo_core.worlds.make import events

YOU = "You"
NEAR_DISTANCE = 0.1  # units of x: questions this near to an action are questions about it
REGRET_TOLERANCE = 1e-9  # reward units: regrets closer than this are the same


@dataclass(frozen=True)
class FixedArms:
    """A policy that pulls a given list of arms, one a round."""

    arms: tuple[int, ...]

    def init(self, known: LearnerInfo) -> None:
        """Return no state.

        Raises:
            ValueError: it has more or fewer arms than there are rounds.
        """
        if len(self.arms) != known.horizon:
            raise ValueError(f"a replay needs one arm for each of the {known.horizon} rounds, got {len(self.arms)}")

    def select(self, state: None, t: int, rng: np.random.Generator) -> int:
        return self.arms[t]

    def update(self, state: None, t: int, arm: int, y: float) -> None:
        return None


def rewards_of(problem: Problem, arms: Sequence[int], seed: int) -> np.ndarray:
    """(n,) observations of the first n questions, the same as `play` returns whatever is asked later.

    Raises:
        ValueError: more questions than rounds, or an arm that does not exist.
    """
    return observe(problem, np.asarray(arms, dtype=int), play_rng(seed)).y


@dataclass(frozen=True)
class Field:
    """Runs of the bandits of a game, which do not depend on the human.

    Attributes:
        histories: name -> what it did.   refused: name -> sentence of one that cannot play here.
    """

    histories: Mapping[str, History]
    refused: Mapping[str, str] = field(default_factory=dict)


def line_up(problem: Problem, policies: Mapping[str, Policy], seed: int) -> Field:
    """Every policy in this problem with the noise of this seed."""
    histories: dict[str, History] = {}
    refused: dict[str, str] = {}
    for name, policy in policies.items():
        try:
            histories[name] = play(problem, policy, play_rng(seed))
        except ValueError as reason:
            refused[name] = str(reason)
    return Field(histories, refused)


@dataclass(frozen=True, eq=False)
class Duel:
    """A finished game.

    Attributes:
        problem: the world.   you: what the person did.   rivals: name -> what a bandit did.
    """

    problem: Problem
    you: History
    rivals: Mapping[str, History]

    @property
    def runs(self) -> dict[str, History]:
        """All players, the human first."""
        return {YOU: self.you, **self.rivals}

    @cached_property
    def total(self) -> dict[str, np.ndarray]:
        """Name -> (T,) regret so far."""
        return {name: np.cumsum(run.regret) for name, run in self.runs.items()}

    @cached_property
    def place(self) -> dict[str, np.ndarray]:
        """Name -> (T,) place by regret so far: one more than there are players with less; equals share a place."""
        table = np.array(list(self.total.values()))
        better = (table[None, :, :] < table[:, None, :] - REGRET_TOLERANCE).sum(axis=1)
        return dict(zip(self.total, better + 1, strict=True))

    @property
    def order(self) -> list[str]:
        """Names by final regret, the least first; among equals you come first."""
        return sorted(self.total, key=lambda name: self.place[name][-1])

    @property
    def best_rival(self) -> str | None:
        """The bandit with the least regret; None when no bandit played."""
        return next((name for name in self.order if name != YOU), None)

    def close(self, name: str) -> int:
        """Rounds whose regret was at most one standard deviation of the noise: too little to hear at once."""
        return int((self.runs[name].regret <= self.problem.noise_sd).sum())


def duel(problem: Problem, arms: Sequence[int], field: Field, seed: int) -> Duel:
    """The whole game of a person who asked these arms.

    Raises:
        ValueError: not exactly one existing arm for every round.
    """
    return Duel(problem, play(problem, FixedArms(tuple(arms)), play_rng(seed)), field.histories)


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
