"""Panel with the regret curves of one world: medians in colour, names at their ends, the future covered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from common.formats import amount
from figures import theme as style
from figures.end_labels import end_labels
from figures.frames import FilmFrames
from figures.palette import METHODS
from figures.race_axes import round_ticks
from figures.sheet import Sheet, chained, strokes
from figures.spacetime import even_indices, hover_points


class RacePanel:
    """The regret curves of one world.

    Attributes:
        sheet, name: figure and name of the panel there.   frames: of the film.   high: regret at its top.
        lines: name -> (k, T), one row a seed.   middle: name -> (T,) their medians.   T: rounds.
        jumps: rows with a hairline.   side_queries: name -> number of side queries, where there are any.
    """

    def __init__(
        self,
        sheet: Sheet,
        name: str,
        frames: FilmFrames,
        high: float,
        lines: Mapping[str, np.ndarray],
        medians: Mapping[str, np.ndarray],
        jumps: Sequence[int] = (),
        side_queries: Mapping[str, int] | None = None,
    ) -> None:
        self.sheet, self.name, self.frames, self.high = sheet, name, frames, high
        self.lines, self.middle, self.T = lines, medians, frames.horizon
        self.jumps, self.side_queries = jumps, side_queries or {}

    def draw(
        self, title: str, across: list[float], coloured: Sequence[str], pins: Sequence[str], quantity: str
    ) -> None:
        """Lay out the panel and draw it.

        Args:
            title: above it.   across: its share of the width, [from, to].   coloured: names in colour, others in grey.
            pins: names whose seeds are drawn too.   quantity: title of the axis, "" for an axis without numbers.
        """
        theme, T = self.sheet.theme, self.T
        room = 0.4 if theme.lecture else 0.34  # share of the width for the names at the ends
        right = T / (1 - room)
        x = {"title": "time t", "tickvals": round_ticks(T, 3), "showgrid": False, "range": [0, right]}
        ticks = round_ticks(self.high)
        level = {"range": [0.0, self.high], **style.ticks(ticks), "showgrid": False}
        y = {**level, "title": quantity, "showticklabels": bool(quantity)}
        self.sheet.panel(self.name, across, [0.0, 1.0], x, y)
        self.sheet.headline(self.name, f"<b>{title}</b>", size=theme.label)
        self._seeds([p for p in pins if p in coloured])
        self._greys([n for n in self.lines if n not in coloured])
        for name in (n for n in self.lines if n in coloured):
            median = self.middle[name]
            self.sheet.curve(self.name, self._t, median, theme.method(name), theme.line, METHODS[name].dash, meta=name)
        self._jumps()
        now = np.asarray(self.frames.times, dtype=float) + 0.3
        self.sheet.rect(self.name, (now, right * 1.01), (0.0, self.high * 1.001), theme.paper)  # covers the future
        for value in ticks:
            self.sheet.rule(self.name, theme.grid, 1, y=value, layer="above")
        self._ends([n for n in self.lines if n in coloured])
        self._hover_points()

    @property
    def _length(self) -> int:
        """Rounds that the lines have, at most all."""
        return len(next(iter(self.middle.values()))) if self.middle else self.T

    @property
    def _t(self) -> np.ndarray:
        return np.arange(1, self._length + 1, dtype=np.float32)

    def _many(self, rows: Sequence[np.ndarray] | np.ndarray, colour: str, width: float, **more: Any) -> None:
        """Draw several lines in one trace, with gaps between."""
        if len(rows):
            x, y = chained(self._t, np.asarray(rows))
            self.sheet.curve(self.name, x, y, colour, width, **more)

    def _seeds(self, pins: Sequence[str]) -> None:
        """Draw every seed of the pinned methods, where there are several."""
        for name in pins:
            if name in self.lines and len(self.lines[name]) > 1:
                self._many(self.lines[name], style.faded(self.sheet.theme.method(name), 0.38), 1.2, meta=name)

    def _greys(self, names: Sequence[str]) -> None:
        """Draw the medians of the other methods in grey."""
        self._many([self.middle[n] for n in names], style.faded(self.sheet.theme.grey, 0.6), 1.6)

    def _jumps(self) -> None:
        """Draw a hairline at each jump that has happened, so that none strikes through a name, and a flag at each."""
        theme = self.sheet.theme
        if self.jumps:
            rounds = np.asarray(self.jumps, dtype=float) + 1
            y = strokes(np.zeros(len(rounds)), self.high)
            self.sheet.curve(self.name, np.repeat(rounds, 3), y, theme.soft_ink, 1.3, "dot")
        for row in self.jumps if len(self.jumps) <= 6 else ():
            self.sheet.note(
                self.name, "jump", row + 1, 1.0, "y", xanchor="right", yanchor="top", xshift=-2, color=theme.soft_ink
            )

    def _ends(self, names: Sequence[str]) -> None:
        """Draw a marker and the name at the current end of each coloured line."""
        if not names:
            return
        theme, rows = self.sheet.theme, self.frames.index
        values = np.stack([self.middle[n][rows] for n in names], axis=1)
        extra = [f" +{self.side_queries[n]:,}" if self.side_queries.get(n) else "" for n in names]
        labels = [(f"{n}{more}", f"{n}{more} ↑") for n, more in zip(names, extra, strict=True)]
        above = (values > self.high).tolist()
        text = [[pair[up] for pair, up in zip(labels, row, strict=True)] for row in above]
        colours, symbols = [theme.method(n) for n in names], [METHODS[n].symbol for n in names]
        inside = np.clip(values, 0.0, self.high)
        now = np.repeat(np.asarray(self.frames.times, dtype=float)[:, None], len(names), axis=1)
        beside = now + (0.045 if theme.lecture else 0.03) * self.T
        end_labels(self.sheet, self.name, (now, inside), beside, text, colours)
        rim = [2 if s.endswith("open") else 0 for s in symbols], colours
        self.sheet.dots(
            self.name,
            now,
            inside,
            colours,
            theme.marker,
            symbol=symbols,
            rim=rim,
            opacity=1,
            cliponaxis=False,
        )

    def _hover_points(self) -> None:
        """Draw invisible points along every line with its name and value; a click on one chooses its time."""
        at = even_indices(self._length, 24)
        names = list(self.lines)
        k = len(next(iter(self.lines.values()))) if names else 0
        values = np.concatenate([self.middle[n][at] for n in names])
        texts = [
            f"{n}, t = {t + 1}: {amount(value)}"
            for n in names
            for t, value in zip(at.tolist(), self.middle[n][at].tolist(), strict=True)
        ]
        x = np.tile(at + 1, len(names))
        seeds = f"median of {k} seeds" if k > 1 else "one seed"
        hover_points(self.sheet, self.name, x, values, x, texts, f"%{{text}} ({seeds})")
