"""The settings of the lesson's script."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.forgetting import experiment
from lessons.forgetting.knobs import MEMORY_STEPS, WIDTH
from lessons.shared import script as code
from lessons.shared.knobs import METHODS
from tvbo_core import policies

# The field that says how much a method remembers, for a memory of m steps (tvbo_core.gp.memory.matched), as source.
FIELD_OF_M = {
    "restart": "min(2 * m, world.horizon)",
    "window": "min(m, world.horizon)",
    "discount": "1 - 1 / m",
    "epsilon": "min(2 / m, 1)",
}


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return a script for the regret of one method against its memory, in the world and its family."""
    past, setting = experiment.settings_from(value)
    base, numbers = past.world, setting.numbers
    t, kinds = code.within(t, 1, base), tuple(world.kind for world in setting.worlds)
    entry = policies.ALL[setting.front]
    fields = [f"{name}={value!r}" for name, value in entry.fixed]
    fields += [f"{entry.memory}={FIELD_OF_M[entry.memory]}", *([f"width={WIDTH}"] if entry.takes_width else [])]
    rule = f"{code.public(entry.policy, f'tv.policies.ALL[{entry.key!r}].policy')}({', '.join(fields)})"
    family = "world" if len(kinds) == 1 else f"replace(world, kind=kind) for kind in {code.literal(kinds)}"
    return code.script(
        __file__,
        f"Forgetting, regret against memory of {METHODS[setting.front]} at t = {t}, {code.seeds(numbers)}",
        [code.setup(base)],
        settings=[
            code.world(base, "world", kinds),
            f"memories = {MEMORY_STEPS!r}  # past steps that count",
            f'methods = {{f"m = {{m}}": {rule} for m in memories}}',
            f'methods["never forgets"] = tv.GPUCB(width={WIDTH})',
            f"worlds = [{family}]",
            f"seeds, t, window = {numbers}, {t}, {past.tuning.window}",
        ],
        family=len(kinds) > 1,
    )
