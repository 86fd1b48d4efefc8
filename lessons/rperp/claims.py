"""General statements of the lesson, as numbers that are counted over seeds."""

from __future__ import annotations

import numpy as np

from lessons.record import Claim, Values
from lessons.rperp import model
from lessons.rperp.model import SHUFFLES, PairedRuns
from lessons.rperp.pulls import HALF

NEARLY_NOTHING = 0.1  # of the known order's error
OFTEN = 0.8  # of the shuffles
ONE_WAY = 0.9  # of the sizes of all pulls


def _runs(values: Values) -> PairedRuns:
    return model.paired_runs(model.setting_from(values))


def _less(values: Values) -> float:
    """Return the share of the shuffles that err less than half as much as the known order."""
    return _runs(values).pulls(0).less / SHUFFLES


def _averaged(values: Values) -> float:
    """Return the average error of the shuffles, as a share of the known order's."""
    found = _runs(values).pulls(0)
    return float(abs(found.error(found.others).mean()) / abs(found.error(found.known)))


def _left(values: Values) -> float:
    """Return what is left of the shuffle's pulls, as a share of their sizes; 1 where the known order's cancel too."""
    found = _runs(values).pulls(0)
    known, mine = (float(abs(each.sum()) / np.abs(each).sum()) for each in (found.known, found.shuffled))
    return mine if known > ONE_WAY else 1.0


def _fewer(values: Values) -> float:
    """Return the least number of actions that an elimination of the first restart drops."""
    runs = _runs(values)
    left = runs.survivors("R-PERP", sum(b.interval == 1 for b in runs.batches) - 1)
    return float(-np.diff(left).max())


def _dropped(values: Values) -> float:
    """Return how many actions the first batch drops."""
    return float((~_runs(values).batches[0].survivors).sum())


ONE_SHUFFLE = Claim(
    "where the known order errs most, the shuffle of the run errs less than half as much",
    "seed",
    lambda values: _runs(values).pulls(0).share,
    lambda share: share < HALF,
)
CANCELS = Claim(
    "nine tenths of the known order's pulls go one way, and over half of the shuffle's cancel",
    "seed",
    _left,
    lambda left: left < HALF,
)
FEWER = Claim(
    "each batch of the first restart but the last leaves fewer candidates", "seed", _fewer, lambda least: least >= 1
)
DROPS = Claim("the first batch drops actions", "seed", _dropped, lambda dropped: dropped >= 1)
TOO_FEW = Claim(
    "less than 80 % of the shuffles err less than half as much as the known order",
    "seed",
    _less,
    lambda share: share < OFTEN,
)
AVERAGES = Claim(
    "the average of 400 shuffles errs less than a tenth as much as the known order",
    "seed",
    _averaged,
    lambda share: share < NEARLY_NOTHING,
)
