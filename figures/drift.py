"""Drifting rewards: what each world looks like now, its whole history under it, and what the drift has cost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import budget, spacetime
from figures import theme as look
from figures.film import Film
from figures.sheet import Sheet
from figures.side import Clock, Side
from figures.theme import Theme

GHOSTS = 5  # times at which a faint curve is kept, from the first to the last
WIDE = 0.705  # share of the width for the worlds; the bill takes the rest
GAP = 0.016  # between two worlds


def worlds(sides: Sequence[Side], clock: Clock, theme: Theme, drawn: int) -> Film:
    """One or two worlds over the same actions: curves above their space-time pictures, and the bill beside them.

    A curve and its picture share the axis of actions, so the drop-line of the best action runs down into its path.

    Args:
        sides: one or two.   clock: rows of the frames.   drawn: frame that the figure shows.
    """
    sheet = Sheet(theme, drawn, look.layout(theme, None, hoverdistance=18))
    sheet.frame["margin"] = {
        "l": int(4.3 * theme.tick), "r": 14, "t": int(1.75 * theme.label), "b": int(2.9 * theme.label),
    }  # fmt: skip
    low = min(float(s.problem.f.min()) for s in sides)
    high = max(float(s.problem.f.max()) for s in sides)
    room = max(high - low, 0.5)
    reward = [low - 0.16 * room, high + 0.26 * room]
    width = (WIDE - GAP * (len(sides) - 1)) / len(sides)
    for i, side in enumerate(sides):
        across = [i * (width + GAP), i * (width + GAP) + width]
        _curve(sheet, side, clock, across, reward, first=i == 0)
        _history(sheet, side, clock, across, (low, high), first=i == 0)
    budget.panels(sheet, sides, clock, [WIDE + 0.048, 1.0], up=0.5)
    return sheet.film()


def _curve(sheet: Sheet, side: Side, clock: Clock, across: list[float], reward: list[float], first: bool) -> None:
    """The reward now, its ghosts, the best action with a drop-line, and the rod of this step."""
    theme, name = sheet.theme, f"now {side.role}"
    x = side.x.astype(np.float32)
    sheet.panel(name, across, [0.5, 1.0], {"range": _span(x), "showticklabels": False},
                {"range": reward, "nticks": 5, "showticklabels": first,
                 "title": side.unit if first else ""})  # fmt: skip
    sheet.headline(name, f"<b>{side.title}</b>", color=theme.kind(side.role), size=theme.label)
    _ghosts(sheet, side, name)
    f = side.problem.f.astype(np.float32)
    sheet.moving(name, look.line(x, None, theme.ink, theme.truth_line), y=f[clock.index])
    _rod(sheet, side, clock, name, reward[1])
    best = side.problem.best[clock.index]
    at, top = x[best], f[clock.index, best]
    mark = {"size": [0, theme.marker + 3], "opacity": 1, "color": theme.ink,
            "line": {"width": 2, "color": theme.paper}}  # fmt: skip
    drop = look.line(None, None, theme.ink, 1.5, "dot", mode="lines+markers+text", marker=mark,
                     text=["", "x*"], textposition="top center", textfont={"size": theme.tick}, cliponaxis=False)  # fmt: skip
    floor = np.full(len(top), reward[0], dtype=np.float32)
    sheet.moving(name, drop, x=np.stack([at, at], axis=1), y=np.stack([floor, top], axis=1))
    _rings(sheet, side, clock, name, x)


def _ghosts(sheet: Sheet, side: Side, name: str) -> None:
    """Faint curves of other times; the first and the last are named where they differ most."""
    theme, f, x = sheet.theme, side.problem.f, side.x
    T = len(f)
    for row in spacetime.thin(T, GHOSTS):
        end = row in (0, T - 1)
        colour = theme.soft_ink if end else look.faded(theme.grey, 0.75)
        sheet.still(name, look.line(x.astype(np.float32), f[row].astype(np.float32), colour, 1.8 if end else 1.2, "dot"))
    visits = np.abs(x[:, None] - x[side.problem.best][None, :]) < 0.2 * (x[-1] - x[0])
    where = int((np.abs(f[-1] - f[0]) * (1 - visits.mean(axis=1))).argmax())  # apart, and away from the dot
    edge = (x[where] - x[0]) / max(x[-1] - x[0], 1e-12)
    anchor = "left" if edge < 0.12 else "right" if edge > 0.88 else "center"
    words = {"color": theme.soft_ink, "xanchor": anchor}
    under = np.abs(x - x[where]) <= (0.1 if anchor == "center" else 0.2) * (x[-1] - x[0])  # what the words span
    if np.abs(f[-1] - f[0]).max() < 1e-9:
        sheet.note(name, f"t = 1 and t = {T}", x[where], f[0, under].min(), yanchor="top", yshift=-3, **words)
        return
    up = f[0, where] > f[-1, where]
    for row, above in ((0, up), (T - 1, not up)):
        clear = f[row, under].max() if above else f[row, under].min()
        sheet.note(name, f"t = {row + 1}", x[where], clear, yanchor="bottom" if above else "top",
                   yshift=1 if above else -1, **words)  # fmt: skip


def _rod(sheet: Sheet, side: Side, clock: Clock, name: str, top: float) -> None:
    """An upright rod from the last reward to this one, at the one place where they differ most, and its length."""
    theme, f, rows = sheet.theme, side.problem.f, clock.index
    colour = theme.kind(side.role)
    before = np.maximum(rows - 1, 0)
    place = np.concatenate([[0], side.moved])[rows]
    ends = np.stack([f[before, place], f[rows, place]], axis=1)
    ends[side.steps[rows] == 0] = np.nan  # nothing moved: no rod
    at = side.x[place]
    mark = {"symbol": "line-ew", "size": 2 * theme.marker, "line": {"width": theme.line, "color": colour}}
    rod = look.line(None, None, colour, 2 * theme.line, mode="lines+markers", marker=mark)
    sheet.moving(name, rod, x=np.stack([at, at], axis=1), y=ends)
    said = tuple((f"largest change: {s:.2g}" if s else "",) for s in side.steps[rows])
    right = _span(side.x)[1]
    sheet.moving(name, look.words([right], [top], None, colour, theme.tick, "bottom left"), text=said)


def _rings(sheet: Sheet, side: Side, clock: Clock, name: str, x: np.ndarray) -> None:
    """A ring on every action that shares the best reward, where there are several."""
    shown = [side.tied.get(row, ()) for row in clock.rows]
    most = min(max((len(arms) for arms in shown), default=0), 12)
    if not most:
        return
    at = np.full((2, len(shown), most), np.nan, dtype=np.float32)
    for i, (row, arms) in enumerate(zip(clock.rows, shown, strict=True)):
        arms = np.asarray(arms, dtype=int)[:most]
        at[:, i, : len(arms)] = x[arms], side.problem.f[row, arms]
    mark = {"symbol": "circle-open", "size": 2 * sheet.theme.marker, "color": sheet.theme.ink, "line": {"width": 3}}
    rings = {"type": "scatter", "mode": "markers", "marker": mark, "hoverinfo": "skip"}
    sheet.moving(name, rings, x=at[0], y=at[1])


def _history(
    sheet: Sheet, side: Side, clock: Clock, across: list[float], between: tuple[float, float], first: bool
) -> None:
    """Reward as brightness, actions across and time downwards, with the path of the best action and a cursor."""
    theme, name, f = sheet.theme, f"history {side.role}", side.problem.f
    x, T = side.x, len(f)
    span = _span(x)
    sheet.panel(name, across, [0.0, 0.485], {"range": span, "title": "action x", "nticks": 6, "showgrid": False},
                {"range": [T + 0.5, 0.5], "showticklabels": first, "title": "time t" if first else "",
                 "nticks": 5, "showgrid": False})  # fmt: skip
    spacetime.lay(sheet, name, f, (span[0], span[1], 0.5, T + 0.5), between)
    times = np.arange(1, T + 1, dtype=np.float32)
    path = look.line(x[side.problem.best].astype(np.float32), times, "#FFFFFF", theme.line)
    spacetime.outlined(sheet, name, path, "#111111", 3)
    arms, rows = (a.ravel() for a in np.meshgrid(spacetime.thin(len(x), 21), spacetime.thin(T, 81)))
    said = [f"{v:.2f}" for v in f[rows, arms]]
    spacetime.ears(sheet, name, x[arms], rows + 1, rows + 1, said, "x = %{x:.2f}, t = %{y}: reward %{text}")
    now = np.repeat(np.asarray(clock.times)[:, None], 2, axis=1)
    spacetime.outlined(sheet, name, look.line(span, None, theme.ink, 2), theme.paper, 3, y=now)
    mark = {"size": theme.marker + 3, "color": theme.ink, "line": {"width": 2, "color": theme.paper}}
    dot = {"type": "scatter", "mode": "markers", "marker": mark, "hoverinfo": "skip", "cliponaxis": False}
    sheet.moving(name, dot, x=x[side.problem.best[clock.index]][:, None], y=now[:, :1])
    words = {"size": theme.tick, "color": "#FFFFFF", "bgcolor": "rgba(17,17,17,.78)", "borderpad": 2}
    for row, before, after in list(side.hops)[:1]:
        middle = min(max(0.5 * (before + after), span[0] + 0.22 * (span[1] - span[0])), span[1] - 0.22 * (span[1] - span[0]))
        sheet.note(name, f"hop {abs(after - before):.2f}", middle, row + 1, yanchor="bottom", yshift=5, **words)


def _span(x: np.ndarray) -> list[float]:
    low, high = float(x[0]), float(x[-1])
    return [low, high] if high > low else [low - 0.5, high + 0.5]
