"""The settings of the lesson's script."""

from __future__ import annotations

from lessons.online import model
from lessons.record import Values
from lessons.shared import script as code
from lessons.shared import worlds


def recipe(values: Values, t: int) -> str:
    """Return a script for the shares inside and the widths after t observations."""
    setting = model.setting_from(values)
    t = code.within(t, 0, setting.world)
    named = zip(model.NAMES, model.policies(setting), strict=False)
    return code.script(
        __file__,
        f"What holds then?, after {t} of {setting.world.horizon} observations",
        [worlds.caption(setting.world)],
        settings=[
            code.world(setting.world, "world"),
            f"t, eta = {t}, {setting.eta}",
            code.mapping("learners", {name: code.policy(rule) for name, rule in named}),
        ],
    )
