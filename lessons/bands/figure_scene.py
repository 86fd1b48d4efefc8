"""What the stage of the bands shows, and how its panels lie side by side on one pair of axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from figures import theme as look
from figures.theme import Theme
from tvbo_core.records import BandFilm, History

PANELS = ("CMM", "DMM", "AMM", "AY", "IGP")
GAP = 0.018  # between panels, share of the width


@dataclass(frozen=True, eq=False)
class Scene:
    """What the stage shows, as records and arrays that the core has computed.

    Attributes:
        films: name -> BandFilm with n+1 frames.   truth: (n+1, m) reward of each frame.
        history: the n observations.   misses: name -> (n+1, m) bool.
        since: name -> frame of the first miss, or None.
        moving: the reward moves, so no band's promise holds.   unit: of a reward.
    """

    films: Mapping[str, BandFilm]
    truth: np.ndarray
    history: History
    misses: Mapping[str, np.ndarray]
    since: Mapping[str, int | None]
    moving: bool
    unit: str = "reward"

    @property
    def frames(self) -> int:
        return len(self.truth)

    @property
    def names(self) -> tuple[str, ...] | None:
        return self.history.problem.arm_names

    @property
    def x(self) -> np.ndarray:
        """(m,) coordinate of each arm: its place, or its number where arms are names."""
        if self.names is not None:
            return np.arange(len(self.names), dtype=np.float32)
        return self.history.problem.x[:, 0].astype(np.float32)

    @property
    def range_y(self) -> list[float]:
        """One range for all panels and all times, from the truth and the data."""
        values = [self.truth.min(), self.truth.max()]
        if len(self.history.y):
            values += [self.history.y.min(), self.history.y.max()]
        low, high = min(values), max(values)
        room = 0.38 * max(high - low, 0.5)
        return [float(low - room), float(high + room)]

    @property
    def range_x(self) -> list[float]:
        x = self.x
        edge = 0.5 if self.names is not None else 0.0
        low, high = float(x[0]) - edge, float(x[-1]) + edge
        return [low, high] if high > low else [low - 0.5, high + 0.5]


@dataclass(frozen=True, eq=False)
class Panels:
    """Panels side by side on one pair of axes: fewer axes and fewer lines are drawn faster.

    The x axis of the sheet runs from 0 to 1; panel i takes `wide` of it from i (wide + gap).
    """

    scene: Scene
    count: int

    @property
    def wide(self) -> float:
        return (1.0 - GAP * (self.count - 1)) / self.count

    def left(self, panel: int) -> float:
        return panel * (self.wide + GAP)

    def at(self, panel: int, x: np.ndarray) -> np.ndarray:
        """Where the places x of a panel lie on the sheet."""
        low, high = self.scene.range_x
        return (self.left(panel) + self.wide * (np.asarray(x) - low) / (high - low)).astype(np.float32)

    def all(self, x: np.ndarray) -> np.ndarray:
        """The places x in every panel, with a gap after each."""
        return np.concatenate([np.append(self.at(i, x), np.float32(np.nan)) for i in range(self.count)])

    def axis(self, theme: Theme) -> dict:
        scene = self.scene
        if scene.names is None:
            low, high = scene.range_x
            marks = [low, 0.5 * (low + high), high]
            texts, title = [f"{v:g}" for v in marks], "action x"
        else:
            few = len(scene.names) <= (6 if self.count > 1 else 25)
            marks = list(range(len(scene.names)))[:: 1 if few else 5]
            texts = [n[:5] for n in scene.names] if few else [str(v + 1) for v in marks]
            title = "" if few else "arm number"
        places = [float(v) for i in range(self.count) for v in self.at(i, np.array(marks))]
        axis = look.axis(theme, title, range=[0, 1], domain=[0, 1], anchor="y", showgrid=False, showline=False,
                         tickangle=0, tickvals=places, ticktext=texts * self.count)  # fmt: skip
        axis["title"]["standoff"] = 2
        return axis
