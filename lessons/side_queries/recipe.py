"""The settings of the lesson's script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lessons.shared import script as code
from lessons.side_queries import model, pickers
from tvbo_core.worlds.mauduit import Synthetic


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return a script for the side queries of the first seed, and every method's median regret."""
    setting = model.setting_from(value)
    world, methods = setting.world, setting.policies
    t = code.within(t, 1, world)
    if setting.view == "picks":
        other = replace(methods["W-SparQ"], picker=model.PICKERS[1])
        methods = {name: methods[name] for name in (pickers.WITHOUT, "W-SparQ")} | {pickers.AT_RANDOM: other}
    return code.script(
        __file__,
        f"Side queries, t = {t}, {code.seeds(setting.numbers)}",
        [("Mauduit et al., sec. 4.1: " if isinstance(world, Synthetic) else "") + code.setup(world)],
        settings=[
            code.world(world, "world"),
            code.mapping("methods", {name: code.policy(rule) for name, rule in methods.items()}),
            f"seeds, t = {setting.numbers}, {t}",
        ],
    )
