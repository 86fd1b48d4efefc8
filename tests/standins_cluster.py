"""A plugin of a Dask scheduler that counts: in a module of its own, because the scheduler's process imports it."""

from __future__ import annotations

from collections import Counter

from distributed import SchedulerPlugin


class Count(SchedulerPlugin):
    """Return how often each batch of runs was performed."""

    name = "count"

    def __init__(self) -> None:
        self.performed: Counter = Counter()

    def transition(self, key: str, start: str, finish: str, *more: object, **named: object) -> None:
        if (start, finish) == ("processing", "memory") and str(key).startswith("outcomes"):
            self.performed[key] += 1


def performed_batches(dask_scheduler: object) -> dict[str, int]:
    """Return the counts of the scheduler in whose process this runs."""
    return dict(dask_scheduler.plugins["count"].performed)


def at_rest(dask_scheduler: object) -> bool:
    """Return whether the scheduler in whose process this runs has nothing to do."""
    return all(task.state == "memory" for task in dask_scheduler.tasks.values())
