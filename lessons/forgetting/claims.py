"""General statements of the lesson, as numbers that are counted over blocks of seeds."""

from __future__ import annotations

from dataclasses import replace

from lessons.forgetting import experiment, model
from lessons.forgetting.knobs import FIGURE_2C, FORGETTING_WORLD
from lessons.forgetting.memories import ViewSetting
from lessons.record import Claim, Limit, Strip, Values
from lessons.shared.odds import Odds, block
from lessons.shared.stored_runs import played


def _lower_end(values: Values) -> float:
    """Return the regret of the shortest or of endless memory, the smaller one, over the least, in the chosen world."""
    past, every = experiment.settings_from(block(values))
    setting = every.stage(past.world)
    return _end(model.gather(setting, played(experiment.jobs(setting), model.FILE)))


def _end(sweep: model.MemorySweep, w: int = 0) -> float:
    """Return it from the runs of one of its worlds."""
    curve, never = sweep.front(w), sweep.limit(w)
    assert curve is not None and never is not None
    pays = [*curve.median[:, -1].tolist(), never]
    return min(pays[0], never) / min(pays)


BETWEEN = Claim(
    f"after {FORGETTING_WORLD.horizon} rounds both ends of the curve are over 25 % above its lowest point",
    "seed",
    _lower_end,
    Limit(1.25, above=True),
)
OF_OPENING = Odds("forgetting/bowl", BETWEEN, "repeats", seeds=10)
BOTH_BELIEFS = Claim(
    "in a Markov world TV-GP-UCB that assumes far too much change, or none, has over 1.5 times the least regret after "
    f"{FIGURE_2C['T']} rounds",
    "seed",
    _lower_end,
    Limit(1.5, above=True),
)


TOLD_AT = {"m": 20}  # the memory beside which the method that is told nothing is shown


def odds_of(past: ViewSetting, setting: experiment.ForgettingSetting) -> Odds | None:
    """Return the claim that was counted in blocks of worlds like this, None where none was."""
    opens = replace(FORGETTING_WORLD, seed=past.world.seed, nu=past.world.nu)
    here = past.world, setting.front, setting.seeds
    return OF_OPENING if here == (opens, "r", OF_OPENING.seeds) else None


def strip(odds: Odds, past: ViewSetting, sweep: model.MemorySweep) -> Strip:
    """Return the blocks in which the opening's claim was counted, with this one among them."""
    w = sweep.setting.worlds.index(past.world)
    curve = sweep.front(w)
    never = sweep.curves.get(("gp", w))
    whole = curve is not None and never is not None and curve.seeds == never.seeds == odds.seeds
    here = _end(sweep, w) if whole else None
    return odds.strip(past.world.seed, here, lambda ratio: f"{ratio:.2f}×")
