"""General statements of the lesson, as numbers that are counted over seeds."""

from __future__ import annotations

from dataclasses import replace

from lessons.bands import model
from lessons.bands.knobs import BANDS_WORLD
from lessons.bands.model import BandsOverTime
from lessons.bands.setting import BandSetting, setting_from
from lessons.record import Claim, Values
from lessons.shared.odds import Odds

MISSED_BY, EMPTY_BY, HELD_TO = 70, 65, 20  # times at which the moments stand


def _run(values: Values) -> BandsOverTime:
    return model.bands_over_time(setting_from(values))


def _missed(values: Values) -> float:
    """Return how many bands have missed by the moment's time."""
    return float(sum(t is not None and t <= HELD_TO for t in _run(values).first_miss.values()))


def _tightest(values: Values) -> float:
    """Return when the tightest band misses, if none misses before it; else the time after the last."""
    run, never = _run(values), float(values["T"]) + 1.0
    width = {name: float((film.upper - film.lower)[MISSED_BY].mean()) for name, film in run.films.items()}
    first = {name: never if t is None else float(t) for name, t in run.first_miss.items()}
    at = first[min(width, key=width.__getitem__)]
    return at if at == min(first.values()) else never


def _empty(values: Values) -> float:
    """Return the first time at which a band's set is empty, else the time after the last."""
    return min((float(t) for t in _run(values).first_empty.values() if t is not None), default=float(values["T"]) + 1.0)


NONE_MISSES = Claim("in a static world no band has missed by t = 20", "seed", _missed, lambda count: count == 0)
TIGHTEST = Claim(
    "by t = 70 the tightest band misses, and none missed earlier", "seed", _tightest, lambda t: t <= MISSED_BY
)
EMPTY = Claim("after jumps with $V_T$ = 4 no function fits the data by t = 65", "seed", _empty, lambda t: t <= EMPTY_BY)


def odds_of(setting: BandSetting) -> Odds | None:
    """Return the claim that was counted in seeds of this world, None where none was."""
    world = replace(setting.world, seed=BANDS_WORLD.seed)
    known = {
        BANDS_WORLD: Odds("bands/missed", TIGHTEST, "worlds"),
        replace(BANDS_WORLD, budget=0.0): Odds("bands/tight", NONE_MISSES, "worlds"),
        replace(BANDS_WORLD, kind="jumps", budget=4.0): Odds("bands/empty", EMPTY, "worlds"),
    }
    return known.get(world) if replace(setting, world=world) == BandSetting(world) else None
