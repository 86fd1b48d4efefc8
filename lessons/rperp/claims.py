"""General statements of the lesson, as numbers that are counted over seeds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lessons.record import Claim, Values
from lessons.rperp import model
from lessons.rperp.knobs import QUESTIONS, RPERP_WORLD
from lessons.rperp.model import PairedRuns
from lessons.rperp.setting import RPERPSetting

OFTEN, TWO_THIRDS = 0.8, 2 / 3  # of the known order's error


def _runs(values: Values) -> PairedRuns:
    return model.paired_runs(model.setting_from(values))


def _median(values: Values) -> float:
    """Return the median of the shuffles' largest errors over x, as a share of the known order's largest."""
    found = _runs(values).pulls(0)
    return found.median / float(abs(found.known.error))


def _fewer(values: Values) -> float:
    """Return the least number of actions that an elimination of the first restart drops."""
    runs = _runs(values)
    left = runs.survivors("R-PERP", sum(b.interval == 1 for b in runs.batches) - 1)
    return float(-np.diff(left).max())


def _dropped(values: Values) -> float:
    """Return how many actions the first batch drops."""
    return float((~_runs(values).batches[0].survivors).sum())


MEDIAN = Claim(
    f"after {QUESTIONS} queries half of the random orders have less than 2/3 of the known order's largest error",
    "seed",
    _median,
    lambda share: share < TWO_THIRDS,
)
ABOUT_HALF = Claim(
    "the median of 400 shuffles' largest errors over x is from a quarter to three quarters of the known order's",
    "seed",
    _median,
    lambda share: 0.25 < share < 0.75,
)
FEWER = Claim(
    "in a glide with $V_T$ = 4 and a restart every 50 rounds each batch of the first restart but its last leaves "
    "fewer candidates",
    "seed",
    _fewer,
    lambda least: least >= 1,
)
DROPS = Claim("the first batch drops actions", "seed", _dropped, lambda dropped: dropped >= 1)
TOO_FEW = Claim(
    "of five queries the median of 400 shuffles' largest errors over x is over 0.8 of the known order's",
    "seed",
    _median,
    lambda share: share > OFTEN,
)


def counted(setting: RPERPSetting) -> bool:
    """Return whether the median shuffle was counted in worlds like this: the opening's, with any seed."""
    same = {key: getattr(setting.world, key) for key in ("seed", "nu", "epsilon", "alpha")}  # the last three are idle
    return setting.follows and (setting.world, setting.restart) == (replace(RPERP_WORLD, **same), RPERP_WORLD.horizon)
