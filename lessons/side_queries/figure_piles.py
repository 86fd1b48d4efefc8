"""The first view: each side query as a dot, in piles on one scale, and the regret beside them."""

from __future__ import annotations

import math

import numpy as np

from common.formats import amount
from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.side_queries.model import FirstSeed, MethodRegrets

LEFT, RIGHT = [0.0, 0.77], [0.81, 1.0]
NARROW_LEFT, NARROW_RIGHT = [0.0, 0.64], [0.68, 1.0]  # on a phone
# From the top: when a method makes side queries, its name, its share of the height.
ROWS = (
    ("none", "GP-UCB", (0.83, 0.93)),
    ("at window starts", "W-SparQ", (0.43, 0.7)),
    ("before every round", "SparQ", (0.03, 0.3)),
)
MOST_DOTS = 4000  # of a pile
FLAT = 0.15  # height of a pile over its greatest length
ROOM = 1.2  # length of the axis over that of the longest pile: its number stands right of it
NARROW_ROOM = 1.75  # on a phone


def stage(first: FirstSeed, costs: MethodRegrets, clock: FilmFrames, theme: Theme, frame: int) -> Film:
    """Return the side queries so far of GP-UCB, W-SparQ and SparQ, a dot each, and the median regret of each.

    Args:
        clock: rows of the frames.
    """
    sheet = Sheet(theme, frame, hoverdistance=12)
    sheet.margins(style.HANG, 4, 1.7 * theme.label, 4)
    counts = {name: first.runs[name].extra_queries for _, name, _ in ROWS}
    most = max(int(each.sum()) for each in counts.values())
    each = _queries_a_dot(most)
    rows = max(1, round(math.sqrt(FLAT * most / each)))
    columns = max(1, math.ceil(most / each / rows))
    for when, name, up in ROWS:
        _pile(sheet, name, up, counts[name], each, (rows, columns), clock)
        sheet.headline(name, f"<b>{when}</b>  <span style='color:{theme.grey}'>{name}</span>", **_font(theme, name))
    above = {"size": theme.tick, "color": theme.soft_ink, "yshift": 1.6 * theme.label}
    several = "" if each == 1 else f", {each:,} a dot"
    sheet.headline(
        "GP-UCB", f"side queries: old points queried again{several}", narrow=f"side queries{several}", **above
    )
    _regrets(sheet, costs, clock)
    sheet.note("regret", "median regret", 0, 1, inside="xy", xanchor="left", yanchor="bottom", **above)
    return sheet.film()


def _queries_a_dot(most: int) -> int:
    """Return the least of 1, 2, 5, 10, 20, ... with which the longest pile has few enough dots."""
    return next(k for n in range(9) for m in (1, 2, 5) if most <= (k := m * 10**n) * MOST_DOTS)


def _font(theme: Theme, name: str) -> dict:
    return {"size": theme.label, "color": _colour(theme, name) if name == "W-SparQ" else theme.ink}


def _colour(theme: Theme, name: str) -> str:
    """Return the colour of a method: that of its role for the one that the view is about, else grey."""
    return theme.role("asks") if name == "W-SparQ" else theme.grey


def _big(theme: Theme) -> int:
    """Return the size of the numbers that the view is about."""
    return 40 if theme.lecture else 28


def _pile(
    sheet: Sheet,
    name: str,
    up: tuple[float, float],
    counts: np.ndarray,
    each: int,
    size: tuple[int, int],
    clock: FilmFrames,
) -> None:
    """Draw the dots of one method, column by column from the left; what is to come is covered.

    Args:
        counts: (T,) side queries before every round.   each: of them a dot.   size: rows, columns of the longest.
    """
    theme, colour, (rows, columns) = sheet.theme, _colour(sheet.theme, name), size
    deep = rows if counts.any() else 1
    sheet.panel(name, LEFT, up, {"range": [0, ROOM * columns], **style.BARE}, {"range": [-deep, 0], **style.BARE})
    sheet.narrow(name, domain=NARROW_LEFT, range=[0, NARROW_ROOM * columns])
    sums = np.cumsum(counts)
    if counts.any():
        dot = np.arange(math.ceil(sums[-1] / each))
        rounds = np.searchsorted(sums, dot * each, side="right") + 1  # of its first side query
        size_of = (4.4 if theme.lecture else 4.0) * (1 if columns > 60 else 1.4)
        sheet.dots(
            name,
            dot // rows + 0.5,
            -(dot % rows + 0.5),
            colour,
            size_of,
            meta=f"{name}|side queries",
            customdata=rounds,
            hovertemplate=f"{name}: side query before t = %{{customdata}}<extra></extra>",
        )
    dots_so_far = np.ceil(sums[clock.index] / each)
    full, rest = np.divmod(dots_so_far, rows)
    if counts.any():
        end, foot, top = np.full(len(full), NARROW_ROOM * columns), np.full(len(full), -rows), np.zeros(len(full))
        x = np.stack([full, full + 1, full + 1, end, end, full, full], axis=1)
        y = np.stack([-rest, -rest, top, top, foot, foot, -rest], axis=1)
        sheet.draw(name, style.filled(x, y, theme.paper))
    else:
        sheet.rule(name, theme.grey, 1.5, x=0)
    text = [[f"<b>{count:,}</b>"] for count in sums[clock.index].tolist()]
    at = (full + (rest > 0) + 0.01 * columns)[:, None]
    sheet.words(name, at, np.full_like(at, -deep / 2), text, _font(theme, name)["color"], "middle right", _big(theme))


def _regrets(sheet: Sheet, costs: MethodRegrets, clock: FilmFrames) -> None:
    """Draw the median regret so far of every method as a bar beside its pile."""
    theme, medians = sheet.theme, costs.medians(clock.index)
    low, high = ROWS[-1][2][0], ROWS[0][2][1]
    most = max(float(medians[name][-1]) for _, name, _ in ROWS) or 1.0
    sheet.panel(
        "regret", RIGHT, [low, high], {"range": [0, 1.75 * most], **style.BARE}, {"range": [low, high], **style.BARE}
    )
    sheet.narrow("regret", "medium", range=[0, 2.2 * most])
    sheet.narrow("regret", domain=NARROW_RIGHT, range=[0, 2.2 * most])
    for _, name, (foot, top) in ROWS:
        said = f"{name}|{name}’s regret|regrets"
        middle, half, value = (foot + top) / 2, (ROWS[0][2][1] - ROWS[0][2][0]) / 2, medians[name]
        sheet.rect("regret", (0.0, value), (middle - half, middle + half), _colour(theme, name), meta=said)
        sheet.shows(f"{name}: regret", "x", 1)
        text = [[f" <b>{amount(v)}</b>"] for v in value]
        at = value[:, None]
        colour = _font(theme, name)["color"]
        sheet.words("regret", at, np.full_like(at, middle), text, colour, "middle right", _big(theme))
    sheet.rule("regret", theme.soft_ink, 1.5, x=0)
