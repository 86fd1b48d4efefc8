"""The living thumbnails of the front page: a sketch of strokes as a small SVG that moves while it is pointed at.

Not a Plotly figure: ten of them stand on one page. The style sheet shows one frame at rest and runs through all of
them under the pointer or the keyboard's focus; who asked for less motion sees the frame at rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from figures.theme import METHODS, Theme

WIDE, HIGH, EDGE = 340, 84, 6
WIDTH = {"truth": 2.6, "past": 1.2, "rule": 1.2}
DASH = {"dot": "1 3", "dash": "5 3", "dashdot": "5 3 1 3"}


class Stroke(Protocol):
    x: np.ndarray
    y: np.ndarray
    role: str
    kind: str


class Sketch(Protocol):
    still: Sequence[Stroke]
    frames: Sequence[Sequence[Stroke]]
    rest: int


def colour(role: str, theme: Theme) -> str:
    """The colour of a stroke by what it means."""
    own = {"truth": theme.ink, "past": theme.grey, "rule": theme.soft_ink, "best": theme.ink, "missed": theme.missed,
           "band": theme.band("CMM")}  # fmt: skip
    if role in own:
        return own[role]
    return theme.method(role) if role in METHODS else theme.band(role)


def svg(sketch: Sketch, theme: Theme, alt: str) -> str:
    """The picture as text; empty when there is nothing to draw.

    Args:
        sketch: strokes in the unit square, still ones and one tuple a frame.   alt: what it shows, for who cannot see.
    """
    if not sketch.frames:
        return ""
    still = "".join(_stroke(s, theme) for s in sketch.still)
    frames = "".join(
        f'<g class="frame{" rest" if i == sketch.rest else ""}" style="--i:{i}">'
        f"{''.join(_stroke(s, theme) for s in frame)}</g>"
        for i, frame in enumerate(sketch.frames)
    )
    return (
        f'<svg class="thumb" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{alt}" '
        f'style="--n:{len(sketch.frames)}">{still}{frames}</svg>'
    )


def _stroke(stroke: Stroke, theme: Theme) -> str:
    ink = colour(stroke.role, theme)
    px = EDGE + np.asarray(stroke.x) * (WIDE - 2 * EDGE)
    py = HIGH - EDGE - np.asarray(stroke.y) * (HIGH - 2 * EDGE)
    if stroke.kind == "dots":
        return "".join(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.6" fill="{ink}"/>'
            for x, y in zip(px, py, strict=True)
            if np.isfinite(x) and np.isfinite(y)
        )
    path = _path(px, py)
    if not path:
        return ""
    if stroke.kind == "area":
        return f'<path d="{path}Z" fill="{ink}" fill-opacity=".22" stroke="{ink}" stroke-width="1"/>'
    dash = (
        DASH.get(METHODS[stroke.role].dash, "") if stroke.role in METHODS else ("4 3" if stroke.role == "rule" else "")
    )
    more = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{WIDTH.get(stroke.role, 2.0)}"{more}/>'


def _path(px: np.ndarray, py: np.ndarray) -> str:
    """Points joined by lines, with a new beginning after every gap."""
    parts, pen = [], "M"
    for x, y in zip(px, py, strict=True):
        if not (np.isfinite(x) and np.isfinite(y)):
            pen = "M"
            continue
        parts.append(f"{pen}{x:.1f} {y:.1f}")
        pen = "L"
    return "".join(parts)
