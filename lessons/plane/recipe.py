"""The settings of the lesson's script."""

from __future__ import annotations

from lessons.plane import model
from lessons.record import Values
from lessons.shared import script as code
from lessons.shared import worlds


def recipe(values: Values, t: int) -> str:
    """Return a script for the regret and the band of both learners at time t."""
    setting = model.setting_from(values)
    t = code.within(t, 1, setting.world)
    named = zip(model.NAMES, setting.policies, strict=True)
    return code.script(
        __file__,
        f"A hill in the plane, t = {t} of {setting.world.horizon}",
        [worlds.caption(setting.world)],
        settings=[
            code.world(setting.world, "world"),
            f"t = {t}",
            code.mapping("learners", {name: code.policy(rule) for name, rule in named}),
        ],
    )
