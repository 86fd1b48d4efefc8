"""Labels of numbers on an axis."""

from __future__ import annotations

SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def power_of_ten(exponent: float) -> str:
    """Return a power of ten with a raised exponent, such as 10⁴."""
    return f"10{str(int(exponent)).translate(SUPERSCRIPT)}"
