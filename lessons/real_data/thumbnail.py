"""The lesson's small picture on the front page."""

from __future__ import annotations

import numpy as np

import tvbo_core as tv
from lessons.record import Sketch, Stroke, Values
from lessons.shared.sketch import FRAMES, unit


def thumbnail(values: Values) -> Sketch:
    """Four stocks, and the best of each day."""
    values = tv.data.load("stocks").rewards
    low, high = np.quantile(values, 0.01), np.quantile(values, 0.99)
    rows = np.linspace(0, len(values) - 1, 60).round().astype(int)
    y, x = np.clip(unit(values[rows], low, high), 0, 1), np.linspace(0, 1, len(rows))
    lines = tuple(Stroke(x, y[:, arm], "past") for arm in range(y.shape[1]))
    frames = tuple((Stroke(x[: n + 1], y[: n + 1].max(axis=1), "truth"),) for n in rows(len(rows) - 1, 5))
    return Sketch(lines, frames, FRAMES - 1)
