"""What all panels of the R-PERP stage share: the scene that they draw, and where they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from tvbo_core.records import Problem

EDGE = 0.295  # where the panels begin; left of it stands the pseudo-code
MIDDLE = 0.665  # where panels 1, 2 and 4 end; right of it stands the histogram
TOP, BOTTOM = (0.46, 0.73), (0.0, 0.315)
RIGHT, TALL = (0.71, 1.0), (0.0, 0.73)
FEW = 40  # questions of a batch that still say where and when under the mouse


class Batch(Protocol):
    """What is drawn of a batch (tvbo_core.policies.elimination.batch.Batch)."""

    interval: int
    number: int
    start: int
    sizes: tuple[int, ...]
    alive: np.ndarray
    survivors: np.ndarray
    picks: np.ndarray
    permutation: np.ndarray
    rewards: np.ndarray
    band: object
    last: bool
    truth: np.ndarray


class Step(Protocol):
    """One frame (tvbo_core.policies.elimination.steps.Step)."""

    line: int
    batch: int
    picked: int
    heard: int
    ordered: bool
    judged: bool
    dropped: bool


@dataclass(frozen=True, eq=False)
class Scene:
    """What the stage shows.

    Attributes:
        problem: the world.   steps: the frames.   runs: name -> batches, in the order of the panels.
        lead: the run whose picks and errors the small panels show.   H: rounds of a restart.
        theorem: rounds of a restart by Theorem 5, None where it says nothing.
        variances: of each batch of `lead`, (N+1, m) after each pick.   spreads: its errors over many orders.
    """

    problem: Problem
    steps: Sequence[Step]
    runs: Mapping[str, Sequence[Batch]]
    lead: Sequence[Batch]
    H: int
    theorem: int | None
    variances: Sequence[np.ndarray]
    spreads: Sequence[object]

    @property
    def x(self) -> np.ndarray:
        """(m,) the coordinate that is drawn: the action, or the number of the arm of a table."""
        p = self.problem
        return np.arange(p.f.shape[1], dtype=float) if p.arm_names is not None else p.x[:, 0]

    @property
    def half(self) -> float:
        """Half the distance between two actions."""
        return 0.5 * float(self.x[1] - self.x[0]) if len(self.x) > 1 else 0.5

    @cached_property
    def shown(self) -> list[int]:
        """The batches on screen, in order."""
        return sorted({s.batch for s in self.steps})

    @property
    def most(self) -> int:
        """Questions of the largest batch on screen."""
        return max(len(self.lead[b].picks) for b in self.shown)

    def across(self, ticks: int, title: str = "") -> dict:
        """The axis of the actions."""
        x = self.x
        if self.problem.arm_names is None:
            return {"range": [float(x[0]) - self.half, float(x[-1]) + self.half], "nticks": ticks, "title": title}
        shown = list(range(0, len(x), -(-len(x) // (2 * ticks))))
        return {"range": [-0.5, len(x) - 0.5], "tickvals": shown, "ticktext": [str(i + 1) for i in shown],
                "title": "arm" if title else ""}  # fmt: skip


def dots(mark: dict) -> dict:
    """Markers that hear no mouse."""
    return {"type": "scatter", "mode": "markers", "marker": {"opacity": 1, **mark}, "hoverinfo": "skip"}
