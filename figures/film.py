"""A film: a figure that shows one moment, and the tracks that move it to any other moment.

The browser plays the tracks (see shell/player.py); Python is not asked again while it plays. A track lists one
attribute of one trace for every frame, so a whole film travels once as a few small binary arrays.
"""

from __future__ import annotations

import base64
import marshal
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go


class Drawn(go.Figure):
    """A figure that is already what the browser reads: plain dicts with arrays packed once.

    Plotly's own figure validates every attribute when it is built, and copies and packs everything again each
    time it is shown; on a page that is drawn again for every slider this is most of the server's work. The tests
    build each figure once with validation (`checked`), so a wrong attribute cannot hide here.

    A film's mark travels in the layout: by it the player knows a chart as its film's own. It follows from the
    content.
    """

    def __init__(self, traces: list[dict], layout: dict, tracks: Sequence[Track] = ()) -> None:
        spec = {"data": [_packed(trace) for trace in traces], "layout": layout}
        mark = _mark(spec, tracks)
        self._mark = mark if tracks else None
        self._said: dict[str, Drawn] = {}  # the same figure in other words
        # Streamlit hands a new chart to Plotly twice, the second time as a copy of the first. The revision says
        # that the copy holds the same data, so that Plotly need not compare or compute them again.
        self._spec = {**spec, "layout": {**layout, "datarevision": mark} | ({"meta": mark} if tracks else {})}

    @property
    def mark(self) -> str | None:
        """A short name of the film that this figure is a frame of; None for a still figure."""
        return self._mark

    def to_dict(self) -> dict:
        """The packed specification; read it, do not change it."""
        return self._spec

    def checked(self) -> go.Figure:
        """The same figure through Plotly's validation.

        Raises:
            ValueError: an attribute that Plotly does not know.
        """
        return go.Figure(self._spec)

    def reworded(self, say: Callable[[str], str], tag: str) -> Drawn:
        """The same figure with every text passed through `say`; its mark ends in `tag`, and the copy is kept."""
        if tag not in self._said:
            spec, mark = _said(self._spec, say), self._mark and f"{self._mark}-{tag}"
            spec["layout"] |= {"datarevision": f"{self._spec['layout']['datarevision']}-{tag}"}
            spec["layout"] |= {"meta": mark} if mark else {}
            copy = self._said[tag] = Drawn.__new__(Drawn)
            copy._spec, copy._mark, copy._said = spec, mark, {}
        return self._said[tag]


WRITTEN = {"text", "ticktext", "hovertext", "hovertemplate"}  # attributes that a reader reads


def _said(value: object, say: Callable[[str], str], written: bool = False) -> object:
    """The same structure with what a reader reads in other words."""
    if isinstance(value, dict):
        return {key: _said(item, say, key in WRITTEN) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_said(item, say, written) for item in value]
    return say(value) if written and isinstance(value, str) else value


def _packed(value: object) -> object:
    """The same structure with every array as plotly.js' typed-array specification."""
    if type(value) in _PLAIN:  # most of a figure
        return value
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
        array = np.ascontiguousarray(value, dtype=_SHORT.get(value.dtype.str[1:], value.dtype))
        spec = {"dtype": array.dtype.str[1:], "bdata": base64.b64encode(array.tobytes()).decode()}
        return spec if array.ndim == 1 else {**spec, "shape": ", ".join(map(str, array.shape))}
    if isinstance(value, dict):
        return {key: _packed(item) for key, item in value.items()}
    if isinstance(value, list) and _gaps(value):
        return _packed(np.array(value, dtype=float))  # JSON has no NaN; a packed array has
    if isinstance(value, list) and value and isinstance(value[0], np.generic):
        return [item.item() for item in value]
    return value


def _gaps(items: list) -> bool:
    """Whether a number among them is NaN; a list of texts is not read item by item."""
    numbers = any(issubclass(kind, float) for kind in set(map(type, items)))
    return numbers and any(isinstance(item, float) and item != item for item in items)


def _mark(spec: dict, tracks: Sequence[Track]) -> str:
    """The same for every frame of a film, another one when anything else differs."""
    moving = {(track.trace, track.attribute) for track in tracks}
    still = [{k: v for k, v in trace.items() if (i, k) not in moving} for i, trace in enumerate(spec["data"])]
    mark = zlib.crc32(_written((still, spec["layout"])))
    for values in {id(track.values): track.values for track in tracks}.values():
        raw = np.ascontiguousarray(values) if isinstance(values, np.ndarray) else _written(values)
        mark = zlib.crc32(raw, mark)
    return f"{mark:08x}"


def _written(value: object) -> bytes:
    """A plain structure as bytes that follow from its content alone."""
    try:
        return marshal.dumps(value, 2)  # later versions note which parts are one object
    except ValueError:  # a number of another kind
        return repr(value).encode()


_PLAIN = {str, int, float, bool, type(None)}
# A screen shows no more digits than float32 holds, and JavaScript has no 64-bit integer arrays.
_SHORT = {"f8": "f4", "i8": "i4", "u8": "u4"}


@dataclass(frozen=True, eq=False)
class Track:
    """How one attribute of one trace changes from frame to frame.

    Attributes:
        trace: index of the trace in the figure.
        attribute: "x", "y" or "text".
        values: (F, n) numbers (NaN leaves a gap) or F lists of n strings.
        tiles: how often a row of numbers is repeated in its trace (the same curve in several panels).
    """

    trace: int
    attribute: str
    values: np.ndarray | tuple[tuple[str, ...], ...]
    tiles: int = 1

    def __len__(self) -> int:
        return len(self.values)

    def reworded(self, say: Callable[[str], str]) -> Track:
        """The same track with every text passed through `say`; numbers have none."""
        if isinstance(self.values, np.ndarray):
            return self
        return replace(self, values=tuple(tuple(map(say, row)) for row in self.values))

    def row(self, frame: int) -> np.ndarray | list[str]:
        """What the trace shows in this frame."""
        row = self.values[frame]
        return np.tile(row, self.tiles) if isinstance(row, np.ndarray) else list(row)


@dataclass(frozen=True, eq=False)
class Film:
    """A figure at one frame, and its tracks (none for a still figure)."""

    figure: Drawn
    tracks: tuple[Track, ...] = ()

    def frames(self) -> int:
        return len(self.tracks[0]) if self.tracks else 1

    def reworded(self, say: Callable[[str], str], tag: str) -> Film:
        """The same film with every text passed through `say`."""
        tracks = tuple(track.reworded(say) for track in self.tracks)
        return Film(self.figure.reworded(say, tag), tracks)
