r"""Phased elimination: ask where the posterior is least sure, drop what cannot be best, start over.

A run is cut into intervals of H rounds, an interval into batches. The picks of a batch are the greedy ones by
posterior sd among the arms that are alive (they do not depend on rewards); their order may be shuffled; the band
made from this batch's rewards alone covers the average of the batch's rewards $\bar f_j$ and eliminates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Real

import numpy as np

from tvbo_core.gp import grid_posterior
from tvbo_core.phases import (
    SHUFFLE_CONSTANT,
    batch_sizes,
    resolve_restart,
    shuffled_width,
    still_width,
)
from tvbo_core.picking import Picks
from tvbo_core.records import Band, Known, Problem
from tvbo_core.tuning import check_length
from tvbo_core.width import (
    Width,
    check_delta,
    check_ridge,
    check_width,
    largest_prior,
    norm_bound,
    resolve,
    resolve_ridge,
)


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
        permutation: (N,) place in the queue of each pick, 0..N-1.
        rewards: (N,) what was heard from each pick.
        width: multiplier of the sd in the band.
        band: of the batch average $\bar f_j$, at all m arms, from this batch's rewards alone.
        last: whether it is the last one of its interval.
    """

    interval: int
    number: int
    start: int
    sizes: tuple[int, ...]
    alive: np.ndarray
    survivors: np.ndarray
    picks: np.ndarray
    permutation: np.ndarray
    rewards: np.ndarray
    width: float
    band: Band
    last: bool

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
        r"""(m,) what the band promises to cover, $\bar f_j$, from the rewards f (T, m) that no learner sees."""
        return f[self.start : self.start + len(self.picks)].mean(axis=0)


class Run:
    """The state of one run: where it stands in its interval and what this batch has heard.

    Attributes:
        start: first round of the interval.   alive: (m,) bool, the candidates now.
        batch: the latest finished batch, None before there is one. The last batch of an interval is left out
            unless `keep_last` is set: its band is of no use to the run.
    """

    def __init__(self, rule: Elimination, known: Known) -> None:
        if known.x.ndim != 2:
            raise ValueError(
                f"{type(rule).__name__} needs the same arms in every round, but this problem brings fresh ones"
            )
        self.rule, self.known = rule, known
        self.gram = known.kernel(known.x, known.x)
        self.ridge = resolve_ridge(rule.ridge, known)
        self.restart = rule.restart_rounds(known)
        self.keep_last, self.batch = False, None
        self._everyone = Picks(self.gram, np.ones(len(self.gram), dtype=bool), self.ridge)
        self._candidates = self._everyone
        self._begin_interval(0)

    def next_arm(self, rng: np.random.Generator) -> int:
        """The next arm of the queue; the first one of a batch lines the queue up."""
        if self._queue is None:
            self._begin_batch(rng)
        return int(self._queue[self._heard])

    def hear(self, arm: int, y: float) -> None:
        """The reward of the arm that was handed out; the last one of a batch judges the candidates."""
        if self._queue is None or arm != self._queue[self._heard]:
            raise ValueError(f"this batch did not ask arm {arm} now")
        self._rewards[self._heard] = y
        self._heard += 1
        if self._heard == len(self._queue):
            self._end_batch()

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
            picks = Picks(self.gram, self.alive, self.ridge)
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
        width = resolve(self.rule.width, now, lambda: self.rule.theory_width(self.known))
        mean, sd = grid_posterior(self.gram, self._queue, self._rewards, self.ridge)
        band = Band(mean, mean - width * sd, mean + width * sd)
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
            permutation=self._permutation,
            rewards=self._rewards[self._permutation],
            width=width,
            band=band,
            last=last,
        )
        self.alive = survivors


class Elimination:
    """What PE and R-PERP share: the loop's protocol, and the same run as a series of batches."""

    shuffled = False

    def __post_init__(self) -> None:
        check_width(self.width)
        check_ridge(self.ridge)
        check_delta(self.delta)

    def restart_rounds(self, known: Known) -> int:
        """Length H of an interval in this problem."""
        return known.horizon

    def theory_width(self, known: Known) -> float:
        """The width of the method's paper in this problem."""
        raise NotImplementedError

    def init(self, known: Known) -> Run:
        """A fresh run.

        Raises:
            ValueError: the problem brings fresh arms each round.
        """
        return Run(self, known)

    def select(self, state: Run, t: int, rng: np.random.Generator) -> int:
        return state.next_arm(rng)

    def update(self, state: Run, t: int, arm: int, y: float) -> Run:
        state.hear(arm, y)
        return state

    def band(self, state: Run, t: int) -> Band:
        """The latest band of this interval, before the first one the prior's."""
        batch = state.batch
        if batch is not None and not batch.last and batch.start >= state.start:
            return batch.band
        width = resolve(self.width, t, lambda: self.theory_width(state.known))
        half = width * np.sqrt(state.gram.diagonal())
        return Band(np.zeros(len(half)), -half, half)

    def batches(self, problem: Problem, rng: np.random.Generator) -> Iterator[Batch]:
        """The batches of the run that `play(problem, self, rng)` makes with an equally seeded generator.

        The run is made at once, by that very loop, and handed out batch by batch; the last batch of an interval
        comes with a band too, to look at.
        """
        from tvbo_core.race import play  # the loop lies above the policies

        recorder = _Recorder(self)
        play(problem, recorder, rng)
        return iter(recorder.batches)


class _Recorder:
    """Plays a rule and keeps all its batches."""

    def __init__(self, rule: Elimination) -> None:
        self.rule, self.batches = rule, []

    def init(self, known: Known) -> Run:
        state = self.rule.init(known)
        state.keep_last = True
        return state

    def select(self, state: Run, t: int, rng: np.random.Generator) -> int:
        return self.rule.select(state, t, rng)

    def update(self, state: Run, t: int, arm: int, y: float) -> Run:
        before = state.batch
        state = self.rule.update(state, t, arm, y)
        if state.batch is not before:
            self.batches.append(state.batch)
        return state


@dataclass(frozen=True)
class PE(Elimination):
    r"""Phased elimination for a world that stands still: one interval, no shuffle.

    Attributes:
        width: a number, a LogWidth or "theory" (`still_width`).
        ridge: $\lambda$; None is the noise variance.   delta: failure probability of the theory width.
    Raises:
        ValueError: a field is out of its range.
    Source: Li & Scarlett (2022), Algorithm 1, on a grid.
    """

    width: Width = 2.0
    ridge: float | None = None
    delta: float = 0.1

    def theory_width(self, known: Known) -> float:
        return still_width(
            arms=len(known.x),
            horizon=known.horizon,
            B=norm_bound(known),
            noise_sd=known.noise_sd,
            ridge=resolve_ridge(self.ridge, known),
            delta=self.delta,
        )


@dataclass(frozen=True)
class RPERP(Elimination):
    r"""Restarting phased elimination with random permutation.

    Attributes:
        restart: H, a number of rounds, "paper" (Theorem 5, from $V_T$), "unknown" (as if $V_T=1$) or None (never).
            More than the horizon is never; 1 asks the prior's least sure arm in every round.
        width: a number, a LogWidth or "theory" (`shuffled_width`).
        C: constant of the shuffle's share of the theory width.
        shuffle: whether a batch is asked in random order; without it no width covers a drifting $\bar f_j$.
        ridge: $\lambda$; None is the noise variance.   delta: failure probability of the theory width.
    Raises:
        ValueError: a field is out of its range.
    Source: Iwazaki & Takeno, Algorithm 1.
    """

    restart: int | str | None = "paper"
    width: Width = 2.0
    C: float = SHUFFLE_CONSTANT
    shuffle: bool = True
    ridge: float | None = None
    delta: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.restart is not None:
            check_length("restart", self.restart)
        if not (isinstance(self.C, Real) and 0 <= self.C < float("inf")):
            raise ValueError(f"C must be finite and at least 0, got {self.C!r}")

    @property
    def shuffled(self) -> bool:
        return self.shuffle

    def restart_rounds(self, known: Known) -> int:
        return resolve_restart(self.restart, known)

    def theory_width(self, known: Known) -> float:
        return shuffled_width(
            arms=len(known.x),
            horizon=known.horizon,
            restart=self.restart_rounds(known),
            B=norm_bound(known),
            noise_sd=known.noise_sd,
            ridge=resolve_ridge(self.ridge, known),
            delta=self.delta,
            C=self.C,
            kappa=largest_prior(known),
        )
