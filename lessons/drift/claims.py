"""General statements of the lesson, as numbers that are counted over seeds."""

from __future__ import annotations

from lessons.drift.knobs import DRIFT_WORLD
from lessons.record import Claim, Values
from lessons.shared import worlds
from lessons.shared.problems import problem


def _largest_step(values: Values) -> float:
    """Return the largest step of the world on the right, as a share of all steps of the one on the left."""
    one, other = (problem(world) for world in worlds.pair(values, DRIFT_WORLD))
    return float(other.steps.max()) / one.sup_variation


def _total(values: Values) -> float:
    """Return V_T of the world on the right over that on the left."""
    one, other = (problem(world) for world in worlds.pair(values, DRIFT_WORLD))
    return other.sup_variation / one.sup_variation


ONE_STEP = Claim(
    "one jump is as large as the whole glide",
    "seed",
    _largest_step,
    lambda share: abs(share - 1.0) < 1e-6,
)
ROUGHER = Claim(
    "over 300 rounds the rougher reward has the larger total drift", "seed", _total, lambda ratio: ratio > 1.0
)
