"""Checks of single numbers that many modules make at their door."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import fields
from numbers import Integral, Real
from typing import Any, cast

import numpy as np


def is_positive(value: object) -> bool:
    """Return True for a number above 0 and finite."""
    return is_number(value) and 0 < cast(float, value) < math.inf


def is_number(value: object) -> bool:
    """Return True for a real number that floats can hold, which may be infinite or none (NaN)."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def is_word(value: object, words: Collection[str]) -> bool:
    """Return True for a text that is one of these."""
    return isinstance(value, str) and value in words


def short_repr(value: object) -> str:
    """Return the value as an error message shows it: one line, cut where it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:77]}..."


def is_whole(value: object) -> bool:
    """Return True for a whole number, also one that is written as a float."""
    return is_number(value) and math.isfinite(cast(float, value)) and value == int(cast(float, value))


def as_floats(name: str, value: Any) -> np.ndarray:
    """Return an array of floats, an array of floats itself; raise ValueError for what is not all real numbers."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return value
    try:
        given = np.asarray(value)
        if given.dtype.kind not in "biufO":  # text and complex numbers would be read, or lose a part, without a word
            raise TypeError
        return np.asarray(given, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be an array of numbers, got {short_repr(value)}") from None


def check_kernel(kernel: Any) -> None:
    """Complain about what cannot be called as a kernel (ValueError)."""
    if isinstance(kernel, type):
        raise ValueError(f"kernel must be an instance, got the class {kernel.__name__}: write {kernel.__name__}()")
    if not (callable(kernel) and callable(getattr(kernel, "diag", None))):
        raise ValueError(f"kernel must be callable as kernel(X, Z) and have kernel.diag(X), got {short_repr(kernel)}")


def check_rng(rng: object) -> None:
    """Complain about what is no generator of numpy's (ValueError)."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a generator, as tv.observe.play_rng(0) makes one, got {short_repr(rng)}")


def check_switches(record: Any) -> None:
    """Complain about a field of True or False that holds anything else, such as the word "no" (ValueError)."""
    for one in fields(record):
        value = getattr(record, one.name)
        if isinstance(one.default, bool) and not (isinstance(value, bool | int | np.bool_) and value in (0, 1)):
            raise ValueError(f"{one.name} must be True or False, got {value!r}")


def check_count(name: str, value: object, least: int = 0) -> None:
    """Complain about what is no whole number of at least `least` (ValueError)."""
    if not (is_whole(value) and cast(int, value) >= least):
        raise ValueError(f"{name} must be at least {least} and whole, got {value!r}")


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
