"""The lesson's small picture on the front page."""

from __future__ import annotations

import numpy as np

from lessons.microscope import model
from lessons.record import Sketch, Stroke, Values
from lessons.shared.sketch import rows, unit


def thumbnail(values: Values) -> Sketch:
    """Return how often a width is left at some time, with the promise."""
    found = model.experiment("deng-times", model.chosen("deng-times", {}))
    x, high = np.linspace(0, 1, found.frames), max(float(np.nanmax(line.y)) for line in found.over)
    lines = tuple(
        Stroke(x, np.clip(unit(line.y, 0, high), 0, 1), "missed" if line is found.over[0] else "rule")
        for line in found.over[:2]
    )
    first = lines[0]
    return Sketch(lines, tuple((Stroke(x[[i]], first.y[[i]], "best", "dots"),) for i in rows(found.frames - 1)), 7)
