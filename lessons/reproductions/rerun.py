"""An entry of a stored table run again: the same seed must give the same numbers.

A `RepetitionJob` is a job of shell/runs/runs.py; workers import this module.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from lessons.reproductions.experiments import EXPERIMENTS
from lessons.reproductions.experiments.record import PartOutcome, checkpoints
from lessons.reproductions.experiments.runner import FINE, rounded
from lessons.reproductions.model import Cell
from tvbo_core.threads import one_thread

SEEDS = (0, 1)
SHORT_SECONDS = 8.0  # on one core; what takes longer is also offered with fewer rounds
REPETITION = "a repetition"  # name of its time
HORIZON_DIVISOR, MIN_ROUNDS = 5, 50  # the shorter horizon


@dataclass(frozen=True)
class RepetitionJob:
    """One repetition of one entry: plain values, which are its result's key."""

    experiment: str
    part: str
    seed: int
    horizon: int

    @property
    def name(self) -> str:
        return f"{self.part}, seed {self.seed}"

    def perform(self) -> PartOutcome:
        """Run it as `python -m lessons.reproductions` does, and measure the seconds of `REPETITION`."""
        start = perf_counter()
        with one_thread():
            found = EXPERIMENTS[self.experiment].play(self.part, self.seed, self.horizon)
        return replace(found, timing={**found.timing, REPETITION: perf_counter() - start})


def repetitions(cell: Cell, horizon: int) -> tuple[RepetitionJob, ...]:
    """Return the two repetitions of a small run."""
    stored = len(cell.values)
    return tuple(RepetitionJob(cell.board.report["name"], cell.part, seed, horizon) for seed in SEEDS if seed < stored)


def horizons(cell: Cell) -> tuple[int, ...]:
    """Return the horizons that are offered: the stored one, and a shorter one where that takes long."""
    if not cell.horizon or len(repetitions(cell, cell.horizon)) * cell.seconds <= SHORT_SECONDS:
        return (cell.horizon,)
    return (max(MIN_ROUNDS, cell.horizon // HORIZON_DIVISOR), cell.horizon)


def seconds(cell: Cell, horizon: int, runs: int) -> float:
    """Return about how long so many repetitions take on one core; a step costs more, the more has been seen."""
    share = (horizon / cell.horizon) ** 2 if cell.horizon else 1.0
    return runs * max(cell.seconds * share, 0.05)


def relative_gap(stored: float, again: float) -> float:
    """Return the relative difference of two numbers cut to the digits that a report keeps; 0 if they are the same."""
    a, b = rounded(float(stored)), rounded(float(again))
    return 0.0 if a == b else abs(a - b) / max(abs(a), abs(b))


def difference(cell: Cell, seed: int, again: PartOutcome) -> float:
    """Return the largest relative difference from what is stored of this seed, over all measures and the curve."""
    stored = cell.board.report["results"][cell.part]
    gaps = [relative_gap(stored[measure]["values"][seed], value) for measure, value in again.numbers.items()]
    if again.curve and seed < len(cell.curves):
        points = rounded(rounded(list(again.curve)), FINE)  # cut twice, as in the report
        gaps += [relative_gap(a, b) for a, b in zip(cell.curves[seed], points, strict=True)]
    return max(gaps)


def curves_and_ends(
    cell: Cell, found: Mapping[RepetitionJob, PartOutcome]
) -> tuple[Sequence[tuple[np.ndarray, np.ndarray]], np.ndarray]:
    """Return curves (rounds, regret) of the repetitions, and (seed, place, value) of their ends."""
    lines, ends = [], []
    for piece, again in found.items():
        if again.curve:
            lines.append((checkpoints(piece.horizon).astype(float), np.array(again.curve)))
        value = again.numbers[cell.board.unit]
        ends.append((piece.seed, piece.horizon if again.curve else math.nan, value))
    return lines, np.array(ends, dtype=float).reshape(-1, 3)
