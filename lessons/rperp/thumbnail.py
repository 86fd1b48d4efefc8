"""The lesson's small picture on the front page."""

from __future__ import annotations

import numpy as np

from lessons.record import Sketch, Stroke, Values
from lessons.shared.sketch import FRAMES

SEED = 3  # of the orders that are drawn


def thumbnail(values: Values) -> Sketch:
    """Return pick order against question order: first as picked, then shuffled."""
    n, rng = 8, np.random.default_rng(SEED)
    orders = [np.arange(n) if i == 0 else rng.permutation(n) for i in range(FRAMES)]
    places = np.linspace(0, 1, n)
    gap = np.full(n, np.nan)
    frames = []
    for order in orders:
        x = np.stack([np.zeros(n), np.ones(n), gap], axis=1).ravel()
        y = np.stack([places, places[order], gap], axis=1).ravel()
        ends = Stroke(np.r_[np.zeros(n), np.ones(n)], np.r_[places, places], "R-PERP", "dots")
        frames.append((Stroke(x, y, "R-PERP"), ends))
    return Sketch((), tuple(frames), 1)
