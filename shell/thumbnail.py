"""Thumbnails of the front page: a sketch of strokes as a small SVG that is animated under the pointer.

No Plotly figure, because eleven of them are on one page. The style sheet shows one frame at rest and runs through all
of them under the pointer or the keyboard's focus, unless the browser asks for reduced motion.
"""

from __future__ import annotations

import numpy as np

from figures.theme import METHODS, Theme
from lessons.record import Sketch, Stroke

WIDTH, HEIGHT, MARGIN = 340, 84, 6  # pixels
LINE_WIDTHS = {"truth": 2.6, "past": 1.2, "rule": 1.2}  # pixels, by role
DASHES = {"dot": "1 3", "dash": "5 3", "dashdot": "5 3 1 3"}  # Plotly's name -> SVG's lengths


def colour(role: str, theme: Theme) -> str:
    """Return the colour of a stroke by its role."""
    own = {
        "truth": theme.ink,
        "past": theme.grey,
        "rule": theme.soft_ink,
        "best": theme.ink,
        "missed": theme.missed,
        "band": theme.band("CMM"),
    }
    if role in own:
        return own[role]
    return theme.method(role) if role in METHODS else theme.band(role)


def svg(sketch: Sketch, theme: Theme, alt: str) -> str:
    """Return the thumbnail as an SVG text, empty for a sketch without frames.

    Args:
        alt: alternative text.
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
        f'<svg class="thumb" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{alt}" '
        f'style="--n:{len(sketch.frames)}">{still}{frames}</svg>'
    )


def _stroke(stroke: Stroke, theme: Theme) -> str:
    ink = colour(stroke.role, theme)
    px = MARGIN + np.asarray(stroke.x) * (WIDTH - 2 * MARGIN)
    py = HEIGHT - MARGIN - np.asarray(stroke.y) * (HEIGHT - 2 * MARGIN)
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
        DASHES.get(METHODS[stroke.role].dash, "")
        if stroke.role in METHODS
        else ("4 3" if stroke.role == "rule" else "")
    )
    more = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{LINE_WIDTHS.get(stroke.role, 2.0)}"{more}/>'


def _path(px: np.ndarray, py: np.ndarray) -> str:
    """Return an SVG path through the points, broken at every gap."""
    parts, pen = [], "M"
    for x, y in zip(px, py, strict=True):
        if not (np.isfinite(x) and np.isfinite(y)):
            pen = "M"
            continue
        parts.append(f"{pen}{x:.1f} {y:.1f}")
        pen = "L"
    return "".join(parts)
