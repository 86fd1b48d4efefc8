"""One batch in the known order and in one shuffle: the pull of each answer, and the error that grows of the pulls.

A bar is the step of the line below it, in the same column.
"""

from __future__ import annotations

import numpy as np

from common.formats import signed
from figures import theme as style
from figures.end_labels import spread
from figures.film import Film
from figures.sheet import Sheet, chained, strokes
from figures.theme import Theme
from lessons.rperp import growth_words
from lessons.rperp.model import STILL, Walkthrough

THREADS = 40  # other shuffles that are drawn
BIG = 1.4  # of the labels' size: the error at the end of a line
ROW = 0.085  # height of a row of bars
LOW, LOW_ROW = 1.6, 0.07  # on a low screen: times the height of a line of text, and the height of a row
NAME = 1.2  # height of a name under it, in lines
HALF_BAR = 0.43  # of a column
GAP = "\u2009"  # between a line and the words beside it
# What sentences call the two orders.
SHUFFLED = "shuffled|one shuffle|median shuffle|shuffles|random orders|median"
KNOWN = "known order|fixed order|knows the order|adversary|adversary who knows the order"
TOO_MANY = 10  # questions, from which on every fifth has its number


def stage(walk: Walkthrough, theme: Theme, frame: int) -> Film:
    """Return the film of a batch, a frame a query; the figure itself shows frame `drawn`."""
    sheet = Sheet(theme, frame, hoverdistance=24)
    size = theme.tick
    sheet.margins(style.HANG, 8.6 * size, 1.5 * size, 6)
    _Growth(sheet, walk).draw()
    return sheet.film()


class _Growth:
    """The rows of the figure, from top to bottom."""

    def __init__(self, sheet: Sheet, walk: Walkthrough) -> None:
        self.sheet, self.walk = sheet, walk
        self.pulls = walk.runs.pulls(walk.steps[0].batch)
        self.n, self.frames = len(self.pulls.lifted), len(walk.steps)
        self.known, self.mine = self.pulls.known.path, self.pulls.shuffled.path
        self.colours = {name: sheet.theme.order(name) for name in ("fixed", "shuffled")}

    def draw(self) -> None:
        """Draw all of it."""
        line = self._line()
        tape, known, mine, curves = _rows(line, ROW)
        self._tape(tape)
        for name, across, each in (("fixed", known, self.pulls.known), ("shuffled", mine, self.pulls.shuffled)):
            self._row(name, across, each.pulls)
        self._curves(curves)
        for name, up in zip(("tape", "fixed", "shuffled", "error"), _rows(LOW * line, LOW_ROW), strict=True):
            self.sheet.low(name, up)

    def _title(self, name: str, text: str, colour: str, narrow: str = "") -> None:
        """Write the title of a row, which stays above it also where a low screen gives it another height."""
        above = {"xanchor": "left", "yanchor": "bottom", "align": "left", "yshift": 1}
        self.sheet.note(name, text, 0.0, 1.0, inside="xy", color=colour, narrow=narrow, **above)

    def _line(self) -> float:
        """Return the height of a line of text as a share of the figure's, on the smallest screen."""
        hidden = {"visible": False, "range": [0.0, 1.0]}
        self.sheet.panel("whole", (0.0, 1.0), (0.0, 1.0), hidden, hidden)
        return self.sheet.line_share("whole")

    def _columns(self, name: str, up: tuple[float, float], y: dict, ticks: bool = False) -> None:
        """Lay out a row; round k is the column around k."""
        marks = [k for k in range(1, self.n + 1) if self.n <= TOO_MANY or k in (1, self.n) or k % 5 == 0]
        x = {
            "range": [0.5, self.n + 0.5],
            "tickvals": marks,
            "showgrid": False,
            "showline": ticks,
            "showticklabels": ticks,
        }
        self.sheet.panel(name, (0.0, 1.0), up, x, {"showgrid": False, "showline": False, **y})

    def _boxes(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return x (6 N,) and y (..., 6 N) of a box in each column, from low to high (..., N)."""
        left, right = (np.arange(1, self.n + 1) + side * HALF_BAR for side in (-1, 1))
        return strokes(left, right, right, left, left), strokes(low, low, high, high, low)

    def _tape(self, up: tuple[float, float]) -> None:
        """Draw for each round that the reward is lifted or lowered: all of it is fixed before the first question."""
        sheet, theme, lifted = self.sheet, self.sheet.theme, self.pulls.lifted
        self._columns("tape", up, {"range": [0.0, 1.0], "showticklabels": False})
        x, y = self._boxes(np.zeros(self.n), np.ones(self.n))
        sheet.draw("tape", style.filled(x, y, style.faded(theme.grey, 0.14), (theme.grid, 0)))
        signs = ["▲" if v > STILL else "▼" if v < -STILL else "–" for v in lifted]
        at = np.arange(1, self.n + 1)
        sheet.words("tape", at, np.full(self.n, 0.5), signs, theme.soft_ink, "middle center")
        follows = self.walk.runs.setting.follows
        text, short = (
            ("the adversary lifts ▲, lowers ▼ or leaves – the reward", "adversary: lifts ▲, lowers ▼, leaves –")
            if follows
            else ("the reward is above ▲ or below ▼ average", "")
        )
        self._title("tape", text, theme.soft_ink, short)

    def _row(self, name: str, up: tuple[float, float], each: np.ndarray) -> None:
        """The pulls of one order so far, and what they come to, up and down."""
        sheet, theme, colour = self.sheet, self.sheet.theme, self.colours[name]
        both = np.concatenate([self.pulls.known.pulls, self.pulls.shuffled.pulls, [0.0]])
        low, high = float(both.min()), float(both.max())
        pad = 0.06 * (high - low) if high - low > STILL else 1.0  # what is only rounding has no height
        self._columns(name, up, {"range": [low - pad, high + pad], "showticklabels": False})
        sheet.curve(name, [0.5, self.n + 0.5], [0.0, 0.0], theme.soft_ink, 1.0)
        asked = np.arange(self.n) < np.arange(self.frames)[:, None]
        x, y = self._boxes(np.zeros(self.n), np.where(asked, each, np.nan))
        sheet.draw(name, style.filled(x, y, colour, (colour, 0)))
        up_to, down_to = (np.where(asked, np.clip(sign * each, 0.0, None), 0.0).sum(axis=1) for sign in (1, -1))
        texts = tuple(
            (f"<b>{GAP}up {a:.2f}, down {b:.2f}</b>" if k else "",)
            for k, (a, b) in enumerate(zip(up_to, down_to, strict=True))
        )
        sheet.words(name, [self.n + 0.5], [0.0], texts, colour, "middle right")
        self._title(name, growth_words.row_title(self.walk, name), colour)

    def _curves(self, up: tuple[float, float]) -> None:
        """The error after every question: other shuffles pale, the known order and this shuffle strong."""
        sheet, theme, found = self.sheet, self.sheet.theme, self.pulls
        others = found.others.path
        drawn = np.concatenate([self.known[None], self.mine[None], others[:THREADS]])
        low, high = float(min(drawn.min(), 0.0)), float(max(drawn.max(), 0.0))
        room = 0.08 * (high - low) if self.frames > 1 else 1.0  # one frame has no error yet
        span = (low - room, high + room)
        apart = {
            "ticks": "outside",
            "ticklen": 9,
            "tickcolor": "rgba(0,0,0,0)",
        }  # clear of a dot on the first column's edge
        self._columns("error", up, {"range": list(span), "nticks": 4, "showgrid": True, **apart}, ticks=True)
        title, short = growth_words.CURVE_TITLE, "error so far"
        if self.frames > 1:  # before, no order has a line yet
            title, short = f"{title}; {growth_words.OTHERS}", f"{short}; pale: others, dashed at end: median"
        self._title("error", title, theme.soft_ink, short)
        sheet.note(
            "error",
            "query",
            1.0,
            0.0,
            inside="xy",
            xanchor="left",
            yanchor="top",
            color=theme.soft_ink,
            xshift=0.4 * theme.tick,
            yshift=-3,
        )
        sheet.curve("error", [0.5, self.n + 0.5], [0.0, 0.0], theme.soft_ink, 1.0)
        x = np.concatenate([[0.5], np.arange(1, self.n + 1)])
        green = self.colours["shuffled"]
        threads = chained(x, self._so_far(others[:THREADS]))
        sheet.curve("error", *threads, style.faded(green, 0.2), 1.0)
        both = (("shuffled", self.mine, SHUFFLED, "one shuffle"), ("fixed", self.known, KNOWN, "known order"))
        for name, path, mark, fact in both:
            colour = self.colours[name]
            sheet.curve("error", x, self._so_far(path), colour, theme.line + 1, meta=mark)
            sheet.dots(
                "error",
                x[: self.frames, None],
                path[: self.frames, None],
                colour,
                theme.marker + 3,
                opacity=1,
                cliponaxis=False,
            )
            sheet.shows(fact, "y", 0)
        self._median()
        self._names(span)

    def _median(self) -> None:
        """Between the dashes, after the last question, half of all shuffles have their largest error."""
        last, median, green = np.arange(self.frames) == self.n, self.pulls.median, self.colours["shuffled"]
        for sign in (1.0, -1.0):
            y = np.where(last[:, None], sign * median, np.nan) * np.ones(2)
            self.sheet.curve("error", [self.n / 2, self.n + 0.5], y, green, 1.5, "dash")

    def _so_far(self, path: np.ndarray) -> np.ndarray:
        """Return (F, ..., N+1) a path (..., N+1) as far as each frame has come."""
        there = np.arange(self.n + 1) <= np.arange(self.frames)[:, None]
        there = there.reshape(self.frames, *(1,) * (path.ndim - 1), self.n + 1)
        return np.where(there, path, np.nan)

    def _names(self, span: tuple[float, float]) -> None:
        """Right of the lines their errors in large type, with their names below.

        In a hall there is no height for the names: there the colours of the rows' titles say whose error it is.
        """
        sheet, theme, lines = self.sheet, self.sheet.theme, []
        for name, path, whose in (("shuffled", self.mine, "this shuffle"), ("fixed", self.known, "known order")):
            form, height = (_big(theme), BIG) if theme.lecture else (f"{_big(theme)}<br>{whose}", BIG + NAME)
            lines.append((path, self.colours[name], form, height))
        share = (np.stack([path[: self.frames] for path, *_ in lines], axis=1) - span[0]) / (span[1] - span[0])
        tall = sheet.line_share("error") * np.array([height for *_, height in lines])
        placed = span[0] + spread(share, tall) * (span[1] - span[0])
        for i, (path, colour, form, _) in enumerate(lines):
            texts = (
                (form.format(""),),
                *((form.format(signed(v)),) for v in path[1 : self.frames]),
            )  # no query has added to an error
            sheet.words("error", [self.n + 0.5], placed[:, i : i + 1], texts, colour, "middle right")


def _rows(line: float, row: float) -> tuple[tuple[float, float], ...]:
    """Return the heights of tape, known order, shuffle and curves, from the heights of a line of text and of a row."""
    tape = (1.0 - 0.9 * line, 1.0)
    known = (tape[0] - 1.15 * line - row, tape[0] - 1.15 * line)
    mine = (known[0] - 1.15 * line - row, known[0] - 1.15 * line)
    return tape, known, mine, (1.65 * line, mine[0] - 1.5 * line)


def _big(theme: Theme) -> str:
    """Return the form of a number in large type."""
    return f'<b><span style="font-size:{round(BIG * theme.tick)}px">{{}}</span></b>'
