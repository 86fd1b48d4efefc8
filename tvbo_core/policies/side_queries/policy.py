r"""Bandits that may ask old questions again: SparQ-GP-UCB every round, W-SparQ-GP-UCB once a window.

After s rounds, if s opens a window, some of $x_1,\dots,x_s$ are asked again and what was heard before is
dropped; $x_{s+1}$ and the rest of the window are chosen from the answers and from what the window itself
brings. On paper the questions are about $f_s$; here they are about $f_{s+1}$, the reward that they serve.

What is played is the printed algorithm. Its guarantee rests on Assumption 2, which excludes any drift of a
reward that is read more than once, and on a bound for another posterior, that of all rewards through chosen points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from tvbo_core.ask_tell import CheckedPolicy, RunState
from tvbo_core.gp.dense import log_det
from tvbo_core.gp.grid import grid_posterior
from tvbo_core.gp.kdpp import KDPP, check_method
from tvbo_core.gp.memory import Injected, Keep, Memory
from tvbo_core.policies.side_queries.schedule import planned_queries, window_starts
from tvbo_core.policies.width import THEORY, Width, check_ridge, check_width, norm_bound, resolve, resolve_ridge
from tvbo_core.records import Band, LearnerInfo
from tvbo_core.validation import check_delta, check_switches


@dataclass(frozen=True, eq=False)
class Evidence:
    r"""Observations behind an estimate of $f_t$, one row each; all others were discarded.

    Attributes:
        arms: (n,) arm numbers.   y: (n,) rewards.   heard: (n,) rounds (from 0) in which they were heard.
        asked: (n,) True where the arm was asked again, False where it was pulled in the window.
        noise: (n,) variance as readings of $f_t$, squared reward units.
    """

    arms: np.ndarray
    y: np.ndarray
    heard: np.ndarray
    asked: np.ndarray
    noise: np.ndarray


@dataclass(eq=False)
class SparQState(RunState):
    """The state of one run.

    Attributes:
        gram: (m, m) prior covariance of the arms.   ridge: noise variance.
        noise: (T + 1,) variance of an observation in today's estimate, by its age.
        plan: how many arms to ask again before round t (from 0), for the rounds that open a window.
        pulled: different arms so far, in the order of their first pull; `points` draws from them.
        rows: evidence of the current window: arm, reward, round (from 0), asked again or not.
    """

    gram: np.ndarray
    ridge: float
    noise: np.ndarray
    plan: dict[int, int]
    norm_bound: float | None
    points: KDPP
    pulled: list[int] = field(default_factory=list)
    rows: list[tuple[int, float, int, bool]] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class SparQ(CheckedPolicy):
    r"""SparQ-GP-UCB: asks $Q_t=\min(t,\lceil q\ln^d(1+t)\rceil)$ old questions a round, keeps nothing else.

    $x_{t+1}=\arg\max\mu^s+\beta s^s$ with the posterior of the answers alone (subset of data). Fewer are
    asked when fewer different arms were pulled, or when they are linearly dependent.

    Attributes:
        q_const: q > 0; the paper leaves it open.
        picker: which old arms, see `kdpp`: "exact", "mcmc" (both k-DPP), "greedy" or "random".
        steps: length of the chain of "mcmc".
        width: number, LogWidth or "theory":
            $\beta_t=B+\sqrt{2\ln\frac2\delta+\ln\det(I+\Sigma^{-1/2}K\Sigma^{-1/2})}$ of the evidence in use.
        ridge: $\sigma^2$, squared reward units; None: the problem's noise variance.
        delta: failure probability of "theory".
    Raises:
        ValueError: a field is out of range; the arms are fresh in every round; "theory" without a norm bound.
    Source: Mauduit et al., Algorithm 1, eq. 20-22 and Thm 3.3.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.SparQ(), tv.observe.play_rng(0))
    >>> int(history.extra_queries[1:].min()), int(history.extra_queries.max())
    (1, 5)
    """

    q_const: float = 1.0
    picker: str = "exact"
    steps: int = 1000
    width: Width = 2.0
    ridge: float | None = None
    delta: float = 0.1

    def __post_init__(self) -> None:
        planned_queries([], self.q_const, 1)
        check_method(self.picker, self.steps)
        check_width(self.width)
        check_ridge(self.ridge)
        check_delta(self.delta)
        check_switches(self)

    def starts(self, horizon: int) -> list[int]:
        """Rounds s (from 1, below the horizon) after which old questions are asked: here every one."""
        return list(range(1, horizon))

    def init(self, known: LearnerInfo) -> SparQState:
        if known.x.ndim != 2:
            raise ValueError(
                f"{type(self).__name__} asks old arms again, so it needs the same arms in every round, "
                "but this problem brings fresh ones"
            )
        starts, ridge = self.starts(known.horizon), resolve_ridge(self.ridge, known)
        return SparQState(
            gram=known.kernel(known.x, known.x),
            ridge=ridge,
            noise=self.memory.noise(np.arange(known.horizon + 1), ridge),
            plan=dict(zip(starts, planned_queries(starts, self.q_const, known.x.shape[1]), strict=True)),
            norm_bound=norm_bound(known) if self.width == THEORY else None,
            points=KDPP(np.empty((0, 0))),
        )

    def questions(self, state: SparQState, t: int, rng: np.random.Generator) -> np.ndarray:
        """Numbers of the arms to ask again before round t (from 0): arms pulled before, each at most once."""
        if t not in state.plan:
            return np.empty(0, dtype=np.intp)
        pulled = np.array(state.pulled, dtype=np.intp)
        if len(state.points.K) < len(pulled):
            state.points = KDPP(state.gram[pulled[:, None], pulled])
        return pulled[state.points.sample(state.plan[t], rng, self.picker, self.steps)]

    def answer(self, state: SparQState, t: int, arms: np.ndarray, ys: np.ndarray) -> SparQState:
        """The state with the answers; where round t opens a window they replace what was known."""
        if t in state.plan:
            kept = [row for row in state.rows if self._outlives(row, t)]
            state.rows = kept + [(a, y, t, True) for a, y in zip(arms.tolist(), ys.tolist(), strict=True)]
        return state

    def select(self, state: SparQState, t: int, rng: np.random.Generator) -> int:
        mean, sd, width = self.index(state, t)
        return int((mean + width * sd).argmax())

    def update(self, state: SparQState, t: int, arm: int, y: float) -> SparQState:
        if arm not in state.pulled:
            state.pulled = [*state.pulled, arm]
        state.rows = [*state.rows, (arm, y, t, False)]
        return state

    def index(self, state: SparQState, t: int) -> tuple[np.ndarray, np.ndarray, float]:
        """Mean (m,), sd (m,) and width of round t (from 0), from the evidence alone."""
        seen = self.evidence(state, t)
        mean, sd = grid_posterior(state.gram, seen.arms, seen.y, seen.noise)
        return mean, sd, resolve(self.width, t, lambda: self._theory_width(state, seen.arms, seen.noise))

    def band(self, state: SparQState, t: int) -> Band:
        """Return the band that round t is decided with: mean -+ width * sd."""
        mean, sd, width = self.index(state, t)
        return Band(mean, mean - width * sd, mean + width * sd)

    def evidence(self, state: SparQState, t: int) -> Evidence:
        """Return the evidence behind the estimate of round t (from 0)."""
        arms, y, rounds, queried = zip(*state.rows, strict=True) if state.rows else ((), (), (), ())
        heard = np.array(rounds, int)
        noise = state.noise[t - heard]
        columns = np.array(arms, int), np.array(y, float), heard, np.array(queried, bool), noise
        if noise.max(initial=0.0) < np.inf:
            return Evidence(*columns)
        known = np.isfinite(noise)  # an infinite variance is a memory's word for forgotten
        return Evidence(*(column[known] for column in columns))

    @property
    def memory(self) -> Memory:
        """The memory of observations within a window."""
        return Keep()

    @property
    def keeps_start(self) -> bool:
        """True when the round before the questions is kept with the answers."""
        return False

    def _outlives(self, row: tuple[int, float, int, bool], t: int) -> bool:
        return self.keeps_start and row[2] == t - 1

    def _theory_width(self, state: SparQState, arms: np.ndarray, noise: np.ndarray) -> float:
        gain = log_det(state.gram[np.ix_(arms, arms)], noise)
        assert state.norm_bound is not None  # `init` asks for it when the width is "theory"
        return state.norm_bound + math.sqrt(2.0 * math.log(2.0 / self.delta) + gain)


@dataclass(frozen=True, kw_only=True)
class WSparQ(SparQ):
    r"""W-SparQ-GP-UCB: asks old questions at the starts of growing windows, and is a GP-UCB in between.

    In a window opened after round $t_j$ the posterior uses the answers and $x_{t_j+1},\dots$ with variance
    $\sigma^2(1+a^\alpha)$ at age a (0 for answers just heard: $0^\alpha=0$; predicting $f_t$ from round i,
    $a=t-i$). Windows: `window_starts`. All other fields as `SparQ`.

    Attributes:
        alpha: drift exponent $\alpha>0$, how fast old readings go stale.
        window_exponent: $\tilde\alpha\ge0$, larger for longer windows; the theorem asks for less than 1/3.
        append_start: also keep $(x_{t_j},y_{t_j})$, the round before the questions; the paper drops it.
    Raises:
        ValueError: as `SparQ`, or alpha or window_exponent is out of range.
    Source: Mauduit et al., Algorithm 2, eq. 12 and 32, Thm 3.10.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.WSparQ(), tv.observe.play_rng(0))
    >>> (np.flatnonzero(history.extra_queries)[:5] - 1).tolist()
    [0, 2, 4, 6, 8]
    """

    alpha: float = 1.0
    window_exponent: float = 0.25
    append_start: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        window_starts(0, self.alpha, self.window_exponent)

    def starts(self, horizon: int) -> list[int]:
        """Rounds s (from 1, below the horizon) after which a window opens."""
        return window_starts(horizon - 1, self.alpha, self.window_exponent)

    @property
    def memory(self) -> Memory:
        return Injected(self.alpha)

    @property
    def keeps_start(self) -> bool:
        return self.append_start
