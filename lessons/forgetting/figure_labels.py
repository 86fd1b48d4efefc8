"""Places of words beside a curve: in every frame the first of a word's places that is free on every screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from figures.sheet import LINE_HEIGHT, Sheet

# Width and height of the bowl in pixels: a small and a large phone, a page at twice its size, a phone on its side,
# desks; in lecture type halls of 650, 720 and 1080 lines.
SCREENS = {
    False: ((270, 200), (304, 270), (595, 140), (758, 145), (1014, 270), (1478, 460)),
    True: ((1200, 180), (1120, 230), (1763, 415)),
}
LETTER = {False: 0.40, True: 0.46}  # width of a letter over its size, at most and on average over a word; True in bold


SAMPLES = 10  # points on each piece of a line


@dataclass(frozen=True)
class Panel:
    """A panel from x = `left` to `right` and from y = 0 to `top`; shares of its sides are (..., 2), from 0 to 1."""

    left: float
    right: float
    top: float

    def shares(self, x: np.ndarray | float, y: np.ndarray) -> np.ndarray:
        """Return the shares of a point."""
        return np.stack(np.broadcast_arrays((x - self.left) / (self.right - self.left), y / self.top), axis=-1)

    def values(self, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return x and y of shares; inverse of `shares`."""
        return self.left + at[..., 0] * (self.right - self.left), at[..., 1] * self.top

    def line(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the shares (F, P, 2) of points along lines through x, (n,) or (F, n), and y (F, n)."""
        ends = self.shares(x, y)
        on = np.linspace(0, 1, SAMPLES)[:, None, None, None]
        return np.concatenate((1 - on) * ends[:, :-1] + on * ends[:, 1:], axis=1)


@dataclass(frozen=True)
class Word:
    """A word of the figure in every frame.

    Attributes:
        text: (F,) with "<br>" and "<b>"; "" for none.   size: of its letters, pixels.
        at: (F, C, 2) its places in shares of the panel, the best first; the middle of its height.
        side: (F, C) -1 where it ends there, 0 where its middle is there, 1 where it begins there.
        always: whether it stands also where it has no free place: in that which is taken on the fewest screens.
    """

    text: Sequence[str]
    size: float
    at: np.ndarray
    side: np.ndarray
    always: bool = False

    @classmethod
    def near(cls, text: Sequence[str], size: float, point: np.ndarray, ways: np.ndarray, always: bool = False) -> Word:
        """Return a word near a point (F, 1, 2) in each of these ways.

        Args:
            ways: (F or 1, C, 3) the side, and from the point to the word in shares: aside on that side, and up.
        """
        ways = np.broadcast_to(ways, (len(text), *ways.shape[1:]))
        side = ways[..., 0]
        return cls(text, size, point + np.stack([side * ways[..., 1], ways[..., 2]], axis=-1), np.sign(side), always)

    def taken(self, place: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[str]]:
        """Return shares (F, 2), side (F,) and text of the places (F,) that were found; no text at -1."""
        frames = np.arange(len(place))
        text = [one if k >= 0 else "" for one, k in zip(self.text, place, strict=True)]
        return self.at[frames, place], self.side[frames, place], text

    def boxes(self, screen: tuple[int, int]) -> np.ndarray:
        """(F, C, 4) left, low, right, high on a screen, in shares of the panel."""
        plain = [text.replace("<b>", "").replace("</b>", "").split("<br>") for text in self.text]
        letter = np.array([LETTER["<b>" in text] for text in self.text]) * self.size / screen[0]
        wide = np.array([max(map(len, lines)) for lines in plain]) * letter
        tall = np.array([1 + (len(lines) - 1) * LINE_HEIGHT for lines in plain]) * self.size / screen[1]  # of its ink
        middle, y = self.at[..., 0] + 0.5 * self.side * wide[:, None], self.at[..., 1]
        across, up = 0.5 * wide[:, None], 0.5 * tall[:, None]
        return np.stack([middle - across, y - up, middle + across, y + up], axis=-1)


def ways(sides: Sequence[int], aside: Sequence[float], up: Sequence[float]) -> np.ndarray:
    """Return all of these ways from a point to its word (1, C, 3) as `Word.near` takes them, the nearest first."""
    return np.array([[(side, x, y) for y in up for x in aside for side in sides]], dtype=float)


def write_free(
    sheet: Sheet,
    name: str,
    panel: Panel,
    words: Sequence[tuple[Word, str]],
    points: np.ndarray,
    marks: Sequence[tuple[np.ndarray, float]],
) -> None:
    """Write words, each with its colour, on the panel of a sheet where they are free.

    Args:
        points, marks: see `free_places`.
    """
    found = free_places([word for word, _ in words], points, marks, sheet.theme.lecture)
    for (word, colour), place in zip(words, found, strict=True):
        at, sides, text = word.taken(place)
        for side, anchor in ((-1, "middle left"), (0, "middle center"), (1, "middle right")):
            if (word.side == side).any():
                mine = tuple((one if of == side else "",) for one, of in zip(text, sides, strict=True))
                sheet.words(name, *panel.values(at[:, None]), mine, colour, anchor, word.size)


def free_places(
    words: Sequence[Word], points: np.ndarray, marks: Sequence[tuple[np.ndarray, float]], lecture: bool
) -> list[np.ndarray]:
    """Return for each word (F,) the number of the place that it takes; -1 where none of its places is free.

    Args:
        words: the first of them choose first.   points: (F, P, 2) on the lines of the panel, in its shares.
        marks: (F, n, 2) middles of round marks and their radius in pixels.   lecture: which screens there are.
    """
    frames = np.arange(len(points))
    taken: list[list[np.ndarray]] = [[] for _ in SCREENS[lecture]]  # of each screen the boxes (F, 4) of words before
    found = []
    for word in words:
        every = [word.boxes(screen) for screen in SCREENS[lecture]]
        blocked = np.zeros(word.side.shape, dtype=int)  # on how many screens
        for boxes, screen, before in zip(every, SCREENS[lecture], taken, strict=True):
            met = (boxes[..., 1] <= 0) | (boxes[..., 3] > 1) | (boxes[..., 0] < 0) | (boxes[..., 2] > 1)
            met |= _inside(points, boxes, 0.0, 2.0 / screen[1])  # half of a line's width
            for at, radius in marks:
                met |= _inside(at, boxes, radius / screen[0], radius / screen[1])
            for other in before:
                met |= _meet(boxes, other[:, None])
            blocked += met
        place = blocked.argmin(axis=1)
        if not word.always:
            place = np.where(blocked[frames, place] == 0, place, -1)
        shown = (place >= 0) & np.array([bool(text) for text in word.text])
        for boxes, before in zip(every, taken, strict=True):
            before.append(np.where(shown[:, None], boxes[frames, place], np.nan))
        found.append(place)
    return found


def _inside(points: np.ndarray, boxes: np.ndarray, across: float, up: float) -> np.ndarray:
    """(F, C) whether one of the points (F, P, 2) lies in a box (F, C, 4), or by less than that beside it."""
    x, y = points[:, None, :, 0], points[:, None, :, 1]
    low = (x > boxes[..., None, 0] - across) & (y > boxes[..., None, 1] - up)
    return (low & (x < boxes[..., None, 2] + across) & (y < boxes[..., None, 3] + up)).any(axis=-1)


def _meet(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return whether boxes (..., 4) overlap; NaN meets nothing."""
    return (a[..., 0] < b[..., 2]) & (b[..., 0] < a[..., 2]) & (a[..., 1] < b[..., 3]) & (b[..., 1] < a[..., 3])
