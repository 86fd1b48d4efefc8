"""Figures of several panels, with still traces and traces that move with time.

Panels are named; every axis range is fixed when a panel is laid out. A moving trace is given all its frames
at once and becomes a trace (showing one frame) plus one track an attribute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from figures import theme as look
from figures.film import Film, Track
from figures.theme import Theme

STAGE_PIXELS = {False: 430, True: 540}  # least height of a stage, normal and in lecture type, as in assets/style.css
LINE_HEIGHT = 1.3  # of a line of text, in its size, as Plotly sets lines


@dataclass(eq=False)
class Sheet:
    """Builder of a film: lay out panels, draw traces on them, then call `film`.

    Attributes:
        theme: colours and sizes.   drawn: frame that the figure itself shows.   frame: Plotly layout so far.
        traces, tracks: so far.   axes: panel -> suffix of its two axes in Plotly's names.
    """

    theme: Theme
    drawn: int
    frame: dict
    traces: list[dict] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    axes: dict[str, str] = field(default_factory=dict)

    def panel(self, name: str, across: Sequence[float], up: Sequence[float], x: dict, y: dict) -> None:
        """Lay out a panel.

        Args:
            across, up: its shares of the width and the height, (from, to).   x, y: its axes, each with its range.
        """
        tail = str(len(self.axes) + 1) if self.axes else ""
        self.axes[name] = tail
        self.frame[f"xaxis{tail}"] = look.axis(self.theme, domain=list(across), anchor=f"y{tail}", **x)
        self.frame[f"yaxis{tail}"] = look.axis(self.theme, domain=list(up), anchor=f"x{tail}", **y)

    def on(self, panel: str) -> dict:
        """Return the axes of a panel as attributes of a trace."""
        tail = self.axes[panel]
        return {"xaxis": f"x{tail}", "yaxis": f"y{tail}"}

    def still(self, panel: str, trace: dict) -> None:
        """Draw a trace that is the same in every frame."""
        self.traces.append({**trace, **self.on(panel)})

    def moving(
        self,
        panel: str,
        trace: dict,
        glides: Mapping[str, np.ndarray] | None = None,
        **frames: np.ndarray | tuple[tuple[str, ...], ...],
    ) -> None:
        """Draw a trace whose x, y or text is given for every frame.

        Args:
            glides: attribute -> (F-1,) whether the same thing moves from a frame to the next (`Track.glides`).
            frames: attribute -> (F, n) numbers, or F tuples of n strings.
        """
        first = {}
        for attribute, values in frames.items():
            if isinstance(values, np.ndarray):
                values = np.ascontiguousarray(values, dtype=np.float32)
            self.tracks.append(Track(len(self.traces), attribute, values, glides=(glides or {}).get(attribute)))
            first[attribute] = values[self.drawn]
        self.still(panel, {**trace, **first})

    def note(self, panel: str, text: str, x: object, y: object, inside: bool = False, **more: Any) -> None:
        """Write text at (x, y) of a panel, in its coordinates or, with `inside`, in shares of its sides."""
        tail, share = self.axes[panel], " domain" if inside else ""
        self._write(text, x, y, f"x{tail}{share}", f"y{tail}{share}", more)

    def headline(self, panel: str, text: str, **more: Any) -> None:
        """Write text above a panel, from its left edge."""
        tail = self.axes[panel]
        across, up = self.frame[f"xaxis{tail}"]["domain"], self.frame[f"yaxis{tail}"]["domain"]
        at = {"xanchor": "left", "yanchor": "bottom", "align": "left", "yshift": 1, **more}
        self._write(text, across[0], up[1], "paper", "paper", at)

    def _write(self, text: str, x: object, y: object, xref: str, yref: str, more: dict) -> None:
        size, colour = more.pop("size", self.theme.tick), more.pop("color", self.theme.ink)
        words = {"text": text, "x": x, "y": y, "xref": xref, "yref": yref, "showarrow": False,
                 "font": {"size": size, "color": colour}}  # fmt: skip
        self.frame.setdefault("annotations", []).append({**words, **more})

    def image(self, panel: str, picture: dict) -> None:
        """Draw an image below the traces of a panel."""
        tail = self.axes[panel]
        self.frame.setdefault("images", []).append({**picture, "xref": f"x{tail}", "yref": f"y{tail}"})

    def line_share(self, panel: str) -> float:
        """Return the share of a panel's height that a line of text takes on the smallest screen."""
        low, high = self.frame[f"yaxis{self.axes[panel]}"]["domain"]
        margin = self.frame["margin"]
        tall = (self.frame.get("height") or STAGE_PIXELS[self.theme.lecture]) - margin["t"] - margin["b"]
        return LINE_HEIGHT * self.theme.tick / (tall * (high - low))

    def film(self) -> Film:
        """Return the figure with its tracks."""
        return look.film(self.traces, self.frame, self.tracks)
