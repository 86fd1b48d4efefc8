r"""Trials on real data: learning on the training part, and the race on the test part.

The kernel comes from the training part, $\epsilon$ from its likelihood, and the lengths of the other memories
from races on the training part itself; nothing of the test part is looked at before the race.

Source: the design of Bogunovic et al. (2016), sec. 5.2; choosing the lengths by training races is ours.

>>> Memories.of(20)
Memories(epsilon=0.1, restart=40, window=20, discount=0.95)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lessons.real_data.likelihood import EpsilonFit, fit_epsilon
from lessons.real_data.side_by_side import play_many
from tvbo_core.designs import play_rng, random_design
from tvbo_core.gp.memory import MemoryLengths, matched
from tvbo_core.policies import ALL, BY_NAME
from tvbo_core.policies.width import LogWidth
from tvbo_core.records import Policy, Problem
from tvbo_core.worlds.tables.table import Table

# beta_t = 0.8 ln(0.4 t) of Bogunovic et al., sec. 5.2; the argument counts as at least 2.
WIDTH = LogWidth(math.sqrt(0.8), 0.4)
LENGTHS = (5, 8, 12, 18, 27, 40, 60, 90, 135, 200, 300)
TUNING_ROUNDS, TUNING_SEEDS = 500, 2
SHUFFLE_STREAM = 11  # of a seed; other modules use others
# Side queries ask for the reward of a round again, which a table holds once. Of OPKB's family one races. Learners of
# the lab's own stay away, and what takes longer than all others together.
NOT_ON_TABLES = ("sparq", "wsparq", "ropkb", "ropkb1", "ada", "ada1", "ltv", "wts", "swts", "wdbo")
MOST_MS = 100  # of `PolicyEntry.ms`
RACING = tuple(key for key, entry in ALL.items() if key not in NOT_ON_TABLES and (entry.own or entry.ms <= MOST_MS))
NAMES = tuple(ALL[key].name for key in RACING)
FORGETTING = tuple(name for name in NAMES if BY_NAME[name].memory)  # the others play the same with any memory
# A length is tuned by races of the first method that has it (R-PERP restarts as often as R-GP-UCB).
_FIRST = {BY_NAME[name].memory: name for name in reversed(FORGETTING)}
TUNED_BY_RACES = tuple(name for name in FORGETTING if name in _FIRST.values() and BY_NAME[name].memory != "epsilon")


@dataclass(frozen=True)
class Memories(MemoryLengths):
    """Memory of each method in a trial, with the policies that have it."""

    @classmethod
    def of(cls, m: int) -> Memories:
        r"""One memory of m steps for all: $H=2m$, $W=m$, $\gamma=1-1/m$, $\epsilon=2/m$ (at most 1)."""
        return cls(**vars(matched(m)))

    def policy(self, name: str) -> Policy:
        """The method of this name with its memory.

        Raises:
            ValueError: no such method.
        """
        if name not in NAMES:
            raise ValueError(f"method must be one of {', '.join(NAMES)}, got {name!r}")
        return BY_NAME[name].tuned(self, WIDTH)


@dataclass(frozen=True, eq=False)
class Learnt:
    """Result of the training part.

    Attributes:
        fit: likelihood of epsilon.   memories: the chosen ones.
    """

    fit: EpsilonFit
    memories: Memories


def learn(training: Problem, seed: int = 0) -> Learnt:
    """Epsilon by its likelihood, and the other memories by the least regret in races on the training part.

    Args:
        training: the training part as a problem (`tables.training_problem`).   seed: of the noise and the arms.
    """
    rng = play_rng(seed)
    fit = fit_epsilon(random_design(training, training.horizon, rng))
    rounds = min(training.horizon, TUNING_ROUNDS)
    short = latest(training, rounds)
    lengths = tuple(m for m in LENGTHS if m <= rounds) or LENGTHS[:1]
    made = [Memories.of(m).policy(name) for name in TUNED_BY_RACES for m in lengths]
    regrets = mean_regrets(short, made, range(seed, seed + TUNING_SEEDS)).reshape(len(TUNED_BY_RACES), -1)
    best = {BY_NAME[name].memory: lengths[i] for name, i in zip(TUNED_BY_RACES, regrets.argmin(axis=1), strict=True)}
    chosen = {field: getattr(Memories.of(m), field) for field, m in best.items()}
    return Learnt(fit, Memories(epsilon=fit.epsilon, **chosen))


def latest(problem: Problem, rounds: int) -> Problem:
    """The last rounds of a problem."""
    if rounds >= problem.horizon:
        return problem
    cut = {
        name: getattr(problem, name)[-rounds:]
        for name in ("f", "coefficients", "times")
        if getattr(problem, name) is not None
    }
    return replace(problem, **cut)


def mean_regrets(problem: Problem, policies: Sequence[Policy], seeds: Sequence[int]) -> np.ndarray:
    """(P,) average regret of a round of every policy over these seeds, reward units."""
    played = play_many(problem, [(policy, seed) for policy in policies for seed in seeds])
    return np.array([h.regret.mean() for h in played]).reshape(len(policies), -1).mean(axis=1)


def fixed_arm(problem: Problem) -> tuple[int, np.ndarray]:
    """The arm that loses least if it is played in every round, known only afterwards; and its (T,) regret."""
    loss = problem.f.max(axis=1, keepdims=True) - problem.f
    arm = int(loss.mean(axis=0).argmin())
    return arm, loss[:, arm]


def best_changes(problem: Problem) -> tuple[int, ...]:
    """Rows (from 0) in which the arm that was best no longer is; among ties it stays the one that was."""
    f, found, held = problem.f, [], int(problem.best[0])
    first, most = f.argmax(axis=1).tolist(), f.max(axis=1).tolist()
    for row, values in enumerate(f.tolist()):
        if values[held] < most[row]:
            held = first[row]
            found.append(row)
    return tuple(found)


def shuffled(table: Table, seed: int) -> Table:
    """The same rows in a random order, inside each part: the kernel stays, time is broken."""
    rng = np.random.default_rng([seed, SHUFFLE_STREAM])
    train, rows = table.train_rows, len(table.times)
    order = np.concatenate([rng.permutation(train), train + rng.permutation(rows - train)])
    return replace(
        table,
        rewards=table.rewards[order],
        times=tuple(table.times[i] for i in order),
        filled=None if table.filled is None else table.filled[order],
    )
