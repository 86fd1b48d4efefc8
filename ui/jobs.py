"""Heavy work in processes of its own: bounded, shared fairly, cancellable, and kept once it is done.

Nothing here knows Streamlit: whoever makes a pool says which visitors are still there. What a worker does is in
ui/worker.py, whose turn it is in ui/turns.py.
"""

from __future__ import annotations

import subprocess
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import monotonic
from weakref import WeakValueDictionary

from tvbo_core.race_results import Run
from ui import worker
from ui.turns import Ticket, Turns
from ui.worker import Answer, Call, Job, Result, drawn, perform

__all__ = ["BROKEN", "Answer", "Call", "Job", "Pool", "Result", "Ticket", "drawn", "perform"]
BROKEN = "A worker ended twice before this run was done; move a slider or load the page again to repeat it."
GUARD = 0.5  # seconds between two looks at who is still there


class Pool:
    """At most `workers` processes for everybody, and the runs they have finished.

    Visitors take turns run by run, so a long race does not hold up a short one. A job that two visitors want is run
    once. A visitor whose tab is closed waits for nothing: what only absent visitors want is not begun, and stopped
    when it runs. A ticket that nobody has looked at for `patience` seconds is dropped. A run whose worker dies is
    begun once more.

    Args:
        workers: processes, at least 1.
        places: tickets of a kind that may be open at once.   share: tickets that one visitor may have open.
        patience: seconds without a look.   idle: seconds after which a worker without work is let go.
        room: bytes of finished runs that are kept; the least recently asked for go first. What a reader still holds
            is found beyond that: readers of one setting hold the same runs, not each his own.
        present: whether a visitor is still there.
        grace: seconds that a run goes on when nobody waits for it any more.
    """

    def __init__(
        self,
        workers: int = 2,
        places: int = 64,
        patience: float = 90.0,
        idle: float = 60.0,
        room: int = 30_000_000,
        present: Callable[[str], bool] = lambda visitor: True,
        grace: float = 2.0,
        share: int = 4,
    ) -> None:
        self.workers, self.places, self.share, self.room = workers, places, share, room
        self.patience, self.idle, self.grace, self.present = patience, idle, grace, present
        self._turn = threading.Condition()
        self._turns = Turns()
        self._tickets: list[Ticket] = []
        self._running: dict[Job | Call, int] = {}  # and the place of its worker
        self._unwanted: dict[Job | Call, float] = {}  # running, and since when nobody waits for it
        self._broken: set[Job | Call] = set()  # whose worker has died once
        self._kept: OrderedDict[Job, Result] = OrderedDict()
        self._held: WeakValueDictionary[Job, Run] = WeakValueDictionary()  # by somebody, perhaps a reader alone
        self._bytes, self._closed = 0, False
        self._threads: dict[int, threading.Thread] = {}
        self._processes: dict[int, subprocess.Popen] = {}
        self._guard: threading.Thread | None = None

    def order(self, jobs: Iterable[Job | Call], visitor: str = "", urgent: bool = False) -> Ticket | None:
        """Have these jobs done, in this order; None when all places are taken.

        Urgent orders and others have `places` each: who waits before an empty panel is not refused for races. A
        visitor with `share` orders open loses the one that was looked at longest ago; when there is no place, so does
        whoever has not looked for longest, if that is a while ago.
        """
        wanted = dict.fromkeys(jobs)
        with self._turn:
            self._drop_forgotten()
            mine = sorted((t for t in self._tickets if visitor and t.visitor == visitor), key=lambda t: t.seen)
            for old in mine[: max(len(mine) - self.share + 1, 0)]:
                self._drop(old)
            alike = [t for t in self._tickets if t.urgent == urgent]
            unseen = [t for t in alike if t.unseen]
            if len(alike) >= self.places and unseen:
                self._drop(alike.pop(alike.index(min(unseen, key=lambda t: t.seen))))
            if self._closed or len(alike) >= self.places:
                return None
            kept = self._found(wanted)
            waiting = {job: None for job in wanted if job not in kept}
            ticket = Ticket(frozenset(wanted), waiting, kept, visitor, urgent)
            if waiting:
                self._turns.join(visitor)
                self._tickets.append(ticket)
                self._wake()
        return ticket

    def cancel(self, ticket: Ticket) -> None:
        """Start nothing more of it; what is finished stays."""
        with self._turn:
            self._drop(ticket)

    def look(self, ticket: Ticket) -> dict[Job | Call, Result | Answer]:
        """What has come of it so far; a ticket that is looked at is not forgotten."""
        with self._turn:
            ticket.seen = monotonic()
            return dict(ticket.results)

    def wait(self, ticket: Ticket, seconds: float) -> bool:
        """Wait until it is over, at most so long; whether it is."""
        with self._turn:
            ticket.seen = monotonic()
            return self._turn.wait_for(lambda: ticket.over, seconds)

    def queue(self, ticket: Ticket) -> tuple[int, float]:
        """Place in the queue (0: it has begun), and about how many seconds until it begins."""
        with self._turn:
            place = 0 if ticket.over else self._turns.place(ticket, self._tickets, self._running)
            return place, place * self._turns.pace / self.workers

    @property
    def backlog(self) -> float:
        """About how many seconds of work are waiting."""
        with self._turn:
            return sum(len(t.waiting) for t in self._tickets) * self._turns.pace / self.workers

    def known(self, jobs: Iterable[Job]) -> dict[Job, Result]:
        """The results among these jobs that are kept."""
        with self._turn:
            found = self._found(jobs)
            for job in found:
                if job in self._kept:
                    self._kept.move_to_end(job)
            return found

    @property
    def visitors(self) -> int:
        """How many visitors wait for something."""
        with self._turn:
            return len({ticket.visitor for ticket in self._tickets})

    def others(self, visitor: str) -> int:
        """How many other visitors wait for something."""
        with self._turn:
            return len({ticket.visitor for ticket in self._tickets} - {visitor})

    def keep(self, job: Job, result: Result) -> None:
        """Remember a result, and hand it to everybody who waits for it."""
        with self._turn:
            self._remember(job, result)
            self._hand_out(job, result)

    def close(self) -> None:
        """End the workers; what is kept stays readable."""
        with self._turn:
            self._closed = True
            for ticket in list(self._tickets):
                self._drop(ticket)
            for process in self._processes.values():
                process.kill()
            threads = [*self._threads.values(), *([self._guard] if self._guard else [])]
            self._turn.notify_all()
        for thread in threads:
            thread.join(timeout=5)

    def _found(self, jobs: Iterable[Job]) -> dict[Job, Result]:
        results = ((job, self._kept[job] if job in self._kept else self._held.get(job)) for job in jobs)
        return {job: result for job, result in results if result is not None}

    def _remember(self, job: Job | Call, result: Result | Answer) -> None:
        if isinstance(job, Call):
            return
        old = self._kept.pop(job, None)
        self._bytes += worker.size(result) - worker.size(old)
        self._kept[job] = result
        if isinstance(result, Run):
            self._held[job] = result
        while self._bytes > self.room and len(self._kept) > 1:
            self._bytes -= worker.size(self._kept.popitem(last=False)[1])

    def _hand_out(self, job: Job | Call, result: Result | Answer) -> None:
        for ticket in [t for t in self._tickets if job in t.jobs]:
            ticket.waiting.pop(job, None)
            ticket.results[job] = result
            ticket.began = ticket.began or monotonic()
            if ticket.over:
                self._tickets.remove(ticket)
        self._turns.leave({t.visitor for t in self._tickets})

    def _drop(self, ticket: Ticket) -> None:
        ticket.cancelled = True
        ticket.waiting.clear()
        if ticket in self._tickets:
            self._tickets.remove(ticket)
            self._turns.leave({t.visitor for t in self._tickets})
            self._turn.notify_all()

    def _drop_forgotten(self) -> None:
        for ticket in [t for t in self._tickets if monotonic() - t.seen > self.patience]:
            self._drop(ticket)

    def _wake(self) -> None:
        for place in range(self.workers):
            if place not in self._threads:
                self._threads[place] = threading.Thread(target=self._work, args=(place,), daemon=True)
                self._threads[place].start()
        if self._guard is None:
            self._guard = threading.Thread(target=self._watch, daemon=True)
            self._guard.start()
        self._turn.notify_all()

    def _watch(self) -> None:
        """The thread that looks after closed tabs: it stops what nobody waits for, while there are workers."""
        with self._turn:
            while self._threads and not self._closed:
                self._drop_forgotten()
                self._stop_unwanted()
                self._turn.wait_for(lambda: self._closed or not self._threads, GUARD)
            self._guard = None

    def _stop_unwanted(self) -> None:
        here = [t for t in self._tickets if self.present(t.visitor)]
        wanted = {job for job in self._running if any(job in t.jobs for t in here)}
        self._broken &= set(self._running).union(*(t.waiting for t in self._tickets))
        since = {job: self._unwanted.get(job, monotonic()) for job in self._running if job not in wanted}
        self._unwanted = since
        for job, start in since.items():
            process = self._processes.get(self._running[job])
            if monotonic() - start > self.grace and process is not None:
                process.kill()  # its thread notices, and starts another one

    def _next(self, place: int) -> Job | Call | None:
        """The next job of the visitor whose turn it is; None, once nothing came for too long, is good-bye."""
        since = monotonic()
        with self._turn:
            while not self._closed and monotonic() - since < self.idle:
                self._drop_forgotten()
                job = self._turns.pick(self._tickets, self._running, self.present, self.workers)
                if job is not None:
                    for ticket in self._tickets:
                        ticket.waiting.pop(job, None)
                    self._running[job] = place
                    return job
                self._turn.wait(timeout=min(self.idle, GUARD if self._tickets else 5.0))
            del self._threads[place]  # in the same breath, so that the next order starts another one
            return None

    def _work(self, place: int) -> None:
        """The thread of one worker: hands it a job, waits for the answer, keeps it."""
        process: subprocess.Popen | None = None
        while (job := self._next(place)) is not None:
            start = monotonic()
            with suppress(OSError):  # no process can be started: the run counts as broken
                if process is None:
                    process = self._processes[place] = worker.start()
            result = None if process is None else worker.ask(process, job)
            self._done(job, result, monotonic() - start)
            if result is None and process is not None:
                process = worker.end(process)
        self._processes.pop(place, None)
        if process is not None:
            worker.end(process)

    def _done(self, job: Job | Call, result: Result | Answer | None, seconds: float) -> None:
        with self._turn:
            del self._running[job]
            unwanted = self._unwanted.pop(job, None) is not None
            if result is not None:
                self._turns.took(seconds)
                self._broken.discard(job)
                self._remember(job, result)
                self._hand_out(job, result)
            elif unwanted or job not in self._broken:  # stopped because nobody was there, or died once: it waits again
                self._broken |= set() if unwanted else {job}
                for ticket in [t for t in self._tickets if job in t.jobs]:
                    ticket.waiting = {job: None, **ticket.waiting}
            else:
                self._broken.discard(job)
                self._hand_out(job, Answer(accident=BROKEN) if isinstance(job, Call) else BROKEN)
            self._turn.notify_all()
