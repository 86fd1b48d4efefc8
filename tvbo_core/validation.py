"""Checks of single numbers that many modules make at their door."""

from __future__ import annotations

import math
from collections.abc import Collection
from numbers import Integral, Real
from typing import cast


def is_positive(value: object) -> bool:
    """Return True for a number above 0 and finite."""
    return is_number(value) and 0 < cast(float, value) < math.inf


def is_number(value: object) -> bool:
    """Return True for a real number, which may be infinite or none (NaN)."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_word(value: object, words: Collection[str]) -> bool:
    """Return True for a text that is one of these."""
    return isinstance(value, str) and value in words


def short_repr(value: object) -> str:
    """Return the value as an error message shows it: one line, cut where it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:77]}..."


def check_amount(name: str, value: object, or_none: bool = False) -> None:
    """Complain about what is no finite number of at least 0 (ValueError)."""
    fine = is_number(value) and 0 <= cast(float, value) < math.inf
    if not (fine or (or_none and value is None)):
        raise ValueError(f"{name} must be finite and at least 0{', or None' if or_none else ''}, got {value!r}")


def check_delta(delta: float) -> None:
    """Complain about a failure probability outside (0, 1] (ValueError)."""
    if not (is_number(delta) and 0 < delta <= 1):
        raise ValueError(f"delta must be above 0 and at most 1, got {delta!r}")


def check_share(name: str, value: object) -> None:
    """Complain about what is no number in [0, 1] (ValueError)."""
    if not (is_number(value) and 0 <= cast(float, value) <= 1):
        raise ValueError(f"{name} must be a number from 0 to 1, got {value!r}")


def check_rounds(name: str, value: object) -> None:
    """Complain about what is no whole number of rounds (ValueError)."""
    if not (isinstance(value, Integral) and not isinstance(value, bool) and cast(int, value) >= 1):
        raise ValueError(f"{name} must be a whole number of rounds of at least 1, got {value!r}")
