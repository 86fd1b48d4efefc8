"""The runs that a page shows as far as they have come."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lessons.record.knob import Values
from lessons.record.scene import Scene

Results = Mapping[Any, Any]  # job -> its result
Compute = Callable[..., Any]  # calls a function of plain values: `compute(function, *arguments, seconds=cost)`


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RunPlan:
    """Sources of a page's runs: those that ship with the lab, a few in place, the others from workers.

    Attributes:
        setting: returns from knob values the plain value that decides the runs; None where the page shows none.
        jobs: returns its different runs, in order.   what: returns them in words, as "8 seeds × 6 methods".
        gather: returns what the runs so far come to.
        scene_of: returns the scene of that, from knob values, what was gathered, a theme and a mark that tells which
            runs are there; a ValueError says in one sentence why there is nothing to draw (yet).
        file: holds runs that ship with the lab.   stored: returns those of some jobs that a file holds.
        seconds: returns about how long jobs take on one core.   long_seconds: what takes longer waits for a button.
        ready: refuses knob values with a ValueError, and computes what has to be there before any run.
        starter: returns the runs that are played while the reader waits, where that takes but a moment.
        display_key: returns what is seen of the results so far: once it is another one the page is drawn anew.
    """

    setting: Callable[[Values], Any]
    jobs: Callable[[Any], Sequence[Any]]
    what: Callable[[Any], str]
    gather: Callable[[Any, Results], Any]
    scene_of: Callable[[Values, Any, Any, str], Scene]
    file: Path
    stored: Callable[[Collection[Any], Path], Results]
    seconds: Callable[[Iterable[Any]], float]
    long_seconds: float
    ready: Callable[[Values, Compute], object]
    starter: Callable[[Any], Sequence[Any]] = lambda setting: ()
    display_key: Callable[[Any, Results], Hashable] = lambda setting, results: None

    def at_hand(self, values: Values) -> tuple[Any, list[Any], Results]:
        """Return the setting, its different jobs in order, and those results that a file holds.

        Raises:
            ValueError: a world that cannot be.
        """
        setting = self.setting(values)
        jobs = [] if setting is None else list(dict.fromkeys(self.jobs(setting)))
        return setting, jobs, self.stored(jobs, self.file)

    def is_instant(self, values: Values) -> bool:
        """Return whether none of these runs has to be waited for.

        Raises:
            ValueError: a world that cannot be.
        """
        _, jobs, stored = self.at_hand(values)
        return set(jobs) <= stored.keys()
