"""Space-time pictures: reward as brightness over place and time, with the path of the best action on it.

The picture is an image under the traces, not a Plotly heatmap: stepping a film moves traces only, and a
heatmap in the same figure would then vanish. A grid of unseen points carries the hover text and the clicks.
"""

from __future__ import annotations

import base64
import struct
import zlib
from functools import cache

import numpy as np
from plotly.colors import get_colorscale

from figures.sheet import Sheet
from figures.theme import HEAT

FINEST = 400  # pixels a side that a picture is thinned to
COARSEST = 240  # pixels a side that a picture is spread to, so that the browser does not blur its edges
GRID = (21, 81)  # points a side (place, time) that hear the mouse


@cache
def ramp() -> bytes:
    """The 256 colours of the reward ramp, three bytes each."""
    stops = get_colorscale(HEAT)
    at = [p for p, _ in stops]
    rgb = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for _, c in stops], dtype=float)
    levels = np.linspace(0.0, 1.0, 256)
    colours = np.stack([np.interp(levels, at, rgb[:, i]) for i in range(3)], axis=1)
    return colours.round().astype(np.uint8).tobytes()


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(levels: np.ndarray) -> bytes:
    """A palette image (rows, columns) of uint8 levels as the bytes of a PNG file."""
    height, width = levels.shape
    rows = np.zeros((height, width + 1), dtype=np.uint8)  # each row starts with its filter, 0: none
    rows[:, 1:] = levels
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    body = _chunk(b"IHDR", head) + _chunk(b"PLTE", ramp()) + _chunk(b"IDAT", zlib.compress(rows.tobytes(), 1))
    return b"\x89PNG\r\n\x1a\n" + body + _chunk(b"IEND", b"")


def _pixels(length: int) -> np.ndarray:
    """Which row each pixel shows: thinned when there are many rows, repeated when there are few."""
    if length > FINEST:
        return np.linspace(0, length - 1, FINEST).round().astype(int)
    return np.repeat(np.arange(length), -(-COARSEST // length))


def picture(values: np.ndarray, low: float, high: float) -> str:
    """Numbers (rows, columns) as a data URI; `low` is the darkest colour and `high` the brightest."""
    (rows, down), (columns, across) = (np.unique(_pixels(n), return_inverse=True) for n in values.shape)
    shown = values[np.ix_(rows, columns)]
    share = (shown - low) / (high - low) if high > low else np.full(shown.shape, 0.5)
    levels = (255 * np.clip(share, 0.0, 1.0)).round().astype(np.uint8)
    return "data:image/png;base64," + base64.b64encode(png(levels.take(down, axis=0).take(across, axis=1))).decode()


def lay(
    sheet: Sheet,
    panel: str,
    values: np.ndarray,
    box: tuple[float, float, float, float],
    between: tuple[float, float],
) -> None:
    """Lay values (rows from the top, columns) into a panel's box (left, right, top, bottom)."""
    hang(sheet, panel, picture(values, *between), box)


def hang(sheet: Sheet, panel: str, source: str, box: tuple[float, float, float, float]) -> None:
    """Lay a picture into a panel's box (left, right, top, bottom)."""
    left, right, top, bottom = box
    place = {"x": left, "y": top, "sizex": right - left, "sizey": abs(bottom - top), "sizing": "stretch"}
    corner = {"layer": "below", "xanchor": "left", "yanchor": "top"}
    sheet.image(panel, {"source": source, **place, **corner})


def ears(sheet: Sheet, panel: str, x: np.ndarray, y: np.ndarray, time: np.ndarray, text: list[str], words: str) -> None:
    """Unseen points (flat arrays) that show the reward under the mouse; a click on one tells its time."""
    points = {"x": x.astype(np.float32), "y": y.astype(np.float32), "customdata": time.astype(np.float32)}
    look = {"type": "scatter", "mode": "none", "hoveron": "points"}
    sheet.still(panel, {**look, **points, "text": text, "hovertemplate": words + "<extra></extra>"})


def thin(length: int, most: int) -> np.ndarray:
    """At most so many evenly spread indices, both ends among them."""
    return np.unique(np.linspace(0, length - 1, min(length, most)).round().astype(int))


def outlined(sheet: Sheet, panel: str, trace: dict, outline: str, extra: float, **frames: np.ndarray) -> None:
    """A line that is seen on dark and on bright ground: the same line, wider, lies under it."""
    under = {**trace, "line": {**trace["line"], "color": outline, "width": trace["line"]["width"] + extra}}
    for one in (under, trace):
        (sheet.moving(panel, one, **frames) if frames else sheet.still(panel, one))
