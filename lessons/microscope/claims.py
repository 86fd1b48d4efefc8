"""General statements of the lesson, as numbers that are counted over seeds."""

from __future__ import annotations

from collections.abc import Callable

from lessons.microscope import model
from lessons.record import Claim, Values

EVER_AT, TEN_AT, SIGN_AT, WALK_AT = 27, 9, 8, 32  # frames of the sweep at which the moments stand


def _share(name: str, frame: int, of: str = "", minus: str = "") -> Callable[[Values], float]:
    """Return the claim's number: the value of a curve at a frame, over or minus that of another one."""

    def number(values: Values) -> float:
        key = str(values["statement"])
        found = model.experiment(key, model.setting_from(key, values))
        value = float(found.value(name)[frame])
        value = value / float(found.value(of)[frame]) if of else value
        return value - float(found.value(minus)[frame]) if minus else value

    return number


EVER = Claim(
    "in over half of the runs the interval fails at some time",
    "seed",
    _share("missed at least once", EVER_AT),
    lambda share: share > 0.5,
)
TEN_ANSWERS = Claim(
    "ten observations leave more variance than all observations through their ten points",
    "seed",
    _share("subset of data", TEN_AT, of="variational"),
    lambda ratio: ratio > 1.0,
)
SIGN = Claim(
    "with a minus sign the bound lies below an admissible function",
    "seed",
    _share("with minus", SIGN_AT, minus="a function of the set"),
    lambda gap: gap < 0.0,
)
WALK = Claim(
    "under a random walk the interval holds less often than stated",
    "seed",
    _share("random walk", WALK_AT, minus="stated"),
    lambda gap: gap < 0.0,
)
