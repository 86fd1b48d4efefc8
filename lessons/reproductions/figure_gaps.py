"""The first view: each published number that was run again as a dot on one axis of standard errors.

Dots that would touch stand above each other; heights have no meaning.
"""

from __future__ import annotations

import math

import numpy as np

from figures import theme as style
from figures.film import Film
from figures.sheet import LINE_HEIGHT, STAGE_PIXELS, Sheet, strokes
from figures.theme import Theme
from lessons.reproductions.model import StoredExperiment
from lessons.reproductions.words import errors

APART = 0.25  # standard errors between the middles of two dots on one level: on a phone most of a dot
AXIS = "dot: our value − printed, in standard errors"
ROOM = 0.35  # of the axis, beyond the dot furthest off
BESIDE = 0.02  # standard errors between a dot's upright line and its name
FEW = 3  # dots outside are named; more names would not be read
PIXELS = {False: 20, True: 26}  # of a dot, at the desk and in a hall


def stage(board: StoredExperiment, tolerance: int, theme: Theme, frame: int) -> Film:
    """Return the dots as the repetitions come in, over the region of so many standard errors.

    Args:
        tolerance: standard errors that count as agreement.
    """
    sheet = Sheet(theme, frame, hoverdistance=30)
    sheet.margins(style.HANG, 1.6 * theme.tick, 4, 3.2 * theme.tick)
    z = board.z.reshape(board.frames, -1)
    edge = max(float(np.nanmax(np.abs(z))), 3.0) + ROOM
    margin = sheet.frame["margin"]
    levels = (STAGE_PIXELS[theme.lecture] - margin["t"] - margin["b"]) / PIXELS[theme.lecture]
    whole = range(-math.floor(edge), math.floor(edge) + 1)
    x = {"range": [-edge, edge], **style.ticks(whole, [f"{k}".replace("-", "−") for k in whole]), "title": AXIS}
    sheet.panel("main", [0.0, 1.0], [0.0, 1.0], {**x, "showgrid": False}, {"range": [-0.15, levels], **style.BARE})
    sheet.rect("main", (-tolerance, tolerance), (-0.15, levels), style.faded(theme.ink, 0.07))
    top = levels - LINE_HEIGHT * theme.label / PIXELS[theme.lecture]
    sheet.curve("main", [0.0, 0.0], [-0.15, top], theme.soft_ink, 1.5)
    _count(sheet, z, tolerance, levels)
    _dots(sheet, board, z, tolerance, top)
    return sheet.film()


def _count(sheet: Sheet, z: np.ndarray, tolerance: int, levels: float) -> None:
    """Write at the top of the region how many dots lie in it."""
    unit = errors(tolerance)
    close = (np.abs(z) <= tolerance).sum(axis=1).tolist()
    texts = tuple((f"<b>{count} of {z.shape[1]}</b> within {unit}" if row else "",) for row, count in enumerate(close))
    sheet.words("main", [0.0], [levels], texts, sheet.theme.ink, "bottom center", sheet.theme.label)


def _dots(sheet: Sheet, board: StoredExperiment, z: np.ndarray, tolerance: int, top: float) -> None:
    """Draw a dot a number, those outside the region in ink and with their names above them."""
    theme, size = sheet.theme, PIXELS[sheet.theme.lecture]
    y, outside = np.stack([_stacked(row) for row in z]) + 0.5, np.abs(z) > tolerance
    names = [f"{row} · {panel}" for panel in board.panels for row in board.rows]
    rim = (1.5, theme.paper)
    sheet.dots(
        "main",
        z,
        y,
        theme.band("DMM"),
        size,
        rim=rim,
        opacity=1,
        cliponaxis=False,
        customdata=list(range(z.shape[1])),
        text=names,
        hovertemplate="%{text}: %{x:+.2f} standard errors<extra></extra>",
    )
    for i, part in enumerate(board.parts):
        sheet.shows(f"{part}: z", "x", i)
    far = np.where(outside, z, np.nan)
    sheet.dots("main", far, y, theme.ink, size, rim=rim, opacity=1, cliponaxis=False)
    height = np.stack([_heights(row, top, theme) for row in far])
    sheet.curve("main", strokes(far, far), strokes(y, height), theme.ink, 1.2)
    for side, place in ((1, "middle left"), (-1, "middle right")):  # names lean towards the middle, where there is room
        told = np.isfinite(height) & (side * far > 0)
        texts = tuple(
            tuple(
                f"\N{NO-BREAK SPACE}{name}\N{NO-BREAK SPACE}" if one else ""
                for name, one in zip(names, row, strict=True)
            )
            for row in told
        )
        sheet.words("main", far - side * BESIDE, height, texts, theme.ink, place)


def _stacked(z: np.ndarray) -> np.ndarray:
    """Return the level of each dot (n,): the lowest one on which it is clear of those left of it; NaN as z."""
    level, ends = np.full(len(z), np.nan), []
    for i in np.argsort(z):
        if math.isnan(z[i]):
            continue
        free = next((k for k, end in enumerate(ends) if z[i] - end >= APART), len(ends))
        ends[free : free + 1] = [z[i]]
        level[i] = free
    return level


def _heights(far: np.ndarray, top: float, theme: Theme) -> np.ndarray:
    """Return where the names of few dots outside (n,) stand, a line each, the further off, the higher; else NaN."""
    line = LINE_HEIGHT * theme.tick / PIXELS[theme.lecture]
    outside = np.flatnonzero(np.isfinite(far))
    height = np.full(len(far), np.nan)
    if len(outside) <= FEW:
        height[outside[np.argsort(-np.abs(far[outside]))]] = top - (np.arange(len(outside)) + 0.7) * line
    return height
