"""Progress in a run of R-PERP: the nested bar of restarts and batches, and the pseudo-code with its lit line."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from figures import theme as style
from figures.sheet import Sheet, strokes
from lessons.rperp.figure_layout import DrawnWalkthrough

CODE_HEIGHT = (0.0, 0.775)  # of the pseudo-code
CODE_WIDTH = 0.225
SYMBOL_SHARE = 0.13  # share of the bar that a batch needs to be called by its symbol and not by its size alone
SIZE_SHARE = 0.028  # and to be called at all
INDENT = "\u2002"

# Line of Algorithm 1, in the paper's count -> its words.
CODE = {
    1: "for restart i = 1, 2, …",
    2: f"{INDENT}length T⁽ⁱ⁾ = min(H, rest)",
    3: f"{INDENT}X<sub>1</sub> = all actions, N<sub>0</sub> = 1",
    4: f"{INDENT}for batch j = 1, 2, …",
    5: f"{INDENT * 2}N<sub>j</sub> = ⌈√(T⁽ⁱ⁾ N<sub>j−1</sub>)⌉ or rest",
    8: f"{INDENT * 2}pick argmax s²(x; S)",
    11: f"{INDENT * 2}shuffle the picks S",
    13: f"{INDENT * 2}evaluate in order",
    16: f"{INDENT * 2}last batch: restart",
    19: f"{INDENT * 2}band μ ± β s",
    20: f"{INDENT * 2}drop ucb &lt; max lcb",
}


def run_bar(sheet: Sheet, view: DrawnWalkthrough, left: float, up: tuple[float, float]) -> None:
    """Restarts of the whole run, under them the batches of the restart on screen, and the cursor.

    Args:
        left: share of the width where it begins.   up: its share of the height.
    """
    theme, T = sheet.theme, view.problem.horizon
    rows = {"restarts": 1.5, "batches": 0.5}
    theorem = view.walk.runs.theorem_rounds is not None
    if theorem:
        rows["Theorem 5 restarts here"] = 2.35
    y = {
        "range": [0.0, 2.75 if theorem else 2.0],
        **style.ticks(rows.values(), rows),
        "showgrid": False,
        "showline": False,
    }
    x = {"range": [0, T], "showticklabels": False, "showgrid": False, "showline": False}
    sheet.panel("bar", [left, 1.0], list(up), x, y)
    colour = theme.order("shuffled")
    starts = np.arange(0, T, view.walk.runs.H)
    x, y = _boxes(starts, np.minimum(starts + view.walk.runs.H, T), 1.08, 1.92)
    sheet.curve("bar", x, y, theme.soft_ink, 1.5)
    if theorem:
        marks = np.arange(0, T, view.walk.runs.theorem_rounds)
        sheet.dots(
            "bar", marks, np.full(len(marks), 2.35), theme.soft_ink, theme.marker + 2, symbol="line-ns-open", rim=2
        )
    _zoom(sheet, view, colour)
    _cursor(sheet, view)


def _zoom(sheet: Sheet, view: DrawnWalkthrough, colour: str) -> None:
    """The restart on screen, lit, and its batches spread over the whole width below it."""
    theme, T = sheet.theme, view.problem.horizon
    batches = view.lead
    most = max(len(batch.sizes) for batch in batches)
    lit, guide = np.full((len(batches), 11), np.nan), np.full((len(batches), 5), np.nan)
    parts = np.full((len(batches), most, 6), np.nan)
    middles, names = np.full((len(batches), most), np.nan), []
    for i, batch in enumerate(batches):
        first = batch.start - sum(batch.sizes[: batch.number - 1])
        ends = np.cumsum([0, *batch.sizes]) * (T / sum(batch.sizes))
        last = first + sum(batch.sizes)
        lit[i, :5] = first, last, last, first, first
        guide[i] = first, 0, np.nan, last, T
        for k, (left, right) in enumerate(pairwise(ends)):
            parts[i, k, :5] = left, right, right, left, left
            middles[i, k] = 0.5 * (left + right)
        left, right = ends[batch.number - 1], ends[batch.number]
        lit[i, 6:] = left, right, right, left, left
        names.append(
            tuple(_name(n, k, sum(batch.sizes)) for k, n in enumerate(batch.sizes)) + ("",) * (most - len(batch.sizes))
        )
    of = [s.batch for s in view.steps]
    low, high = np.array([1.08, 1.08, 1.92, 1.92, 1.08]), np.array([0.08, 0.08, 0.92, 0.92, 0.08])
    boxes = np.concatenate([low, [np.nan], high])
    sheet.draw("bar", style.filled(lit[of], boxes, style.faded(colour, 0.3), (colour, 1.5)))
    sheet.curve("bar", guide[of], [1.08, 0.92, np.nan, 1.08, 0.92], theme.soft_ink, 1, "dot")
    outline = parts[of].reshape(len(of), -1)
    sheet.curve("bar", outline, np.tile(np.append(high, np.nan), most), theme.soft_ink, 1.5)
    text = [names[i] for i in of]
    sheet.words("bar", middles[of], [0.5] * most, text, theme.ink, "middle center")


def _name(size: int, k: int, total: int) -> str:
    """Return the name of a batch, as long as its share of the bar allows."""
    if size / total < SIZE_SHARE:
        return ""
    return f"N<sub>{k + 1}</sub> = {size}" if size / total >= SYMBOL_SHARE else str(size)


def _cursor(sheet: Sheet, view: DrawnWalkthrough) -> None:
    """The cursor in the run, and in the restart; it glides with time, but not into another restart."""
    theme, T = sheet.theme, view.problem.horizon
    at = np.empty((len(view.steps), 5))
    restarts = np.array([view.lead[s.batch].interval for s in view.steps])
    for i, s in enumerate(view.steps):
        batch = view.lead[s.batch]
        first = batch.start - sum(batch.sizes[: batch.number - 1])
        t = batch.start + s.heard
        at[i] = t, t, np.nan, *((t - first) * T / sum(batch.sizes),) * 2
    y = np.array([1.92, 1.08, np.nan, 0.92, 0.08])
    mark = style.marker(theme.ink, [theme.marker + 2, 0, 0, theme.marker + 2, 0], "triangle-down", opacity=1)
    sheet.curve(
        "bar",
        at,
        y,
        theme.ink,
        2.5,
        glides={"x": np.diff(restarts) == 0},
        mode="lines+markers",
        marker=mark,
        cliponaxis=False,
    )
    sheet.shows("t", "x", 0)


def _boxes(left: np.ndarray, right: np.ndarray, low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y of rectangles as one line."""
    return strokes(left, right, right, left, left), np.tile([low, low, high, high, low, np.nan], len(left))


def pseudo_code(sheet: Sheet, view: DrawnWalkthrough) -> None:
    """The pseudo-code; the line of each step is lit."""
    theme, lines = sheet.theme, list(CODE)
    place = {line: float(k) for k, line in enumerate(lines)}
    n = len(lines)
    hidden = {"showticklabels": False, "showgrid": False, "showline": False}
    sheet.panel(
        "code", [0.0, CODE_WIDTH], list(CODE_HEIGHT), {"range": [0, 1], **hidden}, {"range": [n - 0.4, -0.6], **hidden}
    )
    ys = np.array([place[s.line] for s in view.steps])
    colour = theme.order("shuffled")
    sheet.rect("code", (0, 1), (ys - 0.46, ys + 0.46), style.faded(colour, 0.22), (colour, 2))
    text = [
        f"{line:>2}  {words}".replace(" ", "\u2007", 1) if line < 10 else f"{line}  {words}"
        for line, words in CODE.items()
    ]
    sheet.words("code", [0.0] * n, list(place.values()), text, theme.ink, "middle right")
