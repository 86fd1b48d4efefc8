"""Regret against the horizon between its proved bounds, and at the right edge a ruler on the same logarithmic scale."""

from __future__ import annotations

import numpy as np

from common.formats import in_millions, power_of_ten
from figures import theme as style
from figures.end_labels import end_labels, spread_present
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.theorems.figure_style import CLEAR
from lessons.theorems.runs.figure_terms import log_span, method_colour
from lessons.theorems.runs.model import BoundVsRegret

CURVES, RULER = (0.0, 0.6), (0.61, 1.0)  # shares of the width
NARROW_CURVES, NARROW_RULER = (0.0, 0.4), (0.49, 1.0)  # a screen each on a phone
# Places on the ruler, shares of its width.
BAR, BRACE, BEND, FACTOR, FACTOR_WIDE, NAME = 0.06, 0.1, 0.14, 0.16, 0.14, 0.42
APART = {False: 1.5, True: 1.0}  # lines of text from a name to the next; a phone on its side is low, a hall is not
MEASURED = "measured|measured regret"  # what sentences call the runs, and other marks of the ruler
SAID = {"measured": MEASURED, "trivial bound 2BT": "trivial bound", "random play here": "random play"}
NO_BRACE = 0.015  # share of the scale: marks that are nearer have no factor between them


def stage(found: BoundVsRegret, theme: Theme, frame: int) -> Film:
    """Return measured regret between its bounds, growing with the horizon, and the ruler at its end."""
    sheet = Sheet(theme, frame, hoverdistance=24)
    sheet.margins(4.9 * theme.tick, 0.4 * theme.tick, 0.8 * theme.label, 2.9 * theme.label)
    _Stage(sheet, found).draw()
    sheet.screens("regret against T", "at this T")
    sheet.narrow("curves", "medium", domain=list(NARROW_CURVES))
    sheet.narrow("ruler", "medium", domain=list(NARROW_RULER))
    return sheet.film()


class _Stage:
    """Curves and ruler in log10, because a film's coordinates are evenly spaced; frame i is the i-th horizon."""

    def __init__(self, sheet: Sheet, found: BoundVsRegret) -> None:
        self.sheet, self.found, self.theme = sheet, found, sheet.theme
        self.T = np.log10(np.array(found.horizons, dtype=float))
        self.bound = np.log10([b.total for b in found.proved.bounds])
        self.most = np.log10(found.proved.trivial)
        floor = found.proved.floor
        self.floor = np.log10(np.where(floor > 0, floor, np.nan)) if (floor > 0).any() else None
        self.mean, self.worst, self.chance = map(np.log10, (found.mean, found.proved.worst, found.proved.chance))
        runs = [float(v) for rows in found.regret.values() for v in rows]
        floors = [] if self.floor is None else list(10.0**self.floor)
        low, high = log_span([*10.0**self.bound, *runs, *found.proved.trivial, *floors], pad=0.05)
        self.span = low - (0.06 * (high - low) if floors else 0.0), high
        self.colour = method_colour(self.theme, found.setting.rule.name)

    def draw(self) -> None:
        theme, found, T = self.theme, self.found, self.T
        ends = {"range": [float(T[0]), float(T[-1])], "title": "horizon T", "showgrid": False}
        x = {**ends, **style.ticks(T, [f"{t:,}" for t in found.horizons])}
        tens = style.decades(*self.span)
        texts = [f"{10**e:,}" if 0 <= e < (5 if tens[-1] < 5 else 3) else power_of_ten(e) for e in tens]
        y = {"range": list(self.span), "showgrid": False, **style.ticks(tens, texts)}
        self.sheet.panel("curves", CURVES, [0.0, 1.0], x, {**y, "title": "regret (reward units)"})
        self.sheet.panel("ruler", RULER, [0.0, 1.0], {"range": [0.0, 1.0], **style.BARE}, {**y, **style.BARE})
        self._areas()
        if self.floor is not None:
            self._line("lower bound (mean)", self.floor, theme.ink, theme.truth_line, meta="lower bound")
        self._line("cannot exceed", self.most, theme.soft_ink, 2.0, "dash", meta="trivial bound|worst choices")
        self._line("bound", self.bound, self.colour, theme.line, "dashdot", meta="proved")
        self._runs()
        self._names()
        self._ruler()

    def _grown(self, values: np.ndarray) -> np.ndarray:
        """Return (F, n) the values up to each horizon, a gap beyond."""
        n = len(self.T)
        return np.where(np.arange(n)[None, :] <= np.arange(n)[:, None], values[None, :], np.nan)

    def _line(self, fact: str, values: np.ndarray, colour: str, width: float, dash: str = "solid", **more: str) -> None:
        self.sheet.curve("curves", self.T, self._grown(values), colour, width, dash, **more)
        self.sheet.shows(fact, "y", None, np.log10)

    def _area(self, low: np.ndarray, high: np.ndarray, fill: str, **more: dict) -> None:
        """Fill between two curves up to each horizon."""
        T, x, y = self.T, [], []
        known = np.isfinite(low) & np.isfinite(high)
        for i in range(len(T)):
            there = np.flatnonzero(known[: i + 1])
            rest = np.full(2 * (len(T) - len(there)), np.nan)
            x.append(np.concatenate([T[there], T[there][::-1], rest]))
            y.append(np.concatenate([low[there], high[there][::-1], rest]))
        self.sheet.draw("curves", {**style.filled(np.stack(x), np.stack(y), fill), **more})

    def _areas(self) -> None:
        """Grey: above the trivial bound, where a bound is vacuous. Hatched: below the lower bound."""
        n, theme = len(self.T), self.theme
        self._area(self.most, np.full(n, self.span[1]), style.faded(theme.soft_ink, 0.08))
        if self.floor is not None:
            hatched = style.hatch(style.faded(theme.ink, 0.45), CLEAR, 0.2)
            self._area(np.full(n, self.span[0]), self.floor, CLEAR, **hatched)

    def _runs(self) -> None:
        """The spread of the seeds without an edge, each seed as a circle, their mean; gaps while runs are missing."""
        found, theme, k = self.found, self.theme, self.found.setting.seeds
        each = np.full((len(self.T), k), np.nan)
        for i, t in enumerate(found.horizons):
            if t in found.regret:
                each[i, : len(found.regret[t])] = np.log10(found.regret[t])
        low, high = np.fmin.reduce(each, axis=1), np.fmax.reduce(each, axis=1)
        self._area(low, high, style.faded(self.colour, 0.16))
        where, each = np.repeat(self.T, k), each.ravel()
        shown = np.where(where[None, :] <= self.T[:, None] + 1e-9, each[None, :], np.nan)
        size = theme.marker - 4
        form = {"symbol": "circle-open", "opacity": 0.6, "cliponaxis": False, "meta": MEASURED}
        self.sheet.dots("curves", where, shown, self.colour, size, **form)
        self._line("measured, mean", self.mean, self.colour, theme.line + 1, meta=MEASURED)

    def _names(self) -> None:
        """Over the left end of each line its name."""
        k, theme = self.found.setting.seeds, self.theme
        name, norm = self.found.setting.rule.name, self.found.setting.has_norm
        rows = [
            ("<b>proved at most</b>", self.bound, self.colour),
            (f"<b>{'trivial bound 2BT' if norm else 'worst choices'}</b>", self.most, theme.soft_ink),
            (f"<b>{name}, {f'mean of {k} runs' if k > 1 else 'one run'}</b>", self.mean, self.colour),
        ]
        rows = [row for row in rows if np.isfinite(row[1][0])]
        share, tall = self.sheet.line_share("curves"), self.span[1] - self.span[0]
        wanted = np.array([[(v[: len(self.T) // 2 + 1].max() - self.span[0]) / tall + share for _, v, _ in rows]])
        y = self.span[0] + tall * spread_present(np.clip(wanted, 0.0, 1.0), 1.05 * share)[0]
        x = [float(self.T[0]) + 0.02 * float(self.T[-1] - self.T[0])] * len(rows)
        self.sheet.words("curves", x, list(y), [r[0] for r in rows], [r[2] for r in rows], "middle right")

    def _ruler(self) -> None:
        """Marks at the horizon of the frame, which continue their lines, with the factors between them."""
        sheet, theme, F = self.sheet, self.theme, len(self.T)
        low, high = np.full(F, self.span[0]), np.full(F, self.span[1])
        soft = style.faded(theme.soft_ink, 0.08)
        sheet.rect("ruler", (0.0, BAR), (self.most, high), soft)
        if self.floor is not None:
            sheet.rect("ruler", (0.0, BAR), (self.floor, self.most), style.faded(self.colour, 0.16))
            hatched = style.hatch(style.faded(theme.ink, 0.45), CLEAR, 0.2)
            sheet.rect("ruler", (0.0, BAR), (low, self.floor), CLEAR, **hatched)
        norm = self.found.setting.has_norm
        p = self.found.proved
        bound = np.array([b.total for b in p.bounds])
        marks = [
            ("proved", self.bound, bound, self.colour),
            ("trivial bound 2BT" if norm else "worst choices", self.most, p.trivial, theme.soft_ink),
            ("measured", self.mean, self.found.mean, self.colour),
        ]
        if norm:
            marks.append(("worst play here", self.worst, p.worst, theme.soft_ink))
        marks.append(("random play here", self.chance, p.chance, theme.soft_ink))
        if self.floor is not None:
            marks.append(("lower bound", self.floor, p.floor, theme.ink))
        names, logs, plain, colours = zip(*marks, strict=True)
        values = np.stack(logs, axis=1)
        for name, mark, colour in zip(names, logs, colours, strict=True):
            said = SAID.get(name, name)
            sheet.curve("ruler", np.array([-0.01, BAR + 0.01]), np.stack([mark, mark], axis=1), colour, 5.0, meta=said)
        text = [
            [f"<b>{in_millions(v)}</b> {name}" if v > 0 else "" for v, name in zip(row, names, strict=True)]
            for row in np.stack(plain, axis=1)
        ]
        starts = np.full(values.shape, BAR + 0.02), values
        end_labels(sheet, "ruler", starts, NAME, text, colours, joined=True, tall=APART[theme.lecture], bend=BEND)
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


def factor(value: float) -> str:
    """Return a factor in two digits: 1.8, 84, 460, 12,000."""
    return f"{value:.1f}" if value < 9.95 else f"{float(f'{value:.2g}'):,.0f}"
