"""Names at the ends of lines: in the order of the ends, apart, inside the panel, joined to an end that is elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from figures.sheet import Sheet, strokes

HAIR = 1.0  # pixels, width of the line from an end to a name that had to move
FAR = 0.51  # of a line of text: a name that moved by less stands beside its end; two names of one end move by a half


@dataclass(frozen=True)
class ValueAxis:
    """The upright axis of a panel: from `low` at its foot to `high`, both as log10 on a logarithmic one."""

    low: float
    high: float
    log: bool

    @classmethod
    def of(cls, sheet: Sheet, panel: str) -> ValueAxis:
        low, high = sheet.span(panel, "y")
        return cls(float(low), float(high), sheet.layout[f"yaxis{sheet.axes[panel]}"].get("type") == "log")

    def share(self, values: np.ndarray) -> np.ndarray:
        """Return the share of the panel's height, 0 at its foot; NaN for what the axis cannot show."""
        if self.log:
            values = np.log10(np.where(values > 0, values, np.nan))
        return (values - self.low) / (self.high - self.low)

    def at(self, share: np.ndarray) -> np.ndarray:
        """Return the value at a share of the height; inverse of `share`."""
        values = self.low + share * (self.high - self.low)
        return 10.0**values if self.log else values


def end_labels(
    sheet: Sheet,
    panel: str,
    ends: tuple[np.ndarray, np.ndarray],
    beside: np.ndarray | float,
    text: Sequence[Sequence[str]],
    colours: Sequence[str],
    most: float = 1.0,
    joined: bool | np.ndarray = False,
    least: float = 0.0,
    tall: float = 1.0,
    bend: float | None = None,
) -> None:
    """Write the name of each line right of its end; where names had to part, a thin line leads to the name.

    Args:
        ends: x and y of the ends on the panel's axes, each (F, n), NaN where there is none; one row stands still.
        beside: (F, n) or one number, x at which the names begin.   text: n names for each of the F frames.
        colours: of the names.   most: share of the height below which they stand.
        joined: whether a line leads to a name also where it stands beside its end, for all or (n,) for each.
        least: share of the height above which they stand.   tall: height of a name over that of a line of text.
        bend: x from which a thin line runs level to its name; None for a straight one.
    """
    x, y = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in ends))
    axis, line = ValueAxis.of(sheet, panel), tall * sheet.line_share(panel)
    lines = np.array([max(row[i].count("<br>") + 1 for row in text) for i in range(x.shape[1])])
    share, high = np.clip(axis.share(y), least, most), most - least
    placed = least + high * spread_present((share - least) / high, line * lines / high)
    moved = np.abs(placed - share) > np.where(joined, -1.0, FAR * line)  # never where there is no end
    start = np.broadcast_to(np.asarray(beside, dtype=float), x.shape)
    ways: tuple = (x, start), (axis.at(share), axis.at(placed))
    if bend is not None:
        ways = (x, np.full(x.shape, bend), start), (axis.at(share), axis.at(placed), axis.at(placed))
    hair_x, hair_y = (strokes(*(np.where(moved, v, np.nan) for v in way)) for way in ways)
    at, level = start.copy(), axis.at(placed)
    apart = "" if bend is None else "\N{NO-BREAK SPACE}"  # a level line that touched a number would be its minus
    names: Any = tuple(
        tuple("" if np.isnan(v) else f"{apart}{name}" for name, v in zip(row, at, strict=True))
        for row, at in zip(text, placed, strict=True)
    )
    if len(x) == 1:  # it stands still
        hair_x, hair_y, at, level, names = hair_x[0], hair_y[0], at[0], level[0], names[0]
    sheet.curve(panel, hair_x, hair_y, sheet.theme.soft_ink, HAIR, cliponaxis=False)
    sheet.words(panel, at, level, names, list(colours), "middle right")


def spread(wanted: np.ndarray, gap: float | np.ndarray) -> np.ndarray:
    r"""Return places (F, n) near the wanted ones, in their order, apart, and inside 0 to 1.

    Each name has a height $h_i$; neighbours are $(h_i + h_{i+1})/2$ apart and the outer ones half their height from
    the ends. Isotonic regression of $w_i - o_i$, with $o_i$ the sum of the distances below name i, minimises the sum
    of squared moves; by its max-min formula: the largest, over blocks that begin at i or before, of the smallest mean
    over blocks that end at i or after. The heights shrink together where they are more than the whole.

    Args:
        wanted: (F, n) between 0 and 1.   gap: height of a name, or (n,) one a name.
    Source: max-min formula of isotonic regression, Robertson, Wright & Dykstra (1988), section 1.4.
    """
    n = wanted.shape[1]
    heights = np.broadcast_to(np.asarray(gap, dtype=float), n)
    heights = heights / max(1.0, float(heights.sum()))
    order = np.argsort(np.round(wanted, 9), axis=1, kind="stable")  # equal ends are equal on every processor
    tall = heights[order]
    offset = np.pad(np.cumsum(0.5 * (tall[:, 1:] + tall[:, :-1]), axis=1), ((0, 0), (1, 0)))
    free = np.take_along_axis(wanted, order, axis=1) - offset
    total = np.pad(np.cumsum(free, axis=1), ((0, 0), (1, 0)))
    size = np.arange(1, n + 1) - np.arange(n)[:, None]  # of the block from the row's name to the column's
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(size > 0, (total[:, None, 1:] - total[:, :-1, None]) / size, np.inf)
    least = np.minimum.accumulate(mean[:, :, ::-1], axis=2)[:, :, ::-1]  # over all blocks that end no earlier
    level = np.where(size > 0, least, -np.inf).max(axis=1)
    low = 0.5 * tall[:, :1]
    placed = np.empty_like(wanted, dtype=float)
    np.put_along_axis(placed, order, np.clip(level, low, 1.0 - heights.sum() + low) + offset, axis=1)
    return placed


def spread_present(wanted: np.ndarray, gap: float | np.ndarray) -> np.ndarray:
    """Return `spread` of each row's places that are there (F, n); a NaN stays one."""
    missing = np.isnan(wanted)
    placed = np.full(wanted.shape, np.nan)
    for pattern in np.unique(missing, axis=0):
        rows = np.flatnonzero((missing == pattern).all(axis=1))
        if not pattern.all():
            there = np.flatnonzero(~pattern)
            heights = np.broadcast_to(np.asarray(gap, dtype=float), wanted.shape[1])[there]
            placed[np.ix_(rows, there)] = spread(wanted[np.ix_(rows, there)], heights)
    return placed
