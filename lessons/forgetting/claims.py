"""General statements of the lesson, as numbers that are counted over blocks of seeds."""

from __future__ import annotations

from dataclasses import replace

from lessons.forgetting import experiment, model
from lessons.forgetting.knobs import BUDGETS, FIGURE_2C, FORGETTING_WORLD, MEMORY_STEPS, TOLD_NOTHING
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
    f"after {FORGETTING_WORLD.horizon} rounds the shortest memory and never forgetting both have over 1.25 times the "
    "least regret",
    "seed",
    _lower_end,
    Limit(1.25, above=True),
)
OF_OPENING = Odds("forgetting/bowl", BETWEEN, "repeats (medians of ten new worlds each)", seeds=10)
BOTH_BELIEFS = Claim(
    "in a Markov world TV-GP-UCB that assumes far too much change, or none, has over 1.5 times the least regret after "
    f"{FIGURE_2C['T']} rounds",
    "seed",
    _lower_end,
    Limit(1.5, above=True),
)


def _shortening(values: Values) -> float:
    """Return the best memory with the least drift budget over the best with the largest."""
    _, every = experiment.settings_from(block(values))
    setting = replace(every, worlds=(every.worlds[0], every.worlds[-1]))
    sweep = model.gather(setting, played(experiment.jobs(setting), model.FILE))
    calm, moved = sweep.front(0), sweep.front(1)
    assert calm is not None and moved is not None
    return MEMORY_STEPS[calm.best()] / MEMORY_STEPS[moved.best()]


SHORTER = Claim(
    f"after {FORGETTING_WORLD.horizon} rounds on a travelling hill the best memory with V_T = {BUDGETS[0]:g} is at "
    f"least twice that with V_T = {BUDGETS[-1]:g}",
    "seed",
    _shortening,
    Limit(1.99, above=True),  # memories double from one stop to the next
)


def _told_nothing(values: Values) -> float:
    """Return the regret of ET-GP-UCB over that of the best of all memories, the chosen world's medians."""
    past, every = experiment.settings_from(block(values))
    setting = every.stage(past.world)
    return _beside_told(model.gather(setting, played(experiment.jobs(setting), model.FILE)))


def _beside_told(sweep: model.MemorySweep, w: int = 0) -> float:
    """Return it from the runs of one of its worlds."""
    curve, never, level = sweep.front(w), sweep.limit(w), sweep.level(w)
    assert curve is not None and never is not None and level is not None
    return float(level[-1]) / min(*curve.median[:, -1].tolist(), never)


BELOW_ALL = Claim(
    f"after {FORGETTING_WORLD.horizon} rounds ET-GP-UCB has less regret than R-GP-UCB with any memory",
    "seed",
    _told_nothing,
    Limit(1.0),
)
TOLD_AT = {"m": 20}  # the memory beside which its moment shows it
OF_TOLD = Odds("forgetting/told_nothing", BELOW_ALL, "repeats (medians of ten new worlds each)", seeds=10)


def odds_of(past: ViewSetting, setting: experiment.ForgettingSetting) -> Odds | None:
    """Return the claim that was counted in blocks of worlds like this, None where none was."""
    opens = replace(FORGETTING_WORLD, seed=past.world.seed, nu=past.world.nu)
    here = past.world, setting.front, setting.seeds
    if here != (opens, "r", OF_OPENING.seeds):
        return None
    return OF_TOLD if past.tuning.m == TOLD_AT["m"] else OF_OPENING


def strip(odds: Odds, past: ViewSetting, sweep: model.MemorySweep) -> Strip:
    """Return the blocks in which the opening's claim was counted, with this one among them."""
    w = sweep.setting.worlds.index(past.world)
    curve = sweep.front(w)
    never = sweep.curves.get(("gp", w))
    whole = curve is not None and never is not None and curve.seeds == never.seeds == odds.seeds
    level = sweep.curves.get((TOLD_NOTHING, w))
    if odds is OF_TOLD:
        here = _beside_told(sweep, w) if whole and level is not None and level.seeds == odds.seeds else None
    else:
        here = _end(sweep, w) if whole else None
    return odds.strip(past.world.seed, here, lambda ratio: f"{ratio:.2f}×")
