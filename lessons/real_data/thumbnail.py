"""The lesson's small picture on the front page."""

from __future__ import annotations

import numpy as np

import tvbo_core as tv
from lessons.record import Sketch, Stroke, Values
from lessons.shared.sketch import FRAMES, rows, unit


def thumbnail(values: Values) -> Sketch:
    """Return four stocks as lines, and the best of each day."""
    rewards = tv.data.load("stocks").rewards
    low, high = np.quantile(rewards, 0.01), np.quantile(rewards, 0.99)
    days = np.linspace(0, len(rewards) - 1, 60).round().astype(int)
    y, x = np.clip(unit(rewards[days], low, high), 0, 1), np.linspace(0, 1, len(days))
    lines = tuple(Stroke(x, y[:, arm], "past") for arm in range(y.shape[1]))
    frames = tuple((Stroke(x[: n + 1], y[: n + 1].max(axis=1), "truth"),) for n in rows(len(days) - 1, 5))
    return Sketch(lines, frames, FRAMES - 1)
