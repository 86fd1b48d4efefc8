"""The scene of the lesson: how the information gain grows."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.gain import figure, model
from lessons.gain.model import GainCurve

from figures.theme import Theme
from lessons.record import Picture, Scene, Values
from lessons.shared import worlds


def scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return the scene of these knob values at time t.

    Raises:
        ValueError: a world that cannot be.
    """
    return scene_of(model.gain(model.world_from(values)), t, theme)


def scene_of(curve: GainCurve, t: int, theme: Theme) -> Scene:
    """Return the scene of a gain curve at time t."""
    last = len(curve.nats) - 1
    return Scene(
        state=(curve.world,),
        frames=last + 1,
        start=min(t, last),
        films={"main": Picture(lambda at: figure.growth(curve, theme, at), "Information gain against observations")},
        says=lambda at: sentence(model.facts(curve, at)),
        facts=lambda at: model.facts(curve, at),
        labels=lambda: [f"t = {s} of {last}" for s in range(last + 1)],
        caption=f"Arms at random. Set-up: {worlds.caption(curve.world)}.",
    )


def sentence(facts: Mapping[str, float | None]) -> str:
    """Return the live sentence of a time from its facts (HTML)."""
    return f"{facts['t']} answers tell <b>{facts['gain in nats']:.1f} nats</b>."
