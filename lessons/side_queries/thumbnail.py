"""The lesson's small picture on the front page."""

from __future__ import annotations

import numpy as np

from lessons.record import Sketch, Stroke, Values
from lessons.shared.sketch import FRAMES, bars, rows
from tvbo_core.policies.side_queries.schedule import window_starts


def thumbnail(values: Values) -> Sketch:
    """Return when each of the two asks again."""
    horizon = int(values["T"])
    windows = window_starts(horizon, float(values["alpha"]), float(values["atil"]))
    frames = [
        (Stroke(np.array([0, t, t, 0]) / horizon, np.array([0.58, 0.58, 1.0, 1.0]), "SparQ", "area"),
         bars(windows, t, horizon, 0.0, 0.42, "W-SparQ"))
        for t in rows(horizon, 40)
    ]  # fmt: skip
    return Sketch((), tuple(frames), FRAMES - 1)
