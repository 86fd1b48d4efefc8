"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.theorems.knobs import RUNS
from lessons.theorems.rates import recipe as rates
from lessons.theorems.runs import recipe as runs


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return the runs beside their bounds at this horizon, or the power of T (or of epsilon) of every method."""
    return (runs if value["view"] == RUNS else rates).recipe(value, t)
