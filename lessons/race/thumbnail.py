"""The lesson's small picture on the front page."""

from __future__ import annotations

import numpy as np

from lessons.race import model as racing
from lessons.record import Sketch, Stroke, Values
from lessons.shared import stored_runs as shipped
from lessons.shared.sketch import FRAMES, POINTS, rows, unit


def thumbnail(values: Values) -> Sketch:
    """Regret so far in the jumping world, of four of those who race."""
    setting = racing.chosen(values)
    race = racing.gather(setting, shipped.runs(racing.jobs(setting)))
    if race is None or len(race.lanes) < 2:
        return Sketch((), (), 0)
    found = race.lanes[1].median
    names = [n for n in ("GP-UCB", "R-PERP", "TV-GP-UCB", "SW-GP-UCB") if n in found]
    top, horizon = max(found[n][-1] for n in names), race.lanes[1].horizon
    frames = []
    for row in rows(horizon - 1, 24):
        t = np.unique(np.linspace(0, row, POINTS).round().astype(int))
        frames.append(tuple(Stroke(t / horizon, unit(found[n][t], 0, top), n) for n in names))
    return Sketch((), tuple(frames), FRAMES - 1)
