"""R-PERP in slow motion: variance and picks, the shuffle, the band and the eliminations.

All panels follow one cursor: a step of Algorithm 1, after the first restart a batch.
"""

from __future__ import annotations

import numpy as np

from figures import theme as style
from figures.film import Film
from figures.palette import METHODS
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.rperp import figure_band, figure_progress
from lessons.rperp.figure_layout import BAR, ORDER, PANELS_LEFT, UPPER, DrawnWalkthrough


def stage(view: DrawnWalkthrough, theme: Theme, frame: int) -> Film:
    """Return Algorithm 1 in one order; the figure itself shows frame `drawn`."""
    sheet = Sheet(theme, frame, hoverdistance=24)
    sheet.margins(6, 10, 8, 2.75 * theme.label)
    figure_progress.run_bar(sheet, view, PANELS_LEFT, BAR)
    figure_progress.pseudo_code(sheet, view)
    variance(sheet, view)
    slopes(sheet, view)
    figure_band.bands(sheet, view)
    return sheet.film()


def variance(sheet: Sheet, view: DrawnWalkthrough) -> None:
    """Panel 1: the posterior variance, its peak, and the fall of the peak where the pick lands."""
    theme, colour, m = sheet.theme, view.colour(sheet.theme), len(view.x)
    frames = len(view.steps)
    now, before = np.full((frames, m), np.nan), np.full((frames, m), np.nan)
    rod, rug = np.full((2, frames, 2), np.nan), np.full((frames, view.largest), np.nan)  # from the peak down
    paths = [view.walk.runs.variances(b) for b in range(len(view.lead))]
    for i, s in enumerate(view.steps):
        batch, path = view.lead[s.batch], paths[s.batch]
        out = ~batch.alive
        now[i] = np.where(out, np.nan, path[s.picked])
        rug[i, : s.picked] = view.x[batch.picks[: s.picked]]
        if s.line == 8:
            before[i] = np.where(out, np.nan, path[s.picked - 1])
            arm = batch.picks[s.picked - 1]
            rod[0, i], rod[1, i] = view.x[arm], (path[s.picked - 1, arm], path[s.picked, arm])
    top = float(paths[0][0].max()) or 1.0
    high = f"{top:.0f}" if top >= 10 else f"{top:.2g}"
    end = PANELS_LEFT + 0.486 * (1.0 - PANELS_LEFT)
    sheet.panel(
        "variance",
        [PANELS_LEFT, end],
        list(UPPER),
        {**view.action_axis(2), "showgrid": False, "showticklabels": not theme.lecture},
        {"range": [-0.09 * top, 1.12 * top], **style.ticks([0, top], ["0", high])},
    )
    sheet.headline("variance", "<b>①</b> variance s²(x; S)")
    sheet.curve("variance", view.x, before, theme.soft_ink, 1.5, "dot")
    sheet.curve("variance", view.x, now, colour, theme.line)
    peak = style.marker(theme.ink, [theme.marker + 3, 0], "triangle-up")
    sheet.curve("variance", *rod, theme.ink, theme.line, mode="lines+markers", marker=peak)
    sheet.shows("x picked", "x", 0)
    sheet.dots(
        "variance",
        rug,
        [-0.045 * top] * view.largest,
        theme.soft_ink,
        theme.marker,
        symbol="line-ns-open",
        rim=1.5,
        opacity=1,
    )


def slopes(sheet: Sheet, view: DrawnWalkthrough) -> None:
    """Panel 2: from the order of the picks (left) to the order of the questions (right), one line each."""
    hall = sheet.theme.lecture
    ends = {
        "range": [-0.12, 1.12],
        **style.ticks([0, 1], ["pick", "evaluate"]),
        "showgrid": False,
        "showticklabels": not hall,
    }
    start = PANELS_LEFT + 0.573 * (1.0 - PANELS_LEFT)
    sheet.panel(
        "slopes",
        [start, 1.0],
        list(UPPER),
        ends,
        {"range": [1.04, -0.04], "showticklabels": False, "showgrid": False, "tickvals": []},
    )
    order = f"{'picked, then ' if hall else ''}{ORDER[view.name]}"
    sheet.headline("slopes", f"<b>②</b> queries: {order}", narrow=f"<b>②</b> {order}")
    theme, most = sheet.theme, view.largest
    colour, frames = view.colour(theme), len(view.steps)
    x = np.tile(np.array([0.0, 1.0, np.nan]), most)
    y, lit = np.full((frames, most, 3), np.nan), np.full((frames, 2), np.nan)
    for i, s in enumerate(view.steps):
        batch = view.run[s.batch]
        n = len(batch.picks)
        share = (np.arange(n) + 0.5) / n
        y[i, : s.picked, 0] = share[: s.picked]
        if s.ordered:
            y[i, :n, 1] = share[batch.permutation]
        if s.line == 13:
            query = int(np.flatnonzero(batch.permutation == s.heard - 1)[0])
            lit[i] = share[query], share[s.heard - 1]
    marks = style.marker(colour, [theme.marker - 3, theme.marker - 3, 0] * most)
    thin = max(1.0, min(theme.line - 0.5, 40 / most))
    sheet.curve(
        "slopes",
        x,
        y.reshape(frames, -1),
        style.faded(colour, 0.75),
        thin,
        METHODS[view.name].dash,
        mode="lines+markers",
        marker=marks,
    )
    sheet.curve(
        "slopes",
        [0.0, 1.0],
        lit,
        theme.ink,
        theme.line + 0.5,
        mode="lines+markers",
        marker=style.marker(theme.ink, theme.marker + 2),
    )
