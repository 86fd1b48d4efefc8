"""Rounds that become frames of a film."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class FilmFrames:
    """The row of the worlds that each frame of a film shows; times count from 1, rows and frames from 0.

    Attributes:
        rows: of the worlds, one a frame, increasing.   horizon: T.
    """

    rows: tuple[int, ...]
    horizon: int

    @cached_property
    def index(self) -> np.ndarray:
        """Rows as an array, (F,)."""
        return np.asarray(self.rows)

    @property
    def times(self) -> list[int]:
        """Time of each frame."""
        return [row + 1 for row in self.rows]

    def label(self, frame: int) -> str:
        """Return the text beside the player's bar at a frame."""
        return f"t = {self.rows[frame] + 1} of {self.horizon}"

    @property
    def always(self) -> np.ndarray:
        """(F-1,) the steps of time itself, which glides from each frame to the next (`figures.film.Track.glides`)."""
        return np.ones(len(self.rows) - 1, dtype=bool)

    def without(self, rows: Iterable[int]) -> np.ndarray:
        """Return (F-1,) whether none of these rows is reached between a frame and the next."""
        reached = np.searchsorted(np.sort(np.fromiter(rows, dtype=int)), self.index, side="right")
        return np.diff(reached) == 0

    def frame(self, time: int) -> int:
        """Return the frame nearest to a time."""
        return int(np.abs(self.index + 1 - time).argmin())

    def only(self, time: int, more: Iterable[int] = ()) -> FilmFrames:
        """Return the frame nearest to a time alone, with these rows besides."""
        return FilmFrames(tuple(sorted({self.rows[self.frame(time)], *more})), self.horizon)

    def before(self, time: int) -> FilmFrames:
        """Return the frames up to a time alone."""
        return FilmFrames(tuple(row for row in self.rows if row < time), self.horizon)

    def frames(self, rows: Iterable[int]) -> list[int]:
        """Return the frames of these rows, in order and once each; rows without a frame are left out."""
        where = {row: i for i, row in enumerate(self.rows)}
        return sorted({where[row] for row in rows if row in where})


def choose_frames(horizon: int, stops: Iterable[int], most: int = 200) -> FilmFrames:
    """Return every row of a short film; of a long one `most` evenly spread rows, each stop and the row before it.

    Args:
        horizon: rows of the worlds.   stops: rows that must be frames.   most: evenly spread rows.
    """
    rows = set(np.linspace(0, horizon - 1, min(horizon, most)).round().astype(int).tolist())
    for stop in stops:
        rows |= {stop, max(stop - 1, 0)}
    return FilmFrames(tuple(sorted(rows)), horizon)
