"""The settings of the lesson's script."""

from __future__ import annotations

from lessons.gain.model import world_from

from lessons.record import Values
from lessons.shared import script as code
from lessons.shared import worlds


def recipe(value: Values, t: int) -> str:
    """Return a script for the gain of the first t observations."""
    world = world_from(value)
    t, horizon = (code.within(at, 0, world) for at in (t, world.horizon))
    settings = [code.world(world, "world"), f"t = {t}"]
    return code.script(__file__, f"Information gain, t = {t} of {horizon}", [worlds.caption(world)], settings=settings)
