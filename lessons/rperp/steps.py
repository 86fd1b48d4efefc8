"""Steps of a run of phased elimination: the line of Algorithm 1 that each shows, and the design's variances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from tvbo_core.gp.rank_one import RankOne
from tvbo_core.policies.elimination.batch import Batch


@dataclass(frozen=True)
class Step:
    """One step of the film.

    Attributes:
        line: of Algorithm 1 (Iwazaki & Takeno).   batch: index of the batch in the run.
        picked, heard: questions of the batch that are chosen, and asked, by now.
        ordered: whether the batch has been put in order.   judged: whether its band stands.
        dropped: whether its eliminations are made.
    """

    line: int
    batch: int
    picked: int = 0
    heard: int = 0
    ordered: bool = False
    judged: bool = False
    dropped: bool = False

    @property
    def is_end(self) -> bool:
        """Return whether the batch is over with this step."""
        return self.dropped or self.line == 16


def steps(batches: Sequence[Batch], most: int = 12) -> list[Step]:
    """Return the steps of a run: the lines of its first restart, then the end of each batch.

    Args:
        batches: of the run, in order.
        most: of the picks (and of the questions) of one batch so many are shown one by one; a longer batch is
            thinned to that many, its first and last ones among them.
    """
    found = [_lines(batch, i, most) if batch.interval == 1 else [_end(batch, i)] for i, batch in enumerate(batches)]
    return [Step(2, 0), Step(3, 0), *chain.from_iterable(found)]


def variance_path(gram: np.ndarray, batch: Batch, ridge: float) -> np.ndarray:
    r"""(N+1, m) $\sigma^2(x;\tilde x_1,\dots,\tilde x_n)$ after n = 0..N picks of a batch, reward^2.

    Source: Iwazaki & Takeno, Algorithm 1, line 8.
    """
    engine, path = RankOne(gram), np.empty((len(batch.picks) + 1, len(gram)))
    path[0] = engine.variance
    for n, arm in enumerate(batch.picks.tolist(), start=1):
        engine.learn(arm, 0.0, ridge)
        path[n] = engine.variance
    return path


def _lines(batch: Batch, i: int, most: int) -> list[Step]:
    n = len(batch.picks)
    counts = np.unique(np.linspace(1, n, min(n, most)).round().astype(int)).tolist()
    found = [Step(5, i)]
    found += [Step(8, i, picked=k) for k in counts]
    found.append(Step(11, i, picked=n, ordered=True))
    found += [Step(13, i, picked=n, heard=k, ordered=True) for k in counts]
    if not batch.last:
        found.append(Step(19, i, picked=n, heard=n, ordered=True, judged=True))
    return [*found, _end(batch, i)]


def _end(batch: Batch, i: int) -> Step:
    """Return the end of a batch: it has eliminated, or it was the last one of its interval, which does not."""
    n = len(batch.picks)
    done: dict[str, Any] = {"picked": n, "heard": n, "ordered": True, "judged": True}
    return Step(16, i, **done) if batch.last else Step(20, i, **done, dropped=True)
