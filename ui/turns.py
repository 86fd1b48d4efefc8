"""Whose turn it is: a fair share of the workers for every visitor, and a place in the queue that can be said.

A visitor's turn is one run; then the visitor goes to the end of the circle. Of a visitor's own orders, the one that
was looked at last comes first. When both are there, those who wait before an empty panel (urgent) get `AHEAD` turns
for each of a race in the background, so neither can starve the other. And when more than `FEW` visitors wait, or have
ordered something in the last `LATELY` seconds, races get half of the workers at most: a run that has begun is not put
off, so somebody would wait for its end. A race that its reader has not looked at for `SIGHT` seconds (another page is
open) goes on while nobody else's waits.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from dataclasses import dataclass, field
from time import monotonic

from ui.worker import Answer, Call, Job, Result

AHEAD = 3
FEW = 2
LATELY = 10.0  # seconds; in a class the next order comes sooner
SIGHT = 3.0  # seconds; an open page looks twice a second


@dataclass(eq=False)
class Ticket:
    """One visitor's order: what is still to do, and what has come of it.

    Attributes:
        jobs: as ordered.   waiting: those that nobody has begun, in order.   results: of the finished ones.
        visitor: whose it is.   urgent: somebody waits before an empty panel.
        cancelled: nothing more will be started; runs under way are still kept.
        began, seen: when its first result came (None before) and when its reader last looked, seconds of a
            steady clock.
    """

    jobs: frozenset[Job | Call]
    waiting: dict[Job | Call, None]
    results: dict[Job | Call, Result | Answer]
    visitor: str = ""
    urgent: bool = False
    cancelled: bool = False
    began: float | None = None
    seen: float = field(default_factory=monotonic)

    @property
    def unseen(self) -> bool:
        """Whether nobody has looked at this race for a while."""
        return not self.urgent and monotonic() - self.seen > SIGHT

    @property
    def over(self) -> bool:
        return self.cancelled or len(self.results) == len(self.jobs)


class Turns:
    """The circle of visitors, and how long a run takes at the moment: whoever is new joins at its end."""

    def __init__(self) -> None:
        self._count = itertools.count(1)
        self._turn: dict[str, int] = {}
        self._met: dict[str, float] = {}  # visitor -> when something was ordered last
        self._ahead = 0  # urgent turns since the last race
        self.pace = 0.5  # seconds that a run takes: a moving average

    def join(self, visitor: str) -> None:
        """A visitor has ordered something; who waits already keeps the place."""
        self._turn.setdefault(visitor, next(self._count))
        now = monotonic()
        self._met = {**{name: when for name, when in self._met.items() if now - when < LATELY}, visitor: now}

    def leave(self, staying: Container[str]) -> None:
        """Only these visitors still wait for anything."""
        self._turn = {visitor: turn for visitor, turn in self._turn.items() if visitor in staying}

    def pick(
        self,
        tickets: Sequence[Ticket],
        running: Collection[Job | Call],
        present: Callable[[str], bool],
        workers: int = 1,
    ) -> Job | Call | None:
        """The next order that somebody who is still there waits for; its visitor goes to the end of the circle."""
        about = {t.visitor for t in tickets} | {name for name, when in self._met.items() if monotonic() - when < LATELY}
        full = len(about) > FEW and _races(tickets, running) >= max(workers // 2, 1)
        may = [t for t in tickets if t.urgent or not full]
        ready = [(t, job) for t in may if (job := _next(t, running)) is not None and present(t.visitor)]
        ready = [pair for pair in ready if not pair[0].unseen] or ready
        if not ready:
            return None
        kinds = {t.urgent for t, _ in ready}
        wanted = self._ahead < AHEAD if len(kinds) == 2 else kinds.pop()
        ticket, job = min((pair for pair in ready if pair[0].urgent == wanted), key=self._rank)
        self._turn[ticket.visitor] = next(self._count)
        self._ahead = self._ahead + 1 if ticket.urgent else 0
        return job

    def place(self, ticket: Ticket, tickets: Iterable[Ticket], running: Iterable[Job | Call]) -> int:
        """1 for whoever comes next, 2 for the one after, ...; 0 for whom something runs or has come already.

        It is also 0 where nobody else is served: then there is no queue, only a worker that is waking up.
        """
        if not ticket.waiting or ticket.results or any(job in ticket.jobs for job in running):
            return 0
        others = [t for t in tickets if t.visitor != ticket.visitor]
        if not any(job in t.jobs for t in others for job in running):
            return 0
        mine = self._turn.get(ticket.visitor, 0)
        waiting = [t for t in others if t.waiting and t.urgent == ticket.urgent]
        return 1 + len({t.visitor for t in waiting if self._turn.get(t.visitor, 0) < mine})

    def took(self, seconds: float) -> None:
        """A run has taken this long."""
        self.pace += 0.2 * (seconds - self.pace)

    def _rank(self, pair: tuple[Ticket, Job | Call]) -> tuple[int, float]:
        return self._turn.get(pair[0].visitor, 0), -pair[0].seen


def _races(tickets: Sequence[Ticket], running: Iterable[Job | Call]) -> int:
    """How many of the running orders nobody waits for before an empty panel."""
    return sum(not any(t.urgent and job in t.jobs for t in tickets) for job in running)


def _next(ticket: Ticket, running: Container[Job | Call]) -> Job | Call | None:
    return next((job for job in ticket.waiting if job not in running), None)
