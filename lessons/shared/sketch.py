"""Geometry of thumbnails: curves and bars in the unit square."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lessons.record import Stroke

FRAMES = 12


POINTS = 48  # of a curve: a picture is 160 pixels wide


def rows(last: int, first: int = 0) -> list[int]:
    """FRAMES rows from `first` to `last`."""
    return np.linspace(first, last, FRAMES).round().astype(int).tolist()


def thin(values: np.ndarray) -> np.ndarray:
    """At most POINTS of a curve."""
    return values[np.unique(np.linspace(0, len(values) - 1, POINTS).round().astype(int))]


def bars(times: Sequence[int], now: int, horizon: int, low: float, high: float, role: str) -> Stroke:
    held = np.array([t for t in times if t <= now], dtype=float) / horizon
    gap = np.full(len(held), np.nan)
    x = np.stack([held, held, gap], axis=1).ravel()
    return Stroke(x, np.tile([low, high, np.nan], len(held)), role, "bars")
