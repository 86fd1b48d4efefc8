"""The lesson's small picture on the front page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lessons.drift.knobs import DRIFT_WORLD
from lessons.record import Sketch, Stroke, Values
from lessons.shared import problems
from lessons.shared.sketch import FRAMES, rows, thin, unit


def thumbnail(values: Values) -> Sketch:
    """Return the gliding reward and its best action."""
    world = replace(DRIFT_WORLD, seed=values["seed"])
    f = problems.problem(world).f
    x, y = np.linspace(0, 1, f.shape[1]), unit(f, f.min(), f.max())
    frames = []
    for row in rows(len(f) - 1):
        top = int(f[row].argmax())
        frames.append((Stroke(thin(x), thin(y[row]), "truth"), Stroke(x[[top]], y[row, [top]], "best", "dots")))
    still = tuple(Stroke(thin(x), thin(y[row]), "past") for row in (0, len(f) - 1))
    return Sketch(still, tuple(frames), FRAMES // 2)
