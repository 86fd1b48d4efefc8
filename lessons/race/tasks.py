"""Task of the race."""

from __future__ import annotations

import math
from dataclasses import replace

from common.formats import amount, plural
from lessons.race import model as racing
from lessons.race.knobs import RACE_WORLD, TOLD_NOTHING
from lessons.record import Values
from lessons.task import Facts, Task, TaskVerdict
from tvbo_core.policies import BY_NAME

MOST = 25.0  # reward units, of the winner's median
LEAST = 8  # seeds
MOVING = "Jumping world"
PLACE = f"{MOVING}, place of "


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return who leads the jumping world, with which regret and how many side queries."""
    setting = racing.setting_from(values)
    world = setting.worlds[-1]
    opens = replace(RACE_WORLD, kind="jumps", seed=world.seed, nu=world.nu, norm_bound=math.inf)
    if world != opens or setting.seeds < LEAST:
        return TaskVerdict(False, f"the world on the right is not that of the opening, with at least {LEAST} seeds")
    if facts.get("seeds") != setting.seeds:
        return TaskVerdict(False, f"{facts.get('seeds') or 0} of {setting.seeds} seeds have been raced")
    first = [name.removeprefix(PLACE) for name, fact in facts.items() if name.startswith(PLACE) and fact == 1]
    if not first:
        return TaskVerdict(False, "both worlds jump")
    (leader,) = first
    median, extra = facts[f"{MOVING}, {leader}"], facts[f"{MOVING}, side queries of the leader"]
    assert median is not None and extra is not None
    more = f" and {plural(int(extra), 'side query', 'side queries')}" * bool(extra)
    return TaskVerdict(
        median < MOST and not extra,
        f"{leader} leads the jumping world with regret {amount(median)}{more}",
        f"{leader} {BY_NAME[leader].does}: the world jumps {world.switches} times in {world.horizon} rounds, and in "
        "between nothing has to be forgotten.",
    )


TASKS = (
    Task(
        key="untold",
        goal=f"Let an algorithm without side queries lead the jumping world, with regret below {MOST:g}.",
        judge=_judge,
        solved_by=TOLD_NOTHING,
    ),
)
