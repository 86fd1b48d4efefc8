"""A film: a figure that shows one moment, and the tracks that move it to any other moment.

The browser plays the tracks (see ui/player.py); Python is not asked again while it plays. A track lists one
attribute of one trace for every frame, so a whole film travels once as a few small binary arrays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go


@dataclass(frozen=True, eq=False)
class Track:
    """How one attribute of one trace changes from frame to frame.

    Attributes:
        trace: index of the trace in the figure.
        attribute: "x", "y" or "text".
        values: (F, n) numbers (NaN leaves a gap) or F lists of n strings.
    """

    trace: int
    attribute: str
    values: np.ndarray | tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, eq=False)
class Film:
    """A figure at one frame, and its tracks (none for a still figure)."""

    figure: go.Figure
    tracks: tuple[Track, ...] = ()

    def frames(self) -> int:
        return len(self.tracks[0]) if self.tracks else 1

    def with_frames(self) -> go.Figure:
        """The same film as a stand-alone figure with Plotly frames, for a file that plays by itself."""
        data: list[go.Frame] = []
        for i in range(self.frames()):
            moved: dict[int, dict] = {}
            for track in self.tracks:
                moved.setdefault(track.trace, {"type": self.figure.data[track.trace].type})[track.attribute] = (
                    track.values[i]
                )
            data.append(go.Frame(name=str(i), traces=list(moved), data=list(moved.values())))
        return go.Figure(data=self.figure.data, layout=self.figure.layout, frames=data)
