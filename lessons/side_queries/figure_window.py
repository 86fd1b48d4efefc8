"""One window: the old questions that are chosen, and how far the chosen ones can be trusted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import fine_percent
from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.sheet import Sheet, strokes
from figures.theme import Theme
from lessons.side_queries.window import PickedSet, SparseBySize, TwoPosteriors, WindowPicks

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
        hovertemplate="asked again: x = %{x:.3g}<extra></extra>",
    )


def _matrix(sheet: Sheet, way: PickedSet, across: list[float], colour: str) -> None:
    """Covariance of the chosen set: dark off the diagonal means the same question twice."""
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


def trust(
    times: np.ndarray,
    curves: dict[str, np.ndarray],
    sizes: SparseBySize,
    here: int,
    used: int,
    both: bool,
    theme: Theme,
) -> Film:
    """Return the distance from the full posterior: at every window (left), and at this one by number of points (right).

    Args:
        times: (W,) times of the windows.   curves: "subset", "variational" and "residual", each (W,).
        here: index of this window.   used: points that it uses.   both: draw the variational one too.
    """
    sheet = Sheet(theme, 0, style.layout(theme, int(21 * theme.tick), hoverdistance=30))
    sheet.margins(4.6 * theme.tick + 1.3 * theme.label, 10, 2.4 * theme.tick, 3.2 * theme.label)
    shown = ("subset", "variational", "residual") if both else ("subset", "residual")
    right = {"subset": sizes.subset, "variational": sizes.variational, "residual": sizes.residual}
    values = np.concatenate([np.concatenate([curves[n], right[n]]) for n in shown])
    low, high = 1e-3, max(float(values.max()) * 3, 30.0)
    span = [-3.0, float(np.log10(high))]
    ticks = [v for v in (0.001, 0.01, 0.1, 1, 10, 100, 1000, 10_000) if v <= high]
    y = {"type": "log", "range": span, **style.ticks(ticks)}
    last = float(times[-1])
    sheet.panel(
        "windows",
        [0.0, 0.5],
        [0.0, 1.0],
        {"range": [0, last * 1.02 + 1], "title": "time t", "nticks": 5, "showgrid": False},
        {**y, "title": "ratio"},
    )
    most = float(sizes.sizes[-1]) if len(sizes.sizes) else 1.0
    room = 2.1 if theme.lecture else 1.75  # for the names of the lines
    sheet.panel(
        "sizes",
        [0.56, 1.0],
        [0.0, 1.0],
        {"range": [0.5, room * most + 0.5], "title": "points chosen now", "nticks": 6, "showgrid": False},
        {**y, "showticklabels": False},
    )
    sheet.headline("windows", "at every window", color=theme.soft_ink)
    sheet.headline("sizes", "at this window", color=theme.soft_ink)
    for name in shown:
        _pair(sheet, name, times, np.maximum(curves[name], low), sizes.sizes, np.maximum(right[name], low))
    _here(sheet, float(times[here]), float(used), span)
    _sparse_names(sheet, shown, right, most)
    return sheet.film()


def _style(theme: Theme, name: str) -> tuple[str, str]:
    """Return colour and dash of a posterior: plum is what the algorithm has, ink is what the guarantee is about."""
    return {
        "subset": (theme.method("W-SparQ"), "solid"),
        "variational": (theme.ink, "dash"),
        "residual": (theme.grey, "dot"),
    }[name]


def _pair(sheet: Sheet, name: str, t: np.ndarray, over: np.ndarray, sizes: np.ndarray, by: np.ndarray) -> None:
    colour, dash = _style(sheet.theme, name)
    said = {"hoverinfo": None, "hovertemplate": f"{name}: %{{y:.3g}}<extra></extra>"}
    sheet.curve("windows", t, over, colour, sheet.theme.line, dash, **said)
    sheet.curve(
        "sizes",
        sizes,
        by,
        colour,
        sheet.theme.line,
        dash,
        mode="lines+markers",
        marker=style.marker(colour, sheet.theme.marker - 4),
        **said,
    )


def _here(sheet: Sheet, t: float, used: float, span: list[float]) -> None:
    ends = [10 ** span[0], 10 ** span[1]]
    for panel, x in (("windows", t), ("sizes", used)):
        sheet.cursor(panel, x, ends, sheet.theme.soft_ink, 1.5, "dot")
        sheet.curve(panel, [-1e3, 1e6], [1.0, 1.0], style.faded(sheet.theme.ink, 0.4), 1.2)


def _sparse_names(sheet: Sheet, shown: Sequence[str], right: dict, most: float) -> None:
    """Write names at the ends of the lines of the right panel."""
    words = {"subset": "subset (used)", "variational": "variational", "residual": "residual tr/σ²"}
    ends = np.array([[max(float(right[n][-1]), 1e-3) if len(right[n]) else 1.0 for n in shown]])
    at = np.full(ends.shape, most), ends
    colours = [_style(sheet.theme, n)[0] for n in shown]
    end_labels(sheet, "sizes", at, 1.06 * most + 0.2, [[words[n] for n in shown]], colours)


def beliefs(found: TwoPosteriors, x: np.ndarray, place: str, width: float, both: bool, theme: Theme) -> Film:
    """Return today's reward, the estimate as printed and, if asked for, the variational one, each with its width."""
    sheet = Sheet(theme, 0, style.layout(theme, int(21 * theme.tick), hoverdistance=30))
    sheet.margins(4.0 * theme.tick, 10, 2.4 * theme.tick, 3.2 * theme.label)
    low, high = float(found.truth.min()), float(found.truth.max())
    room = max(high - low, 0.5)
    span = [low - 0.6 * room, high + 0.6 * room]
    ends = [float(x[0]), float(x[-1]) if x[-1] > x[0] else float(x[0]) + 1.0]
    sheet.panel(
        "now",
        [0.0, 1.0],
        [0.0, 1.0],
        {"range": ends, "title": place, "nticks": 6, "showgrid": False},
        {"range": span, "title": "reward", "nticks": 5},
    )
    for name, (mean, sd) in (("subset", found.printed), ("variational", found.variational)):
        if name == "variational" and not both:
            continue
        colour, dash = _style(theme, name)
        above, below = (np.clip(mean + side * width * sd, span[0] - room, span[1] + room) for side in (1, -1))
        edge = style.faded(colour, 0.6), 1.5, dash
        sheet.area("now", x, above, below, style.faded(colour, 0.13), edge)
        sheet.curve("now", x, mean, colour, theme.line, dash)
    sheet.curve("now", x, found.truth, theme.ink, theme.truth_line)
    plum = theme.method("W-SparQ")
    text = f"<span style='color:{plum}'>subset of data (used)</span>" + (", variational (dashed)" if both else "")
    sheet.headline("now", f"<b>truth</b>, {text}")
    return sheet.film()
