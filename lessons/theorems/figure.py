"""The theorems: exponents along a sweep, the rates as slopes, and a map of where a theorem holds.

Constants are open, so heights are arbitrary: only slopes and where a line is solid are theorem.
"""

from __future__ import annotations

import numpy as np

from figures import theme as look
from figures.film import Film
from figures.race_axes import spread_present
from figures.sheet import Sheet
from figures.spacetime import hover_points
from figures.theme import Theme
from lessons.theorems.figure_rates import Rates
from lessons.theorems.figure_region import Map
from lessons.theorems.figure_style import colour, dash, symbol
from lessons.theorems.model import PowerLaw, Sweep

EXPONENT_AXES = {  # measure -> range of the powers, title, ticks
    "budget": ((0.40, 1.36), "power of T in the regret", (0.5, 0.75, 1.0, 1.25)),
    "alpha": ((0.40, 2.1), "power of T in the regret", (0.5, 1.0, 1.5, 2.0)),
    "epsilon": ((1.09, -0.09), "power of ε in regret per step", (0.0, 0.25, 0.5, 0.75, 1.0)),
}


def stage(sweep: Sweep, theme: Theme, drawn: int) -> Film:
    """Return exponents, rates and map; time is the place on the sweep."""
    sheet = Sheet(theme, drawn, look.layout(theme, None, hoverdistance=30))
    wide = 1.75 if theme.lecture else 1.9
    sheet.frame["margin"] = {"l": int(4.3 * theme.tick), "r": int(0.5 * theme.tick), "t": int(wide * theme.label),
                             "b": int(3.0 * theme.label)}  # fmt: skip
    Exponents(sheet, sweep).draw([0.0, 0.2], [0.2, 0.385])
    Rates(sheet, sweep).draw([0.465, 0.71])
    Map(sheet, sweep).draw([0.79, 1.0])
    return sheet.film()


class Exponents:
    """Powers against the sweep, and at its right end those of the cursor with names and numbers."""

    def __init__(self, sheet: Sheet, sweep: Sweep) -> None:
        self.sheet, self.sweep, self.theme = sheet, sweep, sheet.theme
        self.span, self.title, self.ticks = EXPONENT_AXES[sweep.setting.measure]
        self.F = sweep.frames

    def draw(self, across: list[float], beside: list[float]) -> None:
        y = {"range": list(self.span), "tickvals": list(self.ticks), "ticktext": [f"{v:g}" for v in self.ticks]}
        self.sheet.panel("sweep", across, [0.0, 1.0], self._axis(), {**y, "title": self.title})
        hidden = {"showgrid": False, "showticklabels": False, "ticks": "", "showline": False}
        self.sheet.panel("powers now", beside, [0.0, 1.0], {"range": [0.0, 1.0], **hidden}, {**y, **hidden})
        self._limits()
        self._bet()
        for law in self.sweep.laws:
            self._line(law)
        now = np.repeat(self.sweep.now[:, None], 2, axis=1)
        ends = np.repeat(np.array(self.span, dtype=float)[None, :], self.F, axis=0)
        self.sheet.moving("sweep", look.line(None, None, self.theme.soft_ink, 1.5, "dot"), x=now, y=ends)
        self._marks()
        self._names()
        self._ears()
        self.sheet.headline("sweep", "<b>What is promised</b>", size=self.theme.label)

    def _axis(self) -> dict:
        if self.sweep.setting.measure == "alpha":
            return {"range": [0.0, 2.0], "tickvals": [0, 1 / 3, 1, 2], "ticktext": ["0", "⅓", "1", "2"],
                    "title": "drift exponent α"}  # fmt: skip
        ticks = [0.5, 1, 2.5, 5, 14]
        return {"type": "log", "range": [float(np.log10(15.5)), float(np.log10(self._edge))], "tickvals": ticks,
                "ticktext": ["½", "1", "2.5", "5", "∞"], "title": "smoothness ν"}  # fmt: skip

    @property
    def _edge(self) -> float:
        """The right end of the axis of the sweep."""
        return 2.0 if self.sweep.setting.measure == "alpha" else 0.48

    def _limits(self) -> None:
        """The ceiling over all promises."""
        axes, measure = self.sheet.on("sweep"), self.sweep.setting.measure
        bad = 0.0 if measure == "epsilon" else 1.0
        over = {"xref": f"{axes['xaxis']} domain", "x0": 0, "x1": 1, "yref": axes["yaxis"], "y0": bad, "layer": "below"}
        box = {**over, "type": "rect", "y1": self.span[1], "line": {"width": 0},
               "fillcolor": look.faded(self.theme.soft_ink, 0.09)}  # fmt: skip
        edge = {**over, "type": "line", "y1": bad, "line": {"color": self.theme.soft_ink, "width": 2}}
        self.sheet.frame.setdefault("shapes", []).extend([box, edge])
        right = measure == "alpha"  # where no line passes
        said = "promises nothing" if measure == "epsilon" else "promises<br>nothing"
        self.sheet.note("sweep", said, 0.97 if right else 0.03,
                        0.62 if right else 0.985, inside=True, xanchor="right" if right else "left", yanchor="top",
                        align="right" if right else "left", color=self.theme.soft_ink)  # fmt: skip

    def _bet(self) -> None:
        """The reader's bet, as a dotted line."""
        bet = self.sweep.setting.bet
        if bet in ("off", "cover"):
            return
        x, grey = self.sweep.across[[0, -1]], self.theme.soft_ink
        self.sheet.still("sweep", look.line(x, np.full(2, float(bet)), grey, self.theme.line, "dot"))
        self.sheet.note("sweep", "◇ your bet", 0.03, (float(bet) - self.span[0]) / (self.span[1] - self.span[0]),
                        xref="x domain", yref="y domain", xanchor="left", yanchor="bottom", color=grey)  # fmt: skip

    def _line(self, law: PowerLaw) -> None:
        """The exponent along the whole sweep, dashed where the theorem does not allow the smoothness."""
        x, at = self.sweep.across, colour(self.theme, law.method)
        floor = law.method == "floor"
        width = 2.4 * self.theme.line if floor else self.theme.line
        shade = look.faded(at, 0.35) if floor else at
        for held, style in ((law.ok, dash(law.method, law.name)), (~law.ok, "dot")):
            if held.any():
                y = np.where(held, law.power, np.nan)
                self.sheet.still("sweep", look.line(x, y, shade, width, style))

    def _powers(self) -> np.ndarray:
        """Return (F, laws) the exponents of each frame."""
        return np.stack([r.power[self.sweep.rows] for r in self.sweep.laws], axis=1)

    def _marks(self) -> None:
        laws = self.sweep.laws
        power = self._powers()
        x = np.repeat(self.sweep.now[:, None], len(laws), axis=1)
        shades = [colour(self.theme, r.method) for r in laws]
        style = {"color": shades, "size": self.theme.marker + 1, "opacity": 1,
                 "symbol": [symbol(r.method, r.told) for r in laws], "line": {"width": 2, "color": shades}}  # fmt: skip
        dots = {"type": "scatter", "mode": "markers", "marker": style, "hoverinfo": "skip", "cliponaxis": False}
        y = np.clip(power, min(self.span), max(self.span))
        # A hairline from each dot to the names.
        gaps, edge = np.full(y.shape, np.nan), np.full(y.shape, self._edge)
        hair = {"x": np.stack([x, edge, gaps], axis=2), "y": np.stack([y, y, gaps], axis=2)}
        flat = {key: values.reshape(len(y), -1) for key, values in hair.items()}
        self.sheet.moving("sweep", look.line(None, None, self.theme.soft_ink, 1.2), **flat)
        self.sheet.moving("sweep", dots, x=x, y=y)

    def _names(self) -> None:
        laws, (low, high) = self.sweep.laws, self.span
        power = self._powers()
        share = np.clip((power - low) / (high - low), 0.0, 1.0)
        gap = 0.075 if self.theme.lecture else 0.06
        places = low + spread_present(share, gap) * (high - low)
        inside = np.clip(power, min(self.span), max(self.span))
        size = self.theme.tick
        x = np.full(places.shape, 0.09)
        text = tuple(tuple("" if np.isnan(p) else f"<b>{p:.3f}</b> {r.name}" for p, r in zip(row, laws, strict=True))
                     for row in power)  # fmt: skip
        words = look.words(None, None, [], self.theme.ink, size, "middle right")
        words["textfont"] = {"size": size, "color": [colour(self.theme, r.method) for r in laws]}
        self.sheet.moving("powers now", words, x=x, y=places, text=text)
        # A hairline from the power to its name.
        gaps = np.full(places.shape, np.nan)
        lead = np.stack([inside, places, gaps], axis=2).reshape(len(places), -1)
        across = [0.0, 0.085, None] * len(laws)
        self.sheet.moving("powers now", look.line(across, None, self.theme.soft_ink, 1.2), y=lead)

    def _ears(self) -> None:
        """Unseen points: the exponent under the mouse; a click goes to that place of the sweep."""
        x, frames = self.sweep.across, np.arange(len(self.sweep.across))
        laws = self.sweep.laws
        said = ["" if np.isnan(p) else f"{r.name}: {p:.3f}" for r in laws for p in r.power]
        y = np.concatenate([np.clip(r.power, min(self.span), max(self.span)) for r in laws])
        hover_points(self.sheet, "sweep", np.tile(x, len(laws)), y, np.tile(frames, len(laws)), said, "%{text}")
