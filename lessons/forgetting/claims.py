"""General statements of the lesson, as numbers that are counted over blocks of seeds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lessons.forgetting import experiment, model
from lessons.forgetting.knobs import BUDGETS, FIGURE_2C, FORGETTING_WORLD, TOLD_NOTHING, WORLDS
from lessons.forgetting.memories import ViewSetting
from lessons.record import Claim, Limit, Strip, Values
from lessons.shared.odds import Odds, block
from lessons.shared.stored_runs import played
from tvbo_core import World

TEN = "sets of ten seeds"  # what was counted


def _lower_end(values: Values) -> float:
    """Return the regret of the shortest or of endless memory, the smaller one, over the least, in the chosen world."""
    _, every = experiment.settings_from(block(values))
    setting = replace(every, beside=("gp",))
    return _end(model.gather(setting, played(experiment.jobs(setting), experiment.FILE)))


def _end(sweep: model.MemorySweep) -> float:
    """Return it from its runs."""
    curve, never = sweep.front(), sweep.limit()
    assert curve is not None and never is not None
    pays = [*curve.median[:, -1].tolist(), never]
    return min(pays[0], never) / min(pays)


BETWEEN = Claim(
    f"after {FORGETTING_WORLD.horizon} rounds both the curve's ends are over 25 % above its least",
    "seed",
    _lower_end,
    Limit(1.25, above=True),
)
OF_OPENING = Odds("forgetting/bowl", BETWEEN, TEN, seeds=10)
BOTH_BELIEFS = Claim(
    "in a Markov world TV-GP-UCB that assumes far too much change, or none, has over 1.5 times the least regret after "
    f"{FIGURE_2C['T']} rounds",
    "seed",
    _lower_end,
    Limit(1.5, above=True),
)


TOLD_AT = {"m": 20}  # the memory beside which the method that is told nothing is shown
SHORT, LONG = 10, 80  # memories of the view of drift that are compared
# Worlds of the view of worlds whose peak moves within a memory, and those whose peak stays.
MOVES, STAYS = (("glide", 8.0), ("jumps", 8.0), ("travel", 8.0), ("markov", 0.0)), (("still", 0.0), ("cyclic", 8.0))


def _told_nothing(values: Values) -> float:
    """Return the regret of the method that is told nothing over the least one with a memory."""
    _, every = experiment.settings_from(block(values))
    setting = replace(every, beside=(TOLD_NOTHING,))
    ends = _ends(setting)
    return float(np.median(ends[TOLD_NOTHING, 0]) / np.median(ends[setting.front, 0], axis=1).min())


def _shorter(values: Values) -> float:
    """Return the larger of two ratios of regret: short over long with most drift, long over short with least.

    Both are below 1 where more drift wants the shorter memory.
    """
    past, every = experiment.settings_from(block(values))
    most, least = (replace(past.world, budget=budget) for budget in (BUDGETS[-1], BUDGETS[0]))
    ends = _ends(replace(every, worlds=(most, least), memories=(SHORT, LONG)))
    short, long = (np.array([np.median(ends[every.front, w][k]) for w in range(2)]) for k in range(2))
    return float(max(short[0] / long[0], long[1] / short[1]))


def _pays(values: Values) -> float:
    """Return the largest mean difference that falls on the wrong side: forgetting's where the peak moves."""
    _, every = experiment.settings_from(block(values))
    worlds = {one: of in MOVES for one, of in zip(every.worlds, WORLDS, strict=True) if of in MOVES + STAYS}
    ends = _ends(replace(every, worlds=tuple(worlds)))
    more = [float(ends[every.front, w].mean() - ends["gp", w].mean()) for w in range(len(worlds))]
    return max(one if moves else -one for one, moves in zip(more, worlds.values(), strict=True))


def _ends(setting: experiment.ForgettingSetting) -> dict[tuple[str, int], np.ndarray]:
    """Return method and world -> (k, S) regret at the end, a row a memory."""
    sweep = model.gather(setting, played(experiment.jobs(setting), experiment.FILE))
    return {key: curve.total[..., -1] for key, curve in sweep.curves.items()}


UNTOLD = Claim(
    f"after {FORGETTING_WORLD.horizon} rounds with two jumps ET-GP-UCB has less median regret than R-GP-UCB with any "
    "of these memories",
    "seed",
    _told_nothing,
    Limit(1.0),
)
SHORTER = Claim(
    f"after {FORGETTING_WORLD.horizon} rounds memory {SHORT} has less median regret than {LONG} at $V_T$ = "
    f"{BUDGETS[-1]:g}, and more at {BUDGETS[0]:g}",
    "seed",
    _shorter,
    Limit(1.0),
)
PEAK_DECIDES = Claim(
    f"after {FORGETTING_WORLD.horizon} rounds forgetting has less mean regret in Markov and, at $V_T$ = 8, in Jumps, "
    "Glide and Travelling hill; more in Static and Cyclic",
    "seed",
    _pays,
    Limit(0.0),
)

OF_UNTOLD = Odds("forgetting/told_nothing", UNTOLD, TEN, seeds=10)
OF_SHORTER = Odds("forgetting/best", SHORTER, TEN, seeds=10)
OF_PEAKS = Odds("forgetting/pays", PEAK_DECIDES, TEN, seeds=10)


def odds_of_drift(world: World, setting: experiment.ForgettingSetting) -> str:
    """Return in how many repeats more drift wants a shorter memory; "" where nobody has counted."""
    opens = replace(FORGETTING_WORLD, kind="travel", seed=world.seed, nu=world.nu)
    return OF_SHORTER.line() if (world, setting.front, setting.seeds) == (opens, "r", OF_SHORTER.seeds) else ""


def odds_of_worlds(setting: experiment.ForgettingSetting) -> str:
    """Return in how many repeats the peak decides whether forgetting pays; "" where nobody has counted."""
    first = setting.worlds[0]
    opens = replace(FORGETTING_WORLD, kind="still", budget=0.0, seed=first.seed, nu=first.nu)
    same = (first, setting.front, setting.memories, setting.seeds) == (opens, "r", (40,), OF_PEAKS.seeds)
    return OF_PEAKS.line() if same else ""


def odds_of(past: ViewSetting, setting: experiment.ForgettingSetting) -> Odds | None:
    """Return the claim that was counted in blocks of worlds like this, None where none was."""
    opens = replace(FORGETTING_WORLD, seed=past.world.seed, nu=past.world.nu)
    here = past.world, setting.front, setting.seeds
    return OF_OPENING if here == (opens, "r", OF_OPENING.seeds) else None


def strip(odds: Odds, past: ViewSetting, sweep: model.MemorySweep) -> Strip:
    """Return the blocks in which the opening's claim was counted, with this one among them."""
    curve, never = sweep.front(), sweep.curves.get(("gp", 0))
    whole = curve is not None and never is not None and curve.seeds == never.seeds == odds.seeds
    here = _end(sweep) if whole else None
    return odds.strip(past.world.seed, here, lambda ratio: f"{ratio:.2f}×")
