"""Checks of single numbers that many modules make at their door."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import cast


def is_positive(value: object) -> bool:
    """Return True for a number above 0 and finite."""
    return isinstance(value, Real) and not isinstance(value, bool) and 0 < cast(float, value) < math.inf


def check_delta(delta: float) -> None:
    """Complain about a failure probability outside (0, 1] (ValueError)."""
    if not (isinstance(delta, Real) and 0 < delta <= 1):
        raise ValueError(f"delta must be above 0 and at most 1, got {delta!r}")


def check_share(name: str, value: object) -> None:
    """Complain about what is no number in [0, 1] (ValueError)."""
    if not (isinstance(value, Real) and not isinstance(value, bool) and 0 <= cast(float, value) <= 1):
        raise ValueError(f"{name} must be a number from 0 to 1, got {value!r}")


def check_rounds(name: str, value: object) -> None:
    """Complain about what is no whole number of rounds (ValueError)."""
    if not (isinstance(value, Integral) and not isinstance(value, bool) and cast(int, value) >= 1):
        raise ValueError(f"{name} must be a whole number of rounds of at least 1, got {value!r}")
