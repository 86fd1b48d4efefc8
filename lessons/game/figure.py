"""The end of a game: the truth round by round, the queries over it, and the regret of all.

Above, the reward of the round with the queries; below it, on the same action axis, the whole time; beside them
the regret so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from figures import spacetime
from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.palette import METHODS
from figures.race_axes import round_ticks
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.game.model import YOU, Duel


def stage(
    duel: Duel,
    coloured: Sequence[str],
    versus: str | None,
    side_queries: Mapping[str, int],
    theme: Theme,
    frame: int,
) -> Film:
    """Return the film of a game, a frame a round.

    Args:
        coloured: players with coloured lines, the others are grey.   versus: the bandit whose queries are drawn.
        side_queries: of each algorithm.   frame: the round that the figure shows, from 0.
    """
    sheet = Sheet(theme, frame, hoverdistance=30)
    sheet.margins(3.7 * theme.tick, 8, 1.9 * theme.label, 2.9 * theme.label)
    left = [0.0, 0.46]
    _round(sheet, duel, versus, (left, [0.47, 1.0]))
    _time(sheet, duel, versus, (left, [0.0, 0.345 if theme.lecture else 0.375]))
    _regret(sheet, duel, coloured, side_queries, ([0.545, 1.0], [0.0, 1.0]))
    return sheet.film()


def _column(values: np.ndarray) -> np.ndarray:
    """Return (F,) as one point a frame."""
    return np.asarray(values, dtype=float)[:, None]


def _key(theme: Theme, versus: str | None) -> str:
    """Return the headline that says which mark is whose."""
    marks = ["<b>Reward f<sub>t</sub></b>   ○ your observation"]
    if versus:
        marks.append(f'<span style="color:{theme.method(versus)}">◆ {versus}</span>')
    return "   ".join([*marks, "● best"])


def _round(sheet: Sheet, duel: Duel, versus: str | None, span: tuple) -> None:
    """Draw the reward of the round, its best action, your query with its observation, the rival's query."""
    theme, p = sheet.theme, duel.problem
    T, x, rows = p.horizon, p.x[:, 0], np.arange(p.horizon)
    low = min(float(p.f.min()), float(duel.you.y.min()))
    high = max(float(p.f.max()), float(duel.you.y.max()))
    room = 0.09 * (high - low or 1.0)
    low, high = low - room, high + room
    sheet.panel(
        "truth",
        *span,
        {"range": [-0.02, 1.02], "showticklabels": False, "nticks": 6, "showgrid": False},
        {"range": [low, high], "title": "reward", "nticks": 5},
    )
    sheet.headline("truth", _key(theme, versus), size=theme.tick)
    sheet.curve("truth", x, p.f[0], style.faded(theme.ink, 0.45), 1.5, "dot")
    sheet.curve("truth", x, p.f, theme.ink, theme.truth_line)
    best, top = x[p.best], p.f.max(axis=1)
    sheet.cursor("truth", best, np.stack([np.full(T, low), top], axis=1), theme.ink, 1.2)
    rim = (1.5, theme.paper)
    if versus:
        arms = duel.rivals[versus].arms
        sheet.dots(
            "truth",
            _column(x[arms]),
            _column(p.f[rows, arms]),
            theme.method(versus),
            theme.marker + 8,
            symbol="diamond",
            rim=rim,
            opacity=1,
        )
    mine, heard = x[duel.you.arms], duel.you.y
    sheet.cursor("truth", mine, np.stack([p.f[rows, duel.you.arms], heard], axis=1), theme.ink, 1.6, "dot")
    sheet.dots(
        "truth", _column(mine), _column(heard), theme.ink, theme.marker + 5, symbol="circle-open", rim=3, opacity=1
    )
    sheet.shows("you queried x", "x", 0)
    # The best point comes last and is the smallest: who asks there, stands around it.
    sheet.dots("truth", _column(best), _column(top), theme.ink, theme.marker, rim=rim, opacity=1)
    sheet.shows("best x", "x", 0)


def _time(sheet: Sheet, duel: Duel, versus: str | None, span: tuple) -> None:
    """Draw all rounds from above downwards: the reward as brightness, the best action, both paths; the rest veiled."""
    theme, p = sheet.theme, duel.problem
    T, x = p.horizon, p.x[:, 0]
    half = 0.5 * (x[1] - x[0])
    ticks = [v for v in round_ticks(T, 3) if v >= 1]
    sheet.panel(
        "time",
        *span,
        {"range": [-0.02, 1.02], "title": "action x", "nticks": 6, "showgrid": False},
        {"range": [T + 0.5, 0.5], "title": "time t", "tickvals": ticks, "showgrid": False},
    )
    spacetime.draw_values(
        sheet, "time", p.f, (x[0] - half, x[-1] + half, 0.5, T + 0.5), (float(p.f.min()), float(p.f.max()))
    )
    t = np.arange(1, T + 1, dtype=np.float32)
    sheet.curve("time", x[p.best].astype(np.float32), t, "#FFFFFF", 2.5, outline=("#111111", 2.5))
    size = 9 if theme.lecture else 7
    players = [(YOU, duel.you, {"colour": "#FFFFFF", "size": size + 1, "symbol": "circle", "rim": (1.8, "#111111")})]
    if versus:
        mark = {"colour": METHODS[versus].light, "size": size, "symbol": "diamond", "rim": (1.2, "#FFFFFF")}
        players.insert(0, (versus, duel.rivals[versus], mark))
    for name, run, mark in players:
        hover = f"{'You query' if name == YOU else f'{name} queries'} x = %{{x:.2f}} at t = %{{y}}<extra></extra>"
        sheet.dots("time", x[run.arms], t, **mark, opacity=1, customdata=t, hovertemplate=hover)
    sheet.rect("time", (-0.02, 1.02), (np.arange(1, T + 1) + 0.5, T + 0.5), style.faded(theme.paper, 0.8))


def _regret(sheet: Sheet, duel: Duel, coloured: Sequence[str], side_queries: Mapping[str, int], span: tuple) -> None:
    """Draw regret so far, with place, name and number at the end of every line; the names make the ranking."""
    theme, T = sheet.theme, duel.problem.horizon
    high = max(float(curve[-1]) for curve in duel.total.values()) * 1.04 or 1.0
    small, desk = T / (1 - 0.43), T / (1 - 0.36)  # where names take more of the width, and where less
    ticks = [v for v in round_ticks(T, 3) if v >= 1]
    sheet.panel(
        "regret",
        *span,
        {"range": [0, small if theme.lecture else desk], "title": "time t", "tickvals": ticks, "showgrid": False},
        {"range": [0, high], "title": "regret so far, R<sub>t</sub> (reward units)", "nticks": 6},
    )
    sheet.narrow("regret", "medium", range=[0, small])
    sheet.headline("regret", "<b>Place and regret</b>", size=theme.tick)
    t = np.arange(1, T + 1, dtype=np.float32)
    order = sorted(duel.total, key=lambda n: (n == YOU, n in coloured))  # you on top
    for name in order:
        future = np.arange(T)[None, :] > np.arange(T)[:, None]
        y = np.where(future, np.nan, duel.total[name][None, :])
        sheet.curve("regret", t, y, *_style(theme, name, coloured))
    names = list(duel.total)
    # Who has lost as much stands in the order of the places.
    ends = np.stack([duel.total[n] - 1e-6 * high * duel.place[n] for n in names], axis=1)
    rows = []
    for name in names:
        again = f" +{side_queries[name]}" if name in side_queries else ""
        texts = [
            f"{p} {name}{again}  {regret_text(r)}" for p, r in zip(duel.place[name], duel.total[name], strict=True)
        ]
        rows.append([f"<b>{v}</b>" if name == YOU else v for v in texts])
    colours = [theme.ink if n == YOU else theme.method(n) if n in coloured else theme.grey for n in names]
    now = np.repeat(t[:, None].astype(float), len(names), axis=1)
    end_labels(sheet, "regret", (now, ends), now + 0.035 * T, list(zip(*rows, strict=True)), colours)
    for i, name in enumerate(names):
        sheet.shows(f"{name}: place", "text", i)
        sheet.shows(f"{name}: regret", "text", i)


def _style(theme: Theme, name: str, coloured: Sequence[str]) -> tuple[str, float, str]:
    """Return colour, width and dash of a player's line; yours is ink, and wider than all."""
    if name == YOU:
        return theme.ink, theme.line + 2.5, "solid"
    if name in coloured:
        return theme.method(name), theme.line, METHODS[name].dash
    return style.faded(theme.grey, 0.6), 1.6, "solid"


def regret_text(value: float) -> str:
    """Return a regret as both figures of a finished game write it."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}"
