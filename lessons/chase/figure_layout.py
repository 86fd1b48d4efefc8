"""Places of the stage's panels, at the desk and on a phone, and the share of a step in each of its pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from figures import theme as style
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.chase.model import STEPS, Chase, ChaseLearner, extent, role

BELIEVE, CHOOSE, ASK, PAY = range(len(STEPS))
BETWEEN = 7  # rows of what is eased, between two frames
CLEAR = "rgba(0,0,0,0)"  # ground of a panel through which the one below it is seen
HEAD = 0.05  # of the axis of rewards, beyond what is drawn
NARROW, SWIPED = "narrow", "swiped"  # screens with a layout of their own (`figures.theme.elsewhere`)
Box = tuple[list[float], list[float]]  # shares of the width, and of the height


@dataclass(frozen=True, eq=False)
class Stage:
    """A film with all that decides how it is drawn.

    Attributes:
        film: that is shown.   unseen: hide the hill and the regret.   bending: show the handles of the hill.
        frames: of the film that are drawn, all or one.
    """

    film: Chase
    unseen: bool
    bending: bool
    frames: np.ndarray

    @cached_property
    def round(self) -> np.ndarray:
        """(F,) round of every frame."""
        return self.frames // len(STEPS)

    @cached_property
    def step(self) -> np.ndarray:
        """(F,) step of every frame."""
        return self.frames % len(STEPS)

    @property
    def way(self) -> np.ndarray:
        """(1, rows) share of a step that has happened in each row of its frame."""
        return np.arange(1, BETWEEN + 2)[None] / (BETWEEN + 1)

    @property
    def low(self) -> float:
        """Lower end of the axis of rewards."""
        below, above = extent(self.film)
        return -(above if self.bending else below)

    @property
    def high(self) -> float:
        """Upper end of the axis of rewards, with room for marks below the words above it."""
        above = extent(self.film)[1]
        return above + HEAD * (above - self.low)

    def when(self, shown: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return values, (F,) or (F, rows), with gaps in the frames in which they are not shown."""
        return np.where(shown.reshape(-1, *[1] * (values.ndim - 1)), values, np.nan)


def ease(p: np.ndarray) -> np.ndarray:
    """Return how far something has come that begins and ends slowly."""
    return np.where(p < 0.5, 4 * p**3, 1 - (2 - 2 * p) ** 3 / 2)


def part(p: np.ndarray, begin: float, end: float) -> np.ndarray:
    """Return the share of a stretch that has happened."""
    return np.clip((p - begin) / (end - begin), 0.0, 1.0)


def mix(a: np.ndarray, b: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return what lies between."""
    return a + (b - a) * p


def colour(one: ChaseLearner, theme: Theme) -> str:
    """Return the colour of a learner: that of its role, and ink for the reader's own clicks."""
    return theme.ink if one.yours else theme.role(role(one))


def column(film: Chase, i: int) -> int:
    """Return the place of a learner from the left: the one that keeps everything comes first."""
    return len(film.learners) - 1 - i


def hill_box(film: Chase, i: int, narrow: bool) -> Box:
    """Return the place of a learner's hill."""
    both, place = len(film.learners) > 1, column(film, i)
    if narrow:
        return [0.0, 0.66 if both else 0.76], [[0.0, 1.0], [0.705, 1.0], [0.0, 0.295]][both * (1 + place)]
    if not both:
        return [0.0, 0.9], [0.0, 1.0]
    return [[0.0, 0.405], [0.595, 1.0]][place], [0.0, 1.0]


def tower_box(film: Chase, narrow: bool) -> Box:
    """Return the place of the towers: between two hills, or beside one; on a phone beside both."""
    both = len(film.learners) > 1
    if narrow:
        return [0.71 if both else 0.82, 1.0], [0.0, 1.0]
    return [0.415, 0.585] if both else [0.918, 1.0], [0.0, 1.0]


def also_narrow(sheet: Sheet, panel: str, box: Box, up: dict | None = None) -> None:
    """Place a panel where the figure is as narrow as a phone."""
    tail = sheet.axes[panel]
    style.elsewhere(sheet.layout, NARROW, f"xaxis{tail}", {"domain": box[0]})
    style.elsewhere(sheet.layout, NARROW, f"yaxis{tail}", {"domain": box[1], **(up or {})})


def query_rows(film: Chase, one: ChaseLearner) -> set[int]:
    """Return the rounds in which the reader queried."""
    return set(range(film.rounds)) if one.yours else {row for row, _ in film.setting.queries}


def is_mine(made: Stage, one: ChaseLearner) -> np.ndarray:
    """Return (F,) whether the reader asks in the round of a frame."""
    return np.isin(made.round, sorted(query_rows(made.film, one)))
