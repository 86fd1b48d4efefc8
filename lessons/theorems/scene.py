"""The scenes of the theorems: runs between their bounds, all rates, or one bound, as the reader chooses."""

from __future__ import annotations

from figures.theme import Theme
from lessons.record import Scene, Values
from lessons.theorems.knobs import ONE, RATES, RUNS
from lessons.theorems.one_bound import scene as one_bound
from lessons.theorems.rates import scene as rates
from lessons.theorems.runs import scene as runs


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values, with every run played.

    Raises:
        ValueError: a world of the runs that cannot be.
    """
    return {RUNS: runs.PLAN, RATES: rates, ONE: one_bound}[values["view"]].scene(values, theme)


def waits(values: Values) -> bool:
    """Return whether a bound with constants is summed for these knob values."""
    return values["view"] == ONE and one_bound.is_slow(values)


def frame(values: Values, t: int, theme: Theme) -> Scene | None:
    """Return the scene, of the runs what is proved; None where it takes longer than a moment.

    Raises:
        ValueError: a world of the runs that cannot be.
    """
    if values["view"] == RUNS:
        return runs.frame(values, theme)
    return None if waits(values) else scene(values, theme)
