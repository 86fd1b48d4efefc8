"""Space-time images: reward as brightness over place and time, below the traces of a panel.

An image and not a Plotly heatmap: a step of a film changes traces only, and a heatmap in the same figure would then
vanish. Invisible points on a grid hold the hover text and take the clicks.
"""

from __future__ import annotations

import base64
import struct
import zlib
from functools import cache

import numpy as np

from figures.palette import heat_colours
from figures.sheet import Sheet

MAX_PIXELS = 400  # a side; longer ones are thinned to it
PNG_LEVEL = 4  # of compression: two fifths of the time of level 6, a seventh more bytes
MIN_PIXELS = 240  # a side; rows of shorter ones are repeated, so that the browser does not blur their edges


@cache
def palette() -> bytes:
    """Return the 256 colours of the reward ramp, three bytes each."""
    return heat_colours(256).round().astype(np.uint8).tobytes()


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(levels: np.ndarray) -> bytes:
    """Return uint8 levels (rows, columns) as a PNG file with the palette of the reward ramp."""
    height, width = levels.shape
    rows = np.full((height, width + 1), 2, dtype=np.uint8)  # each row starts with its filter, 2: less the row above
    rows[:, 1:] = np.diff(levels, axis=0, prepend=np.zeros((1, width), dtype=np.uint8))
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    pixels = zlib.compress(rows.tobytes(), PNG_LEVEL)
    body = _chunk(b"IHDR", head) + _chunk(b"PLTE", palette()) + _chunk(b"IDAT", pixels)
    return b"\x89PNG\r\n\x1a\n" + body + _chunk(b"IEND", b"")


def _pixels(length: int) -> np.ndarray:
    """Return the row that each pixel shows: thinned where there are many rows, repeated where there are few."""
    if length > MAX_PIXELS:
        return np.linspace(0, length - 1, MAX_PIXELS).round().astype(int)
    return np.repeat(np.arange(length), -(-MIN_PIXELS // length))


def picture(values: np.ndarray, low: float, high: float) -> str:
    """Return numbers (rows, columns) as a data URI of a PNG; `low` is the darkest colour, `high` the brightest."""
    (rows, down), (columns, across) = (np.unique(_pixels(n), return_inverse=True) for n in values.shape)
    cells = values[np.ix_(rows, columns)]
    share = (cells - low) / (high - low) if high > low else np.full(cells.shape, 0.5)
    levels = (255 * np.clip(share, 0.0, 1.0)).round().astype(np.uint8)
    return "data:image/png;base64," + base64.b64encode(png(levels.take(down, axis=0).take(across, axis=1))).decode()


def draw_values(
    sheet: Sheet,
    panel: str,
    values: np.ndarray,
    box: tuple[float, float, float, float],
    between: tuple[float, float],
) -> None:
    """Draw values as an image into a box of a panel.

    Args:
        values: rows from the top, columns.   box: left, right, top, bottom, in coordinates of the panel.
        between: values of the darkest and of the brightest colour.
    """
    draw_image(sheet, panel, picture(values, *between), box)


def draw_image(sheet: Sheet, panel: str, source: str, box: tuple[float, float, float, float]) -> None:
    """Draw an image (a data URI) into a box of a panel: left, right, top, bottom."""
    left, right, top, bottom = box
    place = {"x": left, "y": top, "sizex": right - left, "sizey": abs(bottom - top), "sizing": "stretch"}
    corner = {"layer": "below", "xanchor": "left", "yanchor": "top"}
    sheet.image(panel, {"source": source, **place, **corner})


def hover_points(
    sheet: Sheet,
    panel: str,
    x: np.ndarray,
    y: np.ndarray,
    time: np.ndarray,
    text: list[str],
    words: str,
) -> None:
    """Draw invisible points with hover text, whose clicks choose a time.

    Args:
        x, y, time: flat arrays, one entry a point.   text: of each point.   words: Plotly's hover template.
    """
    points = {"x": x.astype(np.float32), "y": y.astype(np.float32), "customdata": time.astype(np.float32)}
    look = {"type": "scatter", "mode": "none", "hoveron": "points"}
    sheet.draw(panel, {**look, **points, "text": text, "hovertemplate": words + "<extra></extra>"})


def even_indices(length: int, most: int) -> np.ndarray:
    """Return at most so many evenly spread indices of 0 .. length-1, both ends among them."""
    return np.unique(np.linspace(0, length - 1, min(length, most)).round().astype(int))
