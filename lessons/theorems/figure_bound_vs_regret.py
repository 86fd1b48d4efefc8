"""Measured regret between the proved upper and the proved lower bound, and the upper bound in its terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import theme as look
from figures.film import Film
from figures.labels import power_of_ten
from figures.race_axes import spread
from figures.sheet import Sheet
from figures.theme import METHODS, Theme
from lessons.theorems.bound_vs_regret import BoundVsRegret


def method_colour(theme: Theme, name: str) -> str:
    """Return the method's own colour; KernelUCB has that of the band it plays with."""
    return theme.method(name) if name in METHODS else theme.band("AMM")


def bound_vs_regret(found: BoundVsRegret, theme: Theme) -> Film:
    """Return regret at several horizons on logarithmic axes, and the terms of the bound at the longest."""
    sheet = Sheet(theme, 0, look.layout(theme, 560 if theme.lecture else 400))
    sheet.frame["margin"] = {"l": int(4.6 * theme.tick), "r": int(theme.tick), "t": int(1.9 * theme.label),
                             "b": int(3.0 * theme.label)}  # fmt: skip
    _curves(sheet, found, found.setting.rule.name)
    _terms(sheet, found, found.setting.rule.name)
    return sheet.film()


def _span(values: Sequence[float], pad: float = 0.06) -> tuple[float, float]:
    logs = np.log10([v for v in values if np.isfinite(v) and v > 0])
    low, high = float(logs.min()), float(logs.max())
    return low - pad * max(high - low, 1.0), high + pad * max(high - low, 1.0)


def _ticks(low: float, high: float, most: int) -> dict:
    every = list(range(int(np.ceil(low)), int(np.floor(high)) + 1))
    step = max(1, -(-len(every) // most))
    shown = every[::step]
    return {"tickvals": [10.0**e for e in shown],
            "ticktext": [power_of_ten(e) if abs(e) > 2 else f"{10.0**e:g}" for e in shown]}  # fmt: skip


def _curves(sheet: Sheet, found: BoundVsRegret, name: str) -> None:
    theme, T = sheet.theme, np.array(found.horizons, dtype=float)
    bound = np.array([b.total for b in found.proved.bounds])
    runs = [float(v) for rows in found.regret.values() for v in rows]
    floor = found.proved.floor if found.proved.floor is not None else np.array([])
    low, high = _span([*bound, *runs, *found.proved.trivial, *floor])
    left, right = np.log10(T[0]) - 0.06, np.log10(T[-1])
    wide = right + (0.62 if theme.lecture else 0.5) * max(right - left, 0.5)
    x = {"type": "log", "range": [left, wide], "tickvals": list(T), "ticktext": [f"{int(t)}" for t in T],
         "title": "horizon T (a run of its own at each)", "showgrid": False}  # fmt: skip
    y = {"type": "log", "range": [low, high], "title": "regret R<sub>T</sub> (reward units)", **_ticks(low, high, 6)}
    sheet.panel("curves", [0.0, 0.56], [0.0, 1.0], x, y)
    at = method_colour(theme, name)
    if len(floor):
        _hatched(sheet, T, floor, 10.0**low)
        sheet.still("curves", look.line(T, floor, theme.ink, theme.truth_line))
    sheet.still("curves", look.line(T, found.proved.trivial, theme.missed, 2.0, "dash"))
    sheet.still("curves", look.line(T, bound, at, theme.line, "dashdot"))
    done = np.isfinite(found.mean)
    points = {"type": "scatter", "mode": "markers", "cliponaxis": False}
    if runs:
        where = [float(t) for t in T for _ in found.regret.get(int(t), ())]
        each = [float(v) for t in T for v in found.regret.get(int(t), ())]
        ring = {"symbol": "circle-open", "size": theme.marker - 2, "color": at, "opacity": 0.8}
        said = "T = %{x}: %{y:.4g}<extra>one seed</extra>"
        sheet.still("curves", look.line(T[done], found.mean[done], at, theme.line))
        sheet.still("curves", {**points, "x": where, "y": each, "marker": ring, "hovertemplate": said})
    ends = [(found.proved.trivial[-1], "cannot be exceeded", theme.missed), (bound[-1], "bound", at)]
    if done.any():
        ends.append((found.mean[done][-1], "measured", at))
    if len(floor):
        ends.append((floor[-1], "lower bound", theme.ink))
    _end_labels(sheet, ends, T[-1], (low, high))
    sheet.headline("curves", f"<b>{name}</b>: proved and measured", size=theme.label)


def _hatched(sheet: Sheet, T: np.ndarray, floor: np.ndarray, foot: float) -> None:
    theme = sheet.theme
    area = {"type": "scatter", "mode": "lines", "fill": "toself", "line": {"width": 0}, "hoverinfo": "skip",
            "x": np.concatenate([T, T[::-1]]), "y": np.concatenate([floor, np.full(len(T), foot)]),
            "fillcolor": "rgba(0,0,0,0)",
            "fillpattern": {"shape": "/", "size": 9, "solidity": 0.25, "fgcolor": look.faded(theme.ink, 0.45),
                            "bgcolor": "rgba(0,0,0,0)"}}  # fmt: skip
    sheet.still("curves", area)


def _end_labels(sheet: Sheet, ends: Sequence[tuple[float, str, str]], x: float, span: tuple[float, float]) -> None:
    theme, (low, high) = sheet.theme, span
    share = (np.log10([v for v, *_ in ends]) - low) / (high - low)
    apart = spread(share[None, :], 0.085 if theme.lecture else 0.07)[0]
    words = look.words([x * 1.05] * len(ends), 10.0 ** (low + apart * (high - low)), [n for _, n, _ in ends], theme.ink,
                       theme.tick, "middle right")  # fmt: skip
    words["textfont"] = {"size": theme.tick, "color": [c for *_, c in ends]}
    sheet.still("curves", words)


def _terms(sheet: Sheet, found: BoundVsRegret, name: str) -> None:
    """At the longest horizon: every term of the bound, and what it is compared with, on one logarithmic axis."""
    theme, bound, at = sheet.theme, found.proved.bounds[-1], method_colour(sheet.theme, name)
    rows = [(label, value, look.faded(at, 0.45)) for label, value in bound.terms if value > 0]
    rows.append(("bound", bound.total, at))
    rows.append(("cannot be exceeded", float(found.proved.trivial[-1]), look.faded(theme.missed, 0.8)))
    if np.isfinite(found.mean[-1]):
        rows.append(("measured, mean", float(found.mean[-1]), theme.grey))
    if found.proved.floor is not None and found.proved.floor[-1] > 0:
        rows.append(("lower bound", float(found.proved.floor[-1]), theme.ink))
    low, high = _span([v for _, v, _ in rows])
    measured = [v for name, v, _ in rows if name not in dict(bound.terms)]
    low = max(low, _span(measured)[0])  # a term that is nothing beside these need not set the axis
    low = min(low, float(np.ceil(high)) - 2.0)  # a decade or two, so that the axis has ticks
    room = 0.4 * (high - low)
    n = len(rows)
    x = {"type": "log", "range": [low, high + room], "title": f"reward units, at T = {found.horizons[-1]}",
         **_ticks(low, high, 5)}  # fmt: skip
    y = {"range": [n - 0.4, -0.6], "showgrid": False, "tickvals": list(range(n)), "ticktext": [r[0] for r in rows]}
    sheet.panel("terms", [0.74, 1.0], [0.0, 1.0], x, y)
    base = 10.0**low
    shown = [max(v, base) for _, v, _ in rows]
    bars = {"type": "bar", "orientation": "h", "x": [v - base for v in shown], "base": [base] * n, "y": list(range(n)),
            "marker": {"color": [c for *_, c in rows]}, "hoverinfo": "skip", "width": 0.62}  # fmt: skip
    sheet.still("terms", bars)
    text = [f" {number(v)}" for _, v, _ in rows]
    sheet.still("terms", look.words(shown, list(range(n)), text, theme.ink, theme.tick, "middle right"))
    sheet.headline("terms", "<b>What the bound is made of</b>", size=theme.label)


def number(value: float) -> str:
    """Return a sum as the screen writes it: 40, 4,800, 2.8×10⁶."""
    if value >= 1e5 or 0 < value < 1e-3:
        e = int(np.floor(np.log10(value)))
        return f"{value / 10.0**e:.1f}×{power_of_ten(e)}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
