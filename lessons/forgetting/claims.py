"""General statements of the lesson, as numbers that are counted over blocks of seeds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lessons.forgetting import model
from lessons.record import Claim, Values
from lessons.shared.odds import block
from lessons.shared.stored_runs import played


def _bowl(values: Values) -> np.ndarray:
    """(k+1,) median regret at each memory of the grid and at endless memory, in the world that is chosen alone."""
    past, full = model.chosen(block(values))
    setting = replace(full, worlds=(past.world,))
    sweep = model.gather(
        setting, played(model.jobs(setting, ("gp", setting.front)), model.FILE), (past.world.horizon - 1,)
    )
    curve, never = sweep.front(0), sweep.limit(0)
    assert curve is not None and never is not None
    return np.array([*curve.median[:, -1], never])


def _lower_end(values: Values) -> float:
    """Return the regret of the shortest or of endless memory, the smaller one, over the least."""
    pays = _bowl(values)
    return float(min(pays[0], pays[-1]) / pays.min())


BOWL = Claim(
    "the shortest and endless memory each cost over 1.25 times the least",
    "seed",
    _lower_end,
    lambda ratio: ratio > 1.25,
)
BOTH_BELIEFS = Claim(
    "far too much change, and none, each cost over 1.5 times the least", "seed", _lower_end, lambda ratio: ratio > 1.5
)
