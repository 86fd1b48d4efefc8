"""Rounds that become frames of a film, and sums as the screen writes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Clock:
    """Which row of the worlds each frame of the film shows; times count from 1, rows and frames from 0."""

    rows: tuple[int, ...]
    horizon: int

    @cached_property
    def index(self) -> np.ndarray:
        return np.asarray(self.rows)

    @property
    def times(self) -> list[int]:
        return [row + 1 for row in self.rows]

    def frame(self, time: int) -> int:
        """The frame nearest to a time."""
        return int(np.abs(self.index + 1 - time).argmin())

    def frames(self, rows: Iterable[int]) -> list[int]:
        """The frames of these rows, in order and once each; rows without a frame are left out."""
        where = {row: i for i, row in enumerate(self.rows)}
        return sorted({where[row] for row in rows if row in where})


def clock(horizon: int, stops: Iterable[int], most: int = 200) -> Clock:
    """Every row of a short film; of a long one `most` even rows, and each stop with the row before it."""
    rows = set(np.linspace(0, horizon - 1, min(horizon, most)).round().astype(int).tolist())
    for stop in stops:
        rows |= {stop, max(stop - 1, 0)}
    return Clock(tuple(sorted(rows)), horizon)


def amount(value: float) -> str:
    """A sum in reward units as the screen writes it: one decimal, fewer when large, two digits when tiny."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 0.95 or value == 0 else f"{value:.2g}"
