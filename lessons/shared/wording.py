"""Words that several lessons use: counts, and kinds of worlds in a sentence."""

from __future__ import annotations

from common.formats import plural
from lessons.shared.knobs import YOURS
from tvbo_core import worlds

COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PHRASES = {kind.name: kind.phrase for kind in worlds.ALL.values()} | {YOURS: "your hill"}


def product(*parts: tuple[int, str] | tuple[int, str, str]) -> str:
    """Return "8 seeds × 6 methods": how many of what, as for `plural`."""
    return " × ".join(plural(*part) for part in parts)
