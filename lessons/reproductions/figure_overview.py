"""Everything at a glance: one row a table or figure, one mark a printed entry or statement.

Printed entries are circles, statements are squares; what agrees is filled, what differs is a cross.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import theme as look
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.reproductions.overview import Entry

# mark -> symbol; the colour is chosen below.
SYMBOLS = {"within 1": "circle", "within 2": "circle-open-dot", "within 3": "circle-open", "beyond 3": "x",
           "yes": "square", "within chance": "square-open", "no": "x"}  # fmt: skip
LEGEND = "● ⊙ ○ printed entries within 1, 2, 3 standard errors  ■ statement comes out  □ may be chance  ✕ differs"
LEAST_HEIGHT = 486  # pixels of the panel on the lowest screen: type of one row must fit between its neighbours
SHORT_LEGEND = "● ⊙ ○ within 1, 2, 3 standard errors  ■ comes out  □ may be chance  ✕ differs"


def stage(entries: Sequence[Entry], theme: Theme, drawn: int) -> Film:
    """Return all entries at a glance; frame i stands at row i, the last frame at none."""
    n = len(entries)
    sheet = Sheet(theme, drawn, look.layout(theme, None))
    most = max([len(e.marks) for e in entries] + [24])
    longest = max(len(e.title) for e in entries)
    size = min(theme.tick, int(LEAST_HEIGHT / n))
    sheet.frame["margin"] = {"l": int(0.5 * size * longest + 18), "r": 8, "t": 4,
                             "b": int(1.9 * theme.tick)}  # fmt: skip
    x = {"range": [-1.0, most + 0.5], "showgrid": False, "showticklabels": False}
    y = {"range": [-n + 0.4, 0.6], "tickvals": [-i for i in range(n)], "ticktext": [e.title for e in entries],
         "gridcolor": theme.grid, "tickfont": {"size": size}}  # fmt: skip
    sheet.panel("main", [0.0, 1.0], [0.0, 1.0], x, y)
    _cursor(sheet, n, most)
    _marks(sheet, entries)
    bare = [(i, e.short) for i, e in enumerate(entries) if e.short]
    if bare:
        said = [f"not attempted: {short}" if short != "not run yet" else short for _, short in bare]
        words = look.words([-0.4] * len(bare), [-i for i, _ in bare], said, theme.soft_ink, theme.tick, "middle right")
        sheet.still("main", words)
    # Every row is a place to click; its number is the time.
    sheet.still("main", {"type": "scatter", "mode": "markers", "x": np.tile(np.arange(most), n),
                         "y": -np.repeat(np.arange(n), most), "marker": {"size": 18, "opacity": 0},
                         "hoverinfo": "none", "customdata": np.repeat(np.arange(n), most)})  # fmt: skip
    sheet.note("main", SHORT_LEGEND if theme.lecture else LEGEND, 0.5, 0.0, inside=True, xref="paper", xanchor="center",
               yanchor="top", yshift=-int(0.35 * theme.tick))  # fmt: skip
    return sheet.film()


def _cursor(sheet: Sheet, n: int, most: int) -> None:
    """Draw a band behind the row that the sentence is about."""
    rows = -np.arange(n, dtype=float)
    y = np.stack([rows - 0.48, rows - 0.48, rows + 0.48, rows + 0.48], axis=1)
    y = np.concatenate([y, np.full((1, 4), np.nan)])
    across = np.array([-1.0, most + 0.5, most + 0.5, -1.0])
    band = {"type": "scatter", "mode": "lines", "fill": "toself", "line": {"width": 0}, "hoverinfo": "skip",
            "fillcolor": look.faded(sheet.theme.band("DMM"), 0.22)}  # fmt: skip
    sheet.moving("main", band, x=np.tile(across, (n + 1, 1)), y=y)


def _marks(sheet: Sheet, entries: Sequence[Entry]) -> None:
    theme = sheet.theme
    colours = {"beyond 3": theme.missed, "no": theme.missed, "yes": theme.covered, "within chance": theme.covered}
    for mark, symbol in SYMBOLS.items():
        places = [(k, -i) for i, e in enumerate(entries) for k, m in enumerate(e.marks) if m == mark]
        if places:
            x, y = (list(v) for v in zip(*places, strict=True))
            colour = colours.get(mark, theme.band("DMM"))
            drawn = {"size": theme.marker, "symbol": symbol, "color": colour, "line": {"width": 1.6, "color": colour}}
            sheet.still("main", {"type": "scatter", "mode": "markers", "x": x, "y": y, "marker": drawn,
                                 "hoverinfo": "skip"})  # fmt: skip
