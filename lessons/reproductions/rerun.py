"""Running an entry of a stored table again, in the process pool: the same seed must give the same numbers.

Workers import this module, so nothing here knows Streamlit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from lessons.reproductions.model import Cell, report
from tvbo_core.experiments import EXPERIMENTS
from tvbo_core.experiments.record import checkpoints
from tvbo_core.experiments.runner import FINE, rounded

SEEDS = (0, 1)
SHORT = 8.0  # seconds on one core; what takes longer is also offered with fewer rounds
FEWER, LEAST = 5, 50  # the horizon is divided by this, down to so many rounds


@dataclass(frozen=True)
class Replay:
    """What one repetition gave again.

    Attributes:
        numbers: measure -> value.   rounds, curve: checkpoints and regret there, maybe empty.   seconds: it took.
    """

    numbers: Mapping[str, float]
    rounds: tuple[int, ...]
    curve: tuple[float, ...]
    seconds: float


@dataclass(frozen=True)
class Slice:
    """One repetition of one entry. Plain values: it is its result's key."""

    experiment: str
    part: str
    seed: int
    horizon: int

    @property
    def name(self) -> str:
        return f"{self.part}, seed {self.seed}"

    def perform(self) -> Replay:
        """Run it as `python -m tvbo_core.experiments` does."""
        from tvbo_core.threads import one_thread

        start = perf_counter()
        with one_thread():
            found = EXPERIMENTS[self.experiment].play(self.part, self.seed, self.horizon)
        rounds = tuple(int(r) for r in checkpoints(self.horizon)) if found.curve else ()
        return Replay(dict(found.numbers), rounds, found.curve, perf_counter() - start)


def slices(cell: Cell, horizon: int) -> tuple[Slice, ...]:
    """The two repetitions of a small run."""
    stored = len(cell.values)
    return tuple(Slice(cell.experiment, cell.part, seed, horizon) for seed in SEEDS if seed < stored)


def horizons(cell: Cell) -> tuple[int, ...]:
    """The horizons that are offered: the stored one, and a shorter one where that takes long."""
    if not cell.horizon or len(slices(cell, cell.horizon)) * cell.seconds <= SHORT:
        return (cell.horizon,)
    return (max(LEAST, cell.horizon // FEWER), cell.horizon)


def seconds(cell: Cell, horizon: int, runs: int) -> float:
    """About how long so many repetitions take on one core; a step costs more, the more has been seen."""
    share = (horizon / cell.horizon) ** 2 if cell.horizon else 1.0
    return runs * max(cell.seconds * share, 0.05)


def off(stored: float, again: float) -> float:
    """Relative difference after both were cut to the digits that a report keeps; 0 if they are the same."""
    a, b = rounded(float(stored)), rounded(float(again))
    return 0.0 if a == b else abs(a - b) / max(abs(a), abs(b))


def difference(cell: Cell, seed: int, again: Replay) -> float:
    """The largest relative difference from what is stored of this seed, over all measures and the kept curve."""
    told = report(cell.experiment)["results"][cell.part]
    gaps = [off(told[measure]["values"][seed], value) for measure, value in again.numbers.items()]
    if again.curve and seed < len(cell.curves):
        points = rounded(rounded(list(again.curve)), FINE)  # cut twice, as in the report
        gaps += [off(a, b) for a, b in zip(cell.curves[seed], points, strict=True)]
    return max(gaps)


def exact(cell: Cell, found: Mapping[Slice, Replay]) -> bool | None:
    """Whether every repetition at the stored horizon came out the same; None where there is none."""
    gaps = [difference(cell, s.seed, r) for s, r in found.items() if s.horizon == cell.horizon]
    return all(gap == 0.0 for gap in gaps) if gaps else None


def drawn(cell: Cell, found: Mapping[Slice, Replay]) -> tuple[Sequence[tuple[np.ndarray, np.ndarray]], np.ndarray]:
    """Curves (rounds, regret) of the repetitions, and (seed, place, value) of their ends."""
    lines, ends = [], []
    for piece, again in found.items():
        if again.curve:
            lines.append((np.array(again.rounds, dtype=float), np.array(again.curve)))
        value = again.numbers[cell.unit]
        ends.append((piece.seed, piece.horizon if again.curve else math.nan, value))
    return lines, np.array(ends, dtype=float).reshape(-1, 3)
