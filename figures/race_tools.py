"""The smaller figures of the race: where two methods look, who beats whom, and what a step costs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import spacetime
from figures import theme as look
from figures.film import Film
from figures.race import Lane
from figures.sheet import Sheet
from figures.side import Clock, amount
from figures.theme import METHODS, Theme

RULE = 26  # pixels of a row of the matrix and of the ledger


def looking(lane: Lane, pins: Sequence[str], clock: Clock, theme: Theme, drawn: int, height: int) -> Film:
    """Where the pinned methods ask, over the reward of every action and time; what is to come is veiled.

    Brightness is reward, the white line the best action, a dot one question of the first seed.
    """
    sheet = Sheet(theme, drawn, look.layout(theme, height, hoverdistance=20))
    sheet.frame["margin"] = {
        "l": int(3.6 * theme.tick), "r": 14, "t": int(1.7 * theme.label), "b": int(2.9 * theme.label),
    }  # fmt: skip
    p = lane.problem
    T, table = p.horizon, p.arm_names is not None
    x = np.arange(p.f.shape[1], dtype=float) if table else p.x[:, 0]
    half = 0.5 * (x[1] - x[0]) if len(x) > 1 else 0.5
    span, between = [float(x[0] - half), float(x[-1] + half)], (float(p.f.min()), float(p.f.max()))
    width = (1.0 - 0.03 * (len(pins) - 1)) / len(pins)
    for i, name in enumerate(pins):
        left = i * (width + 0.03)
        time = {"range": [0.5, T + 0.5], "title": "time t", "nticks": 6, "showgrid": False}
        edge = 0.035 * (span[1] - span[0])  # so that a dot on the first or last action is whole
        place = {"range": [span[0] - edge, span[1] + edge], "showgrid": False, "showticklabels": i == 0, "nticks": 5,
                 "title": ("arm" if table else "action x") if i == 0 else ""}  # fmt: skip
        sheet.panel(name, [left, left + width], [0.0, 1.0], time, place)
        sheet.headline(name, f"<b>{name}</b>", color=theme.method(name), size=theme.label)
        spacetime.lay(sheet, name, p.f.T[::-1], (0.5, T + 0.5, span[1], span[0]), between)
        times = np.arange(1, T + 1, dtype=np.float32)
        best = look.line(times, x[p.best].astype(np.float32), "#FFFFFF", 2.5)
        spacetime.outlined(sheet, name, best, "#111111", 2.5)
        _dots(sheet, name, times, x[lane.looks[name]], theme)
        _veil(sheet, name, clock, T, span)
    return sheet.film()


def _dots(sheet: Sheet, name: str, times: np.ndarray, where: np.ndarray, theme: Theme) -> None:
    mark = {"size": 7 if theme.lecture else 5, "color": "#FFFFFF", "opacity": 1, "line": {"width": 1.2, "color": "#111111"}}
    dots = {"type": "scatter", "mode": "markers", "x": times, "y": where.astype(np.float32), "marker": mark}
    words = {"customdata": times, "hovertemplate": f"{name} asks x = %{{y:.2f}} at t = %{{x}}<extra></extra>"}
    sheet.still(name, {**dots, **words})


def _veil(sheet: Sheet, name: str, clock: Clock, T: int, span: Sequence[float]) -> None:
    now = np.asarray(clock.times, dtype=float) + 0.5
    end = np.full(len(now), T + 0.5)
    veil = {"type": "scatter", "mode": "lines", "fill": "toself", "fillcolor": look.faded(sheet.theme.paper, 0.78),
            "line": {"width": 0}, "hoverinfo": "skip", "y": [span[0], span[0], span[1], span[1]]}  # fmt: skip
    sheet.moving(name, veil, x=np.stack([now, end, end, now], axis=1))


def duels(names: Sequence[str], wins: np.ndarray, held: np.ndarray, theme: Theme) -> Film:
    """In how many seeds the row ends with less regret than the column, as counts on a grey ramp.

    Args:
        names: (P,) best first.   wins, held: (P, P) counts; the diagonal is left empty.
    """
    P = len(names)
    share = np.where(held > 0, wins / np.maximum(held, 1), 0.0)
    np.fill_diagonal(share, np.nan)
    longest = max(len(n) for n in names)
    size = theme.tick
    frame = look.layout(theme, int((1.9 * size) * (P + 1)) + 8 * size)
    frame["margin"] = {"l": int(0.62 * size * longest) + 10, "r": 10, "t": 8 * size, "b": 8}
    axis = {"tickvals": list(range(P)), "ticktext": list(names), "showgrid": False, "showline": False}
    frame["xaxis"] = look.axis(theme, range=[-0.5, P - 0.5], side="top", tickangle=-55, **axis)
    frame["yaxis"] = look.axis(theme, range=[P - 0.5, -0.5], **axis)
    low, high = (theme.paper, "#5FA8F5" if theme.dark else "#14508C")
    cells = {"type": "heatmap", "z": share, "zmin": 0, "zmax": 1, "colorscale": [[0, low], [1, high]],
             "showscale": False, "xgap": 2, "ygap": 2, "hoverinfo": "skip"}  # fmt: skip
    traces: list[dict] = [cells]
    for bright in (False, True):
        at = [(i, j) for i in range(P) for j in range(P) if i != j and held[i, j] and (share[i, j] > 0.5) == bright]
        ink = "#FFFFFF" if bright and not theme.dark else "#0E1117" if bright else theme.ink
        text = [f"{wins[i, j]}/{held[i, j]}" for i, j in at]
        traces.append(look.words([j for _, j in at], [i for i, _ in at], text, ink, size, "middle center"))
    return look.film(traces, frame)


def ledger(lane: Lane, names: Sequence[str], theme: Theme) -> Film:
    """Final regret, a dot a seed with the median as a bar, beside the time of one step and the re-asks.

    Args:
        names: best first, one row each.
    """
    P, size = len(names), theme.tick
    longest = max(len(n) for n in names)
    frame = look.layout(theme, int((1.9 * size) * (P + 1)) + 8 * size)
    frame["margin"] = {"l": int(0.62 * size * longest) + 10, "r": 10, "t": int(2.2 * size), "b": int(3.4 * theme.label)}
    sheet = Sheet(theme, 0, frame)
    rows = {"range": [P - 0.5, -0.5], "tickvals": list(range(P)), "ticktext": list(names)}
    final = {n: lane.total[n][:, -1] for n in names}
    top = max(float(v.max()) for v in final.values()) * 1.06 or 1.0
    cost = {n: 1e6 * lane.seconds[n] for n in names}
    low, high = min(cost.values()), max(cost.values())
    span = [float(np.log10(max(low, 1e-3) / 2)), float(np.log10(max(high, 1e-3) * 40))]
    sheet.panel("regret", [0.0, 0.55], [0.0, 1.0], {"range": [0.0, top], "nticks": 5, "title": "R<sub>T</sub>"}, rows)
    decades = [10.0**e for e in range(int(np.ceil(span[0])), int(np.floor(span[1])) + 1)]
    sheet.panel("cost", [0.6, 1.0], [0.0, 1.0], {"type": "log", "range": span, "title": "time for a step",
                "tickvals": decades, "ticktext": [_time(v) for v in decades]}, {**rows, "showticklabels": False})  # fmt: skip
    for i, name in enumerate(names):
        colour, k = theme.method(name), len(final[name])
        seeds = {"symbol": "circle-open", "size": theme.marker - 2, "color": colour, "opacity": 0.75}
        sheet.still("regret", {"type": "scatter", "mode": "markers", "x": final[name], "y": [i] * k, "marker": seeds,
                               "hovertemplate": f"{name}: %{{x:.3g}}<extra></extra>"})  # fmt: skip
        bar = {"symbol": "line-ns", "size": 2 * theme.marker, "line": {"width": theme.line + 1, "color": colour}}
        sheet.still("regret", {"type": "scatter", "mode": "markers", "x": [float(np.median(final[name]))], "y": [i],
                               "marker": {**bar, "color": colour}, "hoverinfo": "skip"})  # fmt: skip
        extra = f" +{lane.asked[name]:,} re-asks" if lane.asked[name] else ""
        dot = {"symbol": METHODS[name].symbol, "size": theme.marker, "color": colour, "line": {"width": 2, "color": colour}}
        sheet.still("cost", {"type": "scatter", "mode": "markers+text", "x": [max(cost[name], 1e-3)], "y": [i],
                             "marker": dot, "text": [f"  {_time(cost[name])}{extra}"], "textposition": "middle right",
                             "textfont": {"size": size, "color": theme.ink}, "hoverinfo": "skip"})  # fmt: skip
    return sheet.film()


def _time(micro: float) -> str:
    """Microseconds in words."""
    return f"{amount(micro / 1000)} ms" if micro >= 1000 else f"{micro:.0f} µs"
