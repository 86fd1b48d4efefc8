"""Regret against the horizon between its bounds, and at the right edge a ruler on the same logarithmic scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from common.formats import in_millions, power_of_ten
from figures import theme as style
from figures.end_labels import end_labels, spread_present
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.theorems.figure_style import APART, CLEAR, log_span, method_colour

CURVES, RULER = (0.0, 0.6), (0.61, 1.0)  # shares of the width
NARROW_CURVES, NARROW_RULER = (0.0, 0.4), (0.49, 1.0)  # a screen each on a phone
CONDITIONS = {False: 0.14, True: 0.22}  # share of the height for two lines of conditions, at a desk and in a hall
# Places on the ruler, shares of its width.
BAR, BRACE, BEND, FACTOR, FACTOR_WIDE, NAME = 0.06, 0.1, 0.14, 0.16, 0.14, 0.42
NO_BRACE = 0.015  # share of the scale: marks that are nearer have no factor between them
NAME_SHARE = 0.61  # share of the width over whose part of its line a name stands, so that all names clear all lines
FEW = 9  # horizons that can all be named on their axis
EDGE = 1e-5  # beyond both ends of the axis of T: a film's numbers have 32 bits, and a point beyond an end is not drawn
MET, UNMET = "✓", "✕"
PROVED, TRIVIAL, MEASURED, PLAY, FLOOR = "proved", "trivial", "measured", "play", "floor"  # what a number is
# What sentences call a line or a mark; a number of play is called as it is named.
CALLED = {
    PROVED: "the theorem|theorem|proved|rate|bound",
    TRIVIAL: "trivial bound|worst choices",
    MEASURED: "measured|measured regret",
    FLOOR: "lower bound",
}


@dataclass(frozen=True, eq=False)
class Mark:
    """A number of regret at every horizon: a mark on the ruler, and a line unless it is of play.

    Attributes:
        fact: its name in `Scene.facts`, "" where no fact says it.   role: what it is.
        values: (F,), NaN or 0 where there is none.
        name: on the ruler.   title: over the left end of its line, "" for none.
    """

    fact: str
    role: str
    values: np.ndarray
    name: str
    title: str = ""


@dataclass(frozen=True, eq=False)
class RegretBounds:
    """Regret and its bounds over F horizons.

    Attributes:
        T: (F,).   marks: numbers of regret.   method: whose colour they have; "floor" is ink, "" that of a rate.
        holds: (F,) whether the theorem's conditions are met.
        conditions: for each horizon its conditions in words, each with whether it is met; empty for none.
        exact: whether constants are known, so that areas and factors mean something.
        regret: (F, k) of single runs, NaN for one that is missing; None where nothing is played.
        crossing: horizon from which on the bound is below the trivial one; None for never.
    """

    T: np.ndarray
    marks: Sequence[Mark]
    method: str
    holds: np.ndarray
    conditions: Sequence[Sequence[tuple[str, bool]]] = ()
    exact: bool = True
    regret: np.ndarray | None = None
    crossing: float | None = None


def stage(found: RegretBounds, theme: Theme, frame: int) -> Film:
    """Return regret between its bounds along the horizon, and the ruler at the horizon of the frame."""
    sheet = Sheet(theme, frame, hoverdistance=24)
    sheet.margins(4.9 * theme.tick, 0.4 * theme.tick, 0.8 * theme.label, 2.9 * theme.label)
    picture = _Picture(sheet, found)
    picture.draw()
    sheet.screens("regret against T", "at this T")
    sheet.narrow("curves", "medium", domain=list(NARROW_CURVES), **picture.horizons(4))
    sheet.narrow("ruler", "medium", domain=list(NARROW_RULER))
    if "conditions" in sheet.axes:
        sheet.narrow("conditions", "medium", domain=list(NARROW_CURVES))
    return sheet.film()


class _Picture:
    """Curves and ruler in log10, because a film's coordinates are evenly spaced; a frame is a horizon."""

    def __init__(self, sheet: Sheet, found: RegretBounds) -> None:
        self.sheet, self.found, self.theme = sheet, found, sheet.theme
        self.T, self.logs = np.log10(found.T), [_log(mark.values) for mark in found.marks]
        self.lines = [i for i, mark in enumerate(found.marks) if mark.role != PLAY]
        seen = [found.marks[i].values for i in self.lines]
        seen += [] if found.regret is None else [found.regret]
        self.span = log_span(np.concatenate([np.ravel(values) for values in seen]), pad=0.05)
        self.colour = method_colour(self.theme, found.method)

    def draw(self) -> None:
        top = 1.0 - CONDITIONS[self.theme.lecture] * bool(self.found.conditions)
        ends = {"range": [float(self.T[0]) - EDGE, float(self.T[-1]) + EDGE], "title": "horizon T", "showgrid": False}
        tens = style.decades(*self.span, 12)
        texts = [f"{10**e:,}" if 0 <= e < (5 if tens[-1] < 5 else 3) else power_of_ten(e) for e in tens]
        y = {"range": list(self.span), "showgrid": False, **style.ticks(tens, texts)}
        title = "regret (reward units)" if self.found.exact else "regret, constants = 1"
        x = {**ends, **self.horizons(4 if self.theme.lecture else 8), "tickangle": 0}
        self.sheet.panel("curves", CURVES, [0.0, top], x, {**y, "title": title})
        self.sheet.panel("ruler", RULER, [0.0, top], {"range": [0.0, 1.0], **style.BARE}, {**y, **style.BARE})
        self._areas()
        for i in reversed(self.lines):  # What is proved lies over a lower bound that it meets.
            self._line(i)
        self._runs()
        self._crossing()
        self._cursor()
        self._names()
        self._ruler()
        self._conditions(top)

    def horizons(self, most: int) -> dict:
        """Return the ticks of the axis of T: every horizon where they are few, else at most so many powers of ten."""
        if len(self.T) <= FEW:
            return style.ticks(self.T.tolist(), [f"{t:,.0f}" for t in self.found.T])
        tens = style.decades(float(self.T[0]), float(self.T[-1]), most)
        return style.ticks(tens, map(power_of_ten, tens))

    def _style(self, role: str) -> tuple[str, float, str]:
        """Return colour, width and dash of a line."""
        return {
            PROVED: (self.colour, self.theme.line + 1, "dashdot"),
            TRIVIAL: (self.theme.soft_ink, 2.0, "dash"),
            MEASURED: (self.colour, self.theme.line + 1, "solid"),
            PLAY: (self.theme.soft_ink, 2.0, "dash"),
            FLOOR: (self.theme.ink, self.theme.truth_line, "solid"),
        }[role]

    def _of(self, role: str) -> np.ndarray | None:
        """Return the numbers of a role as log10, None where no horizon has one."""
        found = [self.logs[i] for i in self.lines if self.found.marks[i].role == role]
        return found[0] if found and np.isfinite(found[0]).any() else None

    def _line(self, i: int) -> None:
        """Draw a line, dotted where a condition of the theorem is not met."""
        role, values = self.found.marks[i].role, self.logs[i]
        colour, width, dash = self._style(role)
        holds = self.found.holds if role == PROVED else np.ones(len(self.T), dtype=bool)
        beside = ~holds
        beside[1:] |= ~holds[:-1]  # the two parts share a point
        for shown, form in ((holds, dash), (beside, "dot")):
            if shown.any():
                drawn = np.where(shown, values, np.nan)
                self.sheet.curve("curves", self.T, drawn, colour, width, form, meta=CALLED[role])

    def _area(self, low: np.ndarray, high: np.ndarray, fill: str, **more: dict) -> None:
        there = np.isfinite(low) & np.isfinite(high)
        if there.any():
            self.sheet.area("curves", self.T[there], low[there], high[there], fill, **more)

    def _areas(self) -> None:
        """Grey: above the trivial bound, where a bound is vacuous. Hatched: below the lower bound."""
        theme, most, floor = self.theme, self._of(TRIVIAL), self._of(FLOOR)
        low, high = (np.full(len(self.T), end) for end in self.span)
        if most is not None and self.found.exact:
            self._area(most, high, style.faded(theme.soft_ink, 0.08))
        if floor is not None and self.found.exact:
            self._area(low, floor, CLEAR, **style.hatch(style.faded(theme.ink, 0.45), CLEAR, 0.2))

    def _runs(self) -> None:
        """The spread of the seeds without an edge, and each seed as a circle."""
        if self.found.regret is None:
            return
        each = _log(self.found.regret)
        self._area(np.fmin.reduce(each, axis=1), np.fmax.reduce(each, axis=1), style.faded(self.colour, 0.16))
        form = {"symbol": "circle-open", "opacity": 0.6, "cliponaxis": False, "meta": CALLED[MEASURED]}
        where = np.repeat(self.T, each.shape[1])
        self.sheet.dots("curves", where, each.ravel(), self.colour, self.theme.marker - 4, **form)

    def _crossing(self) -> None:
        """A ring where the bound falls below the trivial one, and a dotted line down."""
        crossing, theme, most = self.found.crossing, self.theme, self._of(TRIVIAL)
        if crossing is None or crossing <= self.found.T[0] or most is None:
            return
        at = float(np.log10(crossing))
        height, (low, high) = float(np.interp(at, self.T, most)), self.span
        self.sheet.curve("curves", [at, at], [low, height], theme.ink, 1.6, "dot")
        ring = {"rim": (2.5, theme.ink), "opacity": 1, "meta": "non-vacuous"}
        self.sheet.dots("curves", [at], [height], theme.paper, theme.marker + 4, **ring)
        right = at > 8
        side = {"xanchor": "right" if right else "left", "xshift": -6 if right else 6}
        text = "<b>non-vacuous<br>from here</b>"
        self.sheet.note("curves", text, at, low + 0.09 * (high - low), yanchor="bottom", align=side["xanchor"], **side)

    def _cursor(self) -> None:
        """The horizon of the frame, with a point on each line."""
        ends = np.tile(self.span, (len(self.T), 1))
        self.sheet.cursor("curves", self.T, ends, self.theme.soft_ink, 1.5, "dot")
        self.sheet.shows("T", "x", 0, np.log10)
        x, y = np.repeat(self.T[:, None], len(self.lines), axis=1), np.stack([self.logs[i] for i in self.lines], axis=1)
        colours = [self._style(self.found.marks[i].role)[0] for i in self.lines]
        form = {"rim": (1, self.theme.paper), "opacity": 1, "cliponaxis": False}
        self.sheet.dots("curves", x, y, colours, self.theme.marker + 2, **form)
        for j, i in enumerate(self.lines):
            if self.found.marks[i].fact:
                self.sheet.shows(self.found.marks[i].fact, "y", j, np.log10)

    def _names(self) -> None:
        """Over the left end of each line its name."""
        under = self.T[0] + NAME_SHARE * (self.T[-1] - self.T[0]) >= self.T
        rows = [i for i in self.lines if self.found.marks[i].title and np.isfinite(self.logs[i][under]).any()]
        if not rows:
            return
        share, tall = self.sheet.line_share("curves"), self.span[1] - self.span[0]
        wanted = np.array([[(np.nanmax(self.logs[i][under]) - self.span[0]) / tall + share for i in rows]])
        y = self.span[0] + tall * spread_present(np.clip(wanted, 0.0, 1.0), 1.05 * share)[0]
        x = [float(self.T[0]) + 0.02 * float(self.T[-1] - self.T[0])] * len(rows)
        texts = [f"<b>{self.found.marks[i].title}</b>" for i in rows]
        colours = [self._style(self.found.marks[i].role)[0] for i in rows]
        self.sheet.words("curves", x, list(y), texts, colours, "middle right")

    def _ruler(self) -> None:
        """Marks at the horizon of the frame, with the factors between them."""
        sheet, theme, marks = self.sheet, self.theme, self.found.marks
        low, high = (np.full(len(self.T), end) for end in self.span)
        most, floor = self._of(TRIVIAL), self._of(FLOOR)
        if most is not None and self.found.exact:
            sheet.rect("ruler", (0.0, BAR), (most, high), style.faded(theme.soft_ink, 0.08))
        if most is not None and floor is not None and self.found.exact:
            sheet.rect("ruler", (0.0, BAR), (floor, most), style.faded(self.colour, 0.16))
            hatched = style.hatch(style.faded(theme.ink, 0.45), CLEAR, 0.2)
            sheet.rect("ruler", (0.0, BAR), (low, floor), CLEAR, **hatched)
        shown = [i for i in range(len(marks)) if np.isfinite(self.logs[i]).any()]
        colours = [self._style(marks[i].role)[0] for i in shown]
        for i, colour in zip(shown, colours, strict=True):
            called = CALLED.get(marks[i].role, marks[i].name.removesuffix(" here"))
            ends = np.array([-0.01, BAR + 0.01]), np.stack([self.logs[i], self.logs[i]], axis=1)
            sheet.curve("ruler", *ends, colour, 5.0, meta=called)
        text = [
            [f"<b>{in_millions(v)}</b> {marks[i].name}" if (v := marks[i].values[t]) > 0 else "" for i in shown]
            for t in range(len(self.T))
        ]
        values = np.stack([self.logs[i] for i in shown], axis=1)
        starts = np.full(values.shape, BAR + 0.02), values
        tall = 1.0 if theme.lecture else APART  # a hall's stage is not low
        end_labels(sheet, "ruler", starts, NAME, text, colours, joined=True, tall=tall, bend=BEND)
        if self.found.exact:
            self._braces(np.sort(values, axis=1))  # over the hairlines of the names

    def _braces(self, ordered: np.ndarray) -> None:
        """Draw a brace between neighbouring marks, with the factor between them; (F, n) marks from below."""
        sheet, theme = self.sheet, self.theme
        share, tall = sheet.line_share("ruler"), self.span[1] - self.span[0]
        low, high = ordered[:, :-1], ordered[:, 1:]
        far = (high - low) / tall > NO_BRACE  # False for a mark that is missing
        low, high = np.where(far, low, np.nan), np.where(far, high, np.nan)
        middle, bend = (low + high) / 2, np.minimum(0.012 * tall, (high - low) / 5)
        gap = np.minimum(0.006 * tall, (high - low) / 8)
        path = [low + gap, low + gap + bend, middle - bend, middle, middle + bend, high - gap - bend, high - gap]
        across = np.array([BRACE - 0.015, BRACE, BRACE, BRACE + 0.02, BRACE, BRACE, BRACE - 0.015])
        for k in range(low.shape[1]):
            sheet.curve("ruler", across, np.stack([p[:, k] for p in path], axis=1), theme.soft_ink, 1.6)
        wanted = (middle - self.span[0]) / tall
        y = self.span[0] + tall * spread_present(wanted, 1.15 * share * theme.label / theme.tick)
        texts = [
            ["" if np.isnan(a) else f"<b>× {factor(10.0 ** (b - a))}</b>" for a, b in zip(*row, strict=True)]
            for row in zip(low, high, strict=True)
        ]
        half = 0.55 * share * tall * theme.label / theme.tick
        for k in range(y.shape[1]):
            at = np.where(np.isnan(low[:, k]), np.nan, y[:, k])
            sheet.rect("ruler", (FACTOR, FACTOR + FACTOR_WIDE), (at - half, at + half), theme.paper)
        x = np.full(y.shape, FACTOR)
        sheet.words("ruler", x, y, texts, theme.ink, "middle right", theme.label)

    def _conditions(self, top: float) -> None:
        """Write the theorem's conditions over the curves, each met or not met at the horizon of the frame."""
        if not self.found.conditions:
            return
        unit = {"range": [0.0, 1.0], **style.BARE}
        self.sheet.panel("conditions", CURVES, [top, 1.0], unit, unit)
        texts = [[_lines(rows)] for rows in self.found.conditions]
        self.sheet.words("conditions", [0.0], [0.55], texts, self.theme.ink, "middle right")


def _log(values: np.ndarray) -> np.ndarray:
    """Return log10, a gap where a number is missing or 0."""
    return np.log10(np.where(values > 0, values, np.nan))


def _lines(rows: Sequence[tuple[str, bool]]) -> str:
    """Return conditions with their marks, two a line; what is not met says so, and is bold."""
    marked = [f"{MET} {text}" if met else f"<b>{UNMET} not met: {text}</b>" for text, met in rows]
    return "<br>".join("\N{EM SPACE}".join(marked[i : i + 2]) for i in range(0, len(marked), 2))


def factor(value: float) -> str:
    """Return a factor in two digits: 1.8, 84, 460, 12,000, and from a million on a power of ten."""
    if value >= 1e6:
        return in_millions(value) if value < 1e9 else power_of_ten(round(np.log10(value)))
    return f"{value:.1f}" if value < 9.95 else f"{float(f'{value:.2g}'):,.0f}"
