"""One entry: its regret seed by seed, what the paper prints, and what was just run again.

And for figures about cost: the time of a step on a logarithmic axis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from figures import theme as look
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.reproductions.model import Cell

Line = tuple[np.ndarray, np.ndarray]


def seeds(cell: Cell, lines: Sequence[Line], ends: np.ndarray, theme: Theme, height: int) -> Film:
    """Return the entry seed by seed; `lines` (rounds, regret) and `ends` (seed, round, value) were run again."""
    return _over_rounds(cell, lines, ends, theme, height) if len(cell.rounds) else _by_seed(cell, ends, theme, height)


def _over_rounds(cell: Cell, lines: Sequence[Line], ends: np.ndarray, theme: Theme, height: int) -> Film:
    """Return the regret curves of single seeds, their mean, and the printed number at their end."""
    colour, T = theme.band("DMM"), cell.horizon
    tops = [cell.middle.max(), cell.values.max(), cell.mean + 2 * cell.error, *ends[:, 2]]
    if math.isfinite(cell.paper):
        tops.append(cell.paper + 2 * cell.paper_error)
    y = {"range": [0, 1.08 * max(tops)], "title": "regret so far", "nticks": 5, "tickformat": "~s"}
    sheet = _sheet(theme, height, {"range": [0, 1.16 * T], "title": "round t", "nticks": 6}, y)
    gap = np.full((len(cell.curves), 1), np.nan)
    if len(cell.curves):
        thin = np.concatenate([cell.curves, gap], axis=1).ravel()
        over = np.tile(np.append(cell.rounds, np.nan), len(cell.curves))
        sheet.still("main", look.line(over, thin, look.faded(colour, 0.5), 0.4 * theme.line))
    sheet.still("main", look.line(cell.rounds, cell.middle, colour, 1.2 * theme.line))
    _whisker(sheet, 1.03 * T, cell.mean, cell.error, colour, hollow=True)
    if math.isfinite(cell.paper):
        _whisker(sheet, 1.09 * T, cell.paper, cell.paper_error, theme.ink, hollow=False)
    for rounds, regret in lines:
        sheet.still("main", look.line(rounds, regret, theme.band("IGP"), 0.8 * theme.line, "dash"))
    if len(ends):
        sheet.still("main", _squares(ends[:, 1], ends[:, 2], theme))
    return sheet.film()


def _by_seed(cell: Cell, ends: np.ndarray, theme: Theme, height: int) -> Film:
    """Return one dot a seed, where there is no curve."""
    n, colour = len(cell.values), theme.band("DMM")
    top = 1.1 * max([*cell.values, *ends[:, 2], 1e-9])
    y = {"range": [min(0.0, 1.1 * float(cell.values.min())), top], "title": cell.unit, "nticks": 5}
    sheet = _sheet(theme, height, {"range": [-0.6, n + 0.2], "title": "seed", "tickvals": list(range(n))}, y)
    sheet.still("main", look.line([-0.5, n - 0.5], [cell.mean] * 2, colour, theme.line))
    dots = {"type": "scatter", "mode": "markers", "x": list(range(n)), "y": cell.values, "hoverinfo": "skip",
            "marker": {"size": theme.marker, "color": colour}}  # fmt: skip
    sheet.still("main", dots)
    if len(ends):
        sheet.still("main", _squares(ends[:, 0], ends[:, 2], theme))
    return sheet.film()


def _sheet(theme: Theme, height: int, x: dict, y: dict) -> Sheet:
    margin = {"l": int(4.6 * theme.tick), "r": 8, "t": 10, "b": int(3.1 * theme.label)}
    sheet = Sheet(theme, 0, look.layout(theme, height, margin=margin))
    sheet.panel("main", [0.0, 1.0], [0.0, 1.0], x, y)
    return sheet


def _whisker(sheet: Sheet, x: float, mean: float, error: float, colour: str, hollow: bool) -> None:
    theme = sheet.theme
    sheet.still("main", look.line([x, x], [mean - 2 * error, mean + 2 * error], colour, theme.line))
    inside = theme.paper if hollow else colour
    sheet.still("main", {"type": "scatter", "mode": "markers", "x": [x], "y": [mean], "hoverinfo": "skip",
                         "marker": {"size": theme.marker, "color": inside,
                                    "line": {"color": colour, "width": 2.5}}})  # fmt: skip


def _squares(x: np.ndarray, y: np.ndarray, theme: Theme) -> dict:
    """Return hollow squares for what was run again, beside what is stored."""
    return {"type": "scatter", "mode": "markers", "x": x, "y": y, "hoverinfo": "skip",
            "marker": {"size": 1.5 * theme.marker, "symbol": "square-open", "color": theme.band("IGP"),
                       "line": {"width": 2.5}}}  # fmt: skip


def step_times(rows: Sequence[str], seconds: np.ndarray, theme: Theme, height: int) -> Film:
    """Return the time of a step; `seconds` (R, 2) is the mean of all rounds and of the last tenth."""
    ms, colour = 1000.0 * seconds, theme.band("DMM")
    low, high = math.floor(math.log10(ms.min())), math.ceil(math.log10(ms.max()))
    marks = [10.0**e for e in range(low, high + 1)]
    x = {"type": "log", "range": [low - 0.05, high + 0.25], "tickvals": marks, "ticktext": [f"{m:g}" for m in marks],
         "title": "time of a step (ms, logarithmic)"}  # fmt: skip
    y = {"range": [-len(rows) + 0.4, 0.6], "tickvals": (-np.arange(len(rows))).tolist(), "ticktext": list(rows)}
    sheet = _sheet(theme, height, x, y)
    at = -np.arange(len(rows), dtype=float)
    link = np.concatenate([ms, np.full((len(rows), 1), np.nan)], axis=1).ravel()
    sheet.still("main", look.line(link, np.repeat(at, 3), colour, theme.line))
    for k, inside in enumerate((colour, theme.paper)):
        sheet.still("main", {"type": "scatter", "mode": "markers", "x": ms[:, k], "y": at, "hoverinfo": "skip",
                             "marker": {"size": theme.marker, "color": inside,
                                        "line": {"color": colour, "width": 2.5}}})  # fmt: skip
    return sheet.film()
