"""General statements of the lesson, as numbers that are counted over blocks of seeds of the noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lessons.real_data import model
from lessons.real_data.model import Trial
from lessons.record import Claim, Values
from lessons.shared.odds import block

KEEP_ALL = ("Random", "GP-UCB")


def _trial(values: Values, *methods: str) -> Trial:
    setting = model.setting_from(block(values))
    return model.race(replace(setting, methods=methods) if methods else setting)


def _ends(trial: Trial) -> dict[str, float]:
    return {name: float(np.median(total[:, -1])) for name, total in trial.total.items()}


def _who_forgets(values: Values) -> float:
    """Return the largest regret of a method that forgets over GP-UCB's."""
    ends = _ends(_trial(values))
    return max(end for name, end in ends.items() if name not in KEEP_ALL) / ends["GP-UCB"]


def _beside_one_arm(values: Values) -> float:
    """Return the least regret of a method over that of the best single arm."""
    trial = _trial(values)
    return min(_ends(trial).values()) / float(trial.fixed[1].sum())


def _starting_over(values: Values) -> float:
    """Return R-PERP's regret over PE's."""
    ends = _ends(_trial(values, "pe", "rperp"))
    return ends["R-PERP"] / ends["PE"]


FORGETTING_PAYS = Claim(
    "by the end every method that forgets has less regret than GP-UCB", "seed", _who_forgets, lambda ratio: ratio < 1.0
)
ONLY_AVERAGES = Claim(
    "in a random order no method has less regret by the end than the best single arm",
    "seed",
    _beside_one_arm,
    lambda ratio: ratio > 1.0 - 1e-6,
)  # a tie is a ratio of sums: equal but for rounding
STARTING_OVER = Claim("by the end R-PERP has less regret than PE", "seed", _starting_over, lambda ratio: ratio < 1.0)
