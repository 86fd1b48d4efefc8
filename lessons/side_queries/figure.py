"""The schedule: side queries over time, and today's estimate with its data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import plural
from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
from figures.race_axes import round_ticks
from figures.sheet import Sheet, strokes
from figures.theme import Theme
from lessons.side_queries.model import SIDE_QUERYING, FirstSeed

WHOLE = [0.0, 1.0]  # the width
MAX_DROPPED = 40  # readings that are drawn as dropped, the latest


def stage(
    first: FirstSeed,
    estimate: tuple[np.ndarray, np.ndarray],
    width: np.ndarray,
    clock: FilmFrames,
    theme: Theme,
    frame: int,
) -> Film:
    """Return side queries over time, and today's estimate with its data.

    Args:
        estimate: mean and sd (F, m) of W-SparQ at each frame.   width: (F,) their multiplier.   clock: rows of the
            frames.
    """
    sheet = Sheet(theme, frame, hoverdistance=30)
    sheet.margins(4.3 * theme.tick, 12, 1.75 * theme.label, 2.9 * theme.label)
    most = max(int(first.plays[n].extra_queries.max()) for n in SIDE_QUERYING)
    _bars(sheet, first, "SparQ", (WHOLE, [0.865, 1.0]), most, clock)
    _bars(sheet, first, "W-SparQ", (WHOLE, [0.645, 0.78]), most, clock)
    hue = theme.method("W-SparQ")
    draw_estimate(sheet, "now", (WHOLE, [0.0, 0.43]), first, estimate, width, clock, hue)
    _key(sheet, hue)
    return sheet.film()


def _bars(
    sheet: Sheet,
    first: FirstSeed,
    name: str,
    place: tuple[list[float], list[float]],
    most: int,
    clock: FilmFrames,
) -> None:
    """Draw a bar a round as tall as the questions asked before it, all in one line; what is to come is veiled."""
    theme, counts = sheet.theme, first.plays[name].extra_queries
    T, colour, last = len(counts), sheet.theme.method(name), name == "W-SparQ"
    stops = [int(v) for v in round_ticks(T, 5) if v > 0]
    time = {
        "range": [0.5, T + 0.5],
        "showgrid": False,
        "showticklabels": last,
        **style.ticks(stops, [f"t = {stops[0]}", *map(str, stops[1:])]),
    }
    high = {"range": [0.0, 1.04 * max(most, 1)], "tickvals": [0, most], "showgrid": False}
    sheet.panel(name, *place, {**time, "ticks": ""}, high)
    rounds = np.flatnonzero(counts)
    x = np.repeat(rounds + 1.0, 3)
    y = strokes(np.zeros(len(rounds)), counts[rounds])
    thick = max(0.9, min(4.0, 560.0 / T)) * (1.5 if theme.lecture else 1.0)
    hover = f"{name}: %{{y}} side queries before t = %{{x}}<extra></extra>"
    said = f"{name}|side queries"
    sheet.curve(name, x, y, colour, thick, hoverinfo=None, hovertemplate=hover, customdata=x, meta=said)
    now = np.asarray(clock.times) + 0.5
    sheet.rect(name, (now, T + 0.5), (0, 1.04 * most), style.faded(theme.paper, 0.8))
    title = f"<b>{name}</b>"
    sheet.headline(name, f"{title}: {_when(first, name)}", narrow=title, color=colour, size=theme.label)
    # The running total is the sum of the bars that are not veiled.
    sums, total = np.cumsum(counts)[clock.index].tolist(), plural(int(counts.sum()), "side query", "side queries")
    text = tuple((f"{s:,} of {total}",) for s in sums)
    sheet.words(name, [T + 0.5], [1.04 * most], text, colour, "top left", theme.label)
    sheet.shows(f"{name}: side queries", "text", 0)


def _when(first: FirstSeed, name: str) -> str:
    if name == "SparQ":
        return "before every round"
    return f"at {len(first.starts):,} window starts" if len(first.starts) != 1 else "at 1 window start"


def draw_estimate(
    sheet: Sheet,
    name: str,
    place: tuple[list[float], list[float]],
    first: FirstSeed,
    estimate: tuple[np.ndarray, np.ndarray],
    width: np.ndarray,
    clock: FilmFrames,
    hue: str,
) -> None:
    """Draw truth, estimate and its width now, with the readings it rests on and those it has dropped.

    Args:
        name, place: of the panel: its shares of the width and of the height.   hue: colour of the estimate.
    """
    theme, f, x = sheet.theme, first.problem.f, first.x.astype(np.float32)
    low, high = float(f.min()), float(f.max())
    room = max(high - low, 0.5)
    edge = 0.02 * (float(x[-1] - x[0]) or 1.0)
    along = {
        "range": [float(x[0]) - edge, float(x[-1]) + edge],
        "nticks": 6,
        "showgrid": False,
        "title": "action x",
    }
    up = {"range": [low - 0.22 * room, high + 0.22 * room], "nticks": 5, "title": "reward"}
    sheet.panel(name, *place, along, up)
    mean, half = estimate[0], width[:, None] * estimate[1]
    low, high = (np.clip(edge, low - 3 * room, high + 3 * room) for edge in (mean - half, mean + half))
    sheet.area(name, x, high, low, style.faded(hue, 0.18), (style.faded(hue, 0.55), 1.2))
    sheet.curve(name, x, f[clock.index], theme.ink, theme.truth_line)
    sheet.curve(name, x, mean, hue, theme.line)
    _readings(sheet, name, first, clock, hue)


def _readings(sheet: Sheet, name: str, first: FirstSeed, clock: FilmFrames, hue: str) -> None:
    """Draw the readings in use, asked again and heard since, and the latest that were dropped."""
    theme, h = sheet.theme, first.plays["W-SparQ"]
    seen = [first.evidence[row] for row in clock.rows]
    gone = []
    for e in seen:
        oldest = int(e.heard.min()) if len(e.heard) else 0
        dropped = slice(max(oldest - MAX_DROPPED, 0), oldest)
        gone.append((first.x[h.arms[dropped]], h.y[dropped]))
    again = [(first.x[e.arms[e.asked]], e.y[e.asked]) for e in seen]
    fresh = [(first.x[e.arms[~e.asked]], e.y[~e.asked]) for e in seen]
    size = theme.marker
    dot = {"symbol": "circle", "size": max(size - 6, 4), "colour": theme.grey, "opacity": 0.6}
    _points(sheet, name, gone, "dropped: %{y:.2f} at x = %{x:.2f}", **dot)
    solid = {"symbol": "circle", "size": size, "colour": hue, "opacity": 1, "rim": (1.5, theme.paper)}
    _points(sheet, name, fresh, "from this window: %{y:.2f} at x = %{x:.2f}", **solid)
    ring = {"symbol": "circle-open-dot", "size": size + 5, "colour": hue, "opacity": 1, "rim": 2.5}
    _points(sheet, name, again, "side query: %{y:.2f} at x = %{x:.2f}", **ring)


def _points(
    sheet: Sheet, name: str, groups: Sequence[tuple[np.ndarray, np.ndarray]], texts: str, **marker: object
) -> None:
    """Draw markers whose number changes from frame to frame: gaps fill the rest."""
    most = max((len(x) for x, _ in groups), default=0)
    if not most:
        return
    at = np.full((2, len(groups), most), np.nan)
    for i, pair in enumerate(groups):
        at[:, i, : len(pair[0])] = pair
    sheet.dots(name, *at, **marker, hovertemplate=texts + "<extra></extra>")


def _key(sheet: Sheet, hue: str) -> None:
    """Write what the marks mean above the panel."""
    theme = sheet.theme
    marks = (
        f"<span style='color:{hue}'>◎ side queries  ● this window</span>"
        f"  <span style='color:{theme.grey}'>• dropped</span>"
    )
    sheet.headline("now", f"<b>W-SparQ's estimate</b> rests on {marks}", narrow=marks, size=theme.tick)
