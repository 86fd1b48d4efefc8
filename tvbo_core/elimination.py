r"""Phased elimination: ask where the posterior is least sure, drop what cannot be best, start over.

A run is cut into intervals of H rounds, an interval into batches. The picks of a batch are the greedy ones by
posterior sd among the arms that are alive (they do not depend on rewards); their order may be shuffled; the
band made from this batch's rewards alone covers the average of the batch's rewards $\bar f_j$ and eliminates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Real

import numpy as np

from tvbo_core.batch import Batch, Run
from tvbo_core.phases import SHUFFLE_CONSTANT, resolve_restart, shuffled_width, still_width
from tvbo_core.records import Band, Known, Problem
from tvbo_core.tuning import check_length
from tvbo_core.width import (
    Width,
    check_delta,
    check_ridge,
    check_width,
    largest_prior,
    norm_bound,
    resolve_ridge,
)


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
            ValueError: the problem brings fresh arms each round, or lacks the norm bound that "theory" needs.
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
        half = state.width(t) * np.sqrt(state.gram.diagonal())
        return Band(np.zeros(len(half)), -half, half)

    def batches(self, problem: Problem, rng: np.random.Generator) -> Iterator[Batch]:
        """The batches of the run that `play(problem, self, rng)` makes with an equally seeded generator.

        The run is made at once, by that very loop, and handed out batch by batch; the last batch of an
        interval comes with a band too, to look at.
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
        restart: H, a number of rounds, "paper" (Theorem 5, from $V_T$), "unknown" (as if $V_T=1$) or None
            (never). More than the horizon is never; 1 asks the prior's least sure arm in every round.
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
