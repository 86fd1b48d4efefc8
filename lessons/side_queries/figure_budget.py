"""A budget of side queries: the cost of every window exponent, and the schedules that can be paid for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import theme as look
from figures.film import Film
from figures.race_axes import spread
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.side_queries.budget import QueryPlan


def planner(
    exponents: Sequence[float], qs: Sequence[float], costs: np.ndarray, plan: QueryPlan,
    chosen: tuple[float, int] | None, q: float, theme: Theme,
) -> Film:  # fmt: skip
    """Return all questions against the window exponent, a curve a constant c; what lies below the line can be paid for.

    Args:
        exponents: (E,).   qs: (Q,) constants.   costs: (Q, E).   chosen: (window exponent, questions) or None.
        q: the constant of the page.
    """
    frame = look.layout(theme, int(22 * theme.tick), hoverdistance=30)
    frame["margin"] = {"l": int(4.6 * theme.tick), "r": 10, "t": 10, "b": int(3.2 * theme.label)}
    sheet = Sheet(theme, 0, frame)
    low = min(float(costs.min()), plan.budget, plan.floor or np.inf) / 2.0
    high = max(float(costs.max()), plan.budget) * 2.0
    span = [float(np.log10(max(low, 0.5))), float(np.log10(high))]
    every = [m * 10.0**e for e in range(-1, 9) for m in (1, 2, 5)]
    ticks = [v for v in every if span[0] <= np.log10(v) <= span[1]]
    ticks = ticks if len(ticks) < 8 else [v for v in ticks if v in every[::3]]
    ends = [float(exponents[0]), float(exponents[-1]) + 0.045]
    sheet.panel("plan", [0.0, 1.0], [0.0, 1.0], {"range": ends, "title": "window exponent α̃ (below 1/3)",
                "tickvals": [0.05, 0.1, 0.15, 0.2, 0.25, 0.3], "showgrid": False},
                {"type": "log", "range": span, "title": "questions N<sub>T</sub>", "tickvals": ticks,
                 "ticktext": [f"{v:,.0f}" for v in ticks]})  # fmt: skip
    _affordable(sheet, ends, 10 ** span[0], plan, theme)
    plum = theme.method("W-SparQ")
    wanted = (np.log10(costs[:, -1]) - span[0]) / (span[1] - span[0])
    named = span[0] + (span[1] - span[0]) * spread(np.clip(wanted, 0.0, 1.0)[None, :], 0.075)[0]
    for constant, line, name in zip(qs, costs, named, strict=True):
        own = constant == q
        colour = plum if own else look.faded(plum, 0.55)
        said = {"hoverinfo": None, "hovertemplate": f"c = {constant:g}, α̃ = %{{x:.2f}}: %{{y:,}}<extra></extra>"}
        sheet.still("plan", {**look.line(list(exponents), line, colour, theme.line if own else 1.5), **said})
        sheet.note("plan", f"<b>c = {constant:g}</b>" if own else f"c = {constant:g}", exponents[-1],
                   float(name), xanchor="left", xshift=5, color=plum)  # fmt: skip
    if chosen is not None:
        mark = {"symbol": "star", "size": theme.marker + 8, "color": plum, "line": {"width": 1.5, "color": theme.paper}}
        star = {"type": "scatter", "mode": "markers", "x": [chosen[0]], "y": [chosen[1]], "marker": mark}
        sheet.still("plan", {**star, "hovertemplate": "the shortest windows that fit: α̃ = %{x:.2f}<extra></extra>"})
    return sheet.film()


def _affordable(sheet: Sheet, ends: list[float], foot: float, plan: QueryPlan, theme: Theme) -> None:
    """Draw the region below the budget, the budget, and the order of the proved minimum where there is one."""
    box = {"type": "scatter", "mode": "lines", "fill": "toself", "line": {"width": 0}, "hoverinfo": "skip"}
    x = [ends[0], ends[1], ends[1], ends[0]]
    sheet.still("plan", {**box, "x": x, "y": [plan.budget, plan.budget, foot, foot],
                         "fillcolor": look.faded(theme.covered, 0.13)})  # fmt: skip
    sheet.still("plan", look.line(ends, [plan.budget] * 2, theme.covered, 2.5))
    sheet.note("plan", f"your budget: {plan.budget:,}", ends[0], float(np.log10(plan.budget)), xanchor="left",
               yanchor="top", xshift=6, yshift=-3, color=theme.covered,
               bgcolor=look.faded(theme.paper, 0.8))  # fmt: skip
    if plan.floor is not None:
        hatch = {"shape": "/", "fgcolor": theme.ink, "bgcolor": look.faded(theme.ink, 0.08), "size": 9,
                 "solidity": 0.18}  # fmt: skip
        sheet.still("plan", {**box, "x": x, "y": [plan.floor, plan.floor, foot, foot],
                             "fillcolor": look.faded(theme.ink, 0.1), "fillpattern": hatch})  # fmt: skip
        sheet.note("plan", "order of the proved minimum (constant arbitrary)", ends[0],
                   float(np.log10(plan.floor)), xanchor="left", yanchor="bottom", xshift=6, color=theme.ink,
                   bgcolor=look.faded(theme.paper, 0.8))  # fmt: skip
