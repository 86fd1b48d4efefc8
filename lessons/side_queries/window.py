"""One window of the side queries under the glass: the pick, whether it can be trusted, and what is affordable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lessons.shared.cache import kept, shared
from lessons.side_queries.model import Asked, Setting, asked
from tvbo_core.designs import clustered_design, random_design
from tvbo_core.gp import grid_posterior, log_det
from tvbo_core.gp.grid import merge_repeats
from tvbo_core.gp.kdpp import KDPP
from tvbo_core.gp.sparse import SparseBySize, by_size, stacked_nystrom_left, variational_posterior
from tvbo_core.policies.side_queries import budget as planner
from tvbo_core.policies.side_queries.budget import WINDOW_EXPONENTS, QueryPlan, QueryTotals

PICKERS = ("exact", "greedy", "random")
PICK_STREAM = 11  # of a world's seed; the core and the other pages use others
DRAWS = 60  # draws that the mean of a way to pick is taken over
FAR = 100_000  # rounds on the axis of the totals
CONSTANTS = (0.5, 1.0, 2.0)  # that the plan shows beside the reader's


@dataclass(frozen=True, eq=False)
class Pick:
    """One way to choose which old questions to ask again.

    Attributes:
        picker: see `kdpp`.   own: whether these are the run's own picks.
        arms: (k,) chosen.   matrix: (k, k) their prior covariance over the variance.
        log_det: of `matrix`, None where it is singular to rounding.
        unexplained: share of the prior variance of all past inputs that the chosen ones leave unexplained.
        mean: the same, over `DRAWS` draws of this way to pick.
    """

    picker: str
    own: bool
    arms: np.ndarray
    matrix: np.ndarray
    log_det: float | None
    unexplained: float
    mean: float


@dataclass(frozen=True, eq=False)
class Picks:
    """The pick at one window: the past inputs, how many are chosen, and three ways to choose them."""

    window: int
    row: int
    past: np.ndarray
    size: int
    planned: int
    ways: tuple[Pick, ...]


@shared(64)
def picks(setting: Setting, window: int) -> Picks:
    """Three ways to choose at a window (from 1): k-DPP, greedy, random; the run's own picks are among them."""
    show = asked(setting)
    row = int(show.starts[window - 1])
    planned = int(planner.asked(np.array([row]), setting.q, show.problem.x.shape[1])[0])
    past = _inputs(show, setting.inputs, row)
    distinct = np.unique(past)
    points = KDPP(show.gram[np.ix_(distinct, distinct)])
    made = []
    for number, picker in enumerate(PICKERS):
        rng = np.random.default_rng([setting.world.seed, PICK_STREAM, row, number])
        draws = [distinct[picks] for picks in points.draws(DRAWS, planned, rng, picker)]
        own = setting.inputs == "own" and picker == setting.picker
        arms = np.sort(show.plays["W-SparQ"].asked_before(row)[0]) if own else draws[0]
        left = _unexplained(show.gram, [*draws, arms], past)
        made.append(_pick(show.gram, picker, own, arms, float(left[-1]), float(left[:-1].mean())))
    return Picks(window, row, past, len(made[PICKERS.index(setting.picker)].arms), planned, tuple(made))


def _inputs(show: Asked, where: str, n: int) -> np.ndarray:
    """(n,) arms asked in the past, as chosen."""
    if where == "own" or (where == "clustered" and show.problem.arm_names is not None):
        return show.plays["W-SparQ"].arms[:n]
    design = clustered_design if where == "clustered" else random_design
    return design(show.problem, n, np.random.default_rng([show.setting.world.seed, PICK_STREAM])).arms


def _unexplained(gram: np.ndarray, sets: Sequence[np.ndarray], past: np.ndarray) -> np.ndarray:
    """Share of the prior variance of the past inputs that each of these sets of arms leaves unexplained."""
    count = np.bincount(past, minlength=len(gram))
    total = float(count @ gram.diagonal())
    return stacked_nystrom_left(gram, sets) @ count / total if total > 0 else np.zeros(len(sets))


def _pick(gram: np.ndarray, picker: str, own: bool, arms: np.ndarray, unexplained: float, mean: float) -> Pick:
    K = gram[np.ix_(arms, arms)]
    scale = np.sqrt(K.diagonal())
    matrix = K / np.outer(scale, scale) if (scale > 0).all() else np.eye(len(arms))
    sign, log = np.linalg.slogdet(matrix) if len(arms) else (1.0, 0.0)
    regular = sign > 0 and np.isfinite(log)
    return Pick(picker, own, arms, matrix, float(log) if regular else None, unexplained, mean)


@shared(64)
def sizes(setting: Setting, window: int) -> SparseBySize:
    """Both sparse posteriors against the full one by number of points, at a window (from 1) of the run."""
    show = asked(setting)
    row = int(show.starts[window - 1])
    rng = np.random.default_rng([setting.world.seed, PICK_STREAM, row])
    return by_size(show.gram, show.plays["W-SparQ"].arms[:row], show.ridge, setting.picker, rng)


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What two posteriors say of today's reward: (mean, sd), each (m,), and the readings of the first."""

    truth: np.ndarray
    printed: tuple[np.ndarray, np.ndarray]
    variational: tuple[np.ndarray, np.ndarray]
    arms: np.ndarray
    y: np.ndarray
    asked: np.ndarray
    everything: int


@shared(64)
def beliefs(setting: Setting, row: int) -> Beliefs:
    """The estimate as printed, and the variational one: all that was ever heard, through the points in use."""
    show = asked(setting)
    h, seen, p = show.plays["W-SparQ"], show.evidence[row], show.problem
    when = np.concatenate([np.repeat(np.arange(row + 1), h.extra_queries[: row + 1]), np.arange(row)])
    re_asked = int(h.extra_queries[: row + 1].sum())
    arms = np.concatenate([h.asked[:re_asked], h.arms[:row]])
    y = np.concatenate([h.answers[:re_asked], h.y[:row]])
    noise = show.policy.memory.noise(row - when, show.ridge)
    printed = grid_posterior(show.gram, seen.arms, seen.y, seen.noise)
    through = variational_posterior(p.kernel, p.x[arms], y, p.x[np.unique(seen.arms)], p.x, noise)
    return Beliefs(p.f[row].copy(), printed, through, seen.arms, seen.y, seen.asked, len(arms))


@shared(24)
def gains(setting: Setting) -> tuple[float, float]:
    """log det of all past inputs at the end: with one noise, and with injected noise (no half; eq. 12)."""
    show = asked(setting)
    arms = show.plays["W-SparQ"].arms
    ages = len(arms) - np.arange(len(arms))
    plain, injected = np.full(len(arms), show.ridge), show.policy.memory.noise(ages, show.ridge)
    return _gain(show.gram, arms, plain), _gain(show.gram, arms, injected)


def _gain(gram: np.ndarray, arms: np.ndarray, noise: np.ndarray) -> float:
    """`log_det` of all these observations, from one of every arm that carries as much (Sylvester's identity)."""
    distinct, _, merged = merge_repeats(arms, np.zeros(len(arms)), noise)
    return log_det(gram[np.ix_(distinct, distinct)], merged)


def grown(show: Asked) -> QueryTotals:
    """How both schedules of this page grow."""
    s = show.setting
    return totals(show.horizon, s.alpha, s.window_exponent, s.q, show.problem.x.shape[1])


@shared(64)
def totals(T: int, alpha: float, window_exponent: float, q: float, dimension: int) -> QueryTotals:
    """Planned totals of both schedules, far beyond the play."""
    return planner.totals(max(T, FAR), alpha, window_exponent, q, dimension)


@shared(64)
def plan(T: int, alpha: float, dimension: int, budget: int) -> QueryPlan:
    """What a budget of questions can buy."""
    return planner.plan(T, alpha, dimension, budget, schedules=_schedules(T, alpha))


def _schedules(T: int, alpha: float) -> list[np.ndarray]:
    """The schedule of every window exponent that the planner tries: the plan and its prices ask for the same."""
    return kept(("schedules", T, alpha), lambda: [planner.schedule(T, alpha, w) for w in WINDOW_EXPONENTS])


@shared(64)
def costs(T: int, alpha: float, dimension: int, qs: Sequence[float]) -> np.ndarray:
    """(len(qs), E) total side queries of every window exponent that the planner tries."""
    starts = _schedules(T, alpha)
    return np.array([[planner.asked(s, q, dimension).sum() for s in starts] for q in qs], dtype=float)


def priced(found: QueryPlan, q: float) -> tuple[tuple[float, ...], np.ndarray, tuple[float, int] | None]:
    """What the plan's figure shows: constants, their totals by window exponent, and the schedule that is chosen."""
    qs = tuple(sorted({*CONSTANTS, q}))
    fit, priced_at = found.chosen(q), costs(found.T, found.alpha, found.dimension, qs)
    if fit is None:
        return qs, priced_at, None
    at = WINDOW_EXPONENTS.index(fit.window_exponent)
    return qs, priced_at, (fit.window_exponent, int(priced_at[qs.index(q), at]))
