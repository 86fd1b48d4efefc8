"""One window of the side queries: three ways to pick the old points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from common.cache import keyed
from lessons.side_queries import planner
from lessons.side_queries.model import FirstSeed
from lessons.side_queries.sparse_stacks import stacked_nystrom_left
from tvbo_core.gp.kdpp import KDPP

PICKERS = ("exact", "greedy", "random")
PICK_STREAM = 11  # of a world's seed; the core and the other pages use others
DRAWS = 60  # over which the mean of a way to pick is taken
_picks = keyed(64)


@dataclass(frozen=True, eq=False)
class PickedSet:
    """One way to choose the old points of the side queries.

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


def picks(first: FirstSeed, window: int) -> WindowPicks:
    """Return three ways to choose at a window (from 1): k-DPP, greedy, random; the run's own picks are among them."""
    return _picks((first.setting, window), lambda: _drawn_picks(first, window))


def _drawn_picks(first: FirstSeed, window: int) -> WindowPicks:
    setting = first.setting
    row = int(first.starts[window - 1])
    planned = int(planner.asked(np.array([row]), setting.q, first.problem.x.shape[1])[0])
    past = first.plays["W-SparQ"].arms[:row]
    distinct = np.unique(past)
    points = KDPP(first.gram[np.ix_(distinct, distinct)])
    made = []
    for number, picker in enumerate(PICKERS):
        rng = np.random.default_rng([setting.world.seed, PICK_STREAM, row, number])
        draws = [distinct[picks] for picks in points.draws(DRAWS, planned, rng, picker)]
        own = picker == setting.picker
        arms = np.sort(first.plays["W-SparQ"].asked_before(row)[0]) if own else draws[0]
        left = _unexplained(first.gram, [*draws, arms], past)
        made.append(_pick(first.gram, picker, own, arms, float(left[-1]), float(left[:-1].mean())))
    return WindowPicks(window, row, past, len(made[PICKERS.index(setting.picker)].arms), planned, tuple(made))


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
