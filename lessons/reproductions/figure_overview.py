"""Overview: one row a table or figure, one mark a printed entry or statement.

Printed entries are circles, statements are squares; what agrees is filled, what differs is a cross; an entry
that one repetition cannot judge is a triangle. In lecture type the papers are named instead of their tables and
figures: so many names of that size would touch.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.reproductions.experiments.compare import TOO_FEW
from lessons.reproductions.names import AUTHORS
from lessons.reproductions.overview import Entry

# The symbol of each mark; `_marks` chooses the colour.
SYMBOLS = {
    "within 1": "circle",
    "within 2": "circle-open-dot",
    "within 3": "circle-open",
    "beyond 3": "x",
    TOO_FEW: "triangle-up-open",
    "yes": "square",
    "undecided": "square-open",
    "no": "x",
    "asked by this lab": "diamond-open",
}
# What sentences call a mark.
SAID = {"yes": "reproduced|statements", "no": "not reproduced", "asked by this lab": "questions of this lab"}
LEGEND = "● ⊙ ○ within 1, 2, 3 standard errors  ■ reproduced  □ undecided  ✕ differs  ◇ asked by this lab"
LEAST_HEIGHT = 486  # pixels of the panel on the lowest screen, where the type of a row must fit between its neighbours
HALL_LEGEND = f"{LEGEND}  – not attempted"
LECTURE_MARKER = 9  # pixels: rows in a hall of 720 lines are 13 high


def stage(entries: Sequence[Entry], theme: Theme, frame: int) -> Film:
    """Return all entries at a glance; frame i stands at row i, the last frame at none."""
    n = len(entries)
    sheet = Sheet(theme, frame)
    most = max([len(e.marks) for e in entries] + [24])
    named = _papers(entries) if theme.lecture else {e.title: (i, i) for i, e in enumerate(entries)}
    longest = max(map(len, named))
    size = theme.tick if theme.lecture else min(theme.tick, int(LEAST_HEIGHT / n))
    sheet.margins(0.5 * size * longest + 18, 8, 4, 1.9 * theme.tick)
    x = {"range": [-1.0, most + 0.5], "showgrid": False, "showticklabels": False}
    y = {
        "range": [-n + 0.4, 0.6],
        **style.ticks([-0.5 * (first + last) for first, last in named.values()], named),
        "gridcolor": theme.grid,
        "showgrid": not theme.lecture,
        "tickfont": {"size": size},
    }
    sheet.panel("main", [0.0, 1.0], [0.0, 1.0], x, y)
    _cursor(sheet, n, most)
    _marks(sheet, entries)
    bare = [(i, f"not attempted: {e.reason}") for i, e in enumerate(entries) if e.reason]
    if theme.lecture:
        sheet.words("main", [0.0] * len(bare), [-i for i, _ in bare], ["–"] * len(bare), theme.ink, "middle center")
        for first, _ in list(named.values())[1:]:
            sheet.rule("main", theme.grid, 1.5, y=0.5 - first)
    elif bare:
        places, texts = zip(*bare, strict=True)
        sheet.words("main", [-0.4] * len(bare), [-i for i in places], texts, theme.soft_ink, "middle right")
    # Every row is a place to click; its number is the time.
    sheet.dots(
        "main",
        np.tile(np.arange(most), n),
        -np.repeat(np.arange(n), most),
        None,
        18,
        opacity=0,
        hoverinfo="none",
        customdata=np.repeat(np.arange(n), most),
    )
    legend = HALL_LEGEND if theme.lecture else LEGEND
    if any(TOO_FEW in entry.marks for entry in entries):
        legend += f"  △ {TOO_FEW}"
    sheet.note(
        "main",
        legend,
        0.5,
        0.0,
        inside="xy",
        xref="paper",
        xanchor="center",
        yanchor="top",
        yshift=-int(0.35 * theme.tick),
    )
    return sheet.film()


def _papers(entries: Sequence[Entry]) -> dict[str, tuple[int, int]]:
    """Return the first and the last row of each paper, whose entries stand below each other."""
    rows: dict[str, tuple[int, int]] = {}
    for i, entry in enumerate(entries):
        name = AUTHORS[entry.paper]
        rows[name] = (rows.get(name, (i, i))[0], i)
    return rows


def _cursor(sheet: Sheet, n: int, most: int) -> None:
    """Draw a band behind the row that the sentence is about."""
    row = np.append(-np.arange(n, dtype=float), np.nan)
    x = np.full(n + 1, -1.0), np.full(n + 1, most + 0.5)
    sheet.rect("main", x, (row - 0.48, row + 0.48), style.faded(sheet.theme.band("DMM"), 0.22))


def _marks(sheet: Sheet, entries: Sequence[Entry]) -> None:
    theme = sheet.theme
    colours = {"beyond 3": theme.missed, "no": theme.missed, "yes": theme.covered, "undecided": theme.covered}
    colours["asked by this lab"] = theme.soft_ink
    for mark, symbol in SYMBOLS.items():
        places = [(k, -i) for i, e in enumerate(entries) for k, m in enumerate(e.marks) if m == mark]
        if places:
            x, y = (list(v) for v in zip(*places, strict=True))
            colour = colours.get(mark, theme.band("DMM"))
            size = LECTURE_MARKER if theme.lecture else theme.marker
            sheet.dots("main", x, y, colour, size, symbol=symbol, rim=(1.6, colour), meta=SAID.get(mark, mark))
