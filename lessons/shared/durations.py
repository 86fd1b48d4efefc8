"""Durations of runs from the costs of their methods, and how a duration is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lessons.shared.knobs import METHODS
from tvbo_core.jobs import Job


def of_runs(runs: Iterable[Job], cost: Mapping[str, float]) -> float:
    """Return about how many seconds these runs take on one core.

    Args:
        cost: word of a method -> milliseconds of a run of 300 rounds with 100 arms.
    """
    by_name = {METHODS[m]: c for m, c in cost.items()}
    return sum(by_name[j.name] * 1e-3 * (j.world.horizon / 300) ** 1.2 * (j.world.arms / 100) for j in runs)


def duration(seconds: float) -> str:
    """Return "about 5 s" or "about 3 min"."""
    return f"about {max(round(seconds), 1)} s" if seconds < 90 else f"about {round(seconds / 60)} min"
