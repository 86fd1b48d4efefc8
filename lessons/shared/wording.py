"""Words that several lessons use: counts, and kinds of worlds in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from common.durations import duration
from common.formats import plural
from lessons.shared.knobs import YOURS
from tvbo_core import worlds

COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PHRASES = {kind.name: kind.phrase for kind in worlds.ALL.values()} | {YOURS: "your hill"}


def running(parts: Sequence[tuple[int, str] | tuple[int, str, str]], done: int, total: int, left: float) -> str:
    """Return the progress of runs, with what is run.

    Args:
        parts: how many of what, whose product the runs are, as for `plural`.   left: seconds.
    """
    return f"Running {' × '.join(plural(*part) for part in parts)}: {done}/{total} done, {duration(left)}"
