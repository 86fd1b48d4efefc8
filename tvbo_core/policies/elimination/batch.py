"""One batch of phased elimination, and the run that goes from batch to batch."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tvbo_core.gp.grid import grid_posterior
from tvbo_core.policies.elimination.max_variance import MaxVarianceDesign
from tvbo_core.policies.elimination.schedule import batch_sizes
from tvbo_core.policies.width import THEORY, resolve, resolve_ridge
from tvbo_core.records import Band, LearnerInfo

if TYPE_CHECKING:
    from tvbo_core.policies.elimination.policy import Elimination


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
        rewards: (N,) what was heard from each pick.
        width: multiplier of the sd in the band; of the form "drift" its largest value over the arms.
        band: of the batch average $\bar f_j$, at all m arms, from this batch's rewards alone.
        last: whether it is the last one of its interval.
        truth: (m,) the true batch average $\bar f_j$.   lost: whether the arm that is best in the round after the
            batch was eliminated by it.   cost: what the eliminations so far cost a round until the next restart
            at least, $\max_xf_t(x)-\max_{x\in A}f_t(x)$ on average with A the survivors, 0 when no round is
            left. No learner knows these three: they are None in a run, and filled in by `batches`.
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
    def asked(self) -> np.ndarray:
        """(N,) arms in the order in which they were asked."""
        order = np.empty_like(self.picks)
        order[self.permutation] = self.picks
        return order

    def average(self, f: np.ndarray) -> np.ndarray:
        r"""(m,) what the band is about, $\bar f_j$, from the rewards f (T, m) that no learner sees."""
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


class EliminationRun:
    """The state of one run: where it stands in its interval and what this batch has heard.

    Attributes:
        start: first round of the interval.   alive: (m,) bool, the candidates now.
        batch: the latest finished batch, None before there is one. The last batch of an interval is left out
            unless `keep_last` is set: its band is of no use to the run.
    """

    def __init__(self, rule: Elimination, known: LearnerInfo) -> None:
        if known.x.ndim != 2:
            raise ValueError(
                f"{type(rule).__name__} needs the same arms each round, and this problem brings fresh ones"
            )
        self.rule, self.known = rule, known
        self.gram = known.kernel(known.x, known.x)
        self.ridge = resolve_ridge(rule.ridge, known)
        self.restart = rule.restart_rounds(known)
        self._theory = rule.theory_width(known) if rule.width == THEORY else None
        self.keep_last, self.batch = False, None
        self._everyone = MaxVarianceDesign(self.gram, np.ones(len(self.gram), dtype=bool), self.ridge)
        self._candidates = self._everyone
        self._begin_interval(0)

    def next_arm(self, rng: np.random.Generator) -> int:
        """The next arm of the queue; the first one of a batch lines the queue up."""
        return int(self.line_up(rng)[self._heard])

    def line_up(self, rng: np.random.Generator) -> np.ndarray:
        """(N,) the arms of this batch in the order in which they are asked."""
        if self._queue is None:
            self._begin_batch(rng)
        return self._queue

    def hear(self, arm: int, y: float) -> None:
        """The reward of the arm that was handed out; the last one of a batch judges the candidates."""
        if self._queue is None or arm != self._queue[self._heard]:
            raise ValueError(f"this batch did not ask arm {arm} now")
        self._rewards[self._heard] = y
        self._heard += 1
        if self._heard == len(self._queue):
            self._end_batch()

    def share(self, other: EliminationRun) -> None:
        """Take over the questions of the full set of arms, which no reward changes, from another run of the rule.

        Raises:
            ValueError: the other run has other arms, another kernel or another ridge.
        """
        if self.ridge != other.ridge or not np.array_equal(self.gram, other.gram):
            raise ValueError("only runs with the same arms, kernel and ridge ask the same first questions")
        self._everyone = other._everyone
        self._candidates = self._everyone
        self.alive = self._everyone.alive

    def width(self, t: int) -> float:
        """The multiplier of the sd in round t."""
        return resolve(self.rule.width, t, lambda: self._theory)

    def _begin_interval(self, start: int) -> None:
        self.start, self._batch_start = start, start
        self._sizes = batch_sizes(min(self.restart, self.known.horizon - start))
        self._number = 0
        self.alive = self._everyone.alive
        self._queue, self._heard = None, 0

    def _begin_batch(self, rng: np.random.Generator) -> None:
        n = self._sizes[self._number]
        if self.alive.all():
            picks = self._everyone
        elif np.array_equal(self.alive, self._candidates.alive):
            picks = self._candidates
        else:
            picks = MaxVarianceDesign(self.gram, self.alive, self.ridge)
        self._candidates, self._picks = picks, picks.first(n)
        self._permutation = rng.permutation(n) if self.rule.shuffled else np.arange(n)
        self._queue = np.empty(n, dtype=int)
        self._queue[self._permutation] = self._picks
        self._rewards = np.empty(n)

    def _end_batch(self) -> None:
        last = self._number == len(self._sizes) - 1
        if not last or self.keep_last:
            self._judge(last)
        self._batch_start += len(self._queue)
        self._number += 1
        self._queue, self._heard = None, 0
        if last and self._batch_start < self.known.horizon:
            self._begin_interval(self._batch_start)

    def _judge(self, last: bool) -> None:
        now = self._batch_start + len(self._queue)
        mean, sd = grid_posterior(self.gram, self._queue, self._rewards, self.ridge)
        half, width = self.rule.half_width(self, self.width(now), sd)
        band = Band(mean, mean - half, mean + half)
        survivors = self.alive
        if not last:  # Algorithm 1 leaves the interval (line 16) before it eliminates (line 20)
            survivors = self.alive & (band.upper >= band.lower[self.alive].max())
        self.batch = Batch(
            interval=self.start // self.restart + 1,
            number=self._number + 1,
            start=self._batch_start,
            sizes=tuple(self._sizes),
            alive=self.alive,
            survivors=survivors,
            picks=self._picks,
            sds=self._candidates.sds(len(self._picks)),
            permutation=self._permutation,
            rewards=self._rewards[self._permutation],
            width=width,
            band=band,
            last=last,
        )
        self.alive = survivors

    def weight_norms(self) -> np.ndarray:
        r"""(m,) $\|w(x)\|_2$ of this batch, with which its rewards enter the mean, $\mu(x)=w(x)^\top y$."""
        noisy = self.gram[np.ix_(self._queue, self._queue)]
        noisy.flat[:: len(noisy) + 1] += self.ridge
        return np.linalg.norm(np.linalg.solve(noisy, self.gram[self._queue]), axis=0)
