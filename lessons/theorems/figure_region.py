"""Where a theorem holds: a map over horizon and drift, or over the number of side queries."""

from __future__ import annotations

import numpy as np

from figures import theme as look
from figures.end_labels import spread
from figures.labels import power_of_ten
from figures.sheet import Sheet
from lessons.theorems.figure_style import SHORT_NAMES, colour, dash
from lessons.theorems.model import Border, Sweep

MAP_AXES = {
    "budget": ((2.0, 7.0), (-3.5, 7.0), "horizon T", "drift budget V<sub>T</sub>"),
    "alpha": ((0.0, 2.0), (-0.04, 1.04), "drift exponent α", "power of T in the re-asks N<sub>T</sub>"),
    "epsilon": ((2.0, 7.0), (-16.0, 1.0), "horizon T", "rate ε"),
}


class Map:
    """Where the theorem holds, over horizon and drift; for side queries over their number."""

    def __init__(self, sheet: Sheet, sweep: Sweep) -> None:
        self.sheet, self.sweep, self.theme = sheet, sweep, sheet.theme
        self.measure = sweep.setting.measure
        self.x_span, self.y_span, self.x_title, self.y_title = MAP_AXES[self.measure]

    def draw(self, across: list[float]) -> None:
        x = {"range": list(self.x_span), "title": self.x_title, "showgrid": False}
        y = {"range": list(self.y_span), "title": self.y_title}
        if self.measure == "alpha":
            x |= {"tickvals": [0, 1 / 3, 1, 2], "ticktext": ["0", "⅓", "1", "2"]}
            y |= {"tickvals": [0, 0.5, 1]}
        else:
            step = 4 if self.measure == "epsilon" else 2
            ticks = list(range(int(np.ceil(self.y_span[0] / step)) * step, int(self.y_span[1]) + 1, step))
            x |= {"tickvals": [2, 4, 6], "ticktext": [power_of_ten(v) for v in (2, 4, 6)]}
            y |= {"tickvals": ticks, "ticktext": [power_of_ten(v) if v else "1" for v in ticks]}
        self.sheet.panel("map", across, [0.0, 1.0], x, y)
        self._area()
        for border in self.sweep.borders:
            self._border(border)
        self._here()
        title = {"budget": "<b>Where it holds</b>", "alpha": "<b>Re-asks needed</b>",
                 "epsilon": "<b>Where ε decides</b>"}[self.measure]  # fmt: skip
        self.sheet.headline("map", title, size=self.theme.label)
        self._words()
        self._names()

    def _area(self) -> None:
        x, low, high = self.sweep.holds
        around = np.concatenate([x, x[::-1]])
        y = np.concatenate([low, high[:, ::-1]], axis=1)
        main = {"budget": "R-PERP", "epsilon": "TV-GP-UCB", "alpha": "floor"}[self.measure]
        at = colour(self.theme, main)
        area = {"type": "scatter", "mode": "lines", "fill": "toself", "line": {"width": 0}, "hoverinfo": "skip",
                "x": around, "fillcolor": look.faded(at, 0.2)}  # fmt: skip
        if self.measure == "alpha":
            area["fillcolor"] = "rgba(0,0,0,0)"
            area["fillpattern"] = {"shape": "/", "size": 9, "solidity": 0.25, "fgcolor": look.faded(at, 0.45),
                                   "bgcolor": "rgba(0,0,0,0)"}  # fmt: skip
        self.sheet.moving("map", area, y=y)

    def _border(self, border: Border) -> None:
        at = colour(self.theme, border.method)
        y = np.where(border.y > self.y_span[1] * 1.02 + 0.02, np.nan, border.y)
        self.sheet.moving("map", look.line(border.x, None, at, self.theme.line, dash(border.method)), y=y)

    def _here(self) -> None:
        if self.sweep.here is None and self.measure != "alpha":
            return
        if self.sweep.here is None:
            self.sheet.moving("map", look.line(None, None, self.theme.soft_ink, 1.5, "dot"),
                              x=np.repeat(self.sweep.now[:, None], 2, axis=1),
                              y=np.repeat(np.array([[0.0, 1.0]]), self.sweep.frames, axis=0))  # fmt: skip
            return
        x, y = self.sweep.here
        cross = {"type": "scatter", "mode": "markers", "x": [x], "y": [y], "hoverinfo": "skip", "cliponaxis": False,
                 "marker": {"symbol": "cross", "size": 1.5 * self.theme.marker, "color": self.theme.ink, "opacity": 1,
                            "line": {"width": 1.5, "color": self.theme.paper}}}  # fmt: skip
        self.sheet.still("map", cross)

    def _names(self) -> None:
        """Each border's name over it, near its right end."""
        named = [b for b in self.sweep.borders if b.method != "floor"]
        low, high = self.y_span
        falls = self.measure == "epsilon"  # then there is room over the left end
        edge = np.full(self.sweep.frames, 0.04 if falls else 0.98)  # share of the axis at which the names begin or end
        if self.measure == "alpha":  # the cursor crosses them there: they stand before it
            now = (self.sweep.now - self.x_span[0]) / (self.x_span[1] - self.x_span[0])
            edge = np.where((now > 0.55) & (now < 0.98), now - 0.02, edge)
        size = named[0].y.shape[1]
        at = np.zeros(len(edge), dtype=int) if falls else ((edge - 0.05) * (size - 1)).astype(int)
        ends = np.stack([b.y[np.arange(len(b.y)), at if b.y.shape[1] == size else -1] for b in named], axis=1)
        over = np.array([-0.06, 0.05]) if falls else 0.045  # of two falling lines the lower one is named below
        share = np.where(np.isfinite(ends), np.clip((ends - low) / (high - low) + over, 0.0, 0.94), 0.5)
        apart = low + spread(share, 0.085 if self.theme.lecture else 0.065) * (high - low)
        words = look.words(None, None, [], self.theme.ink, self.theme.tick, "middle right" if falls else "middle left")
        words["textfont"] = {"size": self.theme.tick, "color": [colour(self.theme, b.method) for b in named]}
        short = [SHORT_NAMES.get(b.name, b.name) for b in named]
        text = tuple(tuple(n if v > low else "" for n, v in zip(short, row, strict=True)) for row in ends)  # NaN: no
        x = self.x_span[0] + edge * (self.x_span[1] - self.x_span[0])
        self.sheet.moving("map", words, x=np.broadcast_to(x[:, None], apart.shape).copy(), y=apart, text=text)

    def _words(self) -> None:
        more = {"inside": True, "xanchor": "left", "yanchor": "top", "align": "left", "bgcolor": self.theme.paper}
        if self.measure == "budget":
            self.sheet.note("map", "no method<br>can follow", 0.03, 0.985, **more)
            foot = {**more, "yanchor": "bottom"}
            self.sheet.note("map", "so little drift: H = T", 0.03, 0.015, **foot)
        elif self.measure == "epsilon":
            self.sheet.note("map", "√T<sup>1+c</sup> decides", 0.03, 0.015, **{**more, "yanchor": "bottom"})
        else:
            self.sheet.note("map", "nothing<br>learned", 0.97, 0.02, **{**more, "xanchor": "right",
                                                                       "yanchor": "bottom"})  # fmt: skip
