"""The smaller figures of the race: where two methods query, who beats whom, and what a step costs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import amount
from figures import spacetime
from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
from figures.palette import METHODS
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.race.indices import Indices
from lessons.race.summary import Lane
from lessons.shared.problems import coordinates


def queries(lane: Lane, pins: Sequence[str], clock: FilmFrames, theme: Theme, frame: int, height: int) -> Film:
    """Draw the queries of two methods, over the reward of every action and time; what is to come is veiled.

    Brightness is reward, the white line the best action, a dot a query in the first seed.
    """
    sheet = Sheet(theme, frame, height, hoverdistance=20)
    sheet.margins(3.6 * theme.tick, 14, 1.7 * theme.label, 2.9 * theme.label)
    p = lane.problem
    T, x = p.horizon, coordinates(p)
    half = 0.5 * (x[1] - x[0]) if len(x) > 1 else 0.5
    span, between = [float(x[0] - half), float(x[-1] + half)], (float(p.f.min()), float(p.f.max()))
    width = (1.0 - 0.03 * (len(pins) - 1)) / len(pins)
    ground = spacetime.picture(p.f.T[::-1], *between)  # the same under both
    for i, name in enumerate(pins):
        left = i * (width + 0.03)
        time = {"range": [0.5, T + 0.5], "title": "time t", "nticks": 6, "showgrid": False}
        edge = 0.035 * (span[1] - span[0])  # so that a dot on the first or last action is whole
        place = {
            "range": [span[0] - edge, span[1] + edge],
            "showgrid": False,
            "showticklabels": i == 0,
            "nticks": 5,
            "title": ("action x" if p.arm_names is None else "arm") if i == 0 else "",
        }
        sheet.panel(name, [left, left + width], [0.0, 1.0], time, place)
        sheet.headline(name, f"<b>{name}</b>", color=theme.method(name), size=theme.label)
        spacetime.draw_image(sheet, name, ground, (0.5, T + 0.5, span[1], span[0]))
        times = np.arange(1, T + 1, dtype=np.float32)
        sheet.curve(name, times, x[p.best].astype(np.float32), "#FFFFFF", 2.5, outline=("#111111", 2.5))
        size = 7 if theme.lecture else 5
        hover = f"{name} queries x = %{{y:.2f}} at t = %{{x}}<extra></extra>"
        sheet.dots(
            name,
            times,
            x[lane.arms[name]],
            "#FFFFFF",
            size,
            rim=(1.2, "#111111"),
            opacity=1,
            customdata=times,
            hovertemplate=hover,
        )
        now = np.asarray(clock.times, dtype=float) + 0.5
        sheet.rect(name, (now, T + 0.5), span, style.faded(theme.paper, 0.78))
    return sheet.film()


def indices(found: Indices, lane: Lane, clock: FilmFrames, theme: Theme, frame: int, height: int) -> Film:
    """Draw the curve that each algorithm maximises, with its highest point, over the reward at that time."""
    sheet = Sheet(theme, frame, height)
    sheet.margins(3.2 * theme.tick, 14, 1.7 * theme.label, 2.9 * theme.label)
    p, x = lane.problem, coordinates(lane.problem)
    f = p.f[clock.index]
    if not found.curves:
        sheet.panel(
            "none", (0.0, 1.0), (0.0, 1.0), {"range": [0.0, 1.0], **style.BARE}, {"range": [0.0, 1.0], **style.BARE}
        )
        sheet.note("none", "none of the six can play with this width", 0.5, 0.5, inside="xy", color=theme.soft_ink)
        sheet.curve("none", [0.0], [None], theme.grey, 0)  # Plotly draws no axes that carry nothing
        return sheet.film()
    every = np.concatenate([f, *found.curves.values()])
    low, high = float(f.min()), float(every.max())
    edge = 0.06 * (high - low or 1.0)
    for i, (name, curve) in enumerate(found.curves.items()):
        row, column = divmod(i, 3)
        across, up = (0.35 * column, 0.35 * column + 0.3), ((0.56, 1.0), (0.0, 0.44))[row]
        below = {"title": "action x" if p.arm_names is None else "arm"} if row else {"showticklabels": False}
        side = {"range": [low - edge, high + edge], "nticks": 4, "showticklabels": column == 0}
        sheet.panel(name, across, up, {"range": [float(x[0]), float(x[-1])], "nticks": 4, **below}, side)
        sheet.headline(name, name, color=theme.method(name))
        sheet.curve(name, x, f, theme.ink, 0.6 * theme.line, "dot")
        sheet.curve(name, x, curve, theme.method(name), theme.line)
        best = found.best[name]
        at = x[best][:, None], curve[np.arange(len(best)), best][:, None]
        sheet.dots(name, *at, theme.method(name), theme.marker + 2, opacity=1, cliponaxis=False)
    return sheet.film()


def duels(names: Sequence[str], wins: np.ndarray, held: np.ndarray, theme: Theme) -> Film:
    """Draw in how many seeds the row ends with less regret than the column: counts, on a ramp of their share.

    Args:
        names: (P,) best first.   wins, held: (P, P) counts; the diagonal is left empty.
    """
    P, size = len(names), theme.tick
    share = np.where(held > 0, wins / np.maximum(held, 1), 0.0)
    np.fill_diagonal(share, np.nan)
    sheet = Sheet(theme, 0, _tall(P, theme))
    sheet.margins(_wide(names, theme), 4 * size, 7 * size, 8)
    axis = {**style.ticks(range(P), names), "showgrid": False, "showline": False, "ticks": ""}
    x, y = {"range": [-0.5, P - 0.5], "side": "top", "tickangle": -50, **axis}, {"range": [P - 0.5, -0.5], **axis}
    sheet.panel("pairs", [0, 1], [0, 1], x, y)
    ramp = [[0, theme.paper], [1, "#5FA8F5" if theme.dark else "#14508C"]]
    cells = {
        "type": "heatmap",
        "x": list(range(P)),
        "y": list(range(P)),
        "z": share,
        "zmin": 0,
        "zmax": 1,
        "colorscale": ramp,
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "hoverinfo": "skip",
    }
    sheet.draw("pairs", cells)
    for full in (False, True):
        pairs = [(i, j) for i in range(P) for j in range(P) if i != j and held[i, j]]
        pairs = [(i, j) for i, j in pairs if (share[i, j] > (0.6 if theme.dark else 0.45)) == full]
        ink = theme.ink if not full else "#0E1117" if theme.dark else "#FFFFFF"
        text = [f"{wins[i, j]}/{held[i, j]}" for i, j in pairs]
        sheet.words("pairs", [j for _, j in pairs], [i for i, _ in pairs], text, ink, "middle center")
    return sheet.film()


def ledger(lane: Lane, names: Sequence[str], theme: Theme) -> Film:
    """Draw final regret, a ring a seed with the median as a bar, beside the time of one step and the side queries.

    Args:
        names: best first, one row each.
    """
    sheet = Sheet(theme, 0, _tall(len(names), theme))
    sheet.margins(_wide(names, theme), 10, 2.2 * theme.tick, 3.4 * theme.label)
    rows = {"range": [len(names) - 0.5, -0.5], **style.ticks(range(len(names)), names)}
    top = max(float(lane.total[n][:, -1].max()) for n in names) * 1.06 or 1.0
    regret = {"range": [-0.02 * top, top], "nticks": 4, "title": "regret R<sub>T</sub>"}
    sheet.panel("regret", [0.0, 0.5], [0.0, 1.0], regret, rows)
    cost = {n: max(1e6 * lane.seconds[n], 1e-3) for n in names}
    low, high = np.log10(min(cost.values()) / 2), np.log10(max(cost.values()))
    high += max(0.75 * (high - low), 1.0)  # room for the words behind the last marker
    tens = [10.0**e for e in style.decades(low, high)[::2]]
    time = {
        "type": "log",
        "range": [float(low), float(high)],
        "title": "time for a step",
        **style.ticks(tens, map(_time, tens)),
    }
    sheet.panel("cost", [0.54, 0.86], [0.0, 1.0], time, {**rows, "showticklabels": False})
    for i, name in enumerate(names):
        _row(sheet, lane, name, i, cost[name])
    if any(lane.side_queries[n] for n in names):
        sheet.headline("cost", "side queries", x=1.0, xanchor="right")
    return sheet.film()


def _row(sheet: Sheet, lane: Lane, name: str, i: int, micro: float) -> None:
    theme, colour, final = sheet.theme, sheet.theme.method(name), lane.total[name][:, -1]
    sheet.dots(
        "regret",
        final,
        [i] * len(final),
        colour,
        theme.marker - 2,
        symbol="circle-open",
        opacity=0.75,
        hovertemplate=f"{name}: %{{x:.3g}}<extra></extra>",
    )
    middle = [float(lane.median[name][-1])]
    sheet.dots("regret", middle, [i], None, 2 * theme.marker, symbol="line-ns", rim=(theme.line + 1, colour))
    words = {"text": [f" {_time(micro)}"], "textposition": "middle right"}
    words |= {"textfont": {"size": theme.tick, "color": theme.ink}}
    sheet.dots(
        "cost",
        [micro],
        [i],
        colour,
        theme.marker,
        symbol=METHODS[name].symbol,
        rim=(2, colour),
        mode="markers+text",
        **words,
    )
    if lane.side_queries[name]:
        sheet.note("cost", f"+{lane.side_queries[name]:,}", 1.0, i, xref="paper", xanchor="right")


def _tall(rows: int, theme: Theme) -> int:
    return int(1.9 * theme.tick * (rows + 1)) + 8 * theme.tick


def _wide(names: Sequence[str], theme: Theme) -> int:
    """Return the room for the longest name, pixels."""
    return int(0.62 * theme.tick * max(len(n) for n in names)) + 10


def _time(micro: float) -> str:
    """Return microseconds in words."""
    return f"{amount(micro / 1000)} ms" if micro >= 1000 else f"{micro:.0f} µs"
