"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.theorems.knobs import ONE, RATES, RUNS
from lessons.theorems.one_bound import recipe as one_bound
from lessons.theorems.rates import recipe as rates
from lessons.theorems.runs import recipe as runs


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return the runs beside their bounds, the power of T of every method, or one bound."""
    return {RUNS: runs, RATES: rates, ONE: one_bound}[str(value["view"])].recipe(value, t)
