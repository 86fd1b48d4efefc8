"""Who is where by regret so far, world beside world: a line up or down is a change of rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import theme as look
from figures.frames import FilmFrames, amount
from figures.sheet import Sheet
from figures.theme import METHODS
from lessons.race.summary import Lane


def ranks(sheet: Sheet, lanes: Sequence[Lane], coloured: Sequence[str], clock: FilmFrames, across: list[float]) -> None:
    """The panel of ranks: names and medians at both sides, a line a method between two worlds."""
    theme, rows, names = sheet.theme, clock.index, list(lanes[0].median)
    P, two = len(names), len(lanes) == 2
    left, right = (0.39, 0.61) if two else (0.0, 0.02)
    y = {"range": [P + 0.7, 0.3], "showgrid": False, "showticklabels": False, "ticks": "", "showline": False}
    x = {"range": [0.0, 1.0], "showgrid": False, "showticklabels": False, "ticks": "", "showline": False}
    sheet.panel("ranks", across, [0.0, 1.0], x, y)
    sheet.headline("ranks", "rank by R<sub>t</sub>, best on top", xanchor="center", x=sum(across) / 2)
    places = [np.stack([lane.rank[n][rows] for n in names], axis=1).astype(float) for lane in lanes]
    colours = [theme.method(n) if n in coloured else theme.grey for n in names]
    for i, lane in enumerate(lanes):
        _tied(sheet, lane, rows, (right + 0.02, 1.0) if i == len(lanes) - 1 else (0.0, left - 0.02))
    if two:
        _slopes(sheet, names, coloured, places, (left, right))
    for i, lane in enumerate(lanes):
        last = i == len(lanes) - 1
        columns = [[_entry(n, value, after=not last) for value in lane.median[n][rows].tolist()] for n in names]
        text = tuple(zip(*columns, strict=True))
        words = look.words([right + 0.04 if last else left - 0.04] * P, None, [], theme.ink, theme.tick,
                           "middle right" if last else "middle left")  # fmt: skip
        words["textfont"] = {"size": theme.tick, "color": colours}
        sheet.moving("ranks", words, y=places[i], text=text)


def _tied(sheet: Sheet, lane: Lane, rows: np.ndarray, between: tuple[float, float]) -> None:
    """A shade behind all who are tied with the leader, where there are any: they are the top of the list."""
    names = list(lane.median)
    medians = np.stack([lane.median[n][rows] for n in names], axis=1)
    best = medians.argmin(axis=1)
    spread = np.stack([lane.spread[n][rows] for n in names], axis=1)[np.arange(len(rows)), best]
    many = (medians < (medians.min(axis=1) + spread)[:, None]).sum(axis=1)
    foot = np.where(many > 1, many + 0.46, np.nan)
    top = np.where(many > 1, 0.54, np.nan)
    shade = {"type": "scatter", "mode": "lines", "fill": "toself", "line": {"width": 0}, "hoverinfo": "skip",
             "fillcolor": look.faded(sheet.theme.ink, 0.08), "x": [*between, *between[::-1]]}  # fmt: skip
    sheet.moving("ranks", shade, y=np.stack([top, top, foot, foot], axis=1))


def _entry(name: str, value: float, after: bool) -> str:
    number = f"<b>{amount(value)}</b>"
    return f"{name} {number}" if after else f"{number} {name}"


def _slopes(
    sheet: Sheet, names: Sequence[str], coloured: Sequence[str], places: Sequence[np.ndarray],
    between: tuple[float, float],
) -> None:  # fmt: skip
    """One line a method from its rank on the left to its rank on the right, the grey ones in one trace."""
    theme = sheet.theme
    grey = [i for i, n in enumerate(names) if n not in coloured]
    if grey:
        gap = np.full((len(places[0]), len(grey)), np.nan)
        y = np.stack([places[0][:, grey], places[1][:, grey], gap], axis=2).reshape(len(gap), -1)
        x = [*between, None] * len(grey)
        sheet.moving("ranks", look.line(x, None, look.faded(theme.grey, 0.6), 1.6), y=y)
    for i, name in enumerate(names):
        if name in coloured:
            ends = np.stack([places[0][:, i], places[1][:, i]], axis=1)
            mark = {"symbol": METHODS[name].symbol, "size": theme.marker, "color": theme.method(name), "opacity": 1}
            style = look.line(list(between), None, theme.method(name), theme.line, METHODS[name].dash,
                              mode="lines+markers", marker=mark, cliponaxis=False, meta=name)  # fmt: skip
            sheet.moving("ranks", style, y=ends)
