"""Words that several lessons use: kinds of worlds in a sentence, numbers as a reader writes them."""

from __future__ import annotations

from tvbo_core import worlds

COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PHRASES = {kind.name: kind.phrase for kind in worlds.ALL.values()}


def amount(value: float) -> str:
    """A sum in reward units: one decimal, none when large, two digits when tiny."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 0.95 or value == 0 else f"{value:.2g}"
