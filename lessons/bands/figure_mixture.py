"""Three pictures of where the bands come from: the martingale, the ball of errors, the sets in a plane."""

from __future__ import annotations

import numpy as np

from figures import palette
from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet, chained
from figures.theme import Theme
from lessons.bands.mixture import EXAMPLE, MixtureView

PANEL = "origin"
NAMES = {"data": "errors ≤ R²", "norm": "norm ≤ B", "AMM": "AMM", "CMM": "CMM"}
# Coordinate and direction in which a name's place lies farthest, and where the name stands from there.
SIDES = {
    "data": (1, -1, "bottom left"),  # left of the upright lines
    "norm": (0, -1, "top right"),
    "AMM": (1, 1, "top left"),
    "CMM": (1, -1, "bottom center"),
}


def paths(view: MixtureView, theme: Theme, height: int = 300) -> Film:
    """Draw ln M of every run over time, those that ever cross in red, and the threshold."""
    t = np.arange(view.paths.shape[1], dtype=np.float32)
    low, high = 1.1 * float(view.paths.min()), 1.5 * max(view.threshold, 2.0)
    sheet = _sheet(theme, height, ("observations, t", [0, float(t[-1])]), ("ln M<sub>t</sub>", [low, high]))
    pale = style.faded(theme.band("DMM"), 0.18)
    for some, colour, width in ((~view.crossed, pale, 1.0), (view.crossed, theme.missed, theme.line)):
        sheet.curve(PANEL, *chained(t, np.clip(view.paths[some], low, high)), colour, width)
    sheet.curve(PANEL, t, np.clip(view.paths[0], low, high), theme.ink, theme.line)
    sheet.curve(PANEL, t[[0, -1]], [view.threshold] * 2, theme.ink, 2, "dash")
    sheet.words(PANEL, [float(t[-1])], [view.threshold], ["ln 1/δ "], theme.ink, "top left")
    at = np.log(1 / EXAMPLE)
    sheet.curve(PANEL, t[[0, -1]], [at] * 2, theme.soft_ink, 2, "dot")
    if abs(at - view.threshold) > 0.1 * (high - low):
        sheet.words(PANEL, [float(t[-1])], [at], [f"ln 1/{EXAMPLE:g} "], theme.soft_ink, "top left")
    return sheet.film()


def radius(view: MixtureView, theme: Theme, height: int = 300) -> Film:
    """Draw the squared errors of the truth so far beside their bound, in the first run."""
    t, top = np.arange(len(view.errors), dtype=np.float32), 1.15 * max(view.radius.max(), view.errors.max())
    sheet = _sheet(theme, height, ("observations, t", [0, float(t[-1])]), ("squared reward", [0, top]))
    sheet.curve(PANEL, t, view.radius, theme.band("CMM"), theme.line)
    sheet.curve(PANEL, t, view.errors, theme.ink, theme.line, "dot")
    sheet.words(PANEL, [0], [0.93 * top], [" R²: bound"], theme.band("CMM"), "middle right")
    sheet.words(PANEL, [float(t[-1])], [0.06 * top], ["dotted: truth's errors "], theme.ink, "middle left")
    return sheet.film()


def plane(view: MixtureView, theme: Theme, height: int = 300) -> Film:
    """Draw the sets in the plane of the two rewards, and the upper bounds on the first as upright lines."""
    colours = {"data": theme.ink, "norm": theme.soft_ink, "AMM": theme.band("AMM"), "CMM": theme.band("CMM")}
    dashes = {"data": "solid", "norm": "dash", "AMM": palette.BAND_DASH["AMM"], "CMM": palette.BAND_DASH["CMM"]}
    every = np.concatenate([view.regions[name] for name in ("data", "AMM", "CMM")] + [view.truth[None]])
    pad = 0.14 * np.ptp(every, axis=0)
    low, high = every.min(axis=0) - pad, every.max(axis=0) + pad
    across, up = [low[0], high[0]], [low[1], high[1]]
    sheet = _sheet(theme, height, ("reward of action 1", across), ("reward of action 2", up))
    for name, points in view.regions.items():
        sheet.curve(PANEL, points[:, 0], points[:, 1], colours[name], theme.line, dashes[name])
        seen = points[((points >= low) & (points <= high)).all(axis=1)]
        if len(seen):  # each name at another side of its ellipse
            axis, sign, place = SIDES[name]
            x, y = seen[(sign * seen[:, axis]).argmax()]
            sheet.words(PANEL, [x], [y], [f" {NAMES[name]} "], colours[name], place)
    for name, edge in view.edges.items():
        sheet.cursor(PANEL, edge, up, theme.band(name), 2, palette.BAND_DASH[name])
    sheet.dots(PANEL, [view.truth[0]], [view.truth[1]], theme.ink, theme.marker + 6, symbol="star")
    return sheet.film()


def _sheet(theme: Theme, height: int, x: tuple, y: tuple) -> Sheet:
    """Return a sheet of one panel with these titles and ranges."""
    sheet = Sheet(theme, 0, height + (90 if theme.lecture else 0))  # large type takes room
    sheet.margins(84 if theme.lecture else 62, 16, 12, 3.0 * theme.label)
    axes = ({"title": title, "range": [float(v) for v in span], "nticks": 6} for title, span in (x, y))
    sheet.panel(PANEL, [0, 1], [0, 1], *axes)
    return sheet
