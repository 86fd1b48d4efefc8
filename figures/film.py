"""Figures with an animation: one frame as a figure, and tracks that hold the other frames.

The browser plays the tracks (shell/stage/player.py) without a request to Python. A track lists one attribute of one
trace for every frame, so a whole film is sent once, as a few small binary arrays.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import plotly.graph_objects as go


class PackedFigure:
    """A figure as plain dicts, without Plotly's own figure and its validation.

    Plotly's own figure validates every attribute when it is built, and copies and packs everything again each
    time it is shown; on a page that is drawn again for every slider this is most of the server's work. The tests
    build each figure once with validation (`checked`).

    Attributes:
        spec: its "data" and "layout" with arrays of at most 32 bits, which must not be changed.
    """

    def __init__(self, traces: list[dict], layout: dict) -> None:
        self.spec: dict[str, Any] = {"data": [_short(trace) for trace in traces], "layout": layout}
        self._reworded: dict[str, PackedFigure] = {}  # tag -> copy in other words

    @cached_property
    def _packed(self) -> dict[str, Any]:
        return {"data": _packed(self.spec["data"]), "layout": self.spec["layout"]}

    def to_dict(self) -> dict:
        """Return the specification with its arrays as plotly.js reads them in JSON; it must not be changed."""
        return self._packed

    def checked(self) -> go.Figure:
        """Return the same figure through Plotly's validation.

        Raises:
            ValueError: Plotly has no such attribute, or refuses its value.
        """
        import plotly.graph_objects as go

        return go.Figure(self.to_dict())

    def reworded(self, say: Callable[[str], str], tag: str) -> PackedFigure:
        """Return the figure with every text passed through `say`; the copy is kept under `tag`."""
        if tag not in self._reworded:
            copy = self._reworded[tag] = PackedFigure.__new__(PackedFigure)
            copy.spec, copy._reworded = _reworded(self.spec, say), {}
        return self._reworded[tag]


TEXT_ATTRIBUTES = {"text", "ticktext", "hovertext", "hovertemplate"}  # shown to the reader


def _reworded(value: Any, say: Callable[[str], str], visible: bool = False) -> Any:
    """Return the same structure with every shown text passed through `say`."""
    if isinstance(value, dict):
        return {key: _reworded(item, say, key in TEXT_ATTRIBUTES) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_reworded(item, say, visible) for item in value]
    return say(value) if visible and isinstance(value, str) else value


def _short(value: Any) -> Any:
    """Return the same structure with arrays of numbers, and lists with a gap, as arrays of short numbers."""
    if type(value) in _PLAIN:  # most values of a figure
        return value
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
        return np.ascontiguousarray(value, dtype=_SHORT.get(value.dtype.str[1:], value.dtype))
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    if isinstance(value, list) and _gaps(value):
        return _short(np.array(value, dtype=float))  # JSON has no NaN; an array has
    if isinstance(value, list) and value and isinstance(value[0], np.generic):
        return [item.item() for item in value]
    return value


def _packed(value: Any) -> Any:
    """Return the same structure with every array as plotly.js' typed-array specification."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
        spec = {"dtype": value.dtype.str[1:], "bdata": base64.b64encode(value.tobytes()).decode()}
        return spec if value.ndim == 1 else {**spec, "shape": ", ".join(map(str, value.shape))}
    if isinstance(value, dict):
        return {key: _packed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_packed(item) if isinstance(item, dict | np.ndarray) else item for item in value]
    return value


def _gaps(items: list) -> bool:
    """Return whether a number among them is NaN, without a look at each item where none is a number."""
    numbers = any(issubclass(kind, float) for kind in set(map(type, items)))
    return numbers and any(isinstance(item, float) and item != item for item in items)


OPACITY = "marker.opacity"  # of each marker of a trace
_PLAIN = {str, int, float, bool, type(None)}
# float32 has more digits than a screen shows, and JavaScript has no 64-bit integer arrays.
_SHORT = {"f8": "f4", "i8": "i4", "u8": "u4"}


@dataclass(frozen=True, eq=False)
class Track:
    """One attribute of one trace in every frame.

    Attributes:
        trace: index of the trace in the figure.
        attribute: "x", "y", "z", "text" or `OPACITY`.
        values: (F, n) numbers (NaN leaves a gap), or F lists of n strings; of a heat map's z (F, rows, columns).
        glides: (F-1,) whether the same thing moves from a frame to the next, so that it may be drawn on its way there
            while the film plays; None where it never may.
        between: rows of numbers that lie before each frame's own one, on the way there: F is then `between + 1` times
            the number of frames.
        steps: in which the numbers travel, from the least to the largest; None for as many as the form allows.
    """

    trace: int
    attribute: str
    values: np.ndarray | tuple[tuple[str, ...], ...]
    glides: np.ndarray | None = None
    between: int = 0
    steps: int | None = None

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.values) // (self.between + 1)

    def reworded(self, say: Callable[[str], str]) -> Track:
        """Return the track with every text passed through `say`."""
        if isinstance(self.values, np.ndarray):
            return self
        return replace(self, values=tuple(tuple(map(say, row)) for row in self.values))

    def row(self, frame: int) -> np.ndarray | list[str]:
        """Return the values of one frame."""
        row = self.values[frame * (self.between + 1) + self.between]
        return row if isinstance(row, np.ndarray) else list(row)


class ChartPlace(NamedTuple):
    """Place where a chart shows a number: "x" or "y" of a point of a trace, as its axis counts it, or its "text".

    The point None is the one whose number is the frame's.
    """

    trace: int
    attribute: str
    point: int | None
    scale: Callable[[float], float] = float


@dataclass(frozen=True, eq=False)
class Film:
    """A figure at one frame, and its tracks (none for a still figure).

    Attributes:
        shows: name of a fact of the scene -> the coordinate that is its number, or the text that says it.
    """

    figure: PackedFigure
    tracks: tuple[Track, ...] = ()
    shows: Mapping[str, ChartPlace] = field(default_factory=dict)

    def frames(self) -> int:
        """Return the number of frames, 1 for a still figure."""
        return len(self.tracks[0]) if self.tracks else 1

    def reworded(self, say: Callable[[str], str], tag: str) -> Film:
        """Return the film with every text passed through `say`; the figure's copy is kept under `tag`."""
        tracks = tuple(track.reworded(say) for track in self.tracks)
        return Film(self.figure.reworded(say, tag), tracks, self.shows)
