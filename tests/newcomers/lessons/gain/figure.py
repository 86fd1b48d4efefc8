"""The gain against the number of observations, with a cursor."""

from __future__ import annotations

import numpy as np
from lessons.gain.model import GainCurve

from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme


def growth(curve: GainCurve, theme: Theme, drawn: int) -> Film:
    """Draw the gain; the cursor stands at the number of observations so far."""
    t, top = np.arange(len(curve.nats), dtype=np.float32), 1.05 * float(curve.nats[-1])
    sheet = Sheet(theme, drawn, style.layout(theme, None))
    x, y = (
        {"title": "observations t", "range": [0, len(t) - 1]},
        {"title": "information gain (nats)", "range": [0, top]},
    )
    sheet.panel("gain", [0, 1], [0, 1], x, y)
    sheet.curve("gain", t, curve.nats, theme.ink, theme.line)
    sheet.shows("gain in nats", "y", None)
    sheet.cursor("gain", t, [0, top], theme.missed, 2)
    sheet.shows("t", "x", 0)
    return sheet.film()
