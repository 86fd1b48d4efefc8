"""Jobs: frozen values with a name and `perform()`, their outcomes, and the limits of worker processes.

This file does not import Streamlit, because workers import this file. Equal jobs have equal results.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from time import sleep
from typing import Protocol

from common.failure import Failure
from tvbo_core.guests import Guest, admit

JOB_SECONDS, WORKER_BYTES = 300, 3_000_000_000  # one job's time, and a worker's address space
OWN_SECONDS = 90  # of a job about a visitor's own table or of a guest; the largest table takes about 20 on one core
SERVER_SECONDS = 2.0  # between two checks of a worker that its server is alive


class Job(Protocol):
    """Interface of a job: hashable plain values with a name and a method that performs them."""

    @property
    def name(self) -> str: ...

    def __hash__(self) -> int: ...

    def perform(self) -> object: ...


@dataclass(frozen=True)
class CallJob:
    """A job that calls an importable function with these arguments.

    Attributes:
        own: about a visitor's own table: it has less time, and such jobs take at most half of the workers together.
    """

    function: Callable
    arguments: tuple[Hashable, ...]
    own: bool = False

    @property
    def name(self) -> str:
        return "This computation"

    def perform(self) -> object:
        return self.function(*self.arguments)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in the block after so many seconds: in a main thread, where the system has such a timer."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def outcome(job: Job, seconds: float = JOB_SECONDS) -> object:
    """Return the job's result, or a failure with the reason in one sentence."""
    try:
        with time_limit(seconds):
            return job.perform()
    except TimeoutError as late:
        sentence = f"{job.name} took longer than {seconds:g} s and was stopped{late}; choose a smaller setting."
        return Failure(sentence, refused=bool(str(late)))  # a guest names the round, and has no second try
    except MemoryError:
        return Failure(f"{job.name} needs more memory than a worker may take; choose a smaller setting.")
    except ValueError as refusal:
        return Failure(str(refusal), refused=True)
    except Exception as problem:
        return _failed(job, problem)


def outcomes(jobs: Sequence[Job], seconds: float = JOB_SECONDS) -> list[object]:
    """Return the outcome of each job: the function that workers run."""
    return [_portable(job, outcome(job, min(seconds, OWN_SECONDS) if is_own(job) else seconds)) for job in jobs]


def outcomes_with(guests: Sequence[Guest], jobs: bytes) -> list[object]:
    """Return the outcome of each pickled job, in a process that has these guests on its lists."""
    admit(guests)
    return outcomes(pickle.loads(jobs))


def is_own(job: Job) -> bool:
    """Return whether a job is about a visitor's own table, or plays a guest."""
    return bool(getattr(job, "own", False))


def prepare_worker() -> None:
    """Lower the worker's priority, limit its memory where the system can, and end it with the server."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (WORKER_BYTES, WORKER_BYTES))
    with suppress(AttributeError, OSError):
        os.nice(19)  # the least: pages go before


def _end_with(server: int) -> None:
    """Wait until the server's process is gone, then end this one."""
    while os.getppid() == server:  # another process adopts the children of one that was killed
        sleep(SERVER_SECONDS)
    os._exit(1)


def _portable(job: Job, result: object) -> object:
    """Return the result, or a failure where it cannot be pickled."""
    try:
        pickle.dumps(result)
    except Exception as problem:  # it would break the pool
        return _failed(job, problem)
    return result


def _failed(job: Job, problem: Exception) -> Failure:
    return Failure(f"{job.name} failed ({type(problem).__name__}); please report this setting.")
