r"""Random choice, and GP-UCB with its variants that forget: one index, mean + width * sd, and six memories.

Each policy is a frozen value. Common fields: `width` is a number, a `LogWidth` or "theory" (the confidence
width of the method's paper, at level `delta`); `ridge` None is the noise variance; `dense` recomputes the
paper's formula every round instead of the fast form, with the same numbers; arms that are new every round need it.
The field of a memory is a number or "paper" (see `tuning`; for lengths and discounts also "unknown", the paper's choice
for an unknown budget).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from tvbo_core.ask_tell import CheckedPolicy, RunState
from tvbo_core.gp.learner_state import PosteriorState, make_state
from tvbo_core.gp.memory import Discount, Injected, Keep, Markov, Memory, Restart, Window
from tvbo_core.policies import tuning
from tvbo_core.policies.width import (
    THEORY,
    Width,
    check_ridge,
    check_width,
    norm_bound,
    resolve,
    resolve_ridge,
    union_width,
)
from tvbo_core.records import Band, LearnerInfo
from tvbo_core.validation import check_delta, check_switches


@dataclass(frozen=True)
class Random(CheckedPolicy):
    r"""A uniformly random arm in every round, $P(x_t=x)=1/m$; no learning.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.Random(), tv.observe.play_rng(0))
    >>> round(float(history.regret.sum()), 1)
    76.7
    """

    def init(self, known: LearnerInfo) -> RunState:
        """A state that holds no observation."""
        return RunState()

    def select(self, state: RunState, t: int, rng: np.random.Generator) -> int:
        return int(rng.integers(state.known.x.shape[-2]))

    def update(self, state: RunState, t: int, arm: int, y: float) -> RunState:
        return state

    def band(self, state: RunState, t: int) -> Band:
        """Return the prior's band, mean 0 -+ 2 sd, in every round."""
        x = state.known.x
        half = 2.0 * np.sqrt(state.known.kernel.diag(x if x.ndim == 2 else x[min(t, len(x) - 1)]))
        return Band(np.zeros(len(half)), -half, half)


@dataclass(eq=False)
class IndexState(RunState):
    """The state of one run of an index policy.

    Attributes:
        known: what the policy assumes.   past: posterior of the observations that count.   ridge: $\\lambda$.
        bound: B, None if not used.   restarts: rounds in which a reward led to a restart.
    """

    known: LearnerInfo
    past: PosteriorState
    ridge: float
    bound: float | None
    restarts: tuple[int, ...] = ()

    def copy(self) -> IndexState:
        new = super().copy()
        new.past = self.past.copy()
        return new

    def skip(self) -> None:
        self.past.skip()


@dataclass(frozen=True)
class IndexPolicy(CheckedPolicy):
    """Base of the policies that query the arm with the largest mean + width * sd, the first of several."""

    width: Width = field(default=2.0, kw_only=True)
    ridge: float | None = field(default=None, kw_only=True)
    delta: float = field(default=0.1, kw_only=True)
    dense: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        check_width(self.width)
        check_ridge(self.ridge)
        check_delta(self.delta)
        check_switches(self)

    def memory(self, known: LearnerInfo) -> Memory:
        """Return the memory of this policy in this problem, a number in the place of "paper" and "unknown"."""
        return Keep()

    def init(self, known: LearnerInfo) -> IndexState:
        """Return the state before the first observation.

        Raises:
            ValueError: the width is "theory" and the problem has no norm bound.
        """
        ridge = resolve_ridge(self.ridge, known)
        past = make_state(known, self.memory(known), ridge, self.dense)
        return IndexState(known, past, ridge, norm_bound(known) if self._needs_bound else None)

    def select(self, state: IndexState, t: int, rng: np.random.Generator) -> int:
        mean, sd, width = self.index(state, t)
        return int((mean + width * sd).argmax())

    def update(self, state: IndexState, t: int, arm: int, y: float) -> IndexState:
        state.past.learn(arm, y)
        return state

    def index(self, state: IndexState, t: int) -> tuple[np.ndarray, np.ndarray, float]:
        """Mean (m,), sd (m,) and width of round t: the index is mean + width * sd."""
        mean, sd = state.past.curves()
        return mean, sd, resolve(self.width, t, lambda: self.theory(state, t))

    def band(self, state: IndexState, t: int) -> Band:
        """Return the band that round t is decided with: mean -+ width * sd."""
        mean, sd, width = self.index(state, t)
        return Band(mean, mean - width * sd, mean + width * sd)

    def theory(self, state: IndexState, t: int) -> float:
        r"""$B+\frac\sigma{\sqrt\lambda}\sqrt{\ln\det(I+K/\lambda)+2\ln\frac1\delta}$ over the observations that count.

        Source: Abbasi-Yadkori (2012); for restarts and windows Zhou & Shroff (2021), with the gain of the
            data in place of its maximum.
        """
        return self._self_normalised_width(state, state.past.log_det, self.delta)

    def _self_normalised_width(self, state: IndexState, log_det: float, delta: float) -> float:
        """Return the width of `theory` from the log determinant of the observations and the level."""
        noise = state.known.noise_sd / math.sqrt(state.ridge)
        assert state.bound is not None  # `init` asks for it when the width is "theory"
        return state.bound + noise * math.sqrt(max(log_det - 2.0 * math.log(delta), 0.0))

    @property
    def _needs_bound(self) -> bool:
        return self.width == THEORY


@dataclass(frozen=True)
class GPUCB(IndexPolicy):
    r"""GP-UCB: never forgets; $x_t=\arg\max_x\mu(x)+\beta s(x)$ with the posterior of all observations.

    Attributes:
        width, ridge, delta, dense: see the module.
    Raises:
        ValueError: a field is out of its range.
    Source: Srinivas et al. (2010), Algorithm 1.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.GPUCB(width=2.0), tv.observe.play_rng(0))
    >>> round(float(history.regret.sum()), 1)
    7.7
    """

    width: Width = 2.0
    ridge: float | None = None


@dataclass(frozen=True)
class RGPUCB(IndexPolicy):
    r"""R-GP-UCB: forgets everything in rounds t = 0, H, 2H, ...; else $x_t=\arg\max_x\mu(x)+\beta s(x)$.

    Attributes:
        restart: $H$, a number of rounds, or "paper": $\lceil\gamma_T^{1/4}\sqrt{T/B_T}\rceil$; "unknown" takes $B_T=1$.
        width, ridge, delta, dense: see the module.
    Raises:
        ValueError: a field is out of its range.
    Source: Zhou & Shroff (2021) as stated by Iwazaki & Takeno, sec. 6.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.RGPUCB(restart=20), tv.observe.play_rng(0))
    >>> round(float(history.regret.sum()), 1)
    23.4
    """

    restart: int | str = tuning.PAPER

    def __post_init__(self) -> None:
        super().__post_init__()
        tuning.check_length("restart", self.restart)

    def memory(self, known: LearnerInfo) -> Restart:
        return Restart(tuning.resolve_length(self.restart, known))


@dataclass(frozen=True)
class SWGPUCB(IndexPolicy):
    r"""SW-GP-UCB: remembers the last W observations; $x_t=\arg\max_x\mu(x)+\beta s(x)$.

    Attributes:
        window: $W$, a number of rounds, or "paper": $\lceil\gamma_T^{1/4}\sqrt{T/B_T}\rceil$; "unknown" takes $B_T=1$.
        width, ridge, delta, dense: see the module.
    Raises:
        ValueError: a field is out of its range.
    Source: Zhou & Shroff (2021) as stated by Iwazaki & Takeno, sec. 6.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.SWGPUCB(window=20), tv.observe.play_rng(0))
    >>> round(float(history.regret.sum()), 1)
    22.7
    """

    window: int | str = tuning.PAPER

    def __post_init__(self) -> None:
        super().__post_init__()
        tuning.check_length("window", self.window)

    def memory(self, known: LearnerInfo) -> Window:
        return Window(tuning.resolve_length(self.window, known))


@dataclass(frozen=True)
class WGPUCB(IndexPolicy):
    r"""WGP-UCB: observations lose weight by a factor $\gamma$ a round, $n_i=\lambda\gamma^{-(t-1-i)}$.

    Attributes:
        discount: $\gamma$ in [0, 1], or "paper": $1-\gamma_T^{-1/4}\sqrt{B_T/T}$; "unknown" takes $B_T=1$.
        tight: use $\tilde\sigma_t$, for which Theorem 2 is proved, not $\hat\sigma_t\ge\tilde\sigma_t$.
        every_round: level $\delta/T$ instead of $\delta$, for a statement about all rounds at once (at level
            $\delta$ the band holds for each round by itself only).
        width, ridge, delta, dense: see the module.
    Raises:
        ValueError: a field is out of its range.
    Source: Deng et al., Algorithm 1 and Corollary 5.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.WGPUCB(discount=0.95), tv.observe.play_rng(0))
    >>> round(float(history.regret.sum()), 1)
    8.3
    """

    discount: float | str = tuning.PAPER
    tight: bool = field(default=False, kw_only=True)
    every_round: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        tuning.check_tuned_share("discount", self.discount, (tuning.PAPER, tuning.UNKNOWN))

    def memory(self, known: LearnerInfo) -> Discount:
        return Discount(tuning.resolve_discount(self.discount, known))

    def index(self, state: IndexState, t: int) -> tuple[np.ndarray, np.ndarray, float]:
        mean, sd, width = super().index(state, t)
        return mean, state.past.tight_sd if self.tight else sd, width

    def theory(self, state: IndexState, t: int) -> float:
        r"""$B+\frac R{\sqrt\lambda}\sqrt{2\ln\frac1\delta+2\bar\gamma_t}$, the data's double-weighted gain
        $\bar\gamma_t=\frac12\ln\det(I+\lambda^{-1}WKW)$, W = diag($w_s/w_t$).

        Source: Deng et al., Lemma 10 and eq. 5, as in Theorem 2: both terms under the root.
        """
        delta = self.delta / state.known.horizon if self.every_round else self.delta
        return self._self_normalised_width(state, state.past.double_log_det, delta)


@dataclass(frozen=True)
class TVGPUCB(IndexPolicy):
    r"""TV-GP-UCB: assumes that $f_{t+1}=\sqrt{1-\epsilon}f_t+\sqrt\epsilon g_{t+1}$ and forgets accordingly.

    Attributes:
        epsilon: $\epsilon$ in [0, 1], or "paper": the paper takes it as known, here it is matched to $V_T$
            (`tuning.markov_epsilon`).
        width, ridge, delta, dense: see the module.
    Raises:
        ValueError: a field is out of its range.
    Source: Bogunovic et al., Algorithm 2, eq. 5-8; on fixed arms the equivalent Kalman filter.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.TVGPUCB(epsilon=0.05), tv.observe.play_rng(0))
    >>> round(float(history.regret.sum()), 1)
    16.8
    """

    epsilon: float | str = tuning.PAPER

    def __post_init__(self) -> None:
        super().__post_init__()
        tuning.check_tuned_share("epsilon", self.epsilon, (tuning.PAPER,))

    def memory(self, known: LearnerInfo) -> Markov:
        return Markov(tuning.resolve_epsilon(self.epsilon, known))

    def theory(self, state: IndexState, t: int) -> float:
        r"""$\sqrt{2\ln(3m\pi_t/\delta)}$, $\pi_t=\pi^2t^2/6$, for m arms in the paper's round t = 1, 2, ...

        Source: Bogunovic et al., proof of Theorem 4.3 on a finite domain.
        """
        arms = state.known.x.shape[-2]
        return union_width(3.0 * arms, t, self.delta)

    @property
    def _needs_bound(self) -> bool:
        return False


@dataclass(frozen=True)
class UIGPUCB(IndexPolicy):
    r"""UI-GP-UCB: injects uncertainty into old observations, $n_i=\lambda(1+(t-i)^\alpha)$ in round t.

    Attributes:
        alpha: drift exponent, at least 0 (at 0 every old observation counts half, unlike in a still world).
        printed: use the lag t - 1 - i of the paper's eq. 9-11 instead of t - i.
        width, ridge, delta, dense: see the module.
    Raises:
        ValueError: a field is out of its range.
    Source: Mauduit et al., eq. 7-12.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.UIGPUCB(alpha=1.0), tv.observe.play_rng(0))
    >>> round(float(history.regret.sum()), 1)
    11.7
    """

    alpha: float = 1.0
    printed: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        Injected(self.alpha)  # raises if alpha is out of its range

    def memory(self, known: LearnerInfo) -> Injected:
        return Injected(float(self.alpha), self.printed)

    def theory(self, state: IndexState, t: int) -> float:
        r"""$B+\sqrt{2\ln\frac2\delta+\ln\det(I+\Sigma^{-1/2}K\Sigma^{-1/2})}$; it may fall as data age.

        Source: Mauduit et al., eq. 12.
        """
        assert state.bound is not None  # as in `_self_normalised_width`
        return state.bound + math.sqrt(2.0 * math.log(2.0 / self.delta) + state.past.log_det)
