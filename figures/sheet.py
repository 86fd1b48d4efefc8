"""Figures of several panels, with still traces and traces that move with time.

Panels are named; every axis range is fixed when a panel is laid out. What is drawn on them is a mark: a curve, dots,
words, an area, a rectangle, a cursor, a rule, a heat map. An x, y, z or text with one row a frame moves: the trace
shows the row of one frame, and a track has all rows. Anything else stands still.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from figures import theme as style
from figures.film import OPACITY, ChartPlace, Film, PackedFigure, Track
from figures.theme import Theme

# Height of the stage in assets/style.css: without lecture type on a screen of 768 lines, with it on one of 720.
STAGE_PIXELS = {False: 430, True: 400}
MOVABLE = ("x", "y", "z", "text")  # attributes of a trace that may have one row a frame
# The numbers of a heat map travel rounded to this many levels, one for each of its colours.
HEAT_STEPS = 250
LINE_HEIGHT = 1.3  # distance of two lines of text in Plotly, in units of the text's size


def gapped(rows: np.ndarray) -> np.ndarray:
    """Return rows (..., n) as rows (..., n+1) that end with NaN, so that one trace draws them with gaps between."""
    return np.pad(rows, [(0, 0)] * (rows.ndim - 1) + [(0, 1)], constant_values=np.nan)


def chained(x: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y of one trace with gaps, from the rows (..., k, n) of k curves over the same x (n,)."""
    return np.tile(np.append(x, np.nan), rows.shape[-2]), gapped(rows).reshape(*rows.shape[:-2], -1)


def strokes(*ends: Any) -> np.ndarray:
    """Return a coordinate of n lines as that of one trace (..., n (k+1)) with gaps, from those of their k points."""
    points = np.broadcast_arrays(*ends, np.nan)
    return np.stack(points, axis=-1).reshape(*points[0].shape[:-1], -1)


def _moves(values: Any, still_ndim: int = 1) -> bool:
    """Return whether an attribute has one row a frame: one dimension more than `still_ndim`, or rows in a list."""
    if isinstance(values, np.ndarray):
        return values.ndim == still_ndim + 1
    return isinstance(values, list | tuple) and bool(values) and isinstance(values[0], list | tuple)


def _joined(ends: tuple) -> Any:
    """Return numbers as a list; where some have a value for each frame (F,), return an array of one row a frame."""
    return np.stack(np.broadcast_arrays(*ends), axis=-1) if any(np.ndim(end) for end in ends) else list(ends)


class Sheet:
    """Builder of a film: lay out panels, draw traces on them, then call `film`.

    Attributes:
        theme: colours and sizes.   frame_index: frame that the figure itself shows.   layout: Plotly's, so far.
        traces, tracks: so far.   axes: panel -> suffix of its two axes in Plotly's names.
        facts: name of a fact -> where it is shown (`figures.film.Film.shows`).
    """

    def __init__(self, theme: Theme, frame_index: int, height: int | None = None, **more: Any) -> None:
        """Begin an empty figure.

        Args:
            height: in pixels, or None to fill the height that the page gives.   more: attributes of Plotly's layout.
        """
        self.theme, self.frame_index, self.layout = theme, frame_index, style.layout(theme, height, **more)
        self.traces: list[dict] = []
        self.tracks: list[Track] = []
        self.axes: dict[str, str] = {}
        self.facts: dict[str, ChartPlace] = {}

    def panel(self, name: str, across: Sequence[float], up: Sequence[float], x: dict, y: dict) -> None:
        """Lay out a panel.

        Args:
            across, up: its shares of the width and the height, (from, to).   x, y: its axes, each with its range.
        """
        suffix = str(len(self.axes) + 1) if self.axes else ""
        self.axes[name] = suffix
        self.layout[f"xaxis{suffix}"] = style.axis(self.theme, domain=list(across), anchor=f"y{suffix}", **x)
        self.layout[f"yaxis{suffix}"] = style.axis(self.theme, domain=list(up), anchor=f"x{suffix}", **y)

    def narrow(self, panel: str, screen: str = "narrow", **x: Any) -> None:
        """Give the x axis of a panel other attributes where the figure is as narrow as a phone (assets/stage/chart.js).

        Its words keep their size there, so they need a larger share of the width.

        Args:
            screen: "medium" for what is narrower than a desk.
        """
        style.elsewhere(self.layout, screen, f"xaxis{self.axes[panel]}", x)

    def screens(self, *names: str) -> None:
        """Name the screens between which a phone swipes, each with some of the panels (assets/stage/swipe.js)."""
        self.layout.setdefault("meta", {})["screens"] = list(names)

    def low(self, panel: str, up: Sequence[float]) -> None:
        """Give a panel another share of the height where the figure is low (assets/stage/chart.js)."""
        style.elsewhere(self.layout, "low", f"yaxis{self.axes[panel]}", {"domain": list(up)})

    def on(self, panel: str) -> dict:
        """Return the axes of a panel as attributes of a trace."""
        suffix = self.axes[panel]
        return {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}

    def span(self, panel: str, axis: str) -> tuple[float, float]:
        """Return the range of a panel's axis, "x" or "y", as Plotly has it: on a logarithmic axis as log10."""
        low, high = self.layout[f"{axis}axis{self.axes[panel]}"]["range"]
        return low, high

    def margins(self, left: float, right: float, top: float, bottom: float) -> None:
        """Set the margins around all panels, in pixels, each rounded down."""
        self.layout["margin"] = style.margins(left, right, top, bottom)

    def draw(self, panel: str, trace: dict, glides: Mapping[str, np.ndarray] | None = None, between: int = 0) -> None:
        """Draw a Plotly trace, whose x, y, text and opacities of markers move if they have one row a frame.

        Args:
            trace: with x and y (n,) or (F, n), and text of n strings or F rows of n strings.
            glides: attribute -> (F-1,) whether it moves smoothly from a frame to the next (`Track.glides`).
            between: number of rows on the way to each frame's own (`Track.between`).
        Raises:
            ValueError: another number of rows than earlier marks have, or x and y of different lengths.
        """
        moving = {}
        for attribute in (name for name in MOVABLE if _moves(trace.get(name), 2 if name == "z" else 1)):
            values = trace[attribute]
            if isinstance(values, np.ndarray):
                values = np.ascontiguousarray(values, dtype=np.float32)
            else:
                values = tuple(map(tuple, values))
            moving[attribute] = self._track(panel, attribute, values, glides, between)
        trace = {**trace, **moving, **self.on(panel)}
        if _moves(opacity := trace.get("marker", {}).get("opacity")):
            row = self._track(panel, OPACITY, np.asarray(opacity, dtype=np.float32), glides, 0)
            trace["marker"] = {**trace["marker"], "opacity": row}
        if len(trace["x"]) != len(trace["y"]) and "z" not in trace:
            raise ValueError(
                f"A mark on panel {panel!r} has {len(trace['x'])} places x, but {len(trace['y'])} places "
                "y: give as many of each."
            )
        self.traces.append(trace)

    def _track(
        self, panel: str, attribute: str, values: Any, glides: Mapping[str, np.ndarray] | None, between: int
    ) -> Any:
        """Add a track for the trace that is drawn next, and return the row that the figure shows."""
        rows = between if isinstance(values, np.ndarray) else 0
        track = Track(len(self.traces), attribute, values, glides=(glides or {}).get(attribute), between=rows)
        track = replace(track, steps=HEAT_STEPS) if attribute == "z" else track
        if self.tracks and len(track) != len(self.tracks[0]):
            raise ValueError(
                f"{attribute} of a mark on panel {panel!r} has {len(track)} rows, but the figure has "
                f"{len(self.tracks[0])} frames: give one row a frame."
            )
        self.tracks.append(track)
        return track.row(self.frame_index) if isinstance(values, np.ndarray) else values[self.frame_index]

    def curve(
        self,
        panel: str,
        x: Any,
        y: Any,
        colour: str,
        width: float,
        dash: str = "solid",
        glides: Mapping[str, np.ndarray] | None = None,
        outline: tuple[str, float] | None = None,
        shape: str = "",
        **more: Any,
    ) -> None:
        """Draw a line through x and y, each (n,) or with one row a frame (F, n); NaN leaves a gap.

        Args:
            glides: see `draw`.   outline: colour and additional pixels of a line under it, which makes it visible on
                dark and on bright ground.
            shape: of the stairs between two points, such as "hv"; "" for straight lines.   more: Plotly's attributes.
        """
        if outline is not None:
            self.curve(panel, x, y, outline[0], width + outline[1], dash, glides, shape=shape, **more)
        line = style.line(x, y, colour, width, dash, **more)
        if shape:
            line["line"]["shape"] = shape
        self.draw(panel, line, glides)

    def dots(self, panel: str, x: Any, y: Any, colour: Any, size: Any, **more: Any) -> None:
        """Draw markers at x and y, each (n,) or with one row a frame (F, n); `more` as in `figures.theme.dots`."""
        self.draw(panel, style.dots(x, y, colour, size, **more))

    def words(
        self, panel: str, x: Any, y: Any, text: Any, colour: Any, place: Any, size: float | None = None, **more: Any
    ) -> None:
        """Write texts at x and y: n strings, or one row of them a frame; in the size of ticks unless one is given.

        Args:
            place: side of the point, such as "middle right", for all or a list.   colour: for all or a list.
        """
        self.draw(panel, style.words(x, y, text, colour, size or self.theme.tick, place, **more))

    def area(
        self, panel: str, x: Any, there: Any, back: Any, fill: str, edge: tuple | None = None, **more: Any
    ) -> None:
        """Fill between two curves over the same x (n,), each (n,) or with one row a frame (F, n).

        Args:
            there, back: the curve that the outline follows from left to right, and the one on its way back.
            edge: colour, width and dash of the outline; None for none.   more: Plotly's attributes.
        """
        around = np.concatenate([np.asarray(x), np.asarray(x)[::-1]])
        y = np.concatenate([there, np.asarray(back)[..., ::-1]], axis=-1)
        self.draw(panel, {**style.filled(around, y, fill, edge), **more})

    def rect(self, panel: str, x: tuple, y: tuple, fill: str | None, edge: tuple | None = None, **more: Any) -> None:
        """Draw a rectangle, filled unless `fill` is None; a side that is given for every frame (F,) moves.

        Args:
            x: left and right.   y: bottom and top.   edge: colour, width and dash of the outline; None for none.
        """
        (left, right), (low, high) = x, y
        closed = edge is not None
        around = _joined((left, right, right, left) + (left,) * closed)
        up = _joined((low, low, high, high) + (low,) * closed)
        self.draw(panel, {**style.filled(around, up, fill, edge), **more})

    def heat(
        self,
        panel: str,
        x: np.ndarray,
        y: np.ndarray,
        z: np.ndarray,
        limits: tuple[float, float],
        lines: int,
        colour: str,
        glides: np.ndarray | None = None,
        **more: Any,
    ) -> None:
        """Draw numbers over a grid as colours with contour lines.

        Args:
            x, y: (columns,) and (rows,) places.   z: (rows, columns) numbers, or with one table a frame.
            limits: numbers of the darkest and of the brightest colour.   lines: number of contour lines between them.
            colour: of the lines.   glides: as of a `Track`.   more: Plotly's attributes.
        Raises:
            ValueError: z has other rows or columns than there are places.
        """
        if z.shape[-2:] != (len(y), len(x)):
            raise ValueError(
                f"A heat map on panel {panel!r} has {z.shape[-2]} rows and {z.shape[-1]} columns, but {len(y)} places "
                f"y and {len(x)} places x: give a number for each pair."
            )
        self.draw(panel, style.heat(x, y, z, limits, lines, colour, **more), None if glides is None else {"z": glides})

    def cursor(
        self,
        panel: str,
        at: Any,
        ends: Any,
        colour: str,
        width: float,
        dash: str = "solid",
        glides: Mapping[str, np.ndarray] | None = None,
        **more: Any,
    ) -> None:
        """Draw an upright line at a place `at`, a number or one a frame (F,).

        Args:
            ends: where it begins and ends, (2,) or (F, 2).   glides, more: as for a `curve`.
        """
        self.curve(panel, _joined((at, at)), ends, colour, width, dash, glides, **more)

    def rule(
        self,
        panel: str,
        colour: str,
        width: float,
        dash: str | None = None,
        x: float | None = None,
        y: float | None = None,
        **more: Any,
    ) -> None:
        """Draw a still line across the whole panel: upright at `x`, or level at `y`; `more` are Plotly's attributes."""
        line = {"color": colour, "width": width, **({"dash": dash} if dash else {})}
        self.shape(panel, "line", None if x is None else (x, x), None if y is None else (y, y), line=line, **more)

    def shape(
        self, panel: str, kind: str, x: tuple[float, float] | None, y: tuple[float, float] | None, **more: Any
    ) -> None:
        """Draw a shape of Plotly, which stands still, from x[0] to x[1] and y[0] to y[1]; None is the whole side."""
        suffix = self.axes[panel]
        place = {"xref": f"x{suffix}{'' if x else ' domain'}", "yref": f"y{suffix}{'' if y else ' domain'}"}
        (x0, x1), (y0, y1) = x or (0, 1), y or (0, 1)
        self.layout.setdefault("shapes", []).append(
            {"type": kind, **place, "x0": x0, "x1": x1, "y0": y0, "y1": y1, **more}
        )

    def note(self, panel: str, text: str, x: object, y: object, inside: str = "", **more: Any) -> None:
        """Write text at (x, y) of a panel; `inside` ("x", "y" or "xy") counts those in shares of the panel's side.

        Args:
            more: Plotly's attributes, size and color, and `narrow`, a shorter text for a figure as narrow as a phone.
        """
        suffix = self.axes[panel]
        xref, yref = (f"{axis}{suffix}{' domain' if axis in inside else ''}" for axis in "xy")
        self._write(text, x, y, xref, yref, more)

    def shows(self, fact: str, attribute: str, point: int | None, scale: Callable[[float], float] = float) -> None:
        """Record that the trace drawn last shows a fact of the scene, as "x", "y" or "text" of one of its points.

        Args:
            scale: returns the coordinate of the number, where the axis has another unit, such as powers of ten.
        """
        self.facts[fact] = ChartPlace(len(self.traces) - 1, attribute, point, scale)

    def headline(self, panel: str, text: str, **more: Any) -> None:
        """Write text above a panel, from its left edge, or up to its right one where `xanchor` is "right".

        Args:
            more: as for a `note`.
        """
        suffix = self.axes[panel]
        across, up = self.layout[f"xaxis{suffix}"]["domain"], self.layout[f"yaxis{suffix}"]["domain"]
        at = {"xanchor": "left", "yanchor": "bottom", "align": "left", "yshift": 1, **more}
        self._write(text, across[at["xanchor"] == "right"], up[1], "paper", "paper", at)

    def _write(self, text: str, x: object, y: object, xref: str, yref: str, more: dict) -> None:
        size, colour = more.pop("size", self.theme.tick), more.pop("color", self.theme.ink)
        narrow = more.pop("narrow", "")
        note = {
            "text": text,
            "x": x,
            "y": y,
            "xref": xref,
            "yref": yref,
            "showarrow": False,
            "font": {"size": size, "color": colour},
        }
        notes = self.layout.setdefault("annotations", [])
        notes.append({**note, **more})
        if narrow:
            style.elsewhere(self.layout, "narrow", "annotations", {str(len(notes) - 1): {**notes[-1], "text": narrow}})

    def image(self, panel: str, picture: dict) -> None:
        """Draw an image below the traces of a panel."""
        suffix = self.axes[panel]
        self.layout.setdefault("images", []).append({**picture, "xref": f"x{suffix}", "yref": f"y{suffix}"})

    def line_share(self, panel: str) -> float:
        """Return the share of a panel's height that a line of text takes on the smallest screen."""
        low, high = self.layout[f"yaxis{self.axes[panel]}"]["domain"]
        margin = self.layout["margin"]
        tall = (self.layout.get("height") or STAGE_PIXELS[self.theme.lecture]) - margin["t"] - margin["b"]
        return LINE_HEIGHT * self.theme.tick / (tall * (high - low))

    def film(self) -> Film:
        """Return the figure with its tracks."""
        return Film(PackedFigure(self.traces, self.layout), tuple(self.tracks), self.facts)
