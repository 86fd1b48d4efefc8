"""General statements of the lesson about its runs, as numbers that are counted over blocks of seeds."""

from __future__ import annotations

from lessons.record import Claim, Values
from lessons.shared.odds import block
from lessons.shared.stored_runs import played
from lessons.theorems.runs import model


def _above_the_floor(values: Values) -> float:
    """Return the mean regret over the lower bound, at the horizon where that is smallest."""
    setting = model.setting_from(block(values))
    jobs = [job for _, job in model.jobs(setting)]
    found = model.gather(setting, played(jobs, model.FILE))
    return float((found.mean / found.proved.floor).min())


def _useful(values: Values) -> float:
    """Return the proved bound over the trivial bound, at the longest horizon."""
    proved = model.proved(model.setting_from(block(values)))
    return proved.bounds[-1].total / float(proved.trivial[-1])


def _bound(values: Values) -> float:
    """Return the proved bound at the longest horizon; 0 where the runs are not above the lower bound everywhere."""
    bound = model.proved(model.setting_from(block(values))).bounds[-1].total
    return bound if _above_the_floor(values) > 1.0 else 0.0


MILLIONS = Claim(
    "the mean of the runs lies above the lower bound at every horizon, and the bound proved for R-PERP at T = 1,600 is "
    "in the millions",
    "seed",
    _bound,
    lambda bound: 1e6 < bound < 1e7,
)
USEFUL = Claim("at T = 1,600 the proved bound is below the trivial bound", "seed", _useful, lambda ratio: ratio < 1.0)
