"""A few runs of pages at a time.

Python lets one thread at a time compute. Dozens of runs side by side all take as long as all of them together, and
wear each other's memory out; in a row the first is through after its own time, and all of them sooner. Whoever
waits for something else (a worker's answer, a result that another visitor is making) steps aside meanwhile, and comes
back without waiting again: so nobody holds a place while he waits for somebody who needs one.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, wraps

PLACES = 2  # with one run at a time nobody would compute while another one hands its messages to the server


class Turnstile:
    """So many threads inside at a time, the others in the order in which they came."""

    def __init__(self, places: int) -> None:
        self.places = places
        self._inside = 0
        self._queue: deque[threading.Event] = deque()
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
    def through(self) -> Iterator[None]:
        """Wait for a place, and leave it at the end."""
        with self._lock:
            if self._inside < self.places and not self._queue:
                self._inside += 1
                turn = None
            else:
                turn = threading.Event()
                self._queue.append(turn)
        if turn is not None:
            turn.wait()
        self._mine.inside = True
        try:
            yield
        finally:
            self._mine.inside = False
            self._leave()

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
                self._queue.popleft().set()


RUNS = Turnstile(PLACES)


@cache
def install() -> None:
    """Send every run of a page through the turnstile; once for all."""
    from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

    run = ScriptRunner._run_script

    @wraps(run)
    def in_turn(runner: ScriptRunner, rerun_data: object) -> None:
        with RUNS.through():
            run(runner, rerun_data)

    ScriptRunner._run_script = in_turn
