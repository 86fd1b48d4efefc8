"""Errors of one estimate over many orders of its batch, shuffled and fixed, and how often bands keep eq. 9."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import signed
from figures import theme as style
from figures.film import Film
from figures.palette import METHODS
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.rperp import words
from lessons.rperp.coverage import CoverageRow
from lessons.rperp.figure_layout import ORDER, DrawnWalkthrough
from lessons.rperp.model import ShuffleSpread

BINS = 31


def errors(sheet: Sheet, view: DrawnWalkthrough, across: Sequence[float], up: Sequence[float]) -> None:
    """Panel 4: the error at one place over many orders of the batch on screen, shuffled and fixed.

    Args:
        across, up: the panel's shares of the width and the height.
    """
    theme = sheet.theme
    spreads = view.walk.runs.spreads
    pairs = {b: _where_most_wrong(spreads[b]) for b in view.shown}
    reach = 1.08 * max(max(np.abs(e).max() for e in pair) for pair in pairs.values())
    edges = np.linspace(-reach, reach, BINS + 1)
    heights = {b: _stairs([np.histogram(e, edges)[0] for e in pair]) for b, pair in pairs.items()}
    frames = [s.batch for s in view.steps]
    tick = _round(0.6 * reach)
    sheet.panel(
        "errors",
        list(across),
        list(up),
        {"range": [-reach, reach], "tickvals": [-tick, 0, tick], "showgrid": False, "title": "error μ − f̄ (reward)"},
        {"range": [0, 1.4], "showticklabels": False, "showgrid": False, "tickvals": []},
    )
    draws = len(next(iter(pairs.values()))[0])
    sheet.headline("errors", f"<b>④</b> <b>{draws} repeats</b> of the batch")
    stairs = np.repeat(edges, 2)
    for k, name in ((0, "R-PERP"), (1, "PE")):
        colour = theme.order(ORDER[name])
        y, fill = np.stack([heights[b][k] for b in frames]), {}
        if k == 0:
            fill = {"fill": "tozeroy", "fillcolor": style.faded(colour, 0.35)}
        sheet.curve("errors", stairs, y, colour, theme.line, METHODS[name].dash, meta=name, **fill)
    sheet.cursor("errors", 0, [0, 1.03], theme.ink, 1.5, "dot")
    averages = {b: [e.mean() for e in pair] for b, pair in pairs.items()}
    means = np.array([averages[b] for b in frames])
    sheet.dots(
        "errors",
        means,
        [1.06, 1.06],
        [theme.order("shuffled"), theme.order("fixed")],
        theme.marker + 3,
        symbol=["triangle-down", "triangle-down-open"],
        rim=2,
        opacity=1,
    )
    sheet.shows("shuffles err by", "x", 0)
    sheet.shows("fixed order errs by", "x", 1)
    _names(sheet, means, reach)
    at = tuple((f"at {words.place(view.walk.runs, view.headline_arm[b])}",) for b in frames)
    sheet.words("errors", [0.0], [1.33], at, theme.soft_ink, "middle center")


def _where_most_wrong(spread: ShuffleSpread) -> tuple[np.ndarray, np.ndarray]:
    """Return the errors of one batch, shuffled and fixed, where the fixed order is most wrong."""
    place = spread.place
    return spread.shuffled[:, place], spread.fixed[:, place]


def _stairs(counts: list[np.ndarray]) -> list[np.ndarray]:
    """Return histograms as the heights of a line over the edges, the highest of them all 1 tall."""
    top = max(int(c.max()) for c in counts)
    return [np.pad(np.repeat(c / top, 2), 1) for c in counts]


def _names(sheet: Sheet, means: np.ndarray, reach: float) -> None:
    """The two averages by name and number, each on its own side."""
    theme = sheet.theme
    said = []
    for shuffled, fixed in means:
        left = shuffled <= fixed  # whether the shuffled one stands on the left
        names = f"shuffled {signed(shuffled)}", f"fixed {signed(fixed)}"
        said.append(
            (names[0] if left else "", "" if left else names[0], "" if left else names[1], names[1] if left else "")
        )
    colours = [theme.order("shuffled")] * 2 + [theme.order("fixed")] * 2
    x = [-0.97 * reach, 0.97 * reach] * 2
    sheet.words("errors", x, [1.18] * 4, said, colours, ["middle right", "middle left"] * 2)


def _round(value: float) -> float:
    """Return 1, 2 or 5 times a power of ten, the largest that is at most this value."""
    unit = 10.0 ** np.floor(np.log10(value))
    return float(unit * max(m for m in (1, 2, 5) if unit * m <= value * (1 + 1e-9)))


def coverage(rows: Sequence[CoverageRow], titles: Sequence[str], theme: Theme, height: int = 250) -> Film:
    """Return the share of runs in which every band that eliminates covered its batch average, with Wilson intervals."""
    n, promised = len(rows), rows[0].score.promised
    sheet = Sheet(theme, 0, style.layout(theme, height + (90 if theme.lecture else 0)))
    left = 0.62 * theme.tick * max(map(len, titles))
    sheet.margins(left, 4.6 * theme.tick, 1.9 * theme.tick, 3.0 * theme.label)
    share = {"title": "share of runs that keep eq. 9", "range": [-0.02, 1.04], "tickformat": ".0%", "nticks": 5}
    named = style.ticks(range(n), reversed(titles))
    sheet.panel("runs", [0, 1], [0, 1], share, {"range": [-0.6, n - 0.4], "showgrid": False, **named})
    sheet.narrow("runs", **style.ticks([0.0, 1.0], ["0%", "100%"]), tickangle=0)
    sheet.cursor("runs", promised, [-0.6, n - 0.55], theme.soft_ink, 2, "dash")
    for k, row in enumerate(rows):
        y, name = n - 1 - k, "R-PERP" if row.shuffled else "PE"
        score, colour = row.score, theme.order("shuffled" if row.shuffled else "fixed")
        sheet.curve("runs", [score.low, score.high], [y, y], colour, theme.line + 1, METHODS[name].dash)
        at, symbol = [score.covered / score.runs], METHODS[name].symbol
        said = "%{x:.0%} of the runs<extra></extra>"
        sheet.dots("runs", at, [y], colour, theme.marker + 2, symbol=symbol, opacity=1, hovertemplate=said)
        sheet.words("runs", [1.04], [y], [f"{score.covered}/{score.runs}"], colour, "middle right")
    sheet.words("runs", [promised], [n - 0.45], [f"promised {100 * promised:g}%"], theme.soft_ink, "top left")
    return sheet.film()
