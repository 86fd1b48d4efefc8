"""The scenes of the theorems: runs between their bounds, all rates, or one bound, as the reader chooses."""

from __future__ import annotations

from figures.theme import Theme
from lessons.record import Scene, Values
from lessons.theorems.knobs import ONE, RATES, RUNS
from lessons.theorems.one_bound import scene as one_bound
from lessons.theorems.rates import scene as rates
from lessons.theorems.runs import scene as runs


def scene(values: Values, t: int, theme: Theme, only: bool = False) -> Scene:
    """Return the scene of these knob values at frame t, with every run played but for one frame alone.

    Raises:
        ValueError: a world of the runs that cannot be.
    """
    if values["view"] == RUNS:
        return runs.scene(values, t, theme, only)
    return {RATES: rates, ONE: one_bound}[values["view"]].scene(values, t, theme)


def is_instant(values: Values) -> bool:
    """Return whether nothing is played or summed for these knob values: stored runs, rates, a bound that is a rate.

    Raises:
        ValueError: a world of the runs that cannot be.
    """
    if values["view"] == RUNS:
        return runs.PLAN.is_instant(values)
    return values["view"] == RATES or one_bound.is_instant(values)


def has_frame(values: Values) -> bool:
    """Return whether one frame takes a moment, of the runs what is proved."""
    return runs.has_frame(values) if values["view"] == RUNS else is_instant(values)
