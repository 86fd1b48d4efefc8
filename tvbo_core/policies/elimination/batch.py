"""The record of one batch of phased elimination."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tvbo_core.records import Band


@dataclass(frozen=True, eq=False)
class Batch:
    r"""One batch of elimination.

    Attributes:
        interval, number: i and j of the paper, from 1.
        start: round 0, 1, ... in which the batch begins.
        sizes: sizes of all batches of this interval.
        alive: (m,) bool, candidates of this batch.   survivors: (m,) bool, of the next; the last batch of an
            interval eliminates nothing.
        picks: (N,) arms in the order in which the posterior sd chose them, with repeats.
        sds: (N,) posterior sd that chose each pick, from the picks before it.
        permutation: (N,) place in the queue of each pick, 0..N-1.
        rewards: (N,) what was heard from each pick, NaN where its round was skipped.
        width: multiplier of the sd in the band; of the form "drift" its largest value over the arms.
        band: of the batch average $\bar f_j$, at all m arms, from this batch's rewards alone.
        last: whether it is the last one of its interval.
        truth: (m,) the true batch average $\bar f_j$.   lost: whether the arm that is best in the round after the
            batch was eliminated by it.   cost: what the eliminations so far cost a round until the next restart
            at least, $\max_xf_t(x)-\max_{x\in A}f_t(x)$ on average with A the survivors, 0 when no round is
            left. No learner knows these three: they are None in a run, and filled in by `batches`.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> batches = list(tv.PE().batches(problem, tv.observe.play_rng(0)))
    >>> [(batch.number, len(batch.picks), int(batch.survivors.sum())) for batch in batches]
    [(1, 8, 2), (2, 22, 2), (3, 30, 2)]
    """

    interval: int
    number: int
    start: int
    sizes: tuple[int, ...]
    alive: np.ndarray
    survivors: np.ndarray
    picks: np.ndarray
    sds: np.ndarray
    permutation: np.ndarray
    rewards: np.ndarray
    width: float
    band: Band
    last: bool
    truth: np.ndarray | None = None
    lost: bool | None = None
    cost: float | None = None

    @property
    def times(self) -> np.ndarray:
        """(N,) round 0, 1, ... in which each pick was asked."""
        return self.start + self.permutation

    @property
    def queries(self) -> np.ndarray:
        """(N,) arms in the order in which they were asked."""
        order = np.empty_like(self.picks)
        order[self.permutation] = self.picks
        return order

    def average(self, f: np.ndarray) -> np.ndarray:
        r"""(m,) $\bar f_j$, the average over the batch that the band estimates, from the true rewards f (T, m)."""
        return f[self.start : self.start + len(self.picks)].mean(axis=0)

    @property
    def end(self) -> int:
        """The round after the batch."""
        return self.start + len(self.picks)

    @property
    def restart(self) -> int:
        """The round after the interval, in which everything is forgotten."""
        return self.start + sum(self.sizes[self.number - 1 :])

    def against(self, f: np.ndarray) -> Batch:
        """The same batch with what the rewards f (T, m) say about it: truth, lost and cost."""
        later = f[self.end : self.restart]
        cost = (later.max(axis=1) - later[:, self.survivors].max(axis=1)).mean() if len(later) else 0.0
        today = int(f[min(self.end, len(f) - 1)].argmax())
        lost = bool(self.alive[today] and not self.survivors[today])
        return replace(self, truth=self.average(f), lost=lost, cost=float(cost))
