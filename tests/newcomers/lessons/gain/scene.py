"""The scene of the lesson: how the information gain grows, as one curve with a cursor."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from lessons.gain import model
from lessons.gain.model import GainCurve

from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.record import Picture, Scene, Values
from lessons.shared import worlds


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values.

    Raises:
        ValueError: a world that cannot be.
    """
    curve = model.gain(model.world_from(values))
    last = len(curve.nats) - 1
    return Scene(
        state=(curve.world,),
        times=range(last + 1),
        films={"main": Picture(lambda at: growth(curve, theme, at), "Information gain against observations")},
        says=lambda at: sentence(model.facts(curve, at)),
        facts=lambda at: model.facts(curve, at),
        labels=lambda: [f"t = {s} of {last}" for s in range(last + 1)],
        caption=f"Arms at random. Set-up: {worlds.caption(curve.world)}.",
    )


def sentence(facts: Mapping[str, float | None]) -> str:
    """Return the live sentence of a time from its facts (HTML)."""
    return f"{facts['t']} answers tell <b>{facts['gain in nats']:.1f} nats</b>."


def growth(curve: GainCurve, theme: Theme, drawn: int) -> Film:
    """Draw the gain; the cursor stands at the number of observations so far."""
    t, top = np.arange(len(curve.nats), dtype=np.float32), 1.05 * float(curve.nats[-1])
    sheet = Sheet(theme, drawn, style.layout(theme, None))
    axis = {"title": "information gain (nats)", "range": [0, top]}
    sheet.panel("gain", [0, 1], [0, 1], {"title": "observations t", "range": [0, len(t) - 1]}, axis)
    sheet.curve("gain", t, curve.nats, theme.ink, theme.line)
    sheet.shows("gain in nats", "y", None)
    sheet.cursor("gain", t, [0, top], theme.missed, 2)
    sheet.shows("t", "x", 0)
    return sheet.film()
