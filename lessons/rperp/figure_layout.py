"""Places of the panels of the R-PERP stage, and the walkthrough as all of them read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from figures import theme as style
from figures.theme import Theme
from lessons.rperp import facts
from lessons.rperp.model import Batch, Problem, Step, Walkthrough
from lessons.shared.problems import coordinates

PANELS_LEFT = 0.295  # where the panels begin; left of it stands the pseudo-code
UPPER, LOWER = (0.46, 0.73), (0.0, 0.315)  # heights of the two rows of panels
LOWER_LECTURE = (0.0, 0.36)  # in a hall nothing is written under the upper row
BAR = (0.815, 1.0)  # heights of the run's bar
LABEL_ROOM = 0.36  # beside the last action, for the names of lines, as a share of the actions' range
ORDER = {"PE": "fixed", "R-PERP": "shuffled"}  # run -> the order in which it asks
MAX_STEMS = 40  # questions of a batch that still have a stem each, and circles of full size


@dataclass(frozen=True, eq=False)
class DrawnWalkthrough:
    """A walkthrough with the run that is drawn.

    Attributes:
        name: of the run.
    """

    walk: Walkthrough
    name: str

    @property
    def problem(self) -> Problem:
        return self.walk.runs.problem

    @property
    def steps(self) -> Sequence[Step]:
        """The frames."""
        return self.walk.steps

    @cached_property
    def run(self) -> Sequence[Batch]:
        """The batches of the run that is drawn."""
        return self.walk.runs.run(self.name)

    @property
    def lead(self) -> Sequence[Batch]:
        """The run whose picks and errors the small panels show."""
        return self.walk.runs.batches

    def colour(self, theme: Theme) -> str:
        """Return the colour of the run, by its order."""
        return theme.order(ORDER[self.name])

    @property
    def x(self) -> np.ndarray:
        """(m,) the coordinates of the actions."""
        return coordinates(self.problem)

    @property
    def half(self) -> float:
        """Half the distance between two actions."""
        return 0.5 * float(self.x[1] - self.x[0]) if len(self.x) > 1 else 0.5

    def best(self, step: Step, batch: Batch) -> tuple[int, int]:
        """Return the row of the rewards that a step shows, and the best action there."""
        row = facts.best_row(self.walk, step, batch)
        return row, int(self.problem.f[row].argmax())

    @property
    def largest(self) -> int:
        """Questions of the largest batch."""
        return max(len(batch.picks) for batch in self.lead)

    def action_axis(self, ticks: int, title: str = "", room: float = 0.0) -> dict:
        """Return the axis of the actions, with so much room beside the last one, as a share of their range."""
        x = self.x
        span = [float(x[0]) - self.half, float(x[-1]) + self.half + room * float(np.ptp(x))]
        marks = np.linspace(x[0], x[-1], ticks + 1).round(3).tolist()
        return {"range": span, **style.ticks(marks), "title": title}
