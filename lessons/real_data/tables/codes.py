"""Codes for missing cells among numbers, such as -999: sought in every column by itself."""

from __future__ import annotations

import numpy as np

FAR_RANGES = 3.0  # ranges of the other values from which a value that repeats lies far outside them
# One figure again and again: nines of either sign such as 99, 99.9 and -9999, and -66, -77.7, -888 and the like.
_FIGURES = [(sign * int(figure * n) / 10**k, n) for figure in "6789" for n in range(2, 8) for k in range(3)
            for sign in ((1, -1) if figure == "9" else (-1,)) if k < n]  # fmt: skip
USUAL = np.array([value for value, _ in _FIGURES])
LONG = np.array([value for value, n in _FIGURES if n > 2])  # three figures or more: no chance number
LARGE = 1e20  # from here on a value is a code by itself where it lies outside


def codes_of(values: np.ndarray) -> np.ndarray:
    """Return (n, m) which cells hold a code for a missing one, column by column.

    A value is a code of its column where it is the least or the largest and outside the others: by their range if it
    looks like a code (nines such as 99, 99.9 and 9999, or -88.8, -77.7), by three if it repeats or is huge; a negative
    one also as the only value below 0 that repeats or looks like a code, and -9999 or less. What is a code in one
    column is one in every column where it lies outside the others.
    """
    held = np.zeros(values.shape, dtype=bool)
    for j, column in enumerate(values.T):
        held[:, j] = np.isin(column, _codes(column))
    for code in np.unique(values[held]):
        rest = np.where(held | (values == code) | np.isnan(values), code, values)
        held |= (values == code) & ((code <= rest).all(axis=0) | (code >= rest).all(axis=0))
    return held


def doubtful(values: np.ndarray, held: np.ndarray) -> dict[float, list[int]]:
    """Return values that may be codes, though nothing proves it -> their columns.

    They look like a code of three figures or more among like numbers, or are the only number below 0.
    """
    found: dict[float, list[int]] = {}
    for j, column in enumerate(values.T):
        left = np.unique(column[np.isfinite(column) & ~held[:, j]])
        lone = left[:1] if len(left) > 1 and left[0] < 0 <= left[1] and left[0].is_integer() else left[:0]
        for value in {*lone.tolist(), *left[np.isin(left, LONG[np.abs(LONG) > 77])].tolist()}:
            found.setdefault(value, []).append(j)
    return found


def _codes(column: np.ndarray) -> list[float]:
    left, found = column[np.isfinite(column)], []
    for _ in range(3):
        ends = (float(left.min()), float(left.max())) if len(left) else ()
        if (code := next((v for v in ends if _is_code(v, left)), None)) is not None:
            found.append(code)
            left = left[left != code]
    return found


def _is_code(value: float, column: np.ndarray) -> bool:
    """Return whether the least or largest value of a column is a code: see `codes_of`."""
    rest = column[column != value]
    if len(rest) < 2 or not np.ptp(rest):
        return False
    gap = min(abs(value - rest.min()), abs(value - rest.max())) / np.ptp(rest)
    repeats, like = len(column) - len(rest) > 1, bool(np.isin(value, USUAL))
    lone = value < 0 <= rest.min() and (like or (repeats and value.is_integer()))
    least = like and value <= -9999 and value < rest.min()
    return bool(lone or least or (like and gap > 1) or ((repeats or abs(value) >= LARGE) and gap > FAR_RANGES))
