"""Words that several lessons use: counts, and kinds of worlds in a sentence."""

from __future__ import annotations

from lessons.shared.knobs import YOURS
from tvbo_core import worlds

COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PHRASES = {kind.name: kind.phrase for kind in worlds.ALL.values()} | {YOURS: "your hill"}


def plural(n: int, word: str, several: str = "") -> str:
    """Return "1 round" or "2,000 rounds"; `several` is said where that is not the word with an s."""
    return f"{n:,} {word if n == 1 else several or f'{word}s'}"


def product(*parts: tuple[int, str] | tuple[int, str, str]) -> str:
    """Return "8 seeds × 6 methods": how many of what, as for `plural`."""
    return " × ".join(plural(*part) for part in parts)
