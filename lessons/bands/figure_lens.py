"""The magnifier of a panel: the place where the truth is furthest outside its band, drawn larger below the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons.bands.figure_panels import LENS_SHARE, Panels
from lessons.bands.model import BandsOverTime

ZOOM = 3.2
ASPECT, ASPECT_LECTURE = 0.73, 1.15  # width of a panel over its height, on the page and in lecture type
ROUND = np.linspace(0, 2 * np.pi, 33)
ACROSS = np.linspace(-1, 1, 31)  # of a radius
CHORD = np.sqrt(1 - ACROSS**2)

Path = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class Lens:
    """Arrays of one magnifier: (F, n) x and y of each part, NaN in a frame whose truth is inside.

    Attributes:
        ground: its disc.   band, missed: areas, cut to the disc.   truth: the line, cut to the disc.
        rim: outline, the small circle around the place, and the line between them.
    """

    ground: Path
    band: Path
    missed: Path
    truth: Path
    rim: Path

    @staticmethod
    def over(panels: Panels, panel: int, run: BandsOverTime, near: np.ndarray, lecture: bool) -> Lens:
        """Return the lens of a panel.

        Args:
            near: (F, m) nearest point of the band where it misses, else the truth.
        """
        film, truth = run.films[tuple(run.films)[panel]], run.truth
        frames, places = np.arange(run.frames), panels.at(panel, run.x).astype(float)
        (low, high), aspect = panels.range_y, ASPECT_LECTURE if lecture else ASPECT
        up = LENS_SHARE * (high - low)
        side = min(LENS_SHARE / aspect, 0.45) * panels.wide
        gap = np.abs(truth.astype(np.float32) - near)
        # Where one can see on both sides of it, if the truth is outside there.
        least = 0.5 * side / ZOOM
        start, end = panels.left(panel) + least, panels.left(panel) + panels.wide - least
        inner = np.where((places >= start) & (places <= end), gap, 0.0)
        worst = np.where(inner.max(axis=1) > 0, inner.argmax(axis=1), gap.argmax(axis=1))
        shown = gap[frames, worst] > 0
        x, y = places[worst], 0.5 * (truth + near)[frames, worst]
        cx, cy = panels.left(panel) + 1.06 * side, low + 1.06 * up
        seen = {key: np.full((run.frames, len(ACROSS)), np.nan) for key in ("lower", "upper", "near", "truth")}
        for t in np.flatnonzero(shown):
            at = x[t] + ACROSS * side / ZOOM
            for key, row in (("lower", film.lower), ("upper", film.upper), ("near", near), ("truth", truth)):
                seen[key][t] = (np.interp(at, places, row[t], np.nan, np.nan) - y[t]) * ZOOM / up
        cut = {key: np.clip(values, -CHORD, CHORD) for key, values in seen.items()}
        line = np.where(np.abs(seen["truth"]) <= CHORD, seen["truth"], np.nan)
        across = np.broadcast_to(cx + side * ACROSS, line.shape)

        def circle(px: np.ndarray, py: np.ndarray, scale: float) -> Path:
            here = np.where(shown, 1.0, np.nan)[:, None]
            return (
                here * np.broadcast_to(px, shown.shape)[:, None] + scale * side * np.cos(ROUND),
                here * np.broadcast_to(py, shown.shape)[:, None] + scale * up * np.sin(ROUND),
            )

        def area(one: np.ndarray, other: np.ndarray) -> Path:
            outside = np.isnan(one + other) & shown[:, None]  # beyond the first or the last place: no height
            ends = [np.where(outside, 0.0, side_)[:, ::step] for side_, step in ((one, 1), (other, -1))]
            return np.concatenate([across, across[:, ::-1]], axis=1), cy + up * np.concatenate(ends, axis=1)

        ground, small = circle(np.array(cx), np.array(cy), 1.0), circle(x, y, 1 / ZOOM)
        # The line between the circles runs along their centres, each in radii: both then look round together.
        dx, dy = (x - cx) / side, (y - cy) / up
        far = np.where(shown, np.maximum(np.hypot(dx, dy), 1e-9), np.nan)
        ends = np.stack([1 / far, 1 - 1 / (ZOOM * far)], axis=1)
        joint = cx + side * dx[:, None] * ends, cy + up * dy[:, None] * ends
        gap_ = np.full((run.frames, 1), np.nan)
        rim = tuple(np.concatenate([ground[k], gap_, small[k], gap_, joint[k]], axis=1) for k in (0, 1))
        centre = np.broadcast_to(cx + side * np.cos(ROUND), ground[0].shape), ground[1]
        return Lens(
            centre, area(cut["lower"], cut["upper"]), area(cut["near"], cut["truth"]), (across, cy + up * line), rim
        )
