"""The scenes of the theorems: runs between their bounds, all rates, or one bound, as the reader chooses."""

from __future__ import annotations

from figures.theme import Theme
from lessons.record import Frame, Scene, Values
from lessons.theorems.knobs import ONE, RATES, RUNS
from lessons.theorems.one_bound import scene as one_bound
from lessons.theorems.rates import scene as rates
from lessons.theorems.runs import scene as runs


def scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return the scene of these knob values at frame t, with every run played.

    Raises:
        ValueError: a world of the runs that cannot be.
    """
    if values["view"] == RUNS:
        return runs.PLAN.scene(values, t, theme)
    return {RATES: rates, ONE: one_bound}[values["view"]].scene(values, t, theme)


def until(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the rates, as far as frame t of their sweep."""
    return rates.until(values, t, theme)


def at_once(values: Values) -> bool:
    """Return whether nothing is played or summed for these knob values: stored runs, rates, a bound that is a rate.

    Raises:
        ValueError: a world of the runs that cannot be.
    """
    if values["view"] == RUNS:
        return runs.PLAN.at_once(values)
    return values["view"] == RATES or one_bound.at_once(values)


def frame(values: Values, t: int, theme: Theme) -> Frame | None:
    """Return frame t alone, of the runs what is proved; None where that takes long.

    Raises:
        ValueError: a world of the runs that cannot be.
    """
    return {RUNS: runs, RATES: rates, ONE: one_bound}[values["view"]].frame(values, t, theme)
