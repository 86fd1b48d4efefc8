"""The smaller figures of the bands: widths over time, coverage, the bands at one place, the dual curve."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from common.formats import minus
from figures import palette
from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.bands.coverage import Coverage
from lessons.bands.dual_curve import UCBCurve
from lessons.bands.place import BandsAtPlace
from tvbo_core.records import BandFilm

# The terms of a radius, in the order they are stacked: key, name on screen, light colour, dark colour.
TERMS = (
    ("norm", "B", "#6B6F76", "#A6ABB5"),
    ("log_det", "log det", "#2171B5", "#8FBCFF"),
    ("log_delta", "ln 1/δ", "#B08815", "#F9DD2C"),
    ("steps", "t·η", "#802975", "#E98CB8"),
    ("misfit", "misfit", "#0C6D4F", "#30CE7F"),
)


def widths(films: Mapping[str, BandFilm], theme: Theme, frame: int, height: int = 300) -> Film:
    """Draw the mean half-width against the number of observations, on a log axis, labelled at the lines."""
    frames = len(next(iter(films.values())).mean)
    t = np.arange(frames, dtype=np.float32)
    curves = {name: np.where(f.empty, np.nan, f.half_width) for name, f in films.items()}
    values = np.concatenate([c[np.isfinite(c) & (c > 0)] for c in curves.values()])
    low, high = np.log10(values.min()) - 0.08, np.log10(values.max()) + 0.08
    sheet = Sheet(theme, frame, height)
    sheet.margins(84 if theme.lecture else 62, 8, 10, 3.0 * theme.label)
    last = max(frames - 1, 1)
    ticks = [v for v in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50) if low <= np.log10(v) <= high]
    room = (0.24 if theme.lecture else 0.12) * (2 if any(f.empty.any() for f in films.values()) else 1)  # for names
    x = {"title": "observations so far, t", "range": [0, (1 + room) * last], "nticks": 8}
    y = {"title": "half-width (reward)", "type": "log", "range": [low, high], **style.ticks(ticks)}
    sheet.panel("widths", [0.0, 1.0], [0.0, 1.0], x, y)
    ends, names = [], []
    for name, curve in curves.items():
        alive = np.flatnonzero(np.isfinite(curve))
        # A band of one point has half-width 0 at best; a log axis cannot show it, so it rests on the floor.
        drawn_curve = np.maximum(curve, 10**low)
        sheet.curve("widths", t, drawn_curve, theme.band(name), theme.line, palette.BAND_DASH[name])
        end = alive[-1] if len(alive) else 0
        ends.append((float(end), float(drawn_curve[end])))
        names.append(name if end == frames - 1 else f"{name} empty")
    at, level = np.array(ends).T[:, None, :]
    end_labels(
        sheet, "widths", (at, level), 1.015 * last, [names], [theme.band(n) for n in curves], joined=at[0] < last
    )
    sheet.cursor("widths", t, [10**low, 10**high], theme.ink, 2)
    return sheet.film()


def coverage(result: Coverage, theme: Theme, height: int = 300) -> Film:
    """Draw the share of repeated still worlds that each band covered at all times, with its Wilson interval."""
    counts = result.counts
    names = list(counts)
    promised = counts[names[0]].promised
    floor = min(min(c.low for c in counts.values()), promised)
    low = max(0.0, 5 * np.floor(20 * floor))
    beyond = 100 + 0.03 * (100 - low)
    sheet = Sheet(theme, 0, height)
    lecture = theme.lecture
    sheet.margins(84 if lecture else 58, 150 if lecture else 92, 1.6 * theme.tick, 3.0 * theme.label)
    x = {"title": "share of worlds covered", "range": [low, beyond], "ticksuffix": " %", "nticks": 5}
    rows = style.ticks(range(len(names)), reversed(names))
    sheet.panel("shares", [0, 1], [0, 1], x, {"range": [-0.7, len(names) - 0.3], "showgrid": False, **rows})
    sheet.cursor("shares", 100 * promised, [-0.7, len(names) - 0.5], theme.soft_ink, 2, "dash")
    for row, name in enumerate(reversed(names)):
        score = counts[name]
        colour = theme.band(name)
        sheet.curve("shares", [100 * score.low, 100 * score.high], [row, row], colour, theme.line + 1)
        at = [100 * score.covered / max(score.worlds, 1)]
        sheet.dots("shares", at, [row], colour, theme.marker + 2, symbol=palette.BAND_SYMBOL[name])
        sheet.words("shares", [beyond], [row], [f"  {score.covered}/{score.worlds}"], colour, "middle right")
    promise = f"promised {100 * promised:g} %"
    side = "left" if 100 * promised - low > 0.5 * (100 - low) else "right"  # where there is room for the words
    sheet.words("shares", [100 * promised], [len(names) - 0.45], [promise], theme.soft_ink, f"top {side}")
    return sheet.film()


def place(at: BandsAtPlace, theme: Theme, height: int = 320) -> Film:
    """Draw one place at one time: the intervals beside the truth, and each half-width broken into its terms."""
    names, bounds, split = list(at.bounds), at.bounds, at.parts
    rows = {name: len(names) - 1 - i for i, name in enumerate(names)}
    ends = [lo for lo, _, _ in bounds.values()] + [up for _, _, up in bounds.values()] + [at.truth]
    pad = 0.08 * max(max(ends) - min(ends), 1e-3)
    most = max((sum(v for v in part.values() if v > 0) for part in split.values()), default=1.0)
    least = min((sum(v for v in part.values() if v < 0) for part in split.values()), default=0.0)
    sheet = Sheet(theme, 0, height, barmode="relative", showlegend=True)
    sheet.layout["legend"] = {
        "orientation": "h",
        "x": 0.0,
        "y": 1.02,
        "yanchor": "bottom",
        "traceorder": "normal",
        "font": {"size": theme.tick},
    }
    sheet.margins(84 if theme.lecture else 58, 14, 3.4 * theme.tick, 3.0 * theme.label)
    up = {"range": [-0.6, len(names) - 0.4], "showgrid": False, **style.ticks(rows.values(), names)}
    reward = {"title": "reward; upright line: truth", "range": [min(ends) - pad, max(ends) + pad], "nticks": 6}
    terms = {"title": "half-width, by term (reward)", "range": [least * 1.05, most * 1.05], "nticks": 6}
    sheet.panel("intervals", [0, 0.46], [0, 1], reward, up)
    sheet.panel("terms", [0.5, 1.0], [0, 1], terms, {**up, "ticktext": [""] * len(names)})
    quiet = {"showlegend": False}
    sheet.cursor("intervals", at.truth, [-0.6, len(names) - 0.4], theme.ink, theme.truth_line - 1, **quiet)
    for name in names:
        low, mean, high = bounds[name]
        colour, y = theme.band(name), [rows[name]]
        if low == high:  # an empty set has no interval
            beside = [max(at.truth, mean)]
            sheet.words("intervals", beside, y, ["\u2003empty set"], theme.missed, "middle right", **quiet)
        sheet.curve("intervals", [low, high], 2 * y, colour, 2 * theme.line, **quiet)
        look = {"symbol": palette.BAND_SYMBOL[name], "rim": (1.5, theme.paper)}
        sheet.dots("intervals", [mean], y, colour, theme.marker + 2, **look, **quiet)
    split_names = [name for name in names if name in split]  # a band may have none
    for key, word, light, dark in TERMS:
        xs = [split[n][key] for n in split_names]
        if not any(abs(v) > 1e-12 for v in xs):
            continue
        bar = {"type": "bar", "orientation": "h", "x": xs, "y": [rows[n] for n in split_names], "name": word}
        look = {"marker": {"color": dark if theme.dark else light}, "width": 0.62, "showlegend": True}
        sheet.draw("terms", {**bar, **look, "hovertemplate": word + ": %{x:.3f}<extra></extra>"})
    return sheet.film()


def dual_curve(curve: UCBCurve, theme: Theme, height: int = 300) -> Film:
    """Draw the upper bound at one place as a function of the regulariser, DMM's five points and CMM's minimum."""
    fits = np.asarray(curve.radius_sq) >= 0
    value = np.where(fits, curve.value, np.nan)
    values = np.concatenate([value[fits], curve.grid_value[curve.grid_radius_sq >= 0], [curve.ceiling]])
    low, high = float(values.min()), min(float(values.max()), float(values.min()) + 3 * abs(curve.ceiling) + 0.1)
    pad = 0.12 * max(high - low, 0.1)
    x0, x1 = np.log10(curve.alpha[0]), np.log10(curve.alpha[-1])
    sheet = Sheet(theme, 0, height + (40 if theme.lecture else 0))  # for the upright title
    sheet.margins(84 if theme.lecture else 62, 16, 12, 3.0 * theme.label)
    powers = {"type": "log", "range": [x0, x1], "exponentformat": "power", "dtick": 2}
    up = {"title": "upper bound (reward)", "range": [low - 2.2 * pad, high + 1.4 * pad], "nticks": 6}
    sheet.panel("bound", [0, 1], [0, 1], {"title": "regulariser λ (Flynn & Reeb: α)", **powers}, up)
    ramp, ink = theme.band("CMM"), theme.soft_ink
    sheet.curve("bound", [10**x0, 10**x1], [curve.ceiling] * 2, ink, 2, "dash")
    sheet.words("bound", [10**x1], [curve.ceiling], ["norm bound alone: B√k "], ink, "top left")
    sheet.curve("bound", curve.alpha, value, ramp, theme.line)
    good = np.asarray(curve.grid_radius_sq) >= 0
    size, rim = theme.marker + 2, (1.5, theme.paper)
    five = np.asarray(curve.grid_alpha)[good], np.asarray(curve.grid_value)[good]
    sheet.dots("bound", *five, theme.band("DMM"), size, symbol="square", rim=rim)
    if (seen := five[1] <= high).any():  # others lie above the axis
        x, y = five[0][seen][0], five[1][seen][0]
        sheet.words("bound", [x], [y + 0.35 * pad], ["DMM's five"], theme.band("DMM"), "top center")
    if np.isfinite(curve.best_alpha) and not curve.empty:
        at, best = [curve.best_alpha], curve.best_value
        sheet.dots("bound", at, [best], theme.missed, theme.marker + 8, symbol="star", rim=rim)
        sheet.words("bound", at, [best - 0.3 * pad], [minus(f"CMM {best:.3f}")], theme.missed, "bottom center")
    return sheet.film()
