"""A few runs of pages at a time.

Python lets one thread at a time compute. Dozens of runs side by side all take as long as all of them together, and
wear each other's memory out; in a row the first is through after its own time, and all of them sooner. How long a run
may wait follows what its kind takes: a short one goes before a long one that came a little earlier, and nobody is put
off for ever. Whoever waits for something else (a worker's answer, a result that another visitor is making) steps
aside meanwhile, and comes back without waiting again: so nobody holds a place while he waits for somebody who needs
one.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from itertools import count
from time import monotonic, thread_time

PLACES = 2  # with one run at a time nobody would compute while another one hands its messages to the server
LEEWAY = 4.0  # a run is due when it has waited so many times what its kind takes
KINDS = 100  # of runs whose times are known; a tab may name any page


class Turnstile:
    """So many threads inside at a time, of the others whoever is due first; of one kind, in the order they came."""

    def __init__(self, places: int) -> None:
        self.places = places
        self._inside = 0
        self._queue: list[tuple[float, int, threading.Event]] = []  # due, number, a word that there is a place
        self._numbers = count()
        self._takes: dict[Hashable, float] = {}  # kind -> seconds of the processor, a moving average
        self._lock = threading.Lock()
        self._mine = threading.local()

    @property
    def inside(self) -> int:
        """How many threads compute."""
        return self._inside

    @property
    def waiting(self) -> int:
        """How many threads wait for a place."""
        return len(self._queue)

    @contextmanager
    def through(self, kind: Hashable = None) -> Iterator[None]:
        """Wait for a place, and leave it at the end; runs of a kind (not None) are expected to take alike."""
        with self._lock:
            takes = self._takes.get(kind, 0.0)
            if self._inside < self.places and not self._queue:
                self._inside += 1
                turn = None
            else:
                turn = threading.Event()
                heapq.heappush(self._queue, (monotonic() + LEEWAY * takes, next(self._numbers), turn))
        if turn is not None:
            turn.wait()
        self._mine.inside = True
        start = thread_time()
        try:
            yield
        finally:
            self._mine.inside = False
            self._leave()
            self._learn(kind, thread_time() - start)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Leave the place to somebody else while this thread waits for something; outside, nothing happens."""
        inside = getattr(self._mine, "inside", False)
        if inside:
            self._mine.inside = False
            self._leave()
        try:
            yield
        finally:
            if inside:
                with self._lock:
                    self._inside += 1  # without waiting: he may hold what those inside wait for
                self._mine.inside = True

    def _leave(self) -> None:
        with self._lock:
            self._inside -= 1
            while self._queue and self._inside < self.places:
                self._inside += 1
                heapq.heappop(self._queue)[-1].set()

    def _learn(self, kind: Hashable, spent: float) -> None:
        with self._lock:
            if kind is not None and (kind in self._takes or len(self._takes) < KINDS):
                old = self._takes.get(kind, spent)
                self._takes[kind] = old + 0.2 * (spent - old)


RUNS = Turnstile(PLACES)


@cache
def install() -> None:
    """Send every run of a page through the turnstile; once for all."""
    from streamlit.runtime.scriptrunner.script_runner import RerunData, ScriptRunner

    run = ScriptRunner._run_script

    @wraps(run)
    def in_turn(runner: ScriptRunner, rerun_data: RerunData) -> None:
        part = bool(rerun_data.fragment_id or rerun_data.fragment_id_queue)
        with RUNS.through((rerun_data.page_script_hash, part)):
            run(runner, rerun_data)

    ScriptRunner._run_script = in_turn
