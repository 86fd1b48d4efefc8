"""General statements of the lesson, as numbers that are counted over seeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

import tvbo_core as tv
from common.formats import percent, two_decimals
from lessons.chase import knobs, model
from lessons.chase.model import ChaseLearner
from lessons.chase.setting import HEIGHT, NOISE, ROUNDS, ChaseSetting, policy, setting_from
from lessons.record import Claim, Limit, Strip, Values
from lessons.shared.odds import Odds

SETTLED_FROM, STALE_IN = 12, 50  # rounds that the moments show
FOLLOWER = "10"  # rounds: the memory that the page opens with


def _learner(setting: ChaseSetting, memory: str) -> ChaseLearner:
    return model.chase(replace(setting, memory=memory, beside=False)).learners[0]


def _settled(values: Values) -> float:
    """Return the largest gap from the moment's round on, as a share of the hill's height."""
    one = _learner(setting_from(values), str(values["memory"]))
    return float(one.history.regret[SETTLED_FROM - 1 :].max()) / HEIGHT


def _stale(values: Values) -> float:
    """Return the gap in the moment's round, as a share of the hill's height."""
    return float(_learner(setting_from(values), "all").history.regret[STALE_IN - 1]) / HEIGHT


def _ratio(less: str, more: str, rounds: int = ROUNDS) -> Callable[[Values], float]:
    """Return the claim's number: the regret of one memory after some rounds over that of another."""

    def number(values: Values) -> float:
        s = setting_from(values)
        return float(_learner(s, less).paid[rounds - 1] / _learner(s, more).paid[rounds - 1])

    return number


SETTLES = Claim("from round 12 the gap stays under 10 % of the hill's height", "hill", _settled, Limit(0.1))
STALE = Claim(
    "in round 50 keeping everything loses over half of the hill's height", "hill", _stale, Limit(0.5, above=True)
)
FOLLOWS = Claim(
    "by round 50 forgetting has less than 80 % of the regret of keeping everything",
    "hill",
    _ratio(FOLLOWER, "all", STALE_IN),
    Limit(0.8),
)
PAYS_LESS = Claim(
    f"after all {ROUNDS} rounds forgetting has less than 80 % of the regret of keeping everything",
    "hill",
    _ratio(FOLLOWER, "all"),
    Limit(0.8),
)
TOO_MUCH = Claim(
    "by round 50 half-life 1 has over 1.25 times the regret of half-life 10",
    "hill",
    _ratio("1", FOLLOWER, STALE_IN),
    Limit(1.25, above=True),
)
MANY = 30  # hills of a set


def _quiet(values: Values) -> float:
    """Return the median regret of a set of hills with the noise of these values over that with the opening's."""
    return _median(values, float(values["noise"])) / _median(values, NOISE)


def _median(values: Values, noise: float) -> float:
    """Return the median regret of the memory that the page opens with, after all rounds, of a set of hills."""
    first = MANY * int(values["hill"])
    paid = []
    for hill in range(first, first + MANY):
        setting = setting_from({**values, "hill": hill, "noise": noise})
        play = tv.play(tv.make_problem(setting.world), policy(FOLLOWER, setting.width), tv.observe.play_rng(hill))
        paid.append(float(play.regret.sum()))
    return float(np.median(paid))


QUIET_COSTS = Claim(
    f"after all {ROUNDS} rounds forgetting has a higher median regret with noise 0.05 than with {NOISE:g}",
    "hill",
    _quiet,
    Limit(1.0, above=True),
)
OF_SETS = Odds("chase/less_noise", QUIET_COSTS, f"sets of {MANY} hills", seeds=MANY)
COUNTED: dict[Odds, Values] = {  # claims of the opening and of moments -> the settings there
    Odds("chase/still", SETTLES): {},
    Odds("chase/follow", FOLLOWS): knobs.FOLLOW,
    Odds("chase/moving", STALE): knobs.STALE,
    Odds("chase/too_much", TOO_MUCH): knobs.FORGETFUL,
}


def _values(odds: Odds, hill: int) -> Values:
    return {**_defaults(), **COUNTED[odds], "hill": hill}


def _defaults() -> Values:
    return {knob.key: knob.default for knob in knobs.CHASE.values()}


def odds_of(setting: ChaseSetting, unseen: bool) -> Odds | None:
    """Return the claim that was counted in worlds like this, None where none was."""
    like = (odds for odds in COUNTED if not unseen and setting_from(_values(odds, setting.seed)) == setting)
    return next(like, None)


def line_of(setting: ChaseSetting, unseen: bool) -> str:
    """Return in how many sets of hills like this a claim about many hills holds; "" where none was counted."""
    like = setting_from({**_defaults(), **knobs.QUIET, "hill": setting.seed})
    return OF_SETS.line() if setting == like and not unseen else ""


def strip(odds: Odds, hill: int) -> Strip:
    """Return the worlds in which the claim was counted, with that of this hill among them."""
    times = odds.claim is TOO_MUCH  # its limit is a multiple, those of the others are shares
    number_text = (lambda ratio: f"{two_decimals(ratio)}×") if times else percent
    return odds.strip(hill, odds.claim.number(_values(odds, hill)), number_text)
