"""The computations of a race on a table, as functions of plain values that a worker can import.

A table that ships with the lab is named and read where it is needed; a visitor's own one travels with the call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lessons.real_data import trial
from lessons.real_data.side_by_side import play_many
from lessons.real_data.trial import Learnt, Memories
from tvbo_core import data
from tvbo_core.records import Problem
from tvbo_core.worlds.tables import Table

Curves = tuple[np.ndarray, np.ndarray]  # (k, T) regret so far, a row a seed, and (T,) arms chosen most often


@dataclass(frozen=True)
class Base:
    """Everything that decides the two parts of a table, as plain values.

    Attributes:
        table: a name of `tables.DATASETS`, or "own".   mark: fingerprint and mapping of an own table.
        noise: share of the signal's variance.   mixed: rows shuffled.
        seed: of the shuffle, of the learning and of the first run.
    """

    table: str
    mark: str
    noise: float
    mixed: bool
    seed: int


def parts(base: Base, own: Table | None) -> tuple[Table, Problem, Problem]:
    """Return the table as it is split, its first part and its second part as problems.

    Raises:
        ValueError: the package of a shipped table is missing, or the first part does not vary.
    """
    return _shipped(base) if own is None else _split(base, own)


def _split(base: Base, table: Table) -> tuple[Table, Problem, Problem]:
    table = trial.shuffled(table, base.seed) if base.mixed else table
    first = data.training_problem(table, noise_share=base.noise)
    return table, first, data.data_problem(table, len(table.times), base.noise)


@lru_cache(maxsize=2)  # the calls about one setting come one after the other
def _shipped(base: Base) -> tuple[Table, Problem, Problem]:
    return _split(base, data.load(base.table))


def learn(base: Base, own: Table | None) -> Learnt:
    """Return what the first part says about the kernel, the drift and the memories."""
    return trial.learn(parts(base, own)[1], base.seed)


def runs(base: Base, own: Table | None, name: str, memories: Memories, seeds: Sequence[int]) -> Curves:
    """Return the runs of a method on the second part, seed by seed."""
    played = play_many(parts(base, own)[2], [(memories.policy(name), seed) for seed in seeds])
    return np.stack([h.regret.cumsum() for h in played]), most_chosen([h.arms for h in played])


def most_chosen(arms: Sequence[np.ndarray]) -> np.ndarray:
    """Return (T,) the arm that the runs choose most often in each round, of several the first in the table.

    Args:
        arms: (T,) of each run.
    """
    chosen = np.stack(arms)
    return (chosen[:, :, None] == np.arange(chosen.max() + 1)).sum(axis=0).argmax(axis=1)
