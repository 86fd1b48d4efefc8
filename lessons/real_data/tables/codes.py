"""Codes for missing cells among numbers, such as -999: sought in every column by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lessons.real_data.reading.limits import count

FAR_RANGES = 3.0  # ranges of the other values from which a value that repeats lies far outside them
LARGE = 1e20  # from here on a value is a code by itself where it lies outside


def codes_of(values: np.ndarray) -> np.ndarray:
    """Return (n, m) which cells hold a code for a missing one.

    A value is a code of its column where it is the least or the largest and outside the others: by their range if it
    looks like a code (nines such as 99, 99.9 and 9999, or -88.8, -77.7), by three if it repeats or is huge; a negative one also
    as the only value below 0 that repeats or looks like a code. What is a code in one column is one in every column
    where it lies outside the others.
    """
    held = np.zeros(values.shape, dtype=bool)
    for j, column in enumerate(values.T):
        for code in _codes(column):
            held[:, j] |= column == code
    for code in np.unique(values[held]):
        for j, column in enumerate(values.T):
            rest = column[np.isfinite(column) & ~held[:, j] & (column != code)]
            if len(rest) and (code < rest.min() or code > rest.max()):
                held[:, j] |= column == code
    return held


def says_code(code: float, where: np.ndarray, names: Sequence[str], inside: Sequence[str]) -> str:
    """Return the sentence on a code, the columns where it was found, and those where it stands among like values."""
    found = [n for n, k in zip(names, where.any(axis=0), strict=True) if k]
    shown = ", ".join(f"‘{n}’" for n in found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "")
    kept = f" In ‘{inside[0]}’ it stands among like numbers and is kept." if inside else ""
    return (
        f"‘{code:g}’ in {count(int(where.sum()), 'cell')} of {shown} lies outside the other numbers: it counts as a "
        f"missing cell; take it out of the codes if it is a number.{kept}"
    )


def _codes(column: np.ndarray) -> list[float]:
    left, found = column[np.isfinite(column)], []
    while len(left) and len(found) < 3:
        for value in (left.min(), left.max()):
            rest = left[left != value]
            if len(rest) < 2:
                continue
            gap, extent = min(abs(value - rest.min()), abs(value - rest.max())), float(np.ptp(rest))
            repeats, like = len(left) - len(rest) > 1, _looks_like_code(float(value))
            lone = value < 0 <= rest.min() and (like or (repeats and gap > 0.1 * extent))
            least = like and value <= -9999 and value < rest.min()
            far = (like and gap > extent) or ((repeats or abs(value) >= LARGE) and gap > FAR_RANGES * extent)
            if extent and (far or lone or least):
                found.append(float(value))
                left = rest
                break
        else:
            break
    return found


def _looks_like_code(value: float) -> bool:
    """Return whether a number is one figure again and again, two at least, of nines or negative: -999, 99.9, -77.7."""
    figures = f"{abs(value):.10g}".replace(".", "")
    return len(figures) > 1 and len(set(figures)) == 1 and (figures[0] == "9" or (value < 0 and figures[0] in "678"))
