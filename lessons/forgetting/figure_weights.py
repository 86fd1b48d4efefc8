"""Weights that six memories give the same past, a row a memory.

The grey area is the weight of each past observation, the bars are its influence on today's estimate at one place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
from figures.race_axes import round_ticks
from figures.sheet import Sheet, gapped
from figures.spacetime import even_indices, hover_points
from figures.theme import Theme
from lessons.forgetting.memories import MemoryViews
from lessons.forgetting.model import HELD, WINDOW, Legend

ROW_HEIGHT = 0.64  # of a weight of 1, where rows are 1 apart
ROW_DEPTH = 0.2  # below the foot of a row, for influences below zero


def weights(
    views: MemoryViews,
    legend: Legend,
    clock: FilmFrames,
    theme: Theme,
    frame: int,
    names: Sequence[str],
    height: int | None = None,
) -> Film:
    """Return the rows of these memories.

    Args:
        height: in pixels, None for that of the stage.
    """
    sheet = Sheet(theme, frame, height, hoverdistance=30)
    sheet.margins(8.0 * theme.tick, 8, 1.75 * theme.label, 2.9 * theme.label)
    Rows(sheet, views, legend, clock, names).draw([0.0, 1.0])
    return sheet.film()


class Rows:
    """The rows of the memories, over the same observations."""

    def __init__(
        self, sheet: Sheet, views: MemoryViews, legend: Legend, clock: FilmFrames, names: Sequence[str]
    ) -> None:
        self.sheet, self.views, self.legend, self.clock = sheet, views, legend, clock
        self.T = views.problem.horizon
        self.names = list(names)
        self.foot = {name: len(self.names) - 1.0 - i for i, name in enumerate(self.names)}
        self.x = np.arange(1, self.T + 1, dtype=float)

    def draw(self, across: Sequence[float]) -> None:
        sheet, n = self.sheet, len(self.names)
        # Right of the last observation there is room for a number a row.
        ends = [0.0, (1.3 if sheet.theme.lecture else 1.2) * self.T]
        axis = {"range": ends, "title": "time t of the observation", "showgrid": False}
        axis["tickvals"] = round_ticks(self.T, 4)
        # Pointing at an observation draws a line through all rows: it is the same one in each.
        axis |= {
            "showspikes": True,
            "spikemode": "across",
            "spikethickness": 1.5,
            "spikedash": "solid",
            "spikecolor": sheet.theme.soft_ink,
        }
        ends = [-ROW_DEPTH - 0.04, n - 1 + ROW_HEIGHT + 0.12]
        up = {"range": ends, "showgrid": False, "showticklabels": False, "ticks": ""}
        sheet.panel("rows", across, [0.0, 1.0], axis, up)
        self._labels()
        self._areas()
        self._counts()
        self._now()
        self._click_points()

    def _labels(self) -> None:
        sheet, theme = self.sheet, self.sheet.theme
        weight, pull = ("", "effect") if theme.lecture else (" of an observation", "its effect on the estimate")
        hint = f"grey: weight{weight} · bars: {pull} at x = {self.views.place}"
        sheet.headline("rows", hint, color=theme.soft_ink)
        notes, head = sheet.layout["annotations"], len(sheet.layout["annotations"]) - 1
        for name, foot in self.foot.items():
            words = f"<b>{name}</b><br>{self.views.tuning.labels[name]}"
            sheet.note(
                "rows",
                words,
                0.0,
                foot + 0.5 * ROW_HEIGHT,
                xref="paper",
                xanchor="right",
                xshift=-8,
                align="right",
                color=theme.method(name),
            )
        short = {str(head): {**notes[head], "text": "grey: weight · bars: effect"}}
        style.elsewhere(sheet.layout, "narrow", "annotations", short)
        for i in range(head + 1, len(notes)):  # on a low screen a row has room for one line
            short[str(i)] = {**notes[i], "text": notes[i]["text"].split("<br>")[0]}
        style.elsewhere(sheet.layout, "low", "annotations", short)
        if self.legend.front[1] in self.foot and len(self.foot) > 1:
            foot = self.foot[self.legend.front[1]]
            up = foot - ROW_DEPTH, foot + ROW_HEIGHT + 0.14
            sheet.shape(
                "rows", "rect", None, up, layer="below", line={"width": 0}, fillcolor=style.faded(theme.ink, 0.06)
            )

    def _counts(self) -> None:
        """Write at the end of each row how many fresh observations its past weighs as much as."""
        theme = self.sheet.theme
        counts = np.stack([self.views.effective_size(name) for name in self.names], axis=1)
        text = tuple(tuple(f"{v:.0f}" if v >= 9.5 or v == round(v) else f"{v:.1f}" for v in row) for row in counts)
        feet = [foot + 0.4 * ROW_HEIGHT for foot in self.foot.values()]
        x = [self.T * 1.03] * len(feet)
        self.sheet.words("rows", x, feet, text, [theme.method(name) for name in self.foot], "middle right")
        if WINDOW in self.names:
            self.sheet.shows(HELD, "text", self.names.index(WINDOW))
        self.sheet.headline("rows", "sum of weights", xanchor="right", color=theme.soft_ink)

    def _areas(self) -> None:
        """Draw the weights of all memories as one pale trace, the influence of each as one dark one."""
        at = even_indices(self.T, 150)
        pale = []
        for name, foot in self.foot.items():
            high = foot + ROW_HEIGHT * self.views.weight(name)[:, at]
            pale.append(_closed(high, foot, gap=True))
        x = np.concatenate([np.concatenate([self.x[at[:1]], self.x[at], self.x[at[-1:]], [np.nan]])] * len(pale))
        sheet, shade = self.sheet, style.faded(self.sheet.theme.ink, 0.16)
        area = style.filled(x.astype(np.float32), np.concatenate(pale, axis=1), shade)
        sheet.draw("rows", area | {"line": {"width": 0, "shape": "hvh"}})
        cap = self._cap()
        x = np.concatenate([self.x[:1], self.x, self.x[-1:]]).astype(np.float32)
        for name, foot in self.foot.items():
            share = np.clip(self.views.influences[name][:, : self.T] / cap, -ROW_DEPTH / ROW_HEIGHT, 1.0)
            dark = self.sheet.theme.method(name)
            line = {"width": 1, "color": dark, "shape": "hvh"}
            y = _closed(foot + ROW_HEIGHT * share, foot)
            sheet.draw("rows", style.filled(x, y, dark) | {"line": line, "meta": name})

    def _cap(self) -> float:
        """Return the influence that fills a row, the same in all: most memories' strongest ones stay below it."""
        frames = [i for i, row in enumerate(self.clock.rows) if row in self.views.scale]
        tops = [np.abs(self.views.influences[name][frames]).max(axis=1) for name in self.foot]
        return max(float(np.quantile(np.concatenate(tops), 0.7)), 1e-9) if frames else 1.0

    def _now(self) -> None:
        """Draw the hairlines of jumps, and the line of now."""
        sheet, theme = self.sheet, self.sheet.theme
        for row in self.views.jumps:
            sheet.rule("rows", theme.soft_ink, 1.2, "dot", x=row + 1)
            if len(self.views.jumps) <= 6:
                sheet.note(
                    "rows", "jump", row + 1, 1.0, "y", xanchor="right", yanchor="top", xshift=-2, color=theme.soft_ink
                )
        now = np.asarray(self.clock.times, dtype=float)
        sheet.cursor("rows", now, list(sheet.span("rows", "y")), theme.ink, 1.5)

    def _click_points(self) -> None:
        """Draw unseen points that name the observation under the mouse; a click goes to its time."""
        at = even_indices(self.T, 40)
        x = np.tile(self.x[at], len(self.names))
        y = np.repeat([self.foot[n] + 0.3 * ROW_HEIGHT for n in self.names], len(at))
        texts = [f"{n}: the observation of t = {t + 1}" for n in self.names for t in at]
        hover_points(self.sheet, "rows", x, y, x, texts, "%{text}")


def _closed(high: np.ndarray, foot: float, gap: bool = False) -> np.ndarray:
    """Return (F, k) heights as areas that begin and end at the foot, with a gap behind where others follow."""
    ends = np.full((len(high), 1), foot)
    closed = np.concatenate([ends, high, ends], axis=1)
    return gapped(closed) if gap else closed
