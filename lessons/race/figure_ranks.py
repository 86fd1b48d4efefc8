"""Ranks by regret so far, world beside world: a line up or down is a change of rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import amount
from figures import theme as style
from figures.frames import FilmFrames
from figures.palette import METHODS
from figures.sheet import Sheet, strokes
from lessons.race.summary import Lane
from tvbo_core.race_results import ABOUT_EQUAL, LESS, UNDECIDED

SIDE = 0.2  # of the width, for the names and numbers of a world
GAP = 0.025  # of the width, between them and the ends of the lines
SIGNS = {ABOUT_EQUAL: "≈", UNDECIDED: "?", LESS: "?"}  # a leader by median that is not one on average is none
KEY = "≈ about equal with the leader, ? undecided:<br>95 % intervals of the paired difference"
NARROW, NARROW_LEFT = [-0.38, 1.36], 28  # axis and left margin on a phone, where they take a third of the width each


def ranks(
    sheet: Sheet,
    lanes: Sequence[Lane],
    titles: Sequence[str],
    coloured: Sequence[str],
    clock: FilmFrames,
) -> None:
    """Draw the ranks: names and medians at both sides, a line a method between two worlds, coloured if it is named."""
    theme, rows, names = sheet.theme, clock.index, list(lanes[0].median)
    P, two = len(names), len(lanes) == 2
    left, right = (SIDE, 1 - SIDE) if two else (0.0, 0.02)
    signs = [_signs(lane, rows) for lane in lanes]
    signed = [any(sign for world in signs for sign in world[i].values()) for i in range(len(rows))]
    foot = 1.55 if any(signed) else 0.6  # room for the lines that say what the signs are
    up = {"range": [P + foot, 0.4], **style.BARE, "showticklabels": True, **style.ticks(range(1, P + 1))}
    sheet.panel("ranks", [0.0, 1.0], [0.0, 1.0], {"range": [0.0, 1.0], **style.BARE}, up)
    heads = [(left - GAP, "right"), (right + GAP, "left")][-len(lanes) :]
    above = {"yanchor": "bottom", "yshift": 1}
    for title, (x, side) in zip(titles, heads, strict=True):
        sheet.note("ranks", f"<b>{title}</b>", x, 1, inside="y", xanchor=side, size=theme.label, **above)
    if two:
        place = {"xanchor": "center", "color": theme.soft_ink, "narrow": "1: least regret", **above}
        sheet.note("ranks", "1: least regret so far (reward lost against the best action)", 0.5, 1, inside="y", **place)
        sheet.narrow("ranks", range=NARROW)
        style.elsewhere(sheet.layout, "narrow", "margin", {"l": NARROW_LEFT})
    places = [np.stack([lane.rank[n][rows] for n in names], axis=1).astype(float) for lane in lanes]
    colours = [theme.method(n) if n in coloured else theme.soft_ink for n in names]
    if any(signed):
        middle = "middle center" if two else "middle right"
        key = [[KEY if some else ""] for some in signed]
        sheet.words("ranks", [0.5 if two else right + GAP], [P + 1.0], key, theme.soft_ink, middle)
    if two:
        _slopes(sheet, names, coloured, places, (left, right))
    for i, lane in enumerate(lanes):
        last = i == len(lanes) - 1
        columns = [
            [_entry(n, value, at[n], after=not last) for value, at in zip(lane.median[n][rows], signs[i], strict=True)]
            for n in names
        ]
        at, side = (right + GAP, "middle right") if last else (left - GAP, "middle left")
        sheet.words("ranks", [at] * P, places[i], list(zip(*columns, strict=True)), colours, side)
        for k, name in enumerate(names):
            sheet.shows(f"{titles[i]}, {name}", "text", k)
            sheet.shows(f"{titles[i]}, place of {name}", "y", k)


def _signs(lane: Lane, rows: np.ndarray) -> list[dict[str, str]]:
    """Return for every frame the sign of each method: what its paired difference from the leader says."""
    leaders = [lane.at_place(1, row) for row in rows]
    if len(lane.total[leaders[0]]) == 1:  # one run decides nothing, which the headline says
        return [dict.fromkeys(lane.names, "") for _ in rows]
    return [
        {n: "" if n == first else SIGNS.get(lane.verdicts[n][row], "") for n in lane.names}
        for first, row in zip(leaders, rows, strict=True)
    ]


def _entry(name: str, value: float, sign: str, after: bool) -> str:
    number = f"<b>{amount(float(value))}</b>"
    apart = "\N{NO-BREAK SPACE}"  # from the dot, which on a phone is near
    return f"{sign} {name} {number}{apart}".lstrip(" ") if after else f"{apart}{number} {name} {sign}".rstrip(" ")


def _slopes(
    sheet: Sheet,
    names: Sequence[str],
    coloured: Sequence[str],
    places: Sequence[np.ndarray],
    between: tuple[float, float],
) -> None:
    """Draw one line a method from its rank on the left to its rank on the right, the grey ones in one trace."""
    theme = sheet.theme
    grey = [i for i, n in enumerate(names) if n not in coloured]
    if grey:
        x = [*between, None] * len(grey)
        ways = strokes(places[0][:, grey], places[1][:, grey])
        sheet.curve("ranks", x, ways, style.faded(theme.grey, 0.5), 1.8)
    for i, name in enumerate(names):
        if name in coloured:
            ends = np.stack([places[0][:, i], places[1][:, i]], axis=1)
            mark = style.marker(theme.method(name), theme.marker, METHODS[name].symbol, opacity=1)
            sheet.curve(
                "ranks",
                list(between),
                ends,
                theme.method(name),
                1.5 * theme.line,
                METHODS[name].dash,
                mode="lines+markers",
                marker=mark,
                cliponaxis=False,
                meta=name,
            )
