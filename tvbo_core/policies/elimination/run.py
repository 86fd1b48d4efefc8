"""One run of phased elimination, from batch to batch: the state of PE and of R-PERP."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tvbo_core.ask_tell import RunState
from tvbo_core.gp.grid import grid_posterior
from tvbo_core.policies.elimination.batch import Batch
from tvbo_core.policies.elimination.max_variance import MaxVarianceDesign
from tvbo_core.policies.elimination.schedule import batch_sizes
from tvbo_core.policies.width import THEORY, resolve, resolve_ridge
from tvbo_core.records import Band, LearnerInfo

if TYPE_CHECKING:
    from tvbo_core.policies.elimination.policy import Elimination

_NO_ARMS = np.empty(0, dtype=int)  # no queue is lined up


class EliminationRun(RunState):
    """The state of one run: where it stands in its interval and what this batch has heard.

    A batch is put in order by the first `select` in it, with the chance that `select` is handed. The order is kept
    in `_orders`, which copies share until a reward is heard: so `update` knows the order, and the same state and the
    same chance give the same choice again.

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
        self._theory = rule.theory_width(known) if rule.width == THEORY else math.nan  # asked for "theory" only
        self.keep_last = False
        self._orders: dict[int, tuple[int, np.ndarray]] = {}  # first round of a batch -> round of the draw, (N,)
        self.batch: Batch | None = None
        self._everyone = MaxVarianceDesign(self.gram, np.ones(len(self.gram), dtype=bool), self.ridge)
        self._candidates = self._everyone
        self._begin_interval(0)

    def next_arm(self, rng: np.random.Generator) -> int:
        """The next arm of the queue; the first one of a batch lines the queue up."""
        return int(self.line_up(rng)[self._heard])

    def line_up(self, rng: np.random.Generator) -> np.ndarray:
        """(N,) the arms of this batch in the order in which they are asked."""
        order = self._orders.get(self._batch_start)
        if order is None or order[0] >= self._now:  # nothing was heard or skipped since
            self._orders[self._batch_start] = self._now, self._query_order(rng)
            self._queue = _NO_ARMS
            self._recall()
        return self._queue

    @property
    def _now(self) -> int:
        """The round at which the run stands."""
        return self._batch_start + self._heard

    @property
    def left(self) -> int:
        """Rounds of this batch that are still to come."""
        return self._sizes[self._number] - self._heard if self._number < len(self._sizes) else 0

    def _query_order(self, rng: np.random.Generator) -> np.ndarray:
        n = self._sizes[self._number]
        return rng.permutation(n) if self.rule.shuffled else np.arange(n)

    def _recall(self) -> None:
        """Choose the arms of the batch, and line them up in the order that was drawn, if any was."""
        if not len(self._rewards):
            self._begin_batch()
        if not len(self._queue) and self._batch_start in self._orders:
            self._permutation = self._orders[self._batch_start][1]
            self._queue = np.empty(len(self._permutation), dtype=int)
            self._queue[self._permutation] = self._picks

    @property
    def queue(self) -> np.ndarray:
        """(N,) the arms of this batch in the order in which they are asked; empty before it is lined up."""
        return self._queue

    def replace_question(self, arm: int) -> None:
        """Put an arm that was really asked in the place of the queue's next one."""
        self._recall()
        self._queue = self._queue.copy()
        self._queue[self._heard] = arm

    def observe(self, arm: int, y: float) -> None:
        """The reward of the arm that was handed out; the last one of a batch judges the candidates."""
        if not len(self._queue):
            self._recall()
        if not len(self._queue) or arm != self._queue[self._heard]:
            reason = f"it asked arm {self._queue[self._heard]}" if len(self._queue) else "call `select` first"
            raise ValueError(f"{type(self.rule).__name__} did not ask arm {arm} in round t = {self._now}: {reason}")
        self._orders = self._orders.copy()
        self._rewards[self._heard] = y
        self._pass()

    def skip(self) -> None:
        self._recall()
        self._pass()

    def _pass(self) -> None:
        """Go on to the next round; the last one of a batch judges the candidates."""
        self._heard += 1
        if self._heard == len(self._rewards):
            self._end_batch()

    def copy(self) -> EliminationRun:
        new = super().copy()
        new._rewards = self._rewards.copy()
        return new

    def width(self, t: int) -> float:
        """The multiplier of the sd in round t."""
        return resolve(self.rule.width, t, lambda: self._theory)

    def _begin_interval(self, start: int) -> None:
        self.start, self._batch_start = start, start
        self._sizes = batch_sizes(min(self.restart, self.known.horizon - start))
        self._number = 0
        self.alive = self._everyone.alive
        self._end_queue()

    def _begin_batch(self) -> None:
        n = self._sizes[self._number]
        if self.alive.all():
            picks = self._everyone
        elif np.array_equal(self.alive, self._candidates.alive):
            picks = self._candidates
        else:
            picks = MaxVarianceDesign(self.gram, self.alive, self.ridge)
        self._candidates, self._picks = picks, picks.first(n)
        self._rewards = np.full(n, np.nan)

    def _end_queue(self) -> None:
        self._queue, self._heard, self._rewards = _NO_ARMS, 0, np.empty(0)

    def _end_batch(self) -> None:
        last = self._number == len(self._sizes) - 1
        if (not last or self.keep_last) and np.isfinite(self._rewards).any():
            self._judge(last)
        self._batch_start += len(self._rewards)
        self._number += 1
        self._end_queue()
        if last and self._batch_start < self.known.horizon:
            self._begin_interval(self._batch_start)

    def _judge(self, last: bool) -> None:
        now = self._batch_start + len(self._queue)
        there = np.isfinite(self._rewards)
        mean, sd = grid_posterior(self.gram, self._queue[there], self._rewards[there], self.ridge)
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
        heard = self._queue[np.isfinite(self._rewards)]
        noisy = self.gram[np.ix_(heard, heard)]
        noisy.flat[:: len(noisy) + 1] += self.ridge
        return np.linalg.norm(np.linalg.solve(noisy, self.gram[heard]), axis=0)
