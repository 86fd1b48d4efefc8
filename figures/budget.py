"""The bill of a drifting world: drift so far above, the largest change of each step below, on one time axis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import theme as look
from figures.sheet import Sheet
from figures.side import Clock, Side, amount

DASH = {"first": "solid", "second": "dash"}
LOWEST = 360  # pixels of the panels on the smallest screen
SAME = 0.01  # totals closer than this share of the larger one are called equal


def panels(sheet: Sheet, sides: Sequence[Side], clock: Clock, across: Sequence[float], up: float) -> None:
    """Lay out and draw both panels in the columns `across`; `up` is the height at which the upper one starts."""
    theme, T = sheet.theme, clock.horizon
    most, longest = max(s.spent[-1] for s in sides), max(s.steps.max() for s in sides)
    time = {"range": [0.5 - 0.01 * T, T + 0.5 + 0.01 * T], "nticks": 4, "showgrid": False}
    head = 1.9 * theme.label / LOWEST
    sheet.panel("spent", across, [up, 1.0], {**time, "showticklabels": False},
                {"range": [-0.04 * (most or 1), 1.36 * (most or 1)], "nticks": 4})  # fmt: skip
    sheet.panel("steps", across, [0.0, up - head - 0.01], {**time, "title": "time t"},
                {"range": [0, (1.12 + 0.17 * len(sides)) * (longest or 1)], "nticks": 3})  # fmt: skip
    sheet.headline("spent", "drift so far, V<sub>t</sub>")
    sheet.headline("steps", "each step: max<sub>x</sub>|f<sub>t</sub> − f<sub>t−1</sub>|")
    times = np.arange(1, T + 1, dtype=np.float32)
    for side in sides:
        _lines(sheet, side, times)
    now = np.repeat(np.asarray(clock.times)[:, None], 2, axis=1)
    for panel in ("spent", "steps"):
        top = sheet.frame[f"yaxis{sheet.axes[panel]}"]["range"]
        sheet.moving(panel, look.line(None, top, theme.ink, 1.5), x=now)
    for side in sides:
        _now(sheet, side, clock, now)
    _labels(sheet, sides, most)
    for i, side in enumerate(sides):
        name = f"{side.short}: " if len(sides) > 1 else ""
        sheet.note("steps", f"{name}at most {amount(float(side.steps.max()))}", 0, 1, xanchor="left", yanchor="top",
                   yref=f"y{sheet.axes['steps']} domain", xref=f"x{sheet.axes['steps']} domain", xshift=6,
                   yshift=-4 - int(1.3 * theme.tick) * i, color=theme.kind(side.role))  # fmt: skip


def _lines(sheet: Sheet, side: Side, times: np.ndarray) -> None:
    theme = sheet.theme
    colour = theme.kind(side.role)
    spent = look.line(times, side.spent.astype(np.float32), colour, theme.line + 0.5, DASH[side.role])
    spent |= {"hoverinfo": "all", "customdata": times, "hovertemplate": "t = %{x}: %{y:.2f}<extra></extra>"}
    sheet.still("spent", spent)
    steps = look.line(times, side.steps.astype(np.float32), colour, 1.5)
    sheet.still("steps", {**steps, "fill": "tozeroy", "fillcolor": look.faded(colour, 0.25)})


def _now(sheet: Sheet, side: Side, clock: Clock, now: np.ndarray) -> None:
    """The step that ends now, as a rod: below where it is measured, above where it is added to the bill."""
    theme = sheet.theme
    colour = theme.kind(side.role)
    step, spent = side.steps[clock.index], side.spent[clock.index]
    rod = look.line(None, None, colour, 2 * theme.line)
    mark = {"size": [0, theme.marker], "opacity": 1, "color": colour, "line": {"width": 1.5, "color": theme.paper}}
    rod |= {"mode": "lines+markers", "marker": mark}
    sheet.moving("spent", rod, x=now, y=np.stack([spent - step, spent], axis=1))
    sheet.moving("steps", rod, x=now, y=np.stack([0 * step, step], axis=1))


def _labels(sheet: Sheet, sides: Sequence[Side], most: float) -> None:
    """Each line's name at the line: at its end, or, where two lines end together, where they are furthest apart."""
    theme, ends = sheet.theme, [float(s.spent[-1]) for s in sides]
    T = len(sides[0].spent)
    bold = [f"<b>{s.short}</b>" for s in sides]
    end = {"xanchor": "right", "size": theme.label}
    if len(sides) == 1:
        words = f"V<sub>T</sub> = {amount(ends[0])}"
        sheet.note("spent", words, T, ends[0], yanchor="bottom", color=theme.kind(sides[0].role), **end)
        return
    if abs(ends[0] - ends[1]) > SAME * max(ends):
        low = int(ends[1] < ends[0])
        for i, side in enumerate(sides):
            # Below its line, where the label begins: the line only rises, so it stays above the label.
            under = float(side.spent[int(0.6 * (T - 1))])
            below = i == low and under > 0.2 * most
            sheet.note("spent", f"{bold[i]} {amount(ends[i])}", T, under if below else ends[i],
                       color=theme.kind(side.role), yanchor="top" if below else "bottom", **end)  # fmt: skip
        return
    together = f"both end at {amount(max(ends))}" if most else "no drift"
    sheet.note("spent", together, T, 1, yref=f"y{sheet.axes['spent']} domain", yanchor="top", yshift=5, **end)
    apart = np.abs(sides[0].spent - sides[1].spent)
    floor = np.minimum(sides[0].spent, sides[1].spent) > 0.2 * most  # room for a label under the lower line
    at = int(T - 1 - (apart * floor)[::-1].argmax())
    if apart[at] < 0.08 * (most or 1):  # one line over the other: one label for both
        sheet.note("spent", " = ".join(bold), 1 + 0.03 * T, 0.62 * most, xanchor="left", size=theme.label)
        return
    upper = int(sides[1].spent[at] > sides[0].spent[at])
    for i, side in enumerate(sides):
        place = {"xanchor": "right", "yanchor": "bottom"} if i == upper else {"xanchor": "left", "yanchor": "top"}
        nudge = {"xshift": -6, "yshift": -4} if i == upper else {"xshift": 6, "yshift": 2}
        sheet.note("spent", bold[i], at + 1, float(side.spent[at]), color=theme.kind(side.role),
                   size=theme.label, **place, **nudge)  # fmt: skip
