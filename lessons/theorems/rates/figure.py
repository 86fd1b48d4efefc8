"""The theorems: exponents along a sweep, and a map of where a theorem holds."""

from __future__ import annotations

import numpy as np

from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.sheet import Sheet, strokes
from figures.spacetime import hover_points
from figures.theme import Theme
from lessons.theorems.figure_style import APART, colour, dash, symbol
from lessons.theorems.rates.figure_region import Map
from lessons.theorems.rates.model import PowerLaw, Sweep

SAID = {  # what sentences call the laws that have another name there
    "lower bound, no side queries": ("lower bound", "without side queries"),
    "R-, SW-, WGP-UCB": ("R-, SW- and WGP-UCB",),
}
EXPONENT_AXES = {  # measure -> range of the powers, title, ticks
    "budget": ((0.40, 1.36), "power of T in the regret", (0.5, 0.75, 1.0, 1.25)),
    "alpha": ((0.40, 2.1), "power of T in the regret", (0.5, 1.0, 1.5, 2.0)),
}


def stage(sweep: Sweep, theme: Theme, frame: int) -> Film:
    """Return exponents and map; time is the place on the sweep."""
    sheet = Sheet(theme, frame, hoverdistance=30)
    wide = 1.75 if theme.lecture else 1.9
    sheet.margins(4.3 * theme.tick, 0.5 * theme.tick, wide * theme.label, 3.0 * theme.label)
    # In a hall names are wider, and the title of the map's axis of values stands above it.
    hall = ([0.0, 0.32], [0.32, 0.59], [0.66, 0.9], [0.9, 1.0])
    desk = ([0.0, 0.42], [0.42, 0.62], [0.7, 0.92], [0.92, 1.0])
    promised, beside, holds, borders = hall if theme.lecture else desk
    Exponents(sheet, sweep).draw(promised, beside)
    Map(sheet, sweep).draw(holds, borders)
    # On a tablet, or a page at twice its size, names keep their size and so take a larger share. A phone shows the left
    # half of this figure first, with all names in it.
    sheet.narrow("sweep", "medium", domain=[0.0, 0.21])
    sheet.narrow("powers now", "medium", domain=[0.21, 0.5])
    sheet.narrow("map", "medium", domain=[0.7, 0.84])
    sheet.narrow("borders", "medium", domain=[0.84, 1.0])
    return sheet.film()


def exponents(sweep: Sweep, theme: Theme, frame: int) -> Film:
    """Return the exponents alone."""
    sheet = Sheet(theme, frame, hoverdistance=30)
    sheet.margins(4.3 * theme.tick, 0.5 * theme.tick, 1.75 * theme.label, 3.0 * theme.label)
    Exponents(sheet, sweep).draw([0.0, 0.55], [0.55, 1.0])
    return sheet.film()


class Exponents:
    """Powers against the sweep, and at its right end those of the cursor with names and numbers."""

    def __init__(self, sheet: Sheet, sweep: Sweep) -> None:
        self.sheet, self.sweep, self.theme = sheet, sweep, sheet.theme
        self.span, self.title, self.ticks = EXPONENT_AXES[sweep.setting.measure]
        self.F = sweep.frames

    def draw(self, across: list[float], beside: list[float]) -> None:
        y = {"range": list(self.span), **style.ticks(self.ticks)}
        self.sheet.panel("sweep", across, [0.0, 1.0], self._axis(), {**y, "title": self.title})
        self.sheet.panel("powers now", beside, [0.0, 1.0], {"range": [0.0, 1.0], **style.BARE}, {**y, **style.BARE})
        self._limits()
        for law in self.sweep.laws:
            self._line(law)
        ends = np.tile(self.span, (self.F, 1))
        self.sheet.cursor("sweep", self.sweep.now, ends, self.theme.soft_ink, 1.5, "dot")
        self._marks()
        self._names()
        self._ears()
        self.sheet.headline("sweep", "<b>Guaranteed rate</b>, lower is better", size=self.theme.label)

    def _axis(self) -> dict:
        if self.sweep.setting.measure == "alpha":
            ticks = style.ticks([0, 1 / 3, 1, 2], ["0", "⅓", "1", "2"])
            return {"range": [0.0, 2.0], **ticks, "title": "drift exponent α"}
        ticks = style.ticks([0.5, 1, 2.5, 5, 14], ["½", "1", "2.5", "5", "∞"])
        span = [float(np.log10(15.5)), float(np.log10(self._edge))]
        return {"type": "log", "range": span, **ticks, "title": "smoothness ν"}

    @property
    def _edge(self) -> float:
        """The right end of the axis of the sweep."""
        return 2.0 if self.sweep.setting.measure == "alpha" else 0.48

    def _limits(self) -> None:
        """The ceiling: a bound there is vacuous."""
        grey, right = self.theme.soft_ink, self.sweep.setting.measure == "alpha"  # where no line passes
        self.sheet.shape(
            "sweep",
            "rect",
            None,
            (1.0, self.span[1]),
            layer="below",
            line={"width": 0},
            fillcolor=style.faded(grey, 0.09),
        )
        self.sheet.rule("sweep", grey, 2, y=1.0, layer="below")
        self.sheet.note(
            "sweep",
            "vacuous",
            0.97 if right else 0.03,
            0.62 if right else 0.985,
            inside="xy",
            xanchor="right" if right else "left",
            yanchor="top",
            align="right" if right else "left",
            color=grey,
            bgcolor=self.theme.paper,
        )

    def _line(self, law: PowerLaw) -> None:
        """The exponent along the whole sweep, dashed where the theorem does not allow the smoothness."""
        x, at = self.sweep.across, colour(self.theme, law.method)
        floor = law.method == "floor"
        width = 2.4 * self.theme.line if floor else self.theme.line
        shade = style.faded(at, 0.35) if floor else at
        said = "|".join(SAID.get(law.name, (law.name,)))
        for held, dashes in ((law.ok, dash(law.method, law.name)), (~law.ok, "dot")):
            if held.any():
                self.sheet.curve("sweep", x, np.where(held, law.power, np.nan), shade, width, dashes, meta=said)

    def _powers(self) -> np.ndarray:
        """Return (F, laws) the exponents of each frame."""
        return np.stack([r.power[: self.F] for r in self.sweep.laws], axis=1)

    def _marks(self) -> None:
        laws = self.sweep.laws
        power = self._powers()
        x = np.repeat(self.sweep.now[:, None], len(laws), axis=1)
        shades = [colour(self.theme, r.method) for r in laws]
        y = np.clip(power, min(self.span), max(self.span))
        # A hairline from each dot to the names.
        self.sheet.curve("sweep", strokes(x, self._edge), strokes(y, y), self.theme.soft_ink, 1.2)
        symbols = [symbol(r.method, r.needs_drift) for r in laws]
        self.sheet.dots(
            "sweep", x, y, shades, self.theme.marker + 1, symbol=symbols, rim=(2, shades), opacity=1, cliponaxis=False
        )

    def _names(self) -> None:
        laws, power = self.sweep.laws, self._powers()
        text = [[f"<b>{p:.3f}</b> {r.name}" for p, r in zip(row, laws, strict=True)] for row in power]
        shades = [colour(self.theme, r.method) for r in laws]
        ends = np.zeros(power.shape), power
        end_labels(self.sheet, "powers now", ends, 0.09, text, shades, joined=True, tall=APART)
        for k, law in enumerate(laws):
            self.sheet.shows(law.name, "text", k)

    def _ears(self) -> None:
        """Unseen points: the exponent under the mouse; a click goes to that place of the sweep."""
        x, frames = self.sweep.across, np.arange(len(self.sweep.across))
        laws = self.sweep.laws
        texts = ["" if np.isnan(p) else f"{r.name}: {p:.3f}" for r in laws for p in r.power]
        y = np.concatenate([np.clip(r.power, min(self.span), max(self.span)) for r in laws])
        hover_points(self.sheet, "sweep", np.tile(x, len(laws)), y, np.tile(frames, len(laws)), texts, "%{text}")
