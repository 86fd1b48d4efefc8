"""Errors of one estimate over many orders of its batch, shuffled and fixed, and how often bands keep eq. 9."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import theme as look
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import METHODS, Theme
from lessons.rperp import words
from lessons.rperp.coverage import CoverageRow
from lessons.rperp.figure_layout import View, dots
from lessons.rperp.model import ShuffleSpread

BINS = 31


def errors(sheet: Sheet, view: View, across: Sequence[float], up: Sequence[float], number: str) -> None:
    """The error at one place over many orders of the batch on screen, shuffled and fixed.

    Args:
        across, up: the panel's shares of the width and the height.   number: of the panel, in its headline.
    """
    theme = sheet.theme
    spreads = view.walk.runs.spreads
    pairs = {b: _where_most_wrong(spreads[b]) for b in view.shown}
    reach = 1.08 * max(max(np.abs(e).max() for e in pair) for pair in pairs.values())
    edges = np.linspace(-reach, reach, BINS + 1)
    heights = {b: _stairs([np.histogram(e, edges)[0] for e in pair]) for b, pair in pairs.items()}
    frames = [s.batch for s in view.steps]
    tick = _round(0.6 * reach)
    sheet.panel("errors", list(across), list(up),
                {"range": [-reach, reach], "tickvals": [-tick, 0, tick], "showgrid": False,
                 "title": "error μ − f̄ (reward)"},
                {"range": [0, 1.4], "showticklabels": False, "showgrid": False, "tickvals": []})  # fmt: skip
    draws = len(next(iter(pairs.values()))[0])
    sheet.headline("errors", f"{number}<b>{draws} repeats</b> of the batch")
    stairs = np.repeat(edges, 2)
    for k, name in ((0, "R-PERP"), (1, "PE")):
        colour = view.colour(theme, name)
        y = np.stack([heights[b][k] for b in frames])
        line = look.line(stairs, None, colour, theme.line, METHODS[name].dash, meta=name)
        if k == 0:
            line |= {"fill": "tozeroy", "fillcolor": look.faded(colour, 0.35)}
        sheet.moving("errors", line, y=y)
    zero = look.line([0, 0], [0, 1.03], theme.ink, 1.5, "dot")
    sheet.still("errors", zero)
    averages = {b: [e.mean() for e in pair] for b, pair in pairs.items()}
    means = np.array([averages[b] for b in frames])
    mark = {"symbol": ["triangle-down", "triangle-down-open"], "size": theme.marker + 3, "line": {"width": 2},
            "color": [theme.order("shuffled"), theme.order("fixed")]}  # fmt: skip
    sheet.moving("errors", {**dots(mark), "y": [1.06, 1.06]}, x=means)
    _names(sheet, means, reach)
    at = tuple((f"at {words.place(view.walk.runs, view.headline_arm[b])}",) for b in frames)
    sheet.moving("errors", look.words([0.0], [1.33], [], theme.soft_ink, theme.tick, "middle center"), text=at)


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
        names = _signed("shuffled", shuffled), _signed("fixed", fixed)
        said.append(
            (names[0] if left else "", "" if left else names[0], "" if left else names[1], names[1] if left else "")
        )
    text = look.words([-0.97 * reach, 0.97 * reach] * 2, [1.18] * 4, [], theme.ink, theme.tick, "")
    text["textfont"] = {"size": theme.tick, "color": [theme.order("shuffled")] * 2 + [theme.order("fixed")] * 2}
    sheet.moving("errors", {**text, "textposition": ["middle right", "middle left"] * 2}, text=tuple(said))


def _signed(word: str, value: float) -> str:
    """Return a name with its average, two decimals and a true minus; 0.00 has no sign."""
    number = f"{value:+.2f}".replace("-", "−")
    return f"{word} {number[1:] if float(number[1:]) == 0 else number}"


def _round(value: float) -> float:
    """Return 1, 2 or 5 times a power of ten, the largest that is at most this value."""
    unit = 10.0 ** np.floor(np.log10(value))
    return float(unit * max(m for m in (1, 2, 5) if unit * m <= value * (1 + 1e-9)))


def coverage(rows: Sequence[CoverageRow], titles: Sequence[str], theme: Theme, height: int = 250) -> Film:
    """Return the share of runs in which every band that eliminates covered its batch average, with Wilson intervals."""
    n, promised = len(rows), rows[0].score.promised
    traces = [look.line([promised] * 2, [-0.6, n - 0.55], theme.soft_ink, 2, "dash")]
    for k, row in enumerate(rows):
        y, name = n - 1 - k, "R-PERP" if row.shuffled else "PE"
        score, colour = row.score, theme.order("shuffled" if row.shuffled else "fixed")
        traces.append(look.line([score.low, score.high], [y, y], colour, theme.line + 1, METHODS[name].dash))
        mark = {"symbol": METHODS[name].symbol, "size": theme.marker + 2, "color": colour, "opacity": 1}
        at = {"x": [score.covered / score.runs], "y": [y], "hovertemplate": "%{x:.0%} of the runs<extra></extra>"}
        traces.append({"type": "scatter", "mode": "markers", "marker": mark, **at})
        traces.append(look.words([1.04], [y], [f"{score.covered}/{score.runs}"], colour, theme.tick, "middle right"))
    traces.append(look.words([promised], [n - 0.45], [f"promised {100 * promised:g}%"], theme.soft_ink, theme.tick,
                             "top left"))  # fmt: skip
    frame = look.layout(theme, height + (90 if theme.lecture else 0))
    frame["margin"] = {"l": int(0.62 * theme.tick * max(map(len, titles))), "r": int(4.6 * theme.tick),
                       "t": int(1.9 * theme.tick), "b": int(3.0 * theme.label)}  # fmt: skip
    frame["xaxis"] = look.axis(theme, "share of runs that keep eq. 9", range=[-0.02, 1.04], tickformat=".0%", nticks=5)
    frame["yaxis"] = look.axis(theme, range=[-0.6, n - 0.4], tickvals=list(range(n)), showgrid=False,
                               ticktext=list(reversed(titles)))  # fmt: skip
    return look.film(traces, frame)
