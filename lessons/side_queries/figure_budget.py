"""A budget of side queries: the cost of every window exponent, and the schedules that can be paid for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.side_queries.planner import QueryPlan


def planner(
    exponents: Sequence[float],
    qs: Sequence[float],
    costs: np.ndarray,
    plan: QueryPlan,
    choice: tuple[float, int] | None,
    q: float,
    theme: Theme,
) -> Film:
    """Return all questions against the window exponent, a curve a constant c; what lies below the line can be paid for.

    Args:
        exponents: (E,).   qs: (Q,) constants.   costs: (Q, E).   choice: (window exponent, questions) or None.
        q: the constant of the page.
    """
    sheet = Sheet(theme, 0, int(22 * theme.tick), hoverdistance=30)
    sheet.margins(4.6 * theme.tick, 10, 10, 3.2 * theme.label)
    low = min(float(costs.min()), plan.budget, plan.floor or np.inf) / 2.0
    high = max(float(costs.max()), plan.budget) * 2.0
    span = [float(np.log10(max(low, 0.5))), float(np.log10(high))]
    every = [m * 10.0**e for e in range(-1, 9) for m in (1, 2, 5)]
    ticks = [v for v in every if span[0] <= np.log10(v) <= span[1]]
    ticks = ticks if len(ticks) < 8 else [v for v in ticks if v in every[::3]]
    ends = [float(exponents[0]), float(exponents[-1]) + 0.045]
    sheet.panel(
        "plan",
        [0.0, 1.0],
        [0.0, 1.0],
        {
            "range": ends,
            "title": "window exponent α̃ (below 1/3)",
            "tickvals": [0.05, 0.1, 0.15, 0.2, 0.25, 0.3],
            "showgrid": False,
        },
        {
            "type": "log",
            "range": span,
            "title": "side queries N<sub>T</sub>",
            **style.ticks(ticks, [f"{v:,.0f}" for v in ticks]),
        },
    )
    _affordable(sheet, [ends[0], float(exponents[-1])], 10 ** span[0], plan, theme)  # names stand behind it
    plum = theme.method("W-SparQ")
    for constant, line in zip(qs, costs, strict=True):
        own = constant == q
        colour = plum if own else style.faded(plum, 0.55)
        texts = f"c = {constant:g}, α̃ = %{{x:.2f}}: %{{y:,}}<extra></extra>"
        sheet.curve(
            "plan", list(exponents), line, colour, theme.line if own else 1.5, hoverinfo=None, hovertemplate=texts
        )
    names = [f"<b>c = {c:g}</b>" if c == q else f"c = {c:g}" for c in qs]
    at = np.full((1, len(qs)), float(exponents[-1])), costs[None, :, -1].astype(float)
    end_labels(sheet, "plan", at, float(exponents[-1]) + 0.006, [names], [plum] * len(qs))
    if choice is not None:
        sheet.dots(
            "plan",
            [choice[0]],
            [choice[1]],
            plum,
            theme.marker + 8,
            symbol="star",
            rim=(1.5, theme.paper),
            hovertemplate="the shortest windows that fit: α̃ = %{x:.2f}<extra></extra>",
        )
    return sheet.film()


def _affordable(sheet: Sheet, ends: list[float], foot: float, plan: QueryPlan, theme: Theme) -> None:
    """Draw the region below the budget, the budget, and the order of the proved minimum where there is one."""
    sheet.rect("plan", ends, (plan.budget, foot), style.faded(theme.covered, 0.13))
    sheet.curve("plan", ends, [plan.budget] * 2, theme.covered, 2.5)
    sheet.note(
        "plan",
        f"your budget: {plan.budget:,}",
        ends[0],
        float(np.log10(plan.budget)),
        xanchor="left",
        yanchor="top",
        xshift=6,
        yshift=-3,
        color=theme.covered,
        bgcolor=style.faded(theme.paper, 0.8),
    )
    if plan.floor is not None:
        sheet.rect(
            "plan",
            ends,
            (plan.floor, foot),
            style.faded(theme.ink, 0.1),
            **style.hatch(theme.ink, style.faded(theme.ink, 0.08), 0.18),
        )
        sheet.note(
            "plan",
            "order of the proved minimum (constant arbitrary)",
            ends[0],
            float(np.log10(plan.floor)),
            xanchor="left",
            yanchor="bottom",
            xshift=6,
            color=theme.ink,
            bgcolor=style.faded(theme.paper, 0.8),
        )
