"""The scene of the lesson: how the information gain grows, as one curve with a cursor."""

from __future__ import annotations

import numpy as np
from lessons.gain.model import STILL, gain

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
    world = worlds.build(values, STILL)
    nats = gain(world)
    return Scene(
        state=(world,),
        times=range(len(nats)),
        films={"main": Picture(lambda t: growth(nats, theme, t), "Information gain against observations")},
        caption=f"Arms at random. Set-up: {worlds.caption(world)}.",
        says=lambda t: f"{t} answers tell <b>{nats[t]:.1f} nats</b>.",
        facts=lambda t: {"t": t, "gain in nats": float(nats[t])},
    )


def growth(nats: np.ndarray, theme: Theme, now: int) -> Film:
    """Draw the gain; the cursor stands at the number of observations so far."""
    t, top = np.arange(len(nats), dtype=np.float32), 1.05 * float(nats[-1])
    sheet = Sheet(theme, now)
    axis = {"title": "information gain (nats)", "range": [0, top]}
    sheet.panel("gain", [0, 1], [0, 1], {"title": "observations t", "range": [0, len(t) - 1]}, axis)
    sheet.curve("gain", t, nats, theme.ink, theme.line)
    sheet.shows("gain in nats", "y", None)
    sheet.cursor("gain", t, [0, top], theme.missed, 2)
    sheet.shows("t", "x", 0)
    return sheet.film()
