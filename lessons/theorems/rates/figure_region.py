"""The region in which a theorem holds: a map over horizon and drift, or over the number of side queries."""

from __future__ import annotations

import numpy as np

from common.formats import power_of_ten
from figures import theme as style
from figures.end_labels import end_labels
from figures.sheet import Sheet
from lessons.theorems.figure_style import CLEAR, colour, dash
from lessons.theorems.rates.model import LOG_T, Border, Sweep

MAP_AXES = {
    "budget": ((2.0, 7.0), (-3.5, 7.0), "horizon T", "drift budget V<sub>T</sub>"),
    "alpha": ((0.0, 2.0), (-0.04, 1.04), "drift exponent α", "power of T in the side queries N<sub>T</sub>"),
}


class Map:
    """The region in which the theorem holds, over horizon and drift; for side queries over their number."""

    def __init__(self, sheet: Sheet, sweep: Sweep) -> None:
        self.sheet, self.sweep, self.theme = sheet, sweep, sheet.theme
        self.measure = sweep.setting.measure
        self.x_span, self.y_span, self.x_title, self.y_title = MAP_AXES[self.measure]

    def draw(self, across: list[float], beside: list[float]) -> None:
        x = {"range": list(self.x_span), "title": self.x_title, "showgrid": False}
        y = {"range": list(self.y_span), "title": "" if self.theme.lecture else self.y_title}
        if self.measure == "alpha":
            x |= style.ticks([0, 1 / 3, 1, 2], ["0", "⅓", "1", "2"])
            y |= {"tickvals": [0, 0.5, 1]}
        else:
            ticks = range(-2, 8, 2)
            x |= style.ticks([2, 4, 6], map(power_of_ten, (2, 4, 6)))
            y |= style.ticks(ticks, [power_of_ten(v, 0) for v in ticks])
        self.sheet.panel("map", across, [0.0, 1.0], x, y)
        self._area()
        for border in self.sweep.borders:
            self._border(border)
        self._here()
        title = {
            "budget": "<b>Where the rates hold</b>" + (", V<sub>T</sub>" if self.theme.lecture else ""),
            "alpha": "<b>Side queries</b>" + (", power of T" if self.theme.lecture else ""),
        }[self.measure]
        self.sheet.headline("map", title, size=self.theme.label)
        self._words()
        self._names(beside)

    def _area(self) -> None:
        x, low, high = self.sweep.holds
        at = colour(self.theme, "floor" if self.measure == "alpha" else "R-PERP")
        if self.measure == "alpha":
            self.sheet.area("map", x, low, high, CLEAR, **style.hatch(style.faded(at, 0.45), CLEAR, 0.25))
        else:
            self.sheet.area("map", x, low, high, style.faded(at, 0.2))

    def _border(self, border: Border) -> None:
        at = colour(self.theme, border.method)
        y = np.where(border.y > self.y_span[1] * 1.02 + 0.02, np.nan, border.y)
        self.sheet.curve("map", border.x, y, at, self.theme.line, dash(border.method))

    def _here(self) -> None:
        if self.measure == "alpha":
            ends = np.tile([0.0, 1.0], (self.sweep.frames, 1))
            self.sheet.cursor("map", self.sweep.now, ends, self.theme.soft_ink, 1.5, "dot")
            return
        self.sheet.dots(
            "map",
            [LOG_T],
            [self.sweep.setting.v * LOG_T],
            self.theme.ink,
            1.5 * self.theme.marker,
            symbol="cross",
            rim=(1.5, self.theme.paper),
            opacity=1,
            cliponaxis=False,
        )

    def _names(self, beside: list[float]) -> None:
        """Each border's name at its right end."""
        named = [b for b in self.sweep.borders if b.method != "floor"]
        shades = [colour(self.theme, b.method) for b in named]
        short = ["R/SW/WGP" if b.name == "R-, SW-, WGP-UCB" else b.name for b in named]
        low, high = self.y_span
        ends = np.stack([np.broadcast_to(b.y[:, -1], self.sweep.frames) for b in named], axis=1)
        text = [[n if low < v <= high else "" for n, v in zip(short, row, strict=True)] for row in ends]  # NaN: no
        bare = {**style.BARE, "range": list(self.y_span)}
        self.sheet.panel("borders", beside, [0.0, 1.0], {"range": [0.0, 1.0], **style.BARE}, bare)
        ends = np.where((low < ends) & (ends <= high), ends, np.nan)
        end_labels(self.sheet, "borders", (np.zeros(ends.shape), ends), 0.08, text, shades)

    def _words(self) -> None:
        more = {"inside": "xy", "xanchor": "left", "yanchor": "top", "align": "left", "bgcolor": self.theme.paper}
        if self.measure == "budget":
            parts = ("too much", "drift") if self.theme.lecture else ("too much drift:", "linear regret")
            self.sheet.note("map", "<br>".join(parts), 0.03, 0.985, **more)
            foot = {**more, "yanchor": "bottom"}
            self.sheet.note("map", "little drift:<br>never restart", 0.03, 0.015, **foot)
        else:
            self.sheet.note(
                "map", "too few:<br>linear regret", 0.97, 0.02, **{**more, "xanchor": "right", "yanchor": "bottom"}
            )
