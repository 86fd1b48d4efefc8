"""One window of the side queries: the pick, its distance from the full posterior, and the two sparse posteriors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from common.cache import keyed
from lessons.side_queries import planner
from lessons.side_queries.model import FirstSeed
from lessons.side_queries.sparse_stacks import SparseBySize, by_size, stacked_nystrom_left
from tvbo_core.designs import clustered_design, random_design
from tvbo_core.gp import grid_posterior, log_det
from tvbo_core.gp.grid import merge_repeats
from tvbo_core.gp.kdpp import KDPP
from tvbo_core.gp.sparse import variational_posterior

PICKERS = ("exact", "greedy", "random")
PICK_STREAM = 11  # of a world's seed; the core and the other pages use others
DRAWS = 60  # over which the mean of a way to pick is taken
_picks, _sizes, _posteriors, _gains = keyed(64), keyed(64), keyed(64), keyed(24)


@dataclass(frozen=True, eq=False)
class PickedSet:
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
class WindowPicks:
    """The pick at one window: the past inputs, how many are chosen, and three ways to choose them."""

    window: int
    row: int
    past: np.ndarray
    size: int
    planned: int
    ways: tuple[PickedSet, ...]


def picks(first: FirstSeed, inputs: str, window: int) -> WindowPicks:
    """Return three ways to choose at a window (from 1): k-DPP, greedy, random; the run's own picks are among them.

    Args:
        inputs: where the past inputs come from, see `SideQueriesSetting`.
    """
    return _picks((first.setting, inputs, window), lambda: _drawn_picks(first, inputs, window))


def _drawn_picks(first: FirstSeed, inputs: str, window: int) -> WindowPicks:
    setting = first.setting
    row = int(first.starts[window - 1])
    planned = int(planner.asked(np.array([row]), setting.q, first.problem.x.shape[1])[0])
    past = _inputs(first, inputs, row)
    distinct = np.unique(past)
    points = KDPP(first.gram[np.ix_(distinct, distinct)])
    made = []
    for number, picker in enumerate(PICKERS):
        rng = np.random.default_rng([setting.world.seed, PICK_STREAM, row, number])
        draws = [distinct[picks] for picks in points.draws(DRAWS, planned, rng, picker)]
        own = inputs == "own" and picker == setting.picker
        arms = np.sort(first.plays["W-SparQ"].asked_before(row)[0]) if own else draws[0]
        left = _unexplained(first.gram, [*draws, arms], past)
        made.append(_pick(first.gram, picker, own, arms, float(left[-1]), float(left[:-1].mean())))
    return WindowPicks(window, row, past, len(made[PICKERS.index(setting.picker)].arms), planned, tuple(made))


def _inputs(first: FirstSeed, where: str, n: int) -> np.ndarray:
    """Return (n,) arms asked in the past, as chosen."""
    if where == "own" or (where == "clustered" and first.problem.arm_names is not None):
        return first.plays["W-SparQ"].arms[:n]
    design = clustered_design if where == "clustered" else random_design
    return design(first.problem, n, np.random.default_rng([first.setting.world.seed, PICK_STREAM])).arms


def _unexplained(gram: np.ndarray, sets: Sequence[np.ndarray], past: np.ndarray) -> np.ndarray:
    """Return the share of the prior variance of the past inputs that each of these sets of arms leaves unexplained."""
    count = np.bincount(past, minlength=len(gram))
    total = float(count @ gram.diagonal())
    return stacked_nystrom_left(gram, sets) @ count / total if total > 0 else np.zeros(len(sets))


def _pick(gram: np.ndarray, picker: str, own: bool, arms: np.ndarray, unexplained: float, mean: float) -> PickedSet:
    """Return a set of arms with its correlation matrix and log determinant."""
    K = gram[np.ix_(arms, arms)]
    scale = np.sqrt(K.diagonal())
    matrix = K / np.outer(scale, scale) if (scale > 0).all() else np.eye(len(arms))
    sign, log = np.linalg.slogdet(matrix) if len(arms) else (1.0, 0.0)
    regular = sign > 0 and np.isfinite(log)
    return PickedSet(picker, own, arms, matrix, float(log) if regular else None, unexplained, mean)


def sizes(first: FirstSeed, window: int) -> SparseBySize:
    """Return both sparse posteriors against the full one by number of points, at a window (from 1) of the run."""

    def found() -> SparseBySize:
        row = int(first.starts[window - 1])
        rng = np.random.default_rng([first.setting.world.seed, PICK_STREAM, row])
        return by_size(first.gram, first.plays["W-SparQ"].arms[:row], first.ridge, first.setting.picker, rng)

    return _sizes((first.setting, window), found)


@dataclass(frozen=True, eq=False)
class TwoPosteriors:
    """Two posteriors of today's reward: (mean, sd), each (m,), and the readings of the printed one.

    Attributes:
        truth: (m,) reward.   printed: of the algorithm.   variational: of all readings, through the same places.
        arms, y, asked: (n,) readings of the printed one, and which of them were asked again.
        everything: number of all readings.
    """

    truth: np.ndarray
    printed: tuple[np.ndarray, np.ndarray]
    variational: tuple[np.ndarray, np.ndarray]
    arms: np.ndarray
    y: np.ndarray
    asked: np.ndarray
    everything: int


def posteriors(first: FirstSeed, row: int) -> TwoPosteriors:
    """Return the estimate as printed, and the variational one: all that was ever heard, through the points in use."""
    return _posteriors((first.setting, row), lambda: _both(first, row))


def _both(first: FirstSeed, row: int) -> TwoPosteriors:
    h, seen, p = first.plays["W-SparQ"], first.evidence[row], first.problem
    when = np.concatenate([np.repeat(np.arange(row + 1), h.extra_queries[: row + 1]), np.arange(row)])
    re_asked = int(h.extra_queries[: row + 1].sum())
    arms = np.concatenate([h.asked[:re_asked], h.arms[:row]])
    y = np.concatenate([h.answers[:re_asked], h.y[:row]])
    noise = first.policy.memory.noise(row - when, first.ridge)
    printed = grid_posterior(first.gram, seen.arms, seen.y, seen.noise)
    through = variational_posterior(p.kernel, p.x[arms], y, p.x[np.unique(seen.arms)], p.x, noise)
    return TwoPosteriors(p.f[row].copy(), printed, through, seen.arms, seen.y, seen.asked, len(arms))


def gains(first: FirstSeed) -> tuple[float, float]:
    """Return log det of all past inputs at the end: with one noise, and with injected noise (no half; eq. 12)."""

    def found() -> tuple[float, float]:
        arms = first.plays["W-SparQ"].arms
        ages = len(arms) - np.arange(len(arms))
        plain, injected = np.full(len(arms), first.ridge), first.policy.memory.noise(ages, first.ridge)
        return _gain(first.gram, arms, plain), _gain(first.gram, arms, injected)

    return _gains(first.setting, found)


def _gain(gram: np.ndarray, arms: np.ndarray, noise: np.ndarray) -> float:
    """Return `log_det` of all these observations, from one an arm that carries as much (Sylvester's identity)."""
    distinct, _, merged = merge_repeats(arms, np.zeros(len(arms)), noise)
    return log_det(gram[np.ix_(distinct, distinct)], merged)
