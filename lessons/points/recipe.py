"""The settings of the lesson's script."""

from __future__ import annotations

from lessons.points import model
from lessons.record import Values
from lessons.shared import script as code


def recipe(values: Values, t: int) -> str:
    """Return a script for the band after t observations."""
    s, t = model.setting_from(values), min(max(t, 0), model.LAST)
    own = dict((model.FIRST, *s.queries))
    return code.script(
        __file__,
        f"A band from a few points, after {t} of {model.LAST} observations",
        [],
        settings=[
            code.world(s.world, "world"),
            f"t, guessed, width = {t}, {s.guessed}, {s.width}",
            code.call("asked = {", [f"{row}: {arm}" for row, arm in own.items()], "}"),
        ],
    )
