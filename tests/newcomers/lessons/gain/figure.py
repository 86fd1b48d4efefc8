"""The gain against the number of observations, with a cursor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from lessons.gain.model import GainCurve

from figures import theme as style
from figures.film import ChartPlace, Film, Track
from figures.theme import Theme


def growth(curve: GainCurve, theme: Theme, drawn: int) -> Film:
    """Draw the gain; the cursor stands at the number of observations so far."""
    t, top = np.arange(len(curve.nats), dtype=np.float32), 1.05 * float(curve.nats[-1])
    cursor = np.repeat(t[:, None], 2, axis=1)
    frame = style.layout(theme, None)
    frame["xaxis"] = style.axis(theme, "observations t", range=[0, len(t) - 1])
    frame["yaxis"] = style.axis(theme, "information gain (nats)", range=[0, top])
    traces = [style.line(t, curve.nats, theme.ink, theme.line), style.line(cursor[drawn], [0, top], theme.missed, 2)]
    film = style.film(traces, frame, [Track(1, "x", cursor)])
    return replace(film, shows={"t": ChartPlace(1, "x", 0), "gain in nats": ChartPlace(0, "y", None)})
