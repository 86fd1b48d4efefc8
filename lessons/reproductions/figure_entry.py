"""One entry: its regret seed by seed, what the paper prints, and what was just run again.

And for figures about cost: the time of a step on a logarithmic axis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet, chained, strokes
from figures.theme import Theme
from lessons.reproductions.model import Cell

Line = tuple[np.ndarray, np.ndarray]


def seeds(cell: Cell, lines: Sequence[Line], ends: np.ndarray, theme: Theme, height: int) -> Film:
    """Return the entry seed by seed; `lines` (rounds, regret) and `ends` (seed, round, value) were run again."""
    return _over_rounds(cell, lines, ends, theme, height) if len(cell.rounds) else _by_seed(cell, ends, theme, height)


def _over_rounds(cell: Cell, lines: Sequence[Line], ends: np.ndarray, theme: Theme, height: int) -> Film:
    """Return the regret curves of single seeds, their mean, a proved order, and the printed number at their end.

    An order has no constant: it is drawn with the one that lets it end at the mean.
    """
    colour, T = theme.band("DMM"), cell.horizon
    (mean, error), (paper, paper_error) = cell.ours, cell.paper
    tops = [cell.middle.max(), cell.values.max(), mean + 2 * error, *ends[:, 2]]
    if math.isfinite(paper):
        tops.append(paper + 2 * paper_error)
    y = {"range": [0, 1.08 * max(tops)], "title": "regret so far", "nticks": 5, "tickformat": "~s"}
    sheet = _sheet(theme, height, {"range": [0, 1.16 * T], "title": "round t", "nticks": 6}, y)
    if len(cell.curves):
        sheet.curve("main", *chained(cell.rounds, cell.curves), style.faded(colour, 0.5), 0.4 * theme.line)
    sheet.curve("main", cell.rounds, cell.middle, colour, 1.2 * theme.line)
    if len(cell.bound):
        order = cell.bound * cell.middle[-1] / cell.bound[-1]
        sheet.curve("main", cell.rounds, order, theme.ink, theme.line, "dot")
    _whisker(sheet, 1.03 * T, mean, error, colour, hollow=True)
    if math.isfinite(paper):
        _whisker(sheet, 1.09 * T, paper, paper_error, theme.ink, hollow=False)
    for rounds, regret in lines:
        sheet.curve("main", rounds, regret, theme.band("IGP"), 0.8 * theme.line, "dash")
    if len(ends):
        _squares(sheet, ends[:, 1], ends[:, 2])
    return sheet.film()


def _by_seed(cell: Cell, ends: np.ndarray, theme: Theme, height: int) -> Film:
    """Return one dot a seed, where there is no curve."""
    n, colour = len(cell.values), theme.band("DMM")
    top = 1.1 * max([*cell.values, *ends[:, 2], 1e-9])
    y = {"range": [min(0.0, 1.1 * float(cell.values.min())), top], "title": cell.board.unit, "nticks": 5}
    sheet = _sheet(theme, height, {"range": [-0.6, n + 0.2], "title": "seed", "tickvals": list(range(n))}, y)
    sheet.curve("main", [-0.5, n - 0.5], [cell.ours[0]] * 2, colour, theme.line)
    sheet.dots("main", list(range(n)), cell.values, colour, theme.marker)
    if len(ends):
        _squares(sheet, ends[:, 0], ends[:, 2])
    return sheet.film()


def _sheet(theme: Theme, height: int, x: dict, y: dict) -> Sheet:
    sheet = Sheet(theme, 0, height)
    sheet.margins(4.6 * theme.tick, 8, 10, 3.1 * theme.label)
    sheet.panel("main", [0.0, 1.0], [0.0, 1.0], x, y)
    return sheet


def _whisker(sheet: Sheet, x: float, mean: float, error: float, colour: str, hollow: bool) -> None:
    theme = sheet.theme
    sheet.cursor("main", x, [mean - 2 * error, mean + 2 * error], colour, theme.line)
    sheet.dots("main", [x], [mean], theme.paper if hollow else colour, theme.marker, rim=(2.5, colour))


def _squares(sheet: Sheet, x: np.ndarray, y: np.ndarray) -> None:
    """Draw hollow squares for what was run again, beside what is stored."""
    theme = sheet.theme
    sheet.dots("main", x, y, theme.band("IGP"), 1.5 * theme.marker, symbol="square-open", rim=2.5)


def step_times(rows: Sequence[str], seconds: np.ndarray, theme: Theme, height: int) -> Film:
    """Return the time of a step; `seconds` (R, 2) is the mean of all rounds and of the last tenth."""
    ms, colour = 1000.0 * seconds, theme.band("DMM")
    low, high = math.floor(math.log10(ms.min())), math.ceil(math.log10(ms.max()))
    marks = [10.0**e for e in range(low, high + 1)]
    x = {
        "type": "log",
        "range": [low - 0.05, high + 0.25],
        **style.ticks(marks),
        "title": "time of a step (ms, logarithmic)",
    }
    y = {"range": [-len(rows) + 0.4, 0.6], **style.ticks((-np.arange(len(rows))).tolist(), rows)}
    sheet = _sheet(theme, height, x, y)
    at = -np.arange(len(rows), dtype=float)
    sheet.curve("main", strokes(*ms.T), np.repeat(at, 3), colour, theme.line)
    for k, inside in enumerate((colour, theme.paper)):
        sheet.dots("main", ms[:, k], at, inside, theme.marker, rim=(2.5, colour))
    return sheet.film()
