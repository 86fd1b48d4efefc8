"""The end of a game in one look: everybody's place as a ladder, and your queries over the hill of that round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet, chained
from figures.theme import Theme
from lessons.game.duel import Ranking
from lessons.game.model import YOU, Duel

HEIGHT = 3.5  # of the hills, in distances between two rounds
BESIDE = 0.07  # room beside the ends of the hills, where a query has its whole circle
NUMBERED = 15  # rounds, up to which each of your queries bears its number
TOP = 0.22  # how far above a hill the mark of its top stands, in distances between two rounds
BAR = 0.28  # half the width of a bar, in rows
NAMES, ENDS = 0.62, 0.3  # room for names left of the bars and for numbers right of them, by the longest bar
DOES = 1.1  # and for what each bandit does, right of the numbers, where the figure is wide and high


def stage(duel: Duel, does: Mapping[str, str], theme: Theme, frame: int) -> Film:
    """Return the film of a game, a frame a round.

    Args:
        does: name -> what a bandit does, in a few words.   frame: the round that the figure shows, from 0.
    """
    sheet = ladder(duel, does, theme, frame)
    hill, seen = hills(sheet, duel, "your queries; ▼ the peak of that round")
    _path(sheet, duel, hill, seen)
    return sheet.film()


def ladder(duel: Ranking, does: Mapping[str, str], theme: Theme, frame: int) -> Sheet:
    """Return a figure with everybody's place and regret on its left."""
    sheet = Sheet(theme, frame, hoverdistance=30)
    sheet.margins(style.HANG, 8, 1.9 * theme.label, 2.2 * theme.tick)
    _ladder(sheet, duel, ([0.0, 0.52], [0.0, 1.0]))
    _does(sheet, [does.get(name, "") for name in duel.order])
    sheet.narrow("ladder", "medium", domain=[0.0, 0.46])  # a phone shows it on a screen of its own
    return sheet


def _ladder(sheet: Sheet, duel: Ranking, span: tuple) -> None:
    """Draw the players in the order of their last places, with the place and the regret of the round."""
    theme, order, T = sheet.theme, duel.order, duel.problem.horizon
    top = max(float(total[-1]) for total in duel.total.values()) or 1.0
    x = {"range": [-NAMES * top, (1 + ENDS) * top], "showticklabels": False, "showgrid": False, "zeroline": False}
    y = {"range": [len(order) - 0.4, -0.6], "showticklabels": False, "showgrid": False, "showline": False}
    sheet.panel("ladder", *span, {**x, "showline": False}, y)
    sheet.headline("ladder", "place and regret so far (reward units)", size=theme.tick, color=theme.soft_ink)
    mine = order.index(duel.name)
    sheet.rect(
        "ladder", (-NAMES * top, (1 + ENDS + DOES) * top), (mine - 0.45, mine + 0.45), style.faded(theme.grey, 0.15)
    )
    for row, name in enumerate(order):
        total = np.asarray(duel.total[name], dtype=float)
        colour = theme.ink if name == duel.name else theme.grey
        sheet.rect("ladder", (np.zeros(T), total), (row - BAR, row + BAR), colour, meta=_called(name))
    rows, colours = list(range(len(order))), [theme.ink if name == duel.name else theme.soft_ink for name in order]
    places = [[_bold(name == duel.name, f"{duel.place[name][t]}  {name}") for name in order] for t in range(T)]
    sheet.words("ladder", [-0.02 * top] * len(order), rows, places, colours, "middle left")
    for i, name in enumerate(order):
        sheet.shows(f"{name}: place", "text", i)
    ends = np.stack([np.asarray(duel.total[name], dtype=float) for name in order], axis=1)
    numbers = [[_bold(name == duel.name, f" {regret_text(duel.total[name][t])}") for name in order] for t in range(T)]
    sheet.words("ladder", ends, rows, numbers, colours, "middle right")
    for i, name in enumerate(order):
        sheet.shows(f"{name}: regret", "text", i)


def _called(name: str) -> str:
    """Return what sentences call a player's bar."""
    return "You|you|your regret|regret so far" if name == YOU else name


def regret_text(value: float) -> str:
    """Return a regret as the figures of a finished game write it."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def _bold(is_so: bool, words: str) -> str:
    return f"<b>{words}</b>" if is_so else words


def _does(sheet: Sheet, does: Sequence[str]) -> None:
    """Write what each bandit does beside its row; where the figure is small, its bars have that room."""
    low, high = sheet.span("ladder", "x")
    notes = len(sheet.layout["annotations"])
    for row, words in enumerate(does):
        if words:
            sheet.note("ladder", words, high, row, xanchor="left", color=sheet.theme.soft_ink)
    gone = {str(i): {**note, "text": ""} for i, note in enumerate(sheet.layout["annotations"]) if i >= notes}
    sheet.layout[f"xaxis{sheet.axes['ladder']}"]["range"] = [low, high + DOES / (NAMES + 1 + ENDS) * (high - low)]
    for screen in ("medium", "low"):
        sheet.narrow("ladder", screen, range=[low, high])
        style.elsewhere(sheet.layout, screen, "annotations", gone)


def hills(sheet: Sheet, duel: Ranking, headline: str) -> tuple[np.ndarray, np.ndarray]:
    """Draw the reward of every round so far below that of the round before, with its peak.

    Returns:
        (T, A) how high each round's reward lies, and (T, T) whether frame i shows round j.
    """
    theme, p = sheet.theme, duel.problem
    T, x, rounds = p.horizon, p.x[:, 0], np.arange(p.horizon)
    low, high = float(p.f.min()), float(p.f.max())
    tall = max(HEIGHT, T / 4)  # of many rounds each has little room
    hill = (p.f - low) / ((high - low) or 1.0) * tall - rounds[:, None]
    at = sorted({0, T // 3, T - 1})
    y = {"range": [hill.min() - 0.6, hill.max() + 0.6], "showgrid": False, "showline": False, "zeroline": False}
    ticks = style.ticks([float(hill[t, 0]) for t in at], [f"round {t + 1}" if t == 0 else str(t + 1) for t in at])
    xs = {"range": [-BESIDE, 1 + BESIDE], "showgrid": False, "tickvals": [0, 1], "ticktext": ["x = 0", "1"]}
    sheet.panel("hills", [0.6, 1.0], [0.0, 1.0], xs, {**y, **ticks})
    sheet.headline("hills", headline, size=theme.tick, color=theme.soft_ink)
    seen = rounds[None, :] <= rounds[:, None]  # (frame, round)
    across, up = chained(x, np.where(seen[:, :, None], hill[None, :, :], np.nan))
    sheet.curve("hills", across, up, style.faded(theme.grey, 0.7), 1.6)
    sheet.curve("hills", x, hill[0], theme.ink, theme.line)
    sheet.curve("hills", x, hill, theme.ink, theme.line, meta="reward")
    tops = hill[rounds, p.best]
    up = np.where(seen, tops[None, :], np.nan) + TOP
    sheet.dots("hills", x[p.best], up, theme.ink, 0.8 * theme.marker, symbol="triangle-down", opacity=1, meta="peak")
    return hill, seen


def _path(sheet: Sheet, duel: Duel, hill: np.ndarray, seen: np.ndarray) -> None:
    """Draw your query on the reward of each round."""
    theme, arms = sheet.theme, duel.you.arms
    T, x, rounds = duel.problem.horizon, duel.problem.x[:, 0], np.arange(duel.problem.horizon)
    places, heights = x[arms], hill[rounds, arms]
    size = theme.marker + 16 if T <= NUMBERED else theme.marker
    marks = np.where(seen, heights[None, :], np.nan)
    hover = {"customdata": rounds + 1, "hovertemplate": "You query x = %{x:.2f} in round %{customdata}<extra></extra>"}
    sheet.dots("hills", places, marks, theme.paper, size, rim=(2, theme.ink), opacity=1, meta="asked|queries", **hover)
    if T <= NUMBERED:
        numbers = [[str(t + 1) if t <= frame else "" for t in range(T)] for frame in range(T)]
        sheet.words("hills", places, marks, numbers, theme.ink, "middle center")
    else:
        sheet.dots("hills", places[:, None], heights[:, None], theme.ink, size, opacity=1)
    sheet.dots("hills", places[:, None], heights[:, None], "rgba(0,0,0,0)", size, rim=(3, theme.ink), opacity=1)
    sheet.shows("you queried x", "x", 0)
