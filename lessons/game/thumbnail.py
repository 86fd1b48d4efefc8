"""The lesson's small picture on the front page."""

from __future__ import annotations

import numpy as np

import tvbo_core as tv
from lessons.record import Sketch, Stroke, Values
from lessons.shared import problems
from lessons.shared.sketch import rows, unit
from tvbo_core import World


def thumbnail(values: Values) -> Sketch:
    """Return questions and answers without the curve."""
    world = World(kind="glide", budget=4.0, horizon=30, switches=1, seed=47)
    history = tv.play(problems.problem(world), tv.GPUCB(), np.random.default_rng(world.seed))
    x, y = history.X[:, 0], unit(history.y, history.y.min(), history.y.max())
    frames = tuple((Stroke(x[:n], y[:n], "truth", "dots"),) for n in rows(30, 2))
    return Sketch((), frames, 8)
