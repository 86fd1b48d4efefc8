"""R-PERP in slow motion: variance and picks, the shuffle, errors of many orders, the band and the eliminations.

All panels follow one cursor: a step of Algorithm 1, or a batch, or a restart.
"""

from __future__ import annotations

import numpy as np

from figures import theme as look
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import METHODS, Theme
from lessons.rperp import figure_band, figure_duel, figure_progress, figure_shuffles
from lessons.rperp.figure_layout import (
    BAR,
    HISTOGRAM_X,
    HISTOGRAM_Y,
    MAX_HOVERED,
    ORDER,
    PANELS_LEFT,
    PANELS_RIGHT,
    UPPER,
    View,
    dots,
)
from lessons.rperp.figure_marks import headline_place
from lessons.rperp.model import Batch


def stage(view: View, theme: Theme, drawn: int) -> Film:
    """Return both orders side by side, or Algorithm 1 in one order; the figure itself shows frame `drawn`."""
    if len(view.names) > 1:
        return figure_duel.stage(view, theme, drawn)
    sheet = Sheet(theme, drawn, look.layout(theme, None, hoverdistance=24))
    sheet.frame["margin"] = {"l": 6, "r": 10, "t": 8, "b": int(2.75 * theme.label)}
    figure_progress.run_bar(sheet, view, PANELS_LEFT, BAR)
    figure_progress.pseudo_code(sheet, view)
    variance(sheet, view)
    slopes(sheet, view)
    figure_shuffles.errors(sheet, view, HISTOGRAM_X, HISTOGRAM_Y, "<b>③</b> ")
    figure_band.bands(sheet, view)
    return sheet.film()


def variance(sheet: Sheet, view: View) -> None:
    """Panel 1: the posterior variance, its peak, and the fall of the peak where the pick lands."""
    theme, colour, m = sheet.theme, view.colour(sheet.theme, view.names[0]), len(view.x)
    frames = len(view.steps)
    now, before = np.full((frames, m), np.nan), np.full((frames, m), np.nan)
    rod, rug = np.full((2, frames, 2), np.nan), np.full((frames, view.largest), np.nan)  # from the peak down
    paths = {b: view.variances[b] for b in view.shown}
    for i, s in enumerate(view.steps):
        batch, path = view.lead[s.batch], paths[s.batch]
        out = ~batch.alive
        now[i] = np.where(out, np.nan, path[s.picked])
        rug[i, : s.picked] = view.x[batch.picks[: s.picked]]
        if s.line == 8:
            before[i] = np.where(out, np.nan, path[s.picked - 1])
            arm = batch.picks[s.picked - 1]
            rod[0, i], rod[1, i] = view.x[arm], (path[s.picked - 1, arm], path[s.picked, arm])
    top = float(paths[view.steps[0].batch][0].max()) or 1.0
    high = f"{top:.0f}" if top >= 10 else f"{top:.2g}"
    sheet.panel("variance", [PANELS_LEFT, 0.475], list(UPPER), {**view.action_axis(2), "showgrid": False},
                {"range": [-0.09 * top, 1.12 * top], "tickvals": [0, top], "ticktext": ["0", high]})  # fmt: skip
    sheet.headline("variance", "<b>①</b> variance s²(x; S)")
    sheet.moving("variance", look.line(view.x, None, theme.soft_ink, 1.5, "dot"), y=before)
    sheet.moving("variance", look.line(view.x, None, colour, theme.line), y=now)
    peak = {"symbol": "triangle-up", "size": [theme.marker + 3, 0], "color": theme.ink}
    fall = look.line(None, None, theme.ink, theme.line, mode="lines+markers", marker=peak)
    sheet.moving("variance", fall, x=rod[0], y=rod[1])
    headline_place(sheet, view, "variance", -0.09 * top, 1.12 * top)
    ticks = {"symbol": "line-ns-open", "size": theme.marker, "color": theme.soft_ink, "line": {"width": 1.5}}
    sheet.moving("variance", {**dots(ticks), "y": [-0.045 * top] * view.largest}, x=rug)


def slopes(sheet: Sheet, view: View) -> None:
    """Panel 2: from the order of the picks (left) to the order of the questions (right), one line each."""
    (name,) = view.runs
    ends = {"range": [-0.12, 1.12], "tickvals": [0, 1], "ticktext": ["pick", "ask"], "showgrid": False}
    sheet.panel("slopes", [0.507, PANELS_RIGHT], list(UPPER), ends, {"range": [1.04, -0.04], "showticklabels": False,
                "showgrid": False, "tickvals": []})  # fmt: skip
    sheet.headline("slopes", f"<b>②</b> {ORDER[name]}")
    _slopes_of(sheet, view, "slopes", name)


def _slopes_of(sheet: Sheet, view: View, panel: str, name: str) -> None:
    theme, most = sheet.theme, view.largest
    colour, frames = view.colour(theme, name), len(view.steps)
    x = np.tile(np.array([0.0, 1.0, np.nan]), most)
    y, lit = np.full((frames, most, 3), np.nan), np.full((frames, 2), np.nan)
    said, hovered = [], most <= MAX_HOVERED
    texts = {b: _hover_texts(view, view.runs[name][b], most) for b in view.shown if hovered}
    for i, s in enumerate(view.steps):
        batch = view.runs[name][s.batch]
        n = len(batch.picks)
        share = (np.arange(n) + 0.5) / n
        y[i, : s.picked, 0] = share[: s.picked]
        if s.ordered:
            y[i, :n, 1] = share[batch.permutation]
        if s.line == 13:
            asked = int(np.flatnonzero(batch.permutation == s.heard - 1)[0])
            lit[i] = share[asked], share[s.heard - 1]
        said.append(texts[s.batch] if hovered and s.ordered else ("",) * (3 * min(most, MAX_HOVERED)))
    marks = {"size": [theme.marker - 3, theme.marker - 3, 0] * most, "color": colour}
    thin = max(1.0, min(theme.line - 0.5, 40 / most))
    trace = look.line(x, None, look.faded(colour, 0.75), thin, METHODS[name].dash, mode="lines+markers", marker=marks)
    moving: dict = {"y": y.reshape(frames, -1)}
    if hovered:
        trace |= {"hoverinfo": "text", "hovertemplate": "%{text}<extra></extra>"}
        moving["text"] = tuple(said)
    sheet.moving(panel, trace, **moving)
    hot = {"size": theme.marker + 2, "color": theme.ink}
    now = look.line([0.0, 1.0], None, theme.ink, theme.line + 0.5, mode="lines+markers", marker=hot)
    sheet.moving(panel, now, y=lit)


def _hover_texts(view: View, batch: Batch, most: int) -> tuple[str, ...]:
    """Return the hover text at both ends of each line: place and time of the question."""
    words = []
    for arm, place in zip(batch.picks, batch.permutation, strict=True):
        at = view.problem.arm_names[arm] if view.problem.arm_names else f"x = {view.x[arm]:.2f}"
        text = f"{at}, asked at t = {batch.start + place + 1}"
        words += [text, text, ""]
    return tuple(words + [""] * (3 * most - len(words)))
