"""Panels of the bands side by side on one pair of axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from figures import theme as style
from figures.sheet import gapped
from figures.theme import Theme
from lessons.bands.model import BandsOverTime

GAP_SHARE = 0.018  # of the width, between panels
LENS_SHARE = 0.17  # radius of a magnifier, over the height of a panel
MOST_FULL_SIZE = 5  # panels with type of full size
ROUNDING = 0.001  # of the width: a name at the edge of a panel that is shown alone is not cut by it
TITLE_LECTURE = "action x; dotted: mean, thick: reward now, red: the band misses"
TITLE = f"{TITLE_LECTURE}, ±: mean half-width, ▲: see below"
TITLE_NARROW = "action x; thick: reward now, red: misses"


@dataclass(frozen=True, eq=False)
class Panels:
    """Panels side by side on one pair of axes: fewer axes and fewer lines are drawn faster.

    The x axis of the sheet runs from 0 to 1; panel i takes `wide` of it from i (wide + gap).

    Attributes:
        run: gives the places and the rewards.   narrow: with room for few words.
    """

    run: BandsOverTime
    narrow: bool = False

    @property
    def count(self) -> int:
        """Number of the panels, one a band."""
        return len(self.run.films)

    @property
    def range_x(self) -> list[float]:
        """One range of places for all panels."""
        low, high = float(self.run.x[0]), float(self.run.x[-1])
        return [low, high] if high > low else [low - 0.5, high + 0.5]

    @property
    def range_y(self) -> list[float]:
        """One range of rewards for all panels and all times, from the truth and the data."""
        truth, heard = self.run.truth, self.run.history.y
        values = [truth.min(), truth.max()] + ([heard.min(), heard.max()] if len(heard) else [])
        low, high = min(values), max(values)
        span = max(high - low, 0.5)
        low, high = low - 0.04 * span, high + 0.12 * span
        return [float(high - (high - low) / (1 - 2 * LENS_SHARE)), float(high)]  # the magnifier lies below the data

    @property
    def wide(self) -> float:
        """Width of a panel."""
        return (1.0 - GAP_SHARE * (self.count - 1)) / self.count

    @property
    def type_share(self) -> float:
        """Size of the type in a panel, over that of the theme: smaller where many panels share the width."""
        return min(1.0, MOST_FULL_SIZE / self.count)

    def left(self, panel: int) -> float:
        """Left edge of a panel."""
        return panel * (self.wide + GAP_SHARE)

    def at(self, panel: int, x: np.ndarray) -> np.ndarray:
        """Return the places x of a panel as coordinates of the sheet."""
        low, high = self.range_x
        return (self.left(panel) + self.wide * (np.asarray(x) - low) / (high - low)).astype(np.float32)

    def everywhere(self, x: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return x (m,) and y (F, m) of every panel as one trace, with a gap after each."""
        places = [np.append(self.at(i, x), np.float32(np.nan)) for i in range(self.count)]
        return np.concatenate(places), np.tile(gapped(rows), self.count)

    def alone(self, panel: int) -> list[float]:
        """Return the range of the sheet that shows one panel alone."""
        return [self.left(panel) - ROUNDING, self.left(panel) + self.wide + ROUNDING]

    def axis_narrow(self, theme: Theme) -> dict:
        """Return what differs of the axis on a phone, which shows one panel: ticks in all of them, and fewer words."""
        ends = np.array(self.range_x)
        places = [float(v) for i in range(self.count) for v in self.at(i, ends)]
        title = {"text": TITLE_NARROW, "standoff": 2, "font": {"size": theme.tick}}
        return style.ticks(places, [f"{v:g}" for v in ends] * self.count) | {"title": title}

    def axis(self, theme: Theme) -> dict:
        """Return the axis of places, with the first and the last place in the first panel."""
        marks = self.range_x
        texts = [f"{v:g}" for v in marks]
        title = "action x; thick: reward now" if self.narrow else TITLE_LECTURE if theme.lecture else TITLE
        places = [float(v) for v in self.at(0, np.array(marks))]  # two ends of two panels would touch
        if theme.lecture:  # a hall has no room for a line of its own
            places, texts, title = [*places, 0.5], [*texts, title], ""
        small = {"size": int(self.type_share * theme.tick)}
        plain = {"showgrid": False, "showline": False, "tickangle": 0, "tickfont": small}
        return {"title": title, "range": [0, 1], **plain, "tickvals": places, "ticktext": texts}
