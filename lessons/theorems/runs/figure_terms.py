"""An upper bound in its terms, beside what it is compared with."""

from __future__ import annotations

import numpy as np

from common.formats import in_powers, power_of_ten
from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.theorems.figure_style import log_span, method_colour
from lessons.theorems.runs.model import BoundVsRegret


def terms(found: BoundVsRegret, theme: Theme) -> Film:
    """Return, at the longest horizon, every term of the bound and what it is compared with, on one logarithmic axis."""
    sheet = Sheet(theme, 0, 420 if theme.lecture else 270)
    bound, at = found.proved.bounds[-1], method_colour(theme, found.setting.rule.name)
    rows = [(label, value, style.faded(at, 0.45)) for label, value in bound.terms if value > 0]
    rows.append(("bound", bound.total, at))
    rows.append(("cannot be exceeded", float(found.proved.trivial[-1]), style.faded(theme.soft_ink, 0.8)))
    if np.isfinite(found.mean[-1]):
        rows.append(("measured, mean", float(found.mean[-1]), theme.grey))
    if found.proved.floor[-1] > 0:
        rows.append(("lower bound", float(found.proved.floor[-1]), theme.ink))
    low, high = log_span(np.array([v for _, v, _ in rows]))
    measured = [v for name, v, _ in rows if name not in dict(bound.terms)]
    low = max(low, log_span(np.array(measured))[0])  # a term that is nothing beside these need not set the axis
    low = min(low, float(np.ceil(high)) - 2.0)  # a decade or two, so that the axis has ticks
    room = 0.4 * (high - low)
    n, tens = len(rows), style.decades(low, high, 5)
    x = {
        "type": "log",
        "range": [low, high + room],
        "title": f"reward, T = {found.horizons[-1]}",
        **style.ticks([10.0**e for e in tens], [power_of_ten(e, 2) for e in tens]),
    }
    y = {"range": [n - 0.4, -0.6], "showgrid": False, **style.ticks(range(n), [r[0] for r in rows])}
    sheet.panel("terms", [0.0, 1.0], [0.0, 1.0], x, y)
    base = 10.0**low
    shown = [max(v, base) for _, v, _ in rows]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [v - base for v in shown],
        "base": [base] * n,
        "y": list(range(n)),
        "marker": {"color": [c for *_, c in rows]},
        "hoverinfo": "skip",
        "width": 0.62,
    }
    sheet.draw("terms", bars)
    text = [f" {in_powers(v)}" for _, v, _ in rows]
    sheet.words("terms", shown, list(range(n)), text, theme.ink, "middle right")
    widest = max(len(name) for name, *_ in rows)
    sheet.margins(0.56 * theme.tick * widest, theme.tick, 0.6 * theme.tick, 3.0 * theme.label)
    return sheet.film()
