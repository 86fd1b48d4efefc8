"""General statements of the lesson, as numbers that are counted over seeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lessons.chase import model
from lessons.chase.model import HEIGHT, ROUNDS, Learner, Setting
from lessons.record import Claim, Values

SETTLED_FROM, STALE_IN = 12, 50  # rounds that the moments show
FOLLOWER = "10"  # rounds: the memory that the page opens with


def _learner(setting: Setting, memory: str) -> Learner:
    return model.chase(replace(setting, memory=memory, beside=False)).learners[0]


def _settled(values: Values) -> float:
    """Return the largest gap from the moment's round on, as a share of the hill's height."""
    one = _learner(model.setting(values), str(values["memory"]))
    return float(one.history.regret[SETTLED_FROM - 1 :].max()) / HEIGHT


def _stale(values: Values) -> float:
    """Return the gap in the moment's round, as a share of the hill's height."""
    return float(_learner(model.setting(values), "all").history.regret[STALE_IN - 1]) / HEIGHT


def _ratio(less: str, more: str, rounds: int = ROUNDS) -> Callable[[Values], float]:
    """Return the claim's number: what one memory has paid after some rounds over what another one has."""

    def number(values: Values) -> float:
        s = model.setting(values)
        return float(_learner(s, less).paid[rounds - 1] / _learner(s, more).paid[rounds - 1])

    return number


SETTLES = Claim(
    "from round 12 on the gap stays below a tenth of the hill's height", "hill", _settled, lambda gap: gap < 0.1
)
STALE = Claim(
    "in round 50 the gap of who keeps all is above half the hill's height", "hill", _stale, lambda gap: gap > 0.5
)
FOLLOWS = Claim(
    "after round 50 who forgets has paid less than 0.8 of who keeps all",
    "hill",
    _ratio(FOLLOWER, "all", STALE_IN),
    lambda ratio: ratio < 0.8,
)
PAYS_LESS = Claim(
    "after the last round who forgets has paid less than 0.8 of who keeps all",
    "hill",
    _ratio(FOLLOWER, "all"),
    lambda ratio: ratio < 0.8,
)
TOO_MUCH = Claim(
    "after round 50 a half-life of one round has cost over 1.25 times one of ten",
    "hill",
    _ratio("1", FOLLOWER, STALE_IN),
    lambda ratio: ratio > 1.25,
)
