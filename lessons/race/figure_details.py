"""The smaller figures of the race: where two methods query, and where each of six would query next."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import spacetime
from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
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
            "title": "action x" if i == 0 else "",
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
        below = {"title": "action x"} if row else {"showticklabels": False}
        side = {"range": [low - edge, high + edge], "nticks": 4, "showticklabels": column == 0}
        sheet.panel(name, across, up, {"range": [float(x[0]), float(x[-1])], "nticks": 4, **below}, side)
        sheet.headline(name, name, color=theme.method(name))
        sheet.curve(name, x, f, theme.ink, 0.6 * theme.line, "dot")
        sheet.curve(name, x, curve, theme.method(name), theme.line)
        best = found.best[name]
        at = x[best][:, None], curve[np.arange(len(best)), best][:, None]
        sheet.dots(name, *at, theme.method(name), theme.marker + 2, opacity=1, cliponaxis=False)
    return sheet.film()
