"""A reader's place at runs that the pool plays: what is missing, what is ordered, and what waits for a word.

A page begins runs by itself when they are a matter of seconds. In a crowd the same runs take longer, since every
reader has a turn: then they wait for a button, so that what somebody asked for comes before what nobody did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import streamlit as st

from ui import elsewhere
from ui.jobs import Job, Result, Ticket, perform

T = TypeVar("T")
BUSY = (
    "Many runs of other readers are waiting, so these have not begun; the runs that are shown stay. "
    "Start them when you like, or try another setting."
)


@dataclass(eq=False)
class Seat:
    """What this reader has ordered.

    Attributes:
        setting: of the page's runs.   runs: all of them.   ticket: of the order, None before one.
        results: of those that are there. They stay with the reader while the page is open: the pool forgets runs when
            it needs the room, and a run that came and went would never be complete.
        missing: runs that are not there.
        busy: whether only other readers' runs are why nothing has begun.
        mark: which runs are there: pages of one setting with the same mark look the same.
    """

    setting: object
    runs: tuple[Job, ...] = ()
    results: dict[Job, Result] = field(default_factory=dict)
    missing: tuple[Job, ...] = ()
    ticket: Ticket | None = None
    busy: bool = False
    mark: str = ""

    def __post_init__(self) -> None:
        self.learn({})

    def learn(self, found: Mapping[Job, Result]) -> None:
        """Take these results."""
        self.results |= found
        self.missing = tuple(job for job in self.runs if job not in self.results)
        self.mark = "".join("1" if job in self.results else "0" for job in self.runs) if self.missing else "all"

    def play(self, jobs: Iterable[Job]) -> None:
        """Play these here and now, and let the pool keep them for others."""
        played = {job: perform(job) for job in jobs}
        for job, result in played.items():
            elsewhere.race_pool().keep(job, result)
        self.learn(played)

    def look(self) -> None:
        """Take what the pool has of the runs that are missing."""
        if self.missing:
            pool = elsewhere.race_pool()
            self.learn(pool.known(self.missing) | (pool.look(self.ticket) if self.ticket else {}))

    def begin(self, seconds: float, most: float) -> None:
        """Order what is missing without being asked, where it takes `most` seconds at most: alone, and in this crowd.

        Args:
            seconds: about how long it takes in a pool that has nothing else to do.
        """
        if not self.missing or self.ticket is not None or seconds > most:
            return
        self.busy = elsewhere.expected(seconds) > most
        if not self.busy:
            self.order()

    def order(self) -> None:
        """Order what is missing; no ticket when all places are taken."""
        self.ticket = elsewhere.order(self.missing)
        self.busy = self.ticket is None

    def leave(self) -> None:
        """Start nothing more of the order."""
        if self.ticket is not None:
            elsewhere.race_pool().cancel(self.ticket)


def take(page: str, setting: object, make: Callable[[Seat | None], Seat]) -> Seat:
    """This reader's seat on a page; for another setting a new one is made, and what the older one ordered given up.

    Args:
        make: a seat with what is at hand, from the older one (None when the page has just opened). It is taken when
            it is ready: a run of the page may be cut short at any moment.
    """
    seats = _seats()
    old = seats.get(page)
    if old is not None and old.setting == setting:
        return old
    if old is not None:
        old.leave()
    seat = seats[page] = make(old)
    return seat


def start(page: str) -> None:
    """A press of this page's start button: order what is missing.

    By the page's name, as for `stop`: a session remembers its buttons with what they call for as long as it lives, and
    a seat that a button called would stay with all its runs after the reader has gone.
    """
    if page in _seats():
        _seats()[page].order()


def stop(page: str) -> None:
    """A press of this page's cancel button: start nothing more of its order."""
    if page in _seats():
        _seats()[page].leave()


def held(page: str, setting: object, make: Callable[[], T]) -> T:
    """What a page has made for this reader's setting: made once as long as the page is open and the setting stays."""
    things = st.session_state.setdefault("_held", {})
    if page not in things or things[page][0] != setting:
        things[page] = (setting, make())
    return things[page][1]


def rise() -> None:
    """Another page is open: what this one held goes, and runs that are through are left to the pool.

    A page that is back asks the pool first. With a hundred readers, what nobody looks at would be most of what the
    server remembers.
    """
    st.session_state.pop("_held", None)
    seats = _seats()
    for page in [page for page, seat in seats.items() if seat.ticket is None or seat.ticket.over]:
        seats.pop(page, None)


def _seats() -> dict[str, Seat]:
    return st.session_state.setdefault("_seats", {})
