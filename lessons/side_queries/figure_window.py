"""One window: the old points that are chosen, three ways."""

from __future__ import annotations

import numpy as np

from common.formats import fine_percent
from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet, strokes
from figures.theme import Theme
from lessons.side_queries.window import PickedSet, WindowPicks

PICKER_NAMES = {"exact": "k-DPP", "greedy": "Greedy", "random": "Random"}


def picks(found: WindowPicks, x: np.ndarray, place: str, theme: Theme) -> Film:
    """Return past inputs as bars, the chosen ones as rings above, and the covariance of the chosen set, three times.

    Args:
        x: (m,) coordinate of every arm.   place: what it is called.
    """
    size = theme.tick
    sheet, wide = Sheet(theme, 0, style.layout(theme, int(25 * size), hoverdistance=20)), 0.315
    sheet.margins(1.2 * size, 8, 3.6 * size, 10)
    for i, way in enumerate(found.ways):
        left = i * (1.0 - wide) / 2
        colour = theme.method("W-SparQ") if way.picker == "exact" else theme.soft_ink
        _strip(sheet, way, found.past, x, place, [left, left + wide], colour)
        _matrix(sheet, way, [left, left + wide], colour)
    return sheet.film()


def _strip(
    sheet: Sheet, way: PickedSet, past: np.ndarray, x: np.ndarray, place: str, across: list[float], colour: str
) -> None:
    theme, name = sheet.theme, f"line {way.picker}"
    distinct, count = np.unique(past, return_counts=True)
    edge = 0.04 * (float(x[-1] - x[0]) or 1.0)
    span = [float(x[0]) - edge, float(x[-1]) + edge]
    none = {"showgrid": False, "showticklabels": False, "ticks": ""}
    sheet.panel(
        name,
        across,
        [0.66, 1.0],
        {"range": span, "title": place, "nticks": 5, "showgrid": False},
        {"range": [0.0, 1.55], **none},
    )
    sheet.headline(
        name, f"<b>{PICKER_NAMES[way.picker]}</b>{' (as played)' if way.own else ''}", color=colour, size=theme.label
    )
    bars = strokes(np.zeros(len(count)), count / count.max())
    sheet.curve(name, np.repeat(x[distinct], 3), bars, theme.grey, 2.5)
    sheet.dots(
        name,
        x[way.arms],
        np.full(len(way.arms), 1.28),
        colour,
        theme.marker + 5,
        symbol="circle-open-dot",
        rim=2.5,
        hovertemplate="side query: x = %{x:.3g}<extra></extra>",
    )


def _matrix(sheet: Sheet, way: PickedSet, across: list[float], colour: str) -> None:
    """Covariance of the chosen set: dark off the diagonal means the same information twice."""
    theme, name, k = sheet.theme, f"matrix {way.picker}", len(way.arms)
    side = [across[0], across[0] + 0.45 * (across[1] - across[0])]
    sheet.panel(
        name,
        side,
        [0.0, 0.42],
        {"range": [-0.5, max(k, 1) - 0.5], **style.BARE},
        {"range": [max(k, 1) - 0.5, -0.5], **style.BARE},
    )
    ramp = [[0, theme.paper], [1, theme.ink]]
    index = list(range(k))
    sheet.draw(
        name,
        {
            "type": "heatmap",
            "x": index,
            "y": index,
            "z": np.abs(way.matrix),
            "zmin": 0,
            "zmax": 1,
            "colorscale": ramp,
            "showscale": False,
            "xgap": 1,
            "ygap": 1,
            "hovertemplate": "correlation %{z:.2f}<extra></extra>",
        },
    )
    det = "0" if way.log_det is None else f"e<sup>{way.log_det:.1f}</sup>"
    text = f"{k} chosen<br>det = {det}<br>unexplained<br><b>{fine_percent(way.unexplained)}</b>"
    text += f"<br>on average<br>{fine_percent(way.mean)}"
    sheet.note(name, text, 1.06, 0.5, inside="xy", xanchor="left", yanchor="middle", align="left")
