"""What a race on a table computes, for the workers: nothing here knows Streamlit.

A table that ships with the lab is named and read where it is needed; a visitor's own one travels with the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tvbo_core import data, trial
from tvbo_core.data import Table
from tvbo_core.records import Problem
from tvbo_core.trial import Learnt, Memories


@dataclass(frozen=True)
class Base:
    """What decides the two parts of a table: plain values (`ui.data_lab.Setting` says what they mean)."""

    table: str
    share: float
    noise: float
    mixed: bool
    seed: int


def parts(base: Base, own: Table | None) -> tuple[Table, Problem, Problem]:
    """The table as it is split, its first part and its second part as problems.

    Raises:
        ValueError: the package of a shipped table is missing, or the first part does not vary.
    """
    return _shipped(base) if own is None else _split(base, own)


def _split(base: Base, table: Table) -> tuple[Table, Problem, Problem]:
    table = table.split(base.share) if base.share else table
    table = trial.shuffled(table, base.seed) if base.mixed else table
    first = data.training_problem(table, noise_share=base.noise)
    return table, first, data.data_problem(table, len(table.times), base.noise)


@lru_cache(maxsize=2)  # the questions about one setting come one after the other
def _shipped(base: Base) -> tuple[Table, Problem, Problem]:
    return _split(base, data.load(base.table))


def learn(base: Base, own: Table | None) -> Learnt:
    """What the first part says."""
    return trial.learn(parts(base, own)[1], base.seed)


def runs(
    base: Base, own: Table | None, name: str, memories: Memories, seeds: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    """(k, T) regret so far on the second part, a row a seed, and the arms of the first seed."""
    played = list(trial.plays(parts(base, own)[2], {name: memories.policy(name)}, seeds))
    return np.stack([r.regret.cumsum() for r in played]), played[0].arms


def bowl(base: Base, own: Table | None, seeds: Sequence[int]) -> np.ndarray:
    """TV-GP-UCB's average regret on the second part at each of `trial.EPSILONS`."""
    problem = parts(base, own)[2]
    tried = [Memories(e, 1, 1, 0.5).policy("TV-GP-UCB") for e in trial.EPSILONS]
    return np.array([trial.mean_regret(problem, p, seeds) for p in tried])
