"""Records of an experiment, of one repetition, and of the findings about a table or figure of a paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

POINTS = 50  # number of points of a stored curve
DRAWN = 30  # number of single seeds whose curves a report keeps


@dataclass(frozen=True)
class Published:
    """A printed entry: mean and sd over `runs` repetitions, in the paper's unit."""

    mean: float
    sd: float
    runs: int


@dataclass(frozen=True)
class PartOutcome:
    """Result of one repetition of one part.

    Attributes:
        numbers: measure -> value; machine-independent.
        curve: cumulative regret after the rounds of `checkpoints`; machine-independent, may be empty.
    """

    numbers: Mapping[str, float]
    curve: tuple[float, ...] = ()


@dataclass(frozen=True)
class Said:
    """Place in a paper (section, figure, table or theorem), and what it says there, in our words."""

    place: str
    words: str


@dataclass(frozen=True)
class Finding:
    """A statement about a table or figure, and whether these runs agree with it.

    Attributes:
        claim: what is tested.   holds: what was measured.   measured: the numbers behind it.
        decided: whether chance alone (at 5 percent) would not explain it; exact comparisons always are.
        said: where the paper says it; None for a question of this lab, which no count of the paper's includes.
    """

    claim: str
    holds: bool
    measured: str
    decided: bool = True
    said: Said | None = None


@dataclass(frozen=True)
class Results:
    """All repetitions so far: part -> seed -> Outcome, seeds in order."""

    outcomes: Mapping[str, Mapping[int, PartOutcome]]
    horizon: int

    def values(self, part: str, measure: str = "regret") -> np.ndarray:
        """(n,) one number a seed, in the order of the seeds."""
        return np.array([outcome.numbers[measure] for outcome in self.outcomes[part].values()])

    def by_group(self, measure: str = "regret") -> dict[str, dict[str, np.ndarray]]:
        """Return group -> method -> (n,) one number a seed; the group is "" where there is one."""
        found: dict[str, dict[str, np.ndarray]] = {}
        for part in self.outcomes:
            group, _, method = part.rpartition(" | ")
            found.setdefault(group, {})[method] = self.values(part, measure)
        return found

    def curves(self, part: str, most: int | None = None) -> np.ndarray:
        """(n, p) cumulative regret at `checkpoints`, of at most so many seeds."""
        return np.array([outcome.curve for outcome in list(self.outcomes[part].values())[:most]])


@dataclass(frozen=True)
class Experiment:
    """One table or figure of a paper.

    Attributes:
        name: on the command line.   source: paper and number.   question: what it asks, one sentence.
        cells: what is repeated, one entry a cell or curve: its name, "group | method" or "method" -> its settings.
        reps: repetitions of the paper.   horizon: rounds of the paper (0 where there are none).
        run: (seed, horizon, the settings of a cell) -> outcome.
        setup: what the paper states, plain values.   choices: what it does not state, and what we took.
        findings: what the paper says about it, and what this lab asks, as measured here.
        published: part -> printed entry of the measure "regret".
        left_out: what is not attempted, and why.
        title: on screen, where that is not the source.
    """

    name: str
    source: str
    question: str
    cells: Mapping[str, tuple]
    reps: int
    horizon: int
    run: Callable[..., PartOutcome]
    setup: Mapping[str, Any]
    choices: tuple[str, ...]
    findings: Callable[[Results], list[Finding]]
    published: Mapping[str, Published] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    title: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the cells."""
        return tuple(self.cells)

    def play(self, part: str, seed: int, horizon: int) -> PartOutcome:
        """One repetition of one cell."""
        return self.run(seed, horizon, *self.cells[part])


def checkpoints(horizon: int) -> np.ndarray:
    """(p,) rounds (from 1) at which a curve is stored; the last one is the horizon."""
    return np.unique(np.linspace(1, horizon, min(POINTS, horizon)).round().astype(int))


def outcome_of(regret: np.ndarray, **numbers: float) -> PartOutcome:
    """The outcome of a play with this regret (T,) of each round."""
    total = np.cumsum(regret)
    curve = tuple(float(v) for v in total[checkpoints(len(total)) - 1])
    return PartOutcome({"regret": float(total[-1]), **numbers}, curve)
