r"""Phased elimination: ask where the posterior is least sure, drop what cannot be best, start over.

A run is cut into intervals of H rounds, an interval into batches. The picks of a batch are the greedy ones by
posterior sd among the arms that are alive (they do not depend on rewards); their order may be shuffled; the
band made from this batch's rewards alone covers the average of the batch's rewards $\bar f_j$ and eliminates.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Real

import numpy as np

from tvbo_core.ask_tell import CheckedPolicy
from tvbo_core.play import play
from tvbo_core.policies.elimination.batch import Batch
from tvbo_core.policies.elimination.run import EliminationRun
from tvbo_core.policies.elimination.schedule import (
    SHUFFLE_CONSTANT,
    batch_sizes,
    drift_half_width,
    resolve_restart,
    shuffled_width,
    still_width,
    union_log,
)
from tvbo_core.policies.tuning import check_length
from tvbo_core.policies.width import THEORY, Width, check_ridge, check_width, largest_prior, norm_bound, resolve_ridge
from tvbo_core.records import Band, LearnerInfo, Problem
from tvbo_core.validation import check_delta, check_switches, is_word

PAPER, DRIFT = "paper", "drift"


class Elimination(CheckedPolicy):
    """Base of PE and R-PERP: the loop's protocol, and the same run as a series of batches."""

    width: Width
    ridge: float | None
    delta: float

    @property
    def shuffled(self) -> bool:
        """Return True when batches are asked in a random order."""
        return False

    def __post_init__(self) -> None:
        check_width(self.width)
        check_ridge(self.ridge)
        check_delta(self.delta)
        check_switches(self)

    def restart_rounds(self, known: LearnerInfo) -> int:
        """Length H of an interval in this problem."""
        return known.horizon

    def theory_width(self, known: LearnerInfo) -> float:
        """The width of the method's paper in this problem."""
        raise NotImplementedError

    def init(self, known: LearnerInfo) -> EliminationRun:
        """A fresh run.

        Raises:
            ValueError: the problem brings fresh arms each round, or lacks the norm bound that "theory" needs.
        """
        return EliminationRun(self, known)

    def select(self, state: EliminationRun, t: int, rng: np.random.Generator) -> int:
        return state.next_arm(rng)

    def update(self, state: EliminationRun, t: int, arm: int, y: float) -> EliminationRun:
        state.observe(arm, y)
        return state

    def asked(self, state: EliminationRun, t: int, arm: int) -> EliminationRun:
        """Return the state in which round t asked this arm, whatever it would choose: it takes no other's reward."""
        state.replace_question(arm)
        return state

    def ahead(self, state: EliminationRun, t: int) -> int:
        """Return how many questions from round t on are settled whatever is heard on them: the rest of the batch."""
        return state.left

    def band(self, state: EliminationRun, t: int) -> Band:
        """The latest band of this interval, before the first one the prior's."""
        batch = state.batch
        if batch is not None and not batch.last and batch.start >= state.start:
            return batch.band
        half = state.width(t) * np.sqrt(state.gram.diagonal())
        return Band(np.zeros(len(half)), -half, half)

    def half_width(self, run: EliminationRun, width: float, sd: np.ndarray) -> tuple[np.ndarray, float]:
        """(m,) half-width of the band of the batch that has just been heard, and its multiplier of the sd."""
        return width * sd, width

    def batches(
        self, problem: Problem, rng: np.random.Generator, orders: np.random.Generator | None = None
    ) -> Iterator[Batch]:
        """The batches of the run that `play(problem, self, rng)` makes with an equally seeded generator.

        The run is made at once, by that very loop, and handed out batch by batch with what no learner sees
        (`truth`, `lost`, `cost`); the last batch of an interval comes with a band too, to look at.

        Args:
            orders: chance of the orders, to see the same rewards in other orders; None is `rng` itself.
        """
        recorder = _Recorder(self, orders)
        play(problem, recorder, rng)
        return (batch.against(problem.f) for batch in recorder.batches)


class _Recorder:
    """Plays a rule and keeps all its batches."""

    def __init__(self, rule: Elimination, orders: np.random.Generator | None) -> None:
        self.rule, self.orders = rule, orders
        self.batches: list[Batch] = []

    def init(self, known: LearnerInfo) -> EliminationRun:
        state = self.rule.init(known)
        state.keep_last = True
        return state

    def select(self, state: EliminationRun, t: int, rng: np.random.Generator) -> int:
        return self.rule.select(state, t, self.orders or rng)

    def update(self, state: EliminationRun, t: int, arm: int, y: float) -> EliminationRun:
        before = state.batch
        state = self.rule.update(state, t, arm, y)
        if state.batch is not None and state.batch is not before:
            self.batches.append(state.batch)
        return state


@dataclass(frozen=True)
class PE(Elimination):
    r"""Phased elimination for a world that stands still: one interval, no shuffle.

    After batch j an arm x stays while $\mu_j(x)+\beta s_j(x)\ge\max_z\mu_j(z)-\beta s_j(z)$, from that batch alone.

    Attributes:
        width: a number, a LogWidth or "theory" (`still_width`).
        ridge: $\lambda$; None is the noise variance.   delta: failure probability of the theory width.
    Raises:
        ValueError: a field is out of its range.
    Source: Li & Scarlett (2022), Algorithm 1, on a grid.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.PE(), tv.observe.play_rng(0))
    >>> round(float(history.regret.sum()), 1)
    18.3
    """

    width: Width = 2.0
    ridge: float | None = None
    delta: float = 0.1

    def theory_width(self, known: LearnerInfo) -> float:
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

    After batch j an arm x stays while $\mu_j(x)+\beta s_j(x)\ge\max_z\mu_j(z)-\beta s_j(z)$, a band of the batch
    average $\bar f_j$; all arms are back every H rounds.

    Attributes:
        restart: H, a number of rounds, "paper" (Theorem 5, from $V_T$), "unknown" (as if $V_T=1$) or None
            (never). More than the horizon is never; 1 asks the prior's least sure arm in every round.
        width: a number, a LogWidth or "theory" (`shuffled_width`).
        C: constant of the shuffle's share of the theory width.
        form: of the theory width: "paper" (eq. 8), or "drift", which pays for how far the rewards of one batch
            can lie apart instead of 2B (`schedule.drift_half_width`, derived here).
        step: a bound on $\max_x|f_{t+1}(x)-f_t(x)|$ that the form "drift" is told, so that a batch of N lies at most
            (N-1) step apart; None relies on $V_T$ alone.
        shuffle: whether a batch is asked in random order; without it no width covers a drifting $\bar f_j$.
        ridge: $\lambda$; None is the noise variance.   delta: failure probability of the theory width.
    Raises:
        ValueError: a field is out of its range.
    Source: Iwazaki & Takeno, Algorithm 1.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.RPERP(), tv.observe.play_rng(0))
    >>> round(float(history.regret.sum()), 1)
    29.1
    """

    restart: int | str | None = "paper"
    width: Width = 2.0
    C: float = SHUFFLE_CONSTANT
    shuffle: bool = True
    ridge: float | None = None
    delta: float = 0.1
    form: str = PAPER
    step: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_word(self.form, (PAPER, DRIFT)):
            raise ValueError(f'form must be "{PAPER}" or "{DRIFT}", got {self.form!r}')
        if self.step is not None and not (isinstance(self.step, Real) and 0 <= self.step < float("inf")):
            raise ValueError(f"step must be finite and at least 0, or None, got {self.step!r}")
        if self.restart is not None:
            check_length("restart", self.restart)
        if not (isinstance(self.C, Real) and 0 <= self.C < float("inf")):
            raise ValueError(f"C must be finite and at least 0, got {self.C!r}")

    @property
    def shuffled(self) -> bool:
        return self.shuffle

    def restart_rounds(self, known: LearnerInfo) -> int:
        return resolve_restart(self.restart, known)

    def theory_width(self, known: LearnerInfo) -> float:
        ridge = resolve_ridge(self.ridge, known)
        if self.form == DRIFT:  # what no band of this form exceeds: its weights are at most sd / sqrt(ridge)
            largest = self._swing(known, max(batch_sizes(self.restart_rounds(known))))
            unit = np.ones(1)
            return float(self._half(known, unit, unit / math.sqrt(ridge), largest)[0])
        return shuffled_width(
            arms=len(known.x),
            horizon=known.horizon,
            restart=self.restart_rounds(known),
            B=norm_bound(known),
            noise_sd=known.noise_sd,
            ridge=ridge,
            delta=self.delta,
            C=self.C,
            kappa=largest_prior(known),
        )

    def half_width(self, run: EliminationRun, width: float, sd: np.ndarray) -> tuple[np.ndarray, float]:
        if not self.pays_for_drift:
            return super().half_width(run, width, sd)
        half = self.half_of(run.known, width, sd, len(run.queue), run.weight_norms())
        sure = sd == 0
        return half, float((half / np.where(sure, 1.0, sd))[~sure].max(initial=0.0))

    @property
    def pays_for_drift(self) -> bool:
        """Return True when the band is that of `schedule.drift_half_width`."""
        return self.width == THEORY and self.form == DRIFT

    def half_of(
        self, known: LearnerInfo, width: float, sd: np.ndarray, n: int, weights: np.ndarray | None = None
    ) -> np.ndarray:
        r"""(m,) half-width of the band of a batch of n rounds; `weights` (m,) $\|w(x)\|_2$ where it pays for drift."""
        if not self.pays_for_drift:
            return width * sd
        assert weights is not None  # a width that pays for drift needs them
        return self._half(known, sd, weights, self._swing(known, n))

    def _half(self, known: LearnerInfo, sd: np.ndarray, weights: np.ndarray, swing: float) -> np.ndarray:
        L = union_log(len(known.x), known.horizon, self.restart_rounds(known), self.delta)
        return drift_half_width(sd, weights, swing, L, norm_bound(known), known.noise_sd)

    def _swing(self, known: LearnerInfo, n: int) -> float:
        r"""$D_j$ of a batch of n rounds, as far as the learner knows it."""
        moved = known.sup_variation if self.step is None else (n - 1) * self.step
        return min(2.0 * norm_bound(known) * math.sqrt(largest_prior(known)), moved)
