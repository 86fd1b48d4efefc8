"""What a worker process does, and how the server speaks with it.

A worker is a fresh Python (never a copy of the server) that reads orders from its standard input and writes what
came of them to its standard output. It ends when that input ends, so no worker outlives the server, however the
server ends. Nothing here knows Streamlit, because the workers import this module.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from tvbo_core.designs import play_rng
from tvbo_core.race import play
from tvbo_core.race_results import Run, lean
from tvbo_core.records import History, Policy, Problem, World
from tvbo_core.worlds import make_problem

ROOT = Path(__file__).resolve().parent.parent
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # of BLAS
# A worker lets the pages have the processor first: a little where somebody waits before an empty panel, else a lot.
WAITED, RACES = 5, 15
AROUND = 1600  # bytes of the objects around a kept run: itself, its arrays, its job
ARRAYS = ("arms", "regret", "extra_queries", "seconds")
COMMAND = "from ui.worker import serve; serve()"


@dataclass(frozen=True)
class Job:
    """One run: a policy under its name, in the world of one seed. Plain values: it is its result's key."""

    name: str
    policy: Policy
    world: World

    def __hash__(self) -> int:
        """Computed once: a race looks thousands of runs up."""
        if "_hash" not in self.__dict__:
            object.__setattr__(self, "_hash", hash((self.name, self.policy, self.world)))
        return self._hash

    def __reduce__(self) -> tuple:
        return Job, (self.name, self.policy, self.world)  # another process hashes texts in another way


@dataclass(frozen=True, eq=False)
class Call:
    """A function of a module with its arguments, which may hold anything: equal to nothing but itself, never kept."""

    function: Callable
    arguments: tuple


class Task(Protocol):
    """Another kind of run: plain values that are its result's key, and how to do it (its module is importable)."""

    name: str

    def perform(self) -> object: ...


Result = Run | str  # a finished run, or the sentence that says why there is none


@dataclass(frozen=True, eq=False)
class Answer:
    """What a call returned, or the refusal (a ValueError) that it ended with, or a sentence for an accident."""

    value: object = None
    refusal: ValueError | None = None
    accident: str = ""


@lru_cache(maxsize=4)  # the policies of one world come one after the other
def drawn(world: World) -> Problem:
    """The world as a table."""
    return make_problem(world)


def perform(order: Job | Task | Call) -> Result | Answer:
    """Do it. A job is the same run that `tvbo_core.race.race` makes with this policy, world and seed."""
    if isinstance(order, Call):
        return _call(order)
    try:
        if not isinstance(order, Job):
            return order.perform()
        h = play(drawn(order.world), order.policy, play_rng(order.world.seed))
    except ValueError as refusal:
        return str(refusal)
    return run_of(order.name, order.world.seed, h)


def run_of(name: str, seed: int, h: History) -> Run:
    """What is kept of a run: what was heard in it stays behind."""
    return lean(Run(name, 0, seed, h.arms, h.regret, h.extra_queries, h.seconds))


def _call(call: Call) -> Answer:
    try:
        return Answer(call.function(*call.arguments))
    except ValueError as refusal:
        return Answer(refusal=refusal)


def together(problem: Problem, policies: Mapping[str, Policy], seed: int) -> dict[str, History]:
    """Every policy in the same world with the same noise, all that they heard included."""
    return {name: play(problem, policy, play_rng(seed)) for name, policy in policies.items()}


def failed(order: Job | Call, problem: Exception) -> Result | Answer:
    """A sentence for an accident: the reader goes on and the worker lives on."""
    kind = type(problem).__name__
    if isinstance(order, Call):
        return Answer(accident=f"This computation failed ({kind}): change a setting, or load the page again.")
    return f"{order.name} failed ({kind}); please report this setting."


def serve() -> None:
    """A worker's life: one order after the other, until the input ends; then it is gone at once."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr  # a stray print must not end up among the answers
    waited, races = queue.SimpleQueue(), queue.SimpleQueue()

    def listen() -> None:
        try:
            while True:
                order = pickle.load(sys.stdin.buffer)
                (waited if isinstance(order, Call) else races).put(order)
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(0)

    def work(orders: queue.SimpleQueue, nice: int, idle: bool = False) -> None:
        with suppress(OSError, AttributeError):  # a system without niceness
            os.nice(nice)  # of this thread, where a system knows that
            if idle:  # Linux then counts a processor that races as free: who wakes up goes there, at once
                os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        while True:
            order = orders.get()
            try:
                result = perform(order)
            except Exception as problem:
                result = failed(order, problem)
            try:
                answers.write(_packed(order, result))
                answers.flush()
            except OSError:  # nobody is there to hear it
                os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    threading.Thread(target=work, args=(waited, WAITED), daemon=True).start()
    work(races, RACES, idle=True)


def _packed(order: Job | Call, result: object) -> bytes:
    try:
        return pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as problem:  # an answer that cannot travel
        return pickle.dumps(failed(order, problem))


def start() -> subprocess.Popen:
    """A new worker with one BLAS thread."""
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND], cwd=ROOT, env={**os.environ, **ONE_THREAD}, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )  # fmt: skip


def ask(process: subprocess.Popen, order: Job | Call) -> Result | Answer | None:
    """What the worker answers; None when it is gone."""
    try:
        packed = pickle.dumps(order, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as problem:  # an order that cannot travel
        return failed(order, problem)
    try:
        process.stdin.write(packed)
        process.stdin.flush()
        return _owned(pickle.load(process.stdout))
    except (EOFError, OSError, pickle.UnpicklingError):
        return None


def _owned(answer: Result | Answer) -> Result | Answer:
    """The same with arrays of its own: of a short run, the views of what came take as much room as the numbers."""
    if not isinstance(answer, Run):
        return answer
    return replace(answer, **{name: getattr(answer, name).copy() for name in ARRAYS})


def end(process: subprocess.Popen) -> None:
    """Kill it and tidy up."""
    process.kill()
    process.wait()
    process.stdout.close()
    with suppress(OSError):  # it was gone before it had read everything
        process.stdin.close()


def size(result: object) -> int:
    """About how many bytes a kept result takes: its arrays, and the objects around them."""
    if not isinstance(result, Run):
        return AROUND * int(result is not None)
    return AROUND + sum(getattr(result, name).nbytes for name in ARRAYS)
