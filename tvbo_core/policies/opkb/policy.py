r"""OPKB and ADA-OPKB: play a distribution over arms, estimate by importance weights, update after each block.

The estimate of a round played with strategy P is
$\hat R_t(x)=\varphi(x)^\top S(P,\sigma/T)^{-1}\varphi(x_t)y_t$; its average over an interval estimates the
average reward of the interval up to a small bias, whatever the drift.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tvbo_core.ask_tell import CheckedPolicy, RunState
from tvbo_core.gp.optimal_design import TOLERANCE, optimal_design, products
from tvbo_core.policies.elimination.schedule import resolve_restart
from tvbo_core.policies.opkb.constants import THEORY, TUNED, OPKBConstants, OPKBPlan
from tvbo_core.policies.opkb.strategy import OP, Strategy
from tvbo_core.policies.tuning import check_length
from tvbo_core.policies.width import largest_prior
from tvbo_core.records import Band, LearnerInfo
from tvbo_core.validation import check_delta, is_positive, is_word


@dataclass(frozen=True, eq=False)
class Block:
    """One block as it was begun.

    Attributes:
        number: j.   start: round 0, 1, ....   length: $2^jE$, even when the run ends earlier.
        weights: (m,) the strategy played, $P^{(j)}$.
        gaps: (m,) estimated gaps that it was made from, in scaled rewards, None for block 0.
        strategy: the solution of OP with its certificates, None for block 0.
    """

    number: int
    start: int
    length: int
    weights: np.ndarray
    gaps: np.ndarray | None = None
    strategy: Strategy | None = None


class OPKBRun(RunState):
    """The state of one run.

    A block begins with the first round that is asked, told or skipped in it, and does not depend on which.

    Attributes:
        plan: the constants.   blocks: every block begun, in order.
        restarts: rounds in which all was forgotten, because it was due or because a test called for it.
    """

    def __init__(self, rule: OPKB, known: LearnerInfo) -> None:
        self.plan, self.rule = rule.plan(known), rule
        self.gram, self.ridge = known.kernel(known.x, known.x), self.plan.ridge
        self._design_products = products(self.gram, self.plan.design.weights, self.ridge)
        self._sum: np.ndarray
        self._heard: int
        self._gaps: list[np.ndarray]
        self._products: list[np.ndarray]
        self._cumulated: list[np.ndarray]
        self.blocks: list[Block] = []
        self.restarts: list[int] = []
        self._begin_epoch(0)

    def choose(self, t: int, rng: np.random.Generator) -> int:
        """An arm drawn from the strategy of round t; a block that is due begins first."""
        self._enter(t, rng)
        cumulated = self._cumulated[self._playing]
        return int(np.searchsorted(cumulated, rng.random() * cumulated[-1], side="right"))

    def observe(self, t: int, arm: int, y: float) -> None:
        """The reward of round t, as an estimate of every arm's; the arm counts as drawn from the round's strategy."""
        self._enter(t)
        scaled = min(max(y / self.plan.scale, -1.0), 1.0)
        self._sum = self._sum + self._products[self._playing][arm] * scaled
        self._heard += 1
        self._leave(t)

    def skip(self) -> None:
        self._enter(self.t)
        self._leave(self.t)

    @property
    def left(self) -> int:
        """Rounds of this block that are still to come; all of the next one's where that is due."""
        rest = self.epoch + self.plan.horizon - self.t
        if not rest:
            return self.plan.length(0)
        return min(rest, self._block_end - self.t or self.plan.length(self._number + 1))

    @property
    def estimate(self) -> np.ndarray:
        """(m,) estimated average reward of the rounds heard since all was forgotten, divided by the scale."""
        return self._sum / max(self._heard, 1)

    def _enter(self, t: int, rng: np.random.Generator | None = None) -> None:
        """Begin what is due in round t; `rng` is the chance of `select`."""
        if t - self.epoch >= self.plan.horizon:
            self.restarts = [*self.restarts, t]
            self._begin_epoch(t)
        if t == self._block_end:
            self._begin_block(t)
        self._playing = self._number

    def _leave(self, t: int) -> None:
        """End what ends with round t."""
        if t + 1 == self._block_end:
            self._gaps = [*self._gaps, _gaps(self.estimate)]

    def _begin_epoch(self, t: int) -> None:
        self.epoch, self._block_end, self._number = t, t, -1
        self._sum, self._heard = np.zeros(len(self.gram)), 0
        self._gaps, self._products, self._cumulated = [], [], []

    def _begin_block(self, t: int) -> None:
        self._number += 1
        block = self._next_block(t)
        self.blocks = [*self.blocks, block]
        of_block = products(self.gram, block.weights, self.ridge) if self._number else self._design_products
        self._products = [*self._products, of_block]
        self._cumulated = [*self._cumulated, np.cumsum(block.weights)]
        self._block_end = t + block.length

    def _next_block(self, t: int) -> Block:
        j, plan = self._number, self.plan
        if j == 0:
            return Block(0, t, plan.length(0), plan.design.weights)
        gaps, before = self._gaps[-1], self.blocks[-1].strategy
        strategy = OP(
            self.gram,
            gaps,
            plan.alpha,
            plan.beta(j),
            plan.design,
            self.ridge,
            mixture=plan.constants.mixture,
            near=plan.near(j),
            tolerance=self.rule.tolerance,
            # The last solution is a good place to start from: gaps and weights change little.
            start=plan.design.weights if before is None else before.exploit.weights,
        )
        weights = (1.0 - plan.mu(j)) * strategy.weights + plan.mu(j) * plan.design.weights
        return Block(j, t, plan.length(j), weights, gaps, strategy)


class ADAOPKBRun(OPKBRun):
    """The state of a run that replays old strategies and starts over when they disagree.

    The first `select` of a block draws what is replayed in it; a block that is never asked in replays nothing. The
    draw is kept in `_replays`, which copies share until a reward is heard, as in `EliminationRun`.
    """

    def __init__(self, rule: OPKB, known: LearnerInfo) -> None:
        self._replays: dict[int, tuple[int, list[tuple[int, int, int]]]] = {}  # start -> round of the draw, intervals
        self._slots: list[tuple[int, int, int]] | None
        self._ends: dict[int, list[tuple[int, int]]]
        self._sums: dict[int, tuple[np.ndarray, int] | None]
        super().__init__(rule, known)

    def observe(self, t: int, arm: int, y: float) -> None:
        self._replays = self._replays.copy()
        super().observe(t, arm, y)

    def _enter(self, t: int, rng: np.random.Generator | None = None) -> None:
        super()._enter(t)
        block = self.blocks[-1]
        since, slots = self._replays.get(block.start, (t, None))
        if rng is not None and since >= t:  # nothing was heard or skipped since
            slots = schedule(self.plan.block, block.number, rng, self.plan.constants.first)
            self._replays[block.start] = t, slots
        if slots is not self._slots:
            self._follow(block, slots or [(block.number, 0, block.length)])
            self._slots = slots
        if t in self._sums:
            self._sums = {**self._sums, t: (self._sum, self._heard)}
        self._playing = int(self._levels[t - block.start])

    def _leave(self, t: int) -> None:
        super()._leave(t)
        for m, start in self._ends.get(t + 1, ()):
            before, heard = self._sums[start] or (self._sum, self._heard)
            if self._heard > heard and self._disagree(m, _gaps((self._sum - before) / (self._heard - heard))):
                self.restarts = [*self.restarts, t + 1]
                self._begin_epoch(t + 1)
                return

    def _begin_epoch(self, t: int) -> None:
        super()._begin_epoch(t)
        self._slots = []

    def _begin_block(self, t: int) -> None:
        super()._begin_block(t)
        self._slots = []  # followed by nothing yet

    def _follow(self, block: Block, slots: list[tuple[int, int, int]]) -> None:
        """Lay out the intervals in which a strategy is replayed."""
        t = block.start
        # A theory block may be far longer than the run: keep no more of it than can be played.
        left = self.plan.horizon - (t - self.epoch)
        self._levels = np.full(min(block.length, left), block.number)
        self._ends, self._sums = {}, {}
        for m, start, end in slots:
            self._levels[start:end] = np.minimum(self._levels[start:end], m)
            self._ends.setdefault(t + end, []).append((m, t + start))
            self._sums[t + start] = None

    def _disagree(self, m: int, gaps: np.ndarray) -> bool:
        """Return True when the gaps of an interval of level m contradict those of an earlier part of the epoch."""
        for k in range(self.plan.constants.first, self._number):
            before, limit = self._gaps[k], self.plan.limit(m, k)
            if max((gaps - 4.0 * before).max(), (before - 4.0 * gaps).max()) > limit:
                return True
        return False


def schedule(block: int, j: int, rng: np.random.Generator, first: int = 0) -> list[tuple[int, int, int]]:
    r"""Intervals (m, start, end) of block j in which strategy m may be played, counted from its first round.

    The block itself, and for each $m<j$ each of the $2^{j-m}$ slots of $2^mE$ rounds with probability
    $\sqrt{2^m/2^j}$; overlaps are played with the smallest m.

    Args:
        block: E.   first: the smallest m that is replayed.
    Source: Hong et al. (2023), SCHEDULE.
    """
    slots = [(j, 0, 2**j * block)]
    for m in range(first, j):
        length = 2**m * block
        starts = np.flatnonzero(rng.random(2 ** (j - m)) < 2.0 ** ((m - j) / 2))
        slots += [(m, int(s) * length, (int(s) + 1) * length) for s in starts]
    return slots


def _gaps(estimate: np.ndarray) -> np.ndarray:
    return estimate.max() - estimate


@dataclass(frozen=True)
class OPKB(CheckedPolicy):
    r"""Optimisation-based kernel bandit, and its restarted form.

    In block j arms are drawn from $(1-\mu_j)P^{(j)}+\mu_j\pi$: $P^{(j)}$ solves `OP` at the gaps estimated so far, and
    $\pi$ is the design with the largest log determinant.

    Attributes:
        constants: "theory" (the paper's), "tuned" (the authors' experiments) or your own `OPKBConstants`.
        sigma: $\sigma>0$ of the regulariser $\sigma/T$ (not the noise); the authors' experiments take 10 to
            100.
        restart: rounds until everything is forgotten, "paper" (from $V_T$), "unknown" (as if $V_T=1$) or None
            (never). The constants are then those of that many rounds.
        delta: failure probability (the authors' experiments: 1e-4).
        scale: what rewards are divided by before they are cut to [-1, 1]; None: $B\sqrt\kappa$ plus a bound
            that all noise keeps with probability $1-\delta$.
        tolerance: of the convex programs, as a share of the information gain.
    Raises:
        ValueError: a field is out of its range.
    Source: Hong et al. (2023), Algorithm 2; restarts: Iwazaki & Takeno, Theorem 3.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> plan = tv.OPKB(constants="tuned", scale=1.0, restart=30).plan(problem.known)
    >>> plan.horizon, [plan.length(j) for j in range(3)]
    (30, [1, 2, 4])
    """

    constants: str | OPKBConstants = "tuned"
    sigma: float = 100.0
    restart: int | str | None = None
    delta: float = 0.1
    scale: float | None = None
    tolerance: float = TOLERANCE

    def __post_init__(self) -> None:
        if not (isinstance(self.constants, OPKBConstants) or is_word(self.constants, ("theory", "tuned"))):
            raise ValueError(f'constants must be "theory", "tuned" or Constants, got {self.constants!r}')
        for name in ("sigma", "tolerance"):
            if not is_positive(getattr(self, name)):
                raise ValueError(f"{name} must be a positive finite number, got {getattr(self, name)!r}")
        if not (self.scale is None or is_positive(self.scale)):
            raise ValueError(f"scale must be a positive finite number or None, got {self.scale!r}")
        if self.restart is not None:
            check_length("restart", self.restart)
        check_delta(self.delta)

    def plan(self, known: LearnerInfo) -> OPKBPlan:
        """The constants in this problem: whether a reward will ever be looked at, how long the blocks are.

        Raises:
            ValueError: the problem brings fresh arms each round, or theory's scale has no norm bound to rely
                on.
        """
        if known.x.ndim != 2:
            raise ValueError(
                f"{type(self).__name__} needs the same arms each round, and this problem brings fresh ones"
            )
        horizon = resolve_restart(self.restart, known)
        gram = known.kernel(known.x, known.x)
        constants = (
            {"theory": THEORY, "tuned": TUNED}[self.constants] if isinstance(self.constants, str) else self.constants
        )
        scale = self._scale(known)
        design = optimal_design(gram, self.sigma / horizon, tolerance=self.tolerance)
        return OPKBPlan(horizon, len(gram), float(self.sigma), self.delta, constants, scale, design)

    def _scale(self, known: LearnerInfo) -> float:
        r"""Bound on $|y|$: on the rewards, plus $\rho\sqrt{2\ln(2T/\delta)}$ for the noise of all rounds."""
        if self.scale is not None:
            return float(self.scale)
        noise = known.noise_sd * math.sqrt(2.0 * math.log(2.0 * known.horizon / self.delta))
        kappa = largest_prior(known)
        if known.norm_bound is None and self.constants != "theory":
            # No bound exists: take one that rewards drawn from the prior keep with probability 1 - delta.
            draws = 2.0 * len(known.x) * known.horizon / self.delta
            return math.sqrt(kappa * 2.0 * math.log(draws)) + noise or 1.0
        if known.norm_bound is None:
            raise ValueError(
                f"{type(self).__name__} divides rewards by a bound on them, and this problem has none; "
                "give scale a number"
            )
        return known.norm_bound * math.sqrt(kappa) + noise or 1.0

    def init(self, known: LearnerInfo) -> OPKBRun:
        """A fresh run; errors as `plan`."""
        return OPKBRun(self, known)

    def select(self, state: OPKBRun, t: int, rng: np.random.Generator) -> int:
        return state.choose(t, rng)

    def update(self, state: OPKBRun, t: int, arm: int, y: float) -> OPKBRun:
        state.observe(t, arm, y)
        return state

    def ahead(self, state: OPKBRun, t: int) -> int:
        """Return how many arms from round t on are drawn from one plan: the rest of the block."""
        return state.left

    def band(self, state: OPKBRun, t: int) -> Band:
        """Return the estimated average reward since all was forgotten, between the bounds that OPKB assumes.

        It has no band of its own: it relies on $|y|\\le$ scale alone.
        """
        scale = np.full(len(state.gram), state.plan.scale)
        return Band(np.clip(state.estimate, -1.0, 1.0) * scale, -scale, scale)


@dataclass(frozen=True)
class ADAOPKB(OPKB):
    r"""OPKB that finds out by itself when to start over.

    Old strategies are replayed at random; where their estimates contradict what was found before, a new epoch
    begins. Formula, attributes and errors as `OPKB`; `restart` additionally starts over by the clock, None is the
    paper.

    Source: Hong et al. (2023), Algorithms 3 and 4.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> plan = tv.ADAOPKB(constants="tuned", scale=1.0).plan(problem.known)
    >>> plan.horizon, [plan.length(j) for j in range(3)]
    (60, [1, 2, 4])
    """

    def init(self, known: LearnerInfo) -> ADAOPKBRun:
        return ADAOPKBRun(self, known)
