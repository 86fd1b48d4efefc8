"""Regret against the horizon: measured runs between their proved bounds, and how fast every bound grows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import in_powers
from figures import theme as look
from figures.end_labels import end_labels
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.theorems.figure_style import CLEAR, SHORT_NAMES, colour, dash, symbol
from lessons.theorems.runs.figure_terms import decades, log_span, method_colour
from lessons.theorems.runs.model import BoundVsRegret
from lessons.theorems.runs.slopes import TENFOLD, Slope

CURVES, SLOPES = (0.0, 0.62), (0.715, 1.0)  # shares of the width


def stage(found: BoundVsRegret, rates: Sequence[Slope], theme: Theme, drawn: int) -> Film:
    """Return measured regret between its bounds, growing with the horizon, and beside it the slopes of all rates."""
    sheet = Sheet(theme, drawn, look.layout(theme, None, hoverdistance=24))
    sheet.margins(4.4 * theme.tick, 0.6 * theme.tick, 1.9 * theme.label, 3.0 * theme.label)
    _Curves(sheet, found).draw()
    _fan(sheet, rates)
    return sheet.film()


class _Curves:
    """The left panel; frame i shows everything up to the i-th horizon."""

    def __init__(self, sheet: Sheet, found: BoundVsRegret) -> None:
        self.sheet, self.found, self.theme = sheet, found, sheet.theme
        self.T = np.array(found.horizons, dtype=float)
        self.bound = np.array([b.total for b in found.proved.bounds])
        self.floor, self.trivial = found.proved.floor, found.proved.trivial
        self.worst = found.proved.worst if found.setting.adversarial else None
        runs = [float(v) for rows in found.regret.values() for v in rows]
        floor = [] if self.floor is None else list(self.floor)
        low, high = log_span([*self.bound, *runs, *self.trivial, *floor], pad=0.05)
        self.span = low - (0.12 * (high - low) if len(floor) else 0.0), high
        self.colour = method_colour(self.theme, found.setting.rule.name)

    def draw(self) -> None:
        theme, T = self.theme, self.T
        left, right = np.log10(T[0]) - 0.04, np.log10(T[-1])
        wide = right + (0.5 if theme.lecture else 0.37) * max(right - left, 0.5)
        self.right = wide
        x = {
            "type": "log",
            "range": [left, wide],
            **look.ticks(T, [f"{int(t)}" for t in T]),
            "title": "horizon T",
            "showgrid": False,
        }
        y = {
            "type": "log",
            "range": list(self.span),
            "title": "regret R<sub>T</sub> (reward units)",
            "showgrid": False,
            **decades(*self.span, 6),
        }
        self.sheet.panel("curves", CURVES, [0.0, 1.0], x, y)
        self._vacuous()
        if self.floor is not None:
            self._impossible()
        self._line("cannot exceed", self.trivial, theme.soft_ink, 2.0, "dash")
        if self.worst is not None:
            self._line("worst choices", self.worst, theme.soft_ink, 1.5, "dot")
        self._line("bound", self.bound, self.colour, theme.line, "dashdot")
        self._runs()
        self._labels()
        name = self.found.setting.rule.name
        self.sheet.headline("curves", f"<b>{name}</b>: proved and measured", size=theme.label)

    def _grown(self, values: np.ndarray) -> np.ndarray:
        """Return (F, n) the values up to each horizon, a gap beyond."""
        n = len(self.T)
        return np.where(np.arange(n)[None, :] <= np.arange(n)[:, None], values[None, :], np.nan)

    def _line(self, fact: str, values: np.ndarray, colour: str, width: float, dash: str = "solid") -> None:
        self.sheet.curve("curves", self.T, self._grown(values), colour, width, dash)
        self.sheet.shows(fact, "y", None)

    def _area(self, low: np.ndarray, high: np.ndarray, fill: str, **more: dict) -> None:
        """Fill between two curves up to each horizon."""
        T, x, y = self.T, [], []
        known = np.isfinite(low) & np.isfinite(high)
        for i in range(len(T)):
            there = np.flatnonzero(known[: i + 1])
            rest = np.full(2 * (len(T) - len(there)), np.nan)
            x.append(np.concatenate([T[there], T[there][::-1], rest]))
            y.append(np.concatenate([low[there], high[there][::-1], rest]))
        self.sheet.draw("curves", {**look.filled(np.stack(x), np.stack(y), fill), **more})

    def _vacuous(self) -> None:
        """Red: more than can be lost at all, so that a bound there says nothing."""
        top = np.full(len(self.T), 10.0 ** self.span[1])
        self._area(self.trivial, top, look.faded(self.theme.soft_ink, 0.09))
        self.sheet.note(
            "curves",
            "a bound up here says nothing",
            0.012,
            0.99,
            inside="xy",
            xanchor="left",
            yanchor="top",
            color=self.theme.soft_ink,
            bgcolor=self.theme.paper,
        )

    def _impossible(self) -> None:
        """Hatched: below the lower bound."""
        T, theme = self.T, self.theme
        foot, ink = np.full(len(T), 10.0 ** self.span[0]), look.faded(theme.ink, 0.45)
        self._area(foot, self.floor, CLEAR, **look.hatch(ink, CLEAR, 0.25))
        self._line("lower bound (mean)", self.floor, theme.ink, theme.truth_line)
        self.sheet.note(
            "curves",
            "no algorithm, on average",
            float(np.log10(T[0])),
            self.span[0],
            xanchor="left",
            yanchor="bottom",
            xshift=4,
            yshift=4,
            bgcolor=theme.paper,
        )

    def _runs(self) -> None:
        """The spread of the seeds without an edge, each seed as a circle, their mean; gaps while runs are missing."""
        found, theme, T, k = self.found, self.theme, self.T, self.found.setting.seeds
        done = [int(t) in found.regret for t in T]
        low = np.array([found.regret[int(t)].min() if ok else np.nan for t, ok in zip(T, done, strict=True)])
        high = np.array([found.regret[int(t)].max() if ok else np.nan for t, ok in zip(T, done, strict=True)])
        self._area(low, high, look.faded(self.colour, 0.16))
        where, each = np.repeat(T, k), np.full((len(T), k), np.nan)
        for i in np.flatnonzero(done):
            seeds = found.regret[int(T[i])]
            each[i, : len(seeds)] = seeds
        each = each.ravel()
        shown = np.where(where[None, :] <= T[:, None], each[None, :], np.nan)
        self.sheet.dots(
            "curves",
            where,
            shown,
            self.colour,
            theme.marker - 3,
            symbol="circle-open",
            opacity=0.8,
            cliponaxis=False,
            hovertemplate="T = %{x}: %{y:.4g}<extra>one seed</extra>",
        )
        self._line("measured, mean", found.mean, self.colour, theme.line + 1)

    def _labels(self) -> None:
        """At the end of each line its name and its number, with a hairline from the line where they had to part."""
        theme, T = self.theme, self.T
        most = "2BT, the most" if self.found.setting.has_norm else "the most"
        rows = [
            (most, self.trivial, theme.soft_ink),
            ("proved", self.bound, self.colour),
            ("measured", self.found.mean, self.colour),
        ]
        if self.worst is not None:
            rows.append(("worst choices", self.worst, theme.soft_ink))
        if self.floor is not None:
            rows.append(("no method below", self.floor, theme.ink))
        values = np.stack([v for _, v, _ in rows], axis=1)
        end = T[:, None] * (1.16 if theme.lecture else 1.1)
        names = [f"\u2002{name}" for name, *_ in rows]
        text = [[f"{name} <b>{in_powers(v)}</b>" for name, v in zip(names, row, strict=True)] for row in values]
        ends = np.broadcast_to(T[:, None] * 1.02, values.shape), values
        end_labels(self.sheet, "curves", ends, end, text, [c for *_, c in rows])


def _fan(sheet: Sheet, rates: Sequence[Slope]) -> None:
    """The rates from one common point over ten times the horizon: slopes are theorem, heights are not."""
    theme = sheet.theme
    room = 1.65 if theme.lecture else 1.3
    top = max(1.06, max(rate.power for rate in rates) + 0.06)
    x = {"range": [0.0, 1.0 + room], **look.ticks([0.0, 1.0], ["T", "10 T"]), "showgrid": False}
    y = {
        "range": [0.0, top],
        **look.ticks([0.0, 0.5, 1.0], ["×1", "×3.2", "×10"]),
        "title": "regret, relative",
        "showgrid": False,
    }
    sheet.panel("slopes", SLOPES, [0.0, 1.0], x, y)
    sheet.curve("slopes", [0.0, 1.0], [0.0, 1.0], theme.soft_ink, 2.0, "dash")
    for rate in rates:
        floor, at = rate.method == "floor", _shade(theme, rate.method)
        width = 2.4 * theme.line if floor else theme.line
        style = dash(rate.method, rate.name) if rate.speaks else "dot"
        ink = look.faded(at, 0.35) if floor else at
        sheet.curve("slopes", [0.0, 1.0], [0.0, rate.power], ink, width, style)
        if not floor:
            sheet.dots(
                "slopes",
                [1.0],
                [rate.power],
                at,
                theme.marker,
                symbol=symbol(rate.method, rate.told),
                rim=(2, at),
                opacity=1,
            )
    named = [
        (f"<b>×{rate.factor:.1f}</b> {SHORT_NAMES.get(rate.name, rate.name)}", rate.power, _shade(theme, rate.method))
        for rate in rates
    ]
    named.append((f"<b>×{TENFOLD:g}</b> vacuous", 1.0, theme.soft_ink))
    ends = np.array([power for _, power, _ in named])
    at = np.full((1, len(ends)), 1.03), ends[None, :]
    end_labels(sheet, "slopes", at, 1.19, [[n for n, *_ in named]], [c for *_, c in named])
    sheet.headline("slopes", "<b>Ten times T</b>: every rate", size=theme.label)


def _shade(theme: Theme, method: str) -> str:
    return method_colour(theme, method) if method == "KernelUCB" else colour(theme, method)
