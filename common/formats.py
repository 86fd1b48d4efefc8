"""Numbers and lists as the screen writes them, one function a way of writing; a minus sign is a real one, −."""

from __future__ import annotations

import math
from collections.abc import Sequence

SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def minus(text: str) -> str:
    """Return the text of a number with a real minus sign."""
    return text.replace("-", "−")


def amount(value: float) -> str:
    """Return a sum in reward units: one decimal, none from 100 on, two significant digits below 0.95."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 0.95 or value == 0 else f"{value:.2g}"


def number(value: float) -> str:
    """Return three significant digits: 0.0123, 12.3, 12,345; less than 0.0001 is 0."""
    few = f"{value:.3g}" if abs(value) >= 1e-4 else "0"
    return minus(f"{value:,.0f}" if abs(value) >= 1000 else few)


def three_digits(value: float) -> str:
    """Return two decimals, one from 10 on, none from 100 on: 0.12, 12.3, 123."""
    return minus(f"{value:.{0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2}f}")


def two_decimals(value: float) -> str:
    """Return two decimals."""
    return minus(f"{value:.2f}")


def plural(n: int, word: str, several: str = "") -> str:
    """Return "1 round" or "2,000 rounds"; `several` is said where that is not the word with an s."""
    return f"{n:,} {word if n == 1 else several or f'{word}s'}"


def and_list(names: Sequence[str], most: int | None = None) -> str:
    """Return "A", "A and B", "A, B and C"; or "A, B and 2 others" where there are more than `most` = 3."""
    if most and len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} others"]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def ordinal(n: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, ..., 11th."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(n % 10 if n % 100 not in (11, 12, 13) else 0, "th")
    return f"{n}{ending}"


def signed(value: float) -> str:
    """Return two decimals with the sign, which 0.00 has not."""
    text = minus(f"{value:+.2f}")
    return "0.00" if text in ("+0.00", "−0.00") else text


def percent(share: float) -> str:
    """Return a share in percent, with a decimal where it is below a tenth."""
    return f"{100 * share:.0f} %" if share >= 0.1 or share == 0 else f"{100 * share:.1f} %"


def power(value: float) -> str:
    """Return three significant digits from 0.01 to 10,000, else two with a power of ten (HTML)."""
    if 1e-2 <= value < 1e4:
        return number(value)
    digits, exponent = f"{value:.1e}".split("e")
    return minus(f"{'' if digits == '1.0' else digits + '·'}10<sup>{int(exponent)}</sup>")


def power_of_ten(exponent: float, plain: int = -1) -> str:
    """Return a power of ten with a raised exponent, such as 10⁴; in digits where the exponent is at most ±`plain`."""
    if abs(exponent) <= plain:
        return f"{10.0**exponent:g}"
    return f"10{str(int(exponent)).translate(SUPERSCRIPT)}"


def in_powers(value: float, times: str = "×", least: float = 1e-3) -> str:
    """Return 0.0123, 40, 4,800, and from 100,000 on, or below `least`, a power of ten such as 2.8×10⁶."""
    if value >= 1e5 or 0 < value < least:
        exponent = math.floor(math.log10(value))
        return f"{value / 10.0**exponent:.1f}{times}{power_of_ten(exponent)}"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"


def in_millions(value: float) -> str:
    """Return 1.8, 64, 9,600 and 123,000, from a million on "4.4 million", and from 10⁹ on a power such as 2.8·10⁹."""
    if value >= 1e9 or 0 < value < 1e-3:
        return in_powers(value, times="·")
    if value >= 999_500:
        return f"{value / 1e6:.{0 if value >= 9.95e6 else 1}f} million"
    if value >= 1e4:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:,.0f}" if value >= 99.5 else f"{value:.2g}"
