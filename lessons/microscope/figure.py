"""Under the microscope: a quantity over its sweep with a cursor, and a closer look at the place of the cursor.

Ink is measured or exact, ochre dashes are as printed, green is as the lab reads it, blue is something else to
compare with, and thin dots are a level.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import wrap

import numpy as np

from common.formats import power_of_ten
from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.microscope.statements import STATEMENTS
from lessons.microscope.statements.record import Axes, MicroscopeResult, SweepLine

# The shares of the width that a panel takes, and the names of its lines beside it. The left panel's names end in the
# middle: on a phone each half is a screen.
LEFT_PANEL, RIGHT_PANEL = ((0.0, 0.315), (0.317, 0.445)), ((0.545, 0.87), (0.872, 1.0))
# On a tablet, or a page at twice its size, the names keep their size and so take a larger share.
MEDIUM_LEFT, MEDIUM_RIGHT = ((0.0, 0.255), (0.257, 0.445)), ((0.545, 0.79), (0.792, 1.0))
ALONE = (0.0, 0.68), (0.685, 1.0)  # the shares of the left panel and its names without the other panel
# What sentences call a curve that has a shorter name at its end.
CALLED = {
    "missed at least once": "missed the truth",
    "stated δ": "stated",
    "exact": "information gain",
    "(21) as printed": "bound as printed",
    "subset of data": "selected observations alone",
    "variational": "all observations, summarised at these points",
    "random walk": "random walks",
    "with plus": "with “+” the bound",
    "with minus": "with “−”",
    "a function of the set": "function of the confidence set",
    "bound, C = 2√2": "the bound",
    "mean estimate": "estimate",
    "from the batch average": "posterior mean",
}
Places = Sequence[Sequence[float]]
WIDEST = {False: 15, True: 13}  # the most letters in a line of a name, at a desk and in a hall
APART = 1.95  # lines of text between two names, enough also on a phone on its side
# Names begin at this share of their width; left of it a line leads to a name that had to move.
NAMES_BEGIN, BEND = 0.1, 0.06


def stage(found: MicroscopeResult, theme: Theme, frame: int) -> Film:
    """Return both panels; time is the place on the sweep."""
    sheet = _sweep(found, theme, frame, LEFT_PANEL, MEDIUM_LEFT, marked=True)
    second = SweepPanel(sheet, "here", STATEMENTS[found.key].here, found.here, len(found.sweep))
    second.lay_out(RIGHT_PANEL, MEDIUM_RIGHT)
    second.draw(marked=False)
    sheet.screens("over the sweep", "at this place")
    return sheet.film()


def over_the_sweep(found: MicroscopeResult, theme: Theme, frame: int) -> Film:
    """Return the panel over the sweep alone."""
    return _sweep(found, theme, frame, ALONE, ALONE, marked=False).film()


def _sweep(found: MicroscopeResult, theme: Theme, frame: int, places: Places, medium: Places, marked: bool) -> Sheet:
    """Return a sheet with the panel over the sweep."""
    sheet = Sheet(theme, frame, hoverdistance=30)
    sheet.margins(4.6 * theme.tick, 4, 1.9 * theme.label, 2.9 * theme.label)
    panel = SweepPanel(sheet, "over", STATEMENTS[found.key].over, found.over, len(found.sweep))
    panel.lay_out(places, medium)
    panel.cursor(found.sweep)
    panel.draw(marked)
    return sheet


def line_style(theme: Theme, role: str) -> tuple[str, float, str, str]:
    """Return colour, width, dash and marker of a role."""
    return {
        "measured": (theme.ink, 1.3 * theme.line, "solid", "circle"),
        "printed": (theme.band("IGP"), 1.3 * theme.line, "dash", "diamond"),
        "read": (theme.covered, 1.3 * theme.line, "solid", "square"),
        "other": (theme.band("DMM"), theme.line, "dashdot", "triangle-up"),
        "level": (theme.soft_ink, 0.7 * theme.line, "dot", "line-ew-open"),
    }[role]


class SweepPanel:
    """One panel with its curves, their names at the right edge and, over the sweep, the cursor."""

    def __init__(self, sheet: Sheet, name: str, axes: Axes, lines: Sequence[SweepLine], frames: int) -> None:
        self.sheet, self.name, self.axes, self.theme, self.frames = sheet, name, axes, sheet.theme, frames
        self.lines = lines
        self.x = [_scaled(line.x, axes.log_x) for line in lines]
        self.y = [_scaled(line.y, axes.log_y) for line in lines]
        self.x_span = _span(self.x, 0.0 if not any(line.dots for line in lines) else 0.03)
        given = None if axes.span is None else tuple(float(v) for v in _scaled(np.array(axes.span), axes.log_y))
        self.y_span = given or _span(self.y, 0.06)

    def lay_out(self, places: Places, medium: Places) -> None:
        """Lay out the panel and its names at their shares of the width, on a desk and on a tablet."""
        across, beside = places
        x = {"range": list(self.x_span), "title": self.axes.x, **_ticks(self.x_span, self.axes.log_x, 5)}
        y = {"range": list(self.y_span), "title": self.axes.y, **_ticks(self.y_span, self.axes.log_y, 6)}
        self.sheet.panel(self.name, across, [0.0, 1.0], {**x, "showgrid": False}, y)
        names = {"range": [0.0, 1.0], **style.BARE}, {"range": list(self.y_span), **style.BARE}
        self.sheet.panel(f"{self.name} names", beside, [0.0, 1.0], *names)
        for name, share in zip((self.name, f"{self.name} names"), medium, strict=True):
            self.sheet.narrow(name, "medium", domain=list(share))
        self.sheet.headline(self.name, f"<b>{self.axes.headline}</b>", size=self.theme.label)

    def cursor(self, sweep: np.ndarray) -> None:
        """The place of the closer look."""
        ends = np.tile(self.y_span, (self.frames, 1))
        self.sheet.cursor(self.name, _scaled(sweep, self.axes.log_x), ends, self.theme.soft_ink, 1.5, "dot")
        self.sheet.shows("sweep at", "x", 0, math.log10 if self.axes.log_x else float)

    def draw(self, marked: bool) -> None:
        for line, x, y in zip(self.lines, self.x, self.y, strict=True):
            self._line(line, x, y)
        if marked:
            self._marks()
        self._names()

    def _line(self, line: SweepLine, x: np.ndarray, y: np.ndarray) -> None:
        colour, width, dash, symbol = line_style(self.theme, line.role)
        said = "|".join(filter(None, (line.name, CALLED.get(line.name))))
        called = {"meta": said} if said else {}
        if line.dots:
            size, rim = 0.7 * self.theme.marker, (0, colour)
            self.sheet.dots(self.name, x, y, colour, size, symbol=symbol, rim=rim, opacity=1, **called)
        else:
            self.sheet.curve(self.name, x, y, colour, width, dash, **called)

    def _marks(self) -> None:
        """The points of each curve at the cursor."""
        live = [i for i, line in enumerate(self.lines) if line.role != "level"]
        styles = [line_style(self.theme, self.lines[i].role) for i in live]
        low, high = self.y_span
        y = np.stack([np.where((self.y[i] < low) | (self.y[i] > high), np.nan, self.y[i]) for i in live], axis=1)
        x = np.stack([self.x[i] for i in live], axis=1)
        colours, symbols = [s[0] for s in styles], [s[3] for s in styles]
        self.sheet.dots(
            self.name,
            x,
            y,
            colours,
            self.theme.marker,
            symbol=symbols,
            rim=(1, self.theme.paper),
            opacity=1,
            cliponaxis=False,
        )
        for j, i in enumerate(live):
            if np.isfinite(y[:, j]).all():  # Elsewhere the axis ends below a curve.
                self.sheet.shows(self.lines[i].name, "y", j, math.log10 if self.axes.log_y else float)

    def _names(self) -> None:
        """Names at the right edge, at the height of each line's end; the sentence says the values at the cursor."""
        named = [i for i, line in enumerate(self.lines) if line.name]
        ends = np.stack([_end(self.y[i], self.frames) for i in named], axis=1)
        colours = [line_style(self.theme, self.lines[i].role)[0] for i in named]
        most = WIDEST[self.theme.lecture]
        text = [["<br>\N{NO-BREAK SPACE}".join(wrap(self.lines[i].name, most)) for i in named]] * self.frames
        at = np.zeros(ends.shape), ends
        end_labels(self.sheet, f"{self.name} names", at, NAMES_BEGIN, text, colours, tall=APART, bend=BEND)


def _scaled(values: np.ndarray, log: bool) -> np.ndarray:
    """Return values as the axis counts them; what has no logarithm is a gap."""
    values = np.asarray(values, dtype=float)
    return np.log10(np.where(values > 0, values, np.nan)) if log else values


def _span(values: Sequence[np.ndarray], room: float) -> tuple[float, float]:
    """Return the range of an axis that holds every frame."""
    flat = np.concatenate([v.ravel() for v in values])
    flat = flat[np.isfinite(flat)]
    low, high = float(flat.min()), float(flat.max())
    wide = (high - low) or max(abs(high), 1.0)
    return low - room * wide, high + room * wide


def _ticks(span: tuple[float, float], log: bool, most: int) -> dict:
    """Return powers of ten on a logarithmic axis (with 2 and 5 where there are few); else Plotly's own."""
    if not log:
        return {"nticks": most}
    tens = style.decades(*span, most)
    if len(tens) >= 2:
        return style.ticks(tens, [power_of_ten(e, 2) for e in tens])
    steps = [m * 10.0**e for e in range(math.floor(span[0]), math.ceil(span[1]) + 1) for m in (1, 2, 5)]
    shown = [v for v in steps if span[0] - 1e-9 <= math.log10(v) <= span[1] + 1e-9]
    return style.ticks(map(math.log10, shown), [f"{v:g}" for v in shown])


def _end(y: np.ndarray, frames: int) -> np.ndarray:
    """Return (F,) the last value of a curve that is there, in every frame; NaN where there is none."""
    rows = y if y.ndim == 2 else y[None, :]
    there = np.isfinite(rows)
    last = rows.shape[1] - 1 - there[:, ::-1].argmax(axis=1)
    ends = np.where(there.any(axis=1), rows[np.arange(len(rows)), last], np.nan)
    return np.broadcast_to(ends, (frames,))
