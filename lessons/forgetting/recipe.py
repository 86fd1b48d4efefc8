"""The settings of the lesson's scripts, one a view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lessons.forgetting import experiment, pays
from lessons.forgetting.best_memory import OWN
from lessons.forgetting.experiment import ForgettingSetting
from lessons.forgetting.knobs import DRIFT, MEMORY_STEPS, PAYS, WIDTH
from lessons.forgetting.memories import ViewSetting
from lessons.shared import script as code
from lessons.shared.knobs import METHODS
from tvbo_core import World, policies

# The field that says how much a method remembers, for a memory of m steps (tvbo_core.gp.memory.matched), as source.
FIELD_OF_M = {
    "restart": "min(2 * m, world.horizon)",
    "window": "min(m, world.horizon)",
    "discount": "1 - 1 / m",
    "epsilon": "min(2 / m, 1)",
}


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return a script for what the chosen view shows at a time."""
    past, setting = experiment.settings_from(value)
    t = code.within(t, 1, past.world if value["view"] not in (DRIFT, PAYS) else setting.worlds[0])
    return {DRIFT: _drift, PAYS: _pays}.get(str(value["view"]), _memory)(past, setting, t)


def _rule(setting: ForgettingSetting) -> str:
    """Return the method on the stage with memory m as source."""
    entry = policies.ALL[setting.front]
    fields = [repr(value) for _, value in entry.fixed]  # the first field of Thompson sampling, alone in having one
    fields += [f"{entry.memory}={FIELD_OF_M[entry.memory]}", *([f"width={WIDTH}"] if entry.takes_width else [])]
    return f"{code.public(entry.policy, f'tv.policies.ALL[{entry.key!r}].policy')}({', '.join(fields)})"


def _title(setting: ForgettingSetting, what: str, t: int) -> str:
    return f"Forgetting, {what} of {METHODS[setting.front]} at t = {t}, {code.seeds(setting.numbers)}"


def _script(title: str, world: World, settings: Sequence[str], **more: object) -> str:
    return code.script(__file__, title, [code.setup(world)], settings=settings, **more)  # type: ignore[arg-type]


def _memory(past: ViewSetting, setting: ForgettingSetting, t: int) -> str:
    """Return a script for the regret of one method against its memory."""
    return _script(
        _title(setting, "regret against memory", t),
        past.world,
        [
            code.world(past.world, "world"),
            f"memories = {MEMORY_STEPS!r}  # past steps that count",
            f'methods = {{f"m = {{m}}": {_rule(setting)}\n           for m in memories}}',
            f'methods |= {{"never forgets": tv.GPUCB(width={WIDTH}), "ET-GP-UCB": tv.ETGPUCB(width={WIDTH})}}',
            f"seeds, t, window = {setting.numbers}, {t}, {past.tuning.window}",
        ],
    )


def _drift(past: ViewSetting, setting: ForgettingSetting, t: int) -> str:
    """Return a script for the best memory with each drift budget."""
    budgets = tuple(float(world.budget or 0.0) for world in setting.worlds)
    several = f'{{f"V_T = {{V:g}}": replace(world, budget=V) for V in {budgets!r}}}'
    return _script(
        _title(setting, "best memory", t),
        past.world,
        [
            code.world(past.world, "world"),
            f"worlds = {several}" if len(budgets) > 1 else f'worlds = {{"{OWN}": world}}',
            f"memories = {MEMORY_STEPS!r}  # past steps that count",
            f'methods = {{f"m = {{m}}": {_rule(setting)}\n           for m in memories}}',
            f"seeds, t = {setting.numbers}, {t}",
        ],
        file="script_drift.py",
        several=len(budgets) > 1,
    )


def _pays(past: ViewSetting, setting: ForgettingSetting, t: int) -> str:
    """Return a script for forgetting beside keeping everything, in each world."""
    base = setting.worlds[0]
    listed = [code.literal((pays.name(one), one.kind, one.budget)) for one in setting.worlds]
    return _script(
        _title(setting, "gain", t),
        base,
        [
            code.world(base, "world", [one.kind for one in setting.worlds]),
            code.call("listed = (", listed),
            f"m, seeds, t = {past.tuning.m}, {setting.numbers}, {t}",
            code.call("methods = {", [f'"forgets": {_rule(setting)}', f'"keeps": tv.GPUCB(width={WIDTH})'], "}"),
        ],
        file="script_pays.py",
    )
