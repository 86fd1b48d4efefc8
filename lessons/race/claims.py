"""General statements of the lesson, as numbers that are counted over blocks of seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from common.formats import ordinal
from lessons.race import model as racing
from lessons.race.knobs import RACE_WORLD, TOLD_NOTHING
from lessons.race.summary import Lane
from lessons.record import Claim, Limit, Strip, Values
from lessons.shared.knobs import KNOBS, METHODS
from lessons.shared.odds import Odds, block
from lessons.shared.stored_runs import played
from tvbo_core import policies


def _lanes(values: Values, methods: Sequence[str], moving: bool = False) -> tuple[Lane, ...]:
    """Return the worlds of this race, or the moving one alone, with some of its methods."""
    full = racing.setting_from(block(values))
    setting = replace(full, worlds=full.worlds[-1:] if moving else full.worlds, methods=tuple(methods))
    race = racing.gather(setting, played(racing.jobs(setting)))
    assert race is not None
    return race.lanes


def _fall(values: Values) -> float:
    return _fallen(_lanes(values, values["algos"]))


def _fallen(lanes: Sequence[Lane]) -> float:
    """Return the place of the still world's best method in the other world, as a share of the number of methods."""
    still, moving = lanes
    return float(moving.rank[still.at_place(1, -1)][-1]) / len(moving.names)


def _forgetting_share(values: Values) -> float:
    """Return the larger regret of the two that forget over that of the one that keeps all."""
    (lane,) = _lanes(values, ("gp", "tv", "wgp"), moving=True)
    ends = {word: float(lane.median[METHODS[word]][-1]) for word in ("gp", "tv", "wgp")}
    return max(ends["tv"], ends["wgp"]) / ends["gp"]


def _beside_random(values: Values) -> float:
    """Return how far R-PERP's regret is from random play's, as a share of it: the larger one of the two worlds."""
    lanes = _lanes(values, ("rnd", "rperp"))
    return max(abs(float(lane.median["R-PERP"][-1] / lane.median["Random"][-1]) - 1.0) for lane in lanes)


OPENING = tuple(word for word in KNOBS["algos"].default if not policies.ALL[word].own)  # no guest was counted
FALLS = Claim(
    "after 200 rounds the static world's winner ranks in the jumping world's lower half",
    "seed",
    _fall,
    Limit(0.5, above=True),
)
OF_OPENING = Odds("race/jumps", FALLS, "sets of eight seeds", seeds=8)
FORGETTING_PAYS = Claim(
    "both algorithms that forget end with less regret than the one that does not", "seed", _forgetting_share, Limit(1.0)
)
AS_RANDOM = Claim(
    "after T = 2000 rounds with one jump, at norm B, R-PERP's regret with the proved widths and memories is within "
    "10 % of random play's",
    "seed",
    _beside_random,
    Limit(0.1),
)


def _told_nothing(values: Values) -> float:
    return _beside_told(_lanes(values, TOLD_NOTHING["algos"], moving=True)[0])


def _beside_told(lane: Lane) -> float:
    """Return the regret of ET-GP-UCB over the least of the others in the moving world."""
    ends = {name: float(median[-1]) for name, median in lane.median.items()}
    mine = ends.pop(METHODS["et"])
    return mine / min(ends.values())


BELOW_ALL = Claim(
    "after 200 rounds with jumps ET-GP-UCB has less regret than GP-UCB and four algorithms with a memory of 20",
    "seed",
    _told_nothing,
    Limit(1.0),
)


OF_UNTOLD = Odds("race/told_nothing", BELOW_ALL, "sets of eight seeds", seeds=8)


def odds_of(setting: racing.RaceSetting) -> Odds | None:
    """Return the claim that was counted in blocks of worlds like this, None where none was."""
    world = replace(RACE_WORLD, seed=setting.worlds[0].seed, nu=setting.worlds[0].nu, norm_bound=math.inf)
    both = world, replace(world, kind="jumps")
    odds = {OPENING: OF_OPENING, TOLD_NOTHING["algos"]: OF_UNTOLD}.get(setting.methods)
    return odds if odds and setting == racing.RaceSetting(both, setting.methods, 20, "2", odds.seeds) else None


def strip(odds: Odds, race: racing.Race) -> Strip:
    """Return the blocks in which a claim was counted, with this one among them."""
    seed, many = race.setting.worlds[0].seed, len(race.setting.methods)
    if odds is OF_UNTOLD:
        here = _beside_told(race.lanes[-1]) if race.complete else None
        return odds.strip(seed, here, lambda ratio: f"{ratio:.2f}×")
    here = _fallen(race.lanes) if race.complete else None
    return odds.strip(seed, here, lambda share: ordinal(round(many * share)))
