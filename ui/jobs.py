"""Runs of a race in processes of their own: bounded, shared fairly, cancellable, and kept once they are done.

A worker is a fresh Python (never a copy of the server) that reads jobs from its standard input and writes
what came of them to its standard output. It ends when that input ends, so no worker outlives the server,
however the server ends. Nothing here knows Streamlit, because the workers import this module.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from time import monotonic

from tvbo_core.observe import play_rng
from tvbo_core.race import play
from tvbo_core.records import Policy, Problem, World
from tvbo_core.standings import Run
from tvbo_core.worlds import make_problem

ROOT = Path(__file__).resolve().parent.parent
COMMAND = "from ui.jobs import serve; serve()"
BROKEN = "A worker ended before its run was done; start the race again."


@dataclass(frozen=True)
class Job:
    """One run: a policy under its name, in the world of one seed. Plain values: it is its result's key."""

    name: str
    policy: Policy
    world: World


Result = Run | str  # a finished run, or the sentence that says why there is none


@lru_cache(maxsize=4)  # the policies of one world come one after the other
def drawn(world: World) -> Problem:
    """The world as a table."""
    return make_problem(world)


def perform(job: Job) -> Result:
    """Play it: the same run that `tvbo_core.race.race` makes with this policy, world and seed."""
    try:
        h = play(drawn(job.world), job.policy, play_rng(job.world.seed))
    except ValueError as refusal:
        return str(refusal)
    return Run(job.name, 0, job.world.seed, h.arms, h.regret, h.extra_queries, h.seconds)


def serve() -> None:
    """A worker's life: one job after the other, until the input ends; then it is gone at once."""
    if hasattr(os, "nice"):
        os.nice(10)  # whoever moves a slider comes first
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr  # a stray print must not end up among the answers
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()

    def listen() -> None:
        try:
            while True:
                jobs.put(pickle.load(sys.stdin.buffer))
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        job = jobs.get()
        try:
            result = perform(job)
        except Exception as problem:  # whatever it is, the reader gets a sentence and the worker lives on
            result = f"{job.name} failed ({type(problem).__name__}); please report this setting."
        pickle.dump(result, answers)
        answers.flush()


@dataclass(eq=False)
class Ticket:
    """One reader's order: the jobs still to do, and what has come of them.

    Attributes:
        jobs: as ordered.   waiting: those that nobody has begun, in order.   results: of the finished ones.
        cancelled: nothing more will be started; runs under way are still kept.
        began, seen: when its first result came (None before) and when its reader last looked, seconds of a
            steady clock.
    """

    jobs: frozenset[Job]
    waiting: dict[Job, None]
    results: dict[Job, Result]
    cancelled: bool = False
    began: float | None = None
    seen: float = field(default_factory=monotonic)

    @property
    def over(self) -> bool:
        return self.cancelled or len(self.results) == len(self.jobs)


class Pool:
    """At most `workers` processes for everybody, and the runs they have finished.

    Readers take turns run by run, so a long race does not hold up a short one. A job that two readers want is
    run once. A ticket that nobody has looked at for `patience` seconds is dropped: its page is closed.

    Args:
        workers: processes, at least 1.   places: tickets that may be open at once.
        patience: seconds without a look.   idle: seconds after which a worker without work is let go.
        room: rounds of finished runs that are kept (32 bytes each); the least recently asked for go first.
    """

    def __init__(
        self,
        workers: int = 2,
        places: int = 64,
        patience: float = 90.0,
        idle: float = 60.0,
        room: int = 2_000_000,
    ) -> None:
        self.workers, self.places, self.room = workers, places, room
        self.patience, self.idle = patience, idle
        self._turn = threading.Condition()
        self._tickets: deque[Ticket] = deque()
        self._running: set[Job] = set()
        self._kept: OrderedDict[Job, Result] = OrderedDict()
        self._rounds, self._closed = 0, False
        self._threads: dict[int, threading.Thread] = {}
        self._processes: dict[int, subprocess.Popen] = {}

    def order(self, jobs: Iterable[Job]) -> Ticket | None:
        """Have these jobs done, in this order; None when all places are taken."""
        wanted = dict.fromkeys(jobs)
        with self._turn:
            self._drop_forgotten()
            if self._closed or len(self._tickets) >= self.places:
                return None
            kept = {job: self._kept[job] for job in wanted if job in self._kept}
            waiting = {job: None for job in wanted if job not in kept}
            ticket = Ticket(frozenset(wanted), waiting, kept)
            if waiting:
                self._tickets.append(ticket)
                self._wake()
        return ticket

    def cancel(self, ticket: Ticket) -> None:
        """Start nothing more of it; what is finished stays."""
        with self._turn:
            self._drop(ticket)

    def look(self, ticket: Ticket) -> dict[Job, Result]:
        """What has come of it so far; a ticket that is looked at is not forgotten."""
        with self._turn:
            ticket.seen = monotonic()
            return dict(ticket.results)

    def known(self, jobs: Iterable[Job]) -> dict[Job, Result]:
        """The results among these jobs that are kept."""
        with self._turn:
            found = {job: self._kept[job] for job in jobs if job in self._kept}
            for job in found:
                self._kept.move_to_end(job)
            return found

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
            threads = list(self._threads.values())
            self._turn.notify_all()
        for thread in threads:
            thread.join(timeout=5)

    def _remember(self, job: Job, result: Result) -> None:
        old = self._kept.pop(job, None)
        self._rounds += _size(result) - _size(old)
        self._kept[job] = result
        while self._rounds > self.room and len(self._kept) > 1:
            self._rounds -= _size(self._kept.popitem(last=False)[1])

    def _hand_out(self, job: Job, result: Result) -> None:
        for ticket in [t for t in self._tickets if job in t.jobs]:
            ticket.waiting.pop(job, None)
            ticket.results[job] = result
            ticket.began = ticket.began or monotonic()
            if ticket.over:
                self._tickets.remove(ticket)

    def _drop(self, ticket: Ticket) -> None:
        ticket.cancelled = True
        ticket.waiting.clear()
        if ticket in self._tickets:
            self._tickets.remove(ticket)

    def _drop_forgotten(self) -> None:
        for ticket in [t for t in self._tickets if monotonic() - t.seen > self.patience]:
            self._drop(ticket)

    def _wake(self) -> None:
        for place in range(self.workers):
            if place not in self._threads:
                self._threads[place] = threading.Thread(target=self._work, args=(place,), daemon=True)
                self._threads[place].start()
        self._turn.notify_all()

    def _next(self, place: int) -> Job | None:
        """The next job of the reader whose turn it is; None, once nothing came for too long, is good-bye."""
        since = monotonic()
        with self._turn:
            while not self._closed and monotonic() - since < self.idle:
                self._drop_forgotten()
                for _ in range(len(self._tickets)):
                    ticket = self._tickets[0]
                    self._tickets.rotate(-1)
                    job = next((j for j in ticket.waiting if j not in self._running), None)
                    if job is not None:
                        del ticket.waiting[job]
                        self._running.add(job)
                        return job
                self._turn.wait(timeout=min(self.idle, 5.0))
            del self._threads[place]  # in the same breath, so that the next order starts another one
            return None

    def _work(self, place: int) -> None:
        """The thread of one worker: hands it a job, waits for the answer, keeps it."""
        process: subprocess.Popen | None = None
        while (job := self._next(place)) is not None:
            if process is None:
                process = self._processes[place] = _start()
            result = _ask(process, job)
            with self._turn:
                self._running.discard(job)
                if result is not None:
                    self._remember(job, result)
                self._hand_out(job, BROKEN if result is None else result)
                self._turn.notify_all()
            if result is None:
                process = _end(process)
        self._processes.pop(place, None)
        if process is not None:
            _end(process)


def _ask(process: subprocess.Popen, job: Job) -> Result | None:
    """What the worker answers; None when it is gone."""
    try:
        pickle.dump(job, process.stdin)
        process.stdin.flush()
        return pickle.load(process.stdout)
    except (EOFError, OSError, pickle.UnpicklingError):
        return None


def _start() -> subprocess.Popen:
    one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND], cwd=ROOT, env={**os.environ, **one}, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )  # fmt: skip


def _end(process: subprocess.Popen) -> None:
    process.kill()
    process.wait()
    process.stdout.close()
    with suppress(OSError):  # it was gone before it had read everything
        process.stdin.close()


def _size(result: Result | None) -> int:
    return len(result.arms) if isinstance(result, Run) else int(result is not None)
