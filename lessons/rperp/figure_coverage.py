"""Coverage of the bands of whole runs (eq. 9), by width and order."""

from __future__ import annotations

from figures import theme as style
from figures.film import Film
from figures.palette import METHODS
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.rperp import words
from lessons.rperp.coverage import CoverageRows


def coverage(rows: CoverageRows, theme: Theme) -> Film:
    """Return the share of runs in which every band that eliminates covered its batch average, with Wilson intervals."""
    n, promised, titles = len(rows), next(iter(rows.values())).promised, words.coverage_titles(rows)
    sheet = Sheet(theme, 0, 340 if theme.lecture else 250)
    left = 0.62 * theme.tick * max(map(len, titles))
    sheet.margins(left, 4.6 * theme.tick, 1.9 * theme.tick, 3.0 * theme.label)
    share = {"title": "share of runs that keep eq. 9", "range": [-0.02, 1.04], "tickformat": ".0%", "nticks": 5}
    named = style.ticks(range(n), reversed(titles))
    sheet.panel("runs", [0, 1], [0, 1], share, {"range": [-0.6, n - 0.4], "showgrid": False, **named})
    sheet.narrow("runs", **style.ticks([0.0, 1.0], ["0%", "100%"]), tickangle=0)
    sheet.cursor("runs", promised, [-0.6, n - 0.55], theme.soft_ink, 2, "dash")
    for k, ((_, shuffled), score) in enumerate(rows.items()):
        y, name = n - 1 - k, "R-PERP" if shuffled else "PE"
        colour = theme.order("shuffled" if shuffled else "fixed")
        sheet.curve("runs", [score.low, score.high], [y, y], colour, theme.line + 1, METHODS[name].dash)
        at, symbol = [score.covered / score.runs], METHODS[name].symbol
        hover = "%{x:.0%} of the runs<extra></extra>"
        sheet.dots("runs", at, [y], colour, theme.marker + 2, symbol=symbol, opacity=1, hovertemplate=hover)
        sheet.words("runs", [1.04], [y], [f"{score.covered}/{score.runs}"], colour, "middle right")
    sheet.words("runs", [promised], [n - 0.45], [f"promised {100 * promised:g}%"], theme.soft_ink, "top left")
    return sheet.film()
