"""Durations of runs from the costs in the list of policies."""

from __future__ import annotations

from collections.abc import Iterable

from tvbo_core import policies
from tvbo_core.jobs import PlayJob


def of_runs(runs: Iterable[PlayJob]) -> float:
    """Return about how many seconds these runs take on one core."""
    return sum(policies.entry_of(job.policy).seconds(job.world.horizon, job.world.arm_count) for job in runs)
