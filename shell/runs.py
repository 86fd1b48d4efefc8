"""Heavy work in other processes, through one interface that others keep: `concurrent.futures.Executor`.

The executor is loky's on this machine, and Dask's where `DASK_SCHEDULER_ADDRESS` names a cluster; where no process
can be started, jobs run in place. Equal jobs (shell/jobs.py) are run once for all visitors. An order hands over a few
jobs at each look, so that everybody has a turn, and an order that nobody looks at stops by itself.
"""

from __future__ import annotations

import logging
import os
import pickle
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic

import cachetools

from shell.jobs import Failure, Task, outcomes, prepare_worker

ADDRESS = "DASK_SCHEDULER_ADDRESS"
WORKERS = min(2, os.cpu_count() or 1)
AHEAD = 3  # batches a worker that an order may have under way: enough until the next look
IDLE_SECONDS, CONNECT_SECONDS = 60, 3  # until a worker without work ends; until a cluster counts as silent
BATCH_SECONDS = 0.25  # small jobs travel together, so that handing over stays below a tenth of the work
CACHE_BYTES = 30_000_000
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
BROKEN = "A worker process ended twice before this was done; move a slider or load the page again to repeat it."
LOST = "The cluster does not answer: runs go on with the processes of this machine."
log = logging.getLogger(__name__)


class InPlace(Executor):
    """An executor that runs a job where it is submitted, for systems without processes."""

    def submit(self, function: Callable, /, *arguments: object, **named: object) -> Future:
        future: Future = Future()
        future.set_result(function(*arguments, **named))
        return future


@dataclass(eq=False)
class Batch:
    """A few jobs that travel together; once no order holds it, it is cancelled unless it has begun."""

    jobs: tuple[Task, ...]
    future: Future
    retried: bool = False

    def __post_init__(self) -> None:
        weakref.finalize(self, self.future.cancel).atexit = False


@dataclass(eq=False)
class Order:
    """Jobs that a visitor has asked for, and what has come of them.

    Attributes:
        jobs: all of them, in order.   results: of the finished ones.
        waiting: batches to come, and whether they are retried.   open: batches under way.
        cancelled: nothing more is handed over.   began: when it was ordered, seconds.
    """

    jobs: dict[Task, None]
    results: dict[Task, object]
    waiting: deque[tuple[tuple[Task, ...], bool]] = field(default_factory=deque)
    open: list[Batch] = field(default_factory=list)
    cancelled: bool = False
    began: float = field(default_factory=monotonic)

    @property
    def over(self) -> bool:
        return self.cancelled or len(self.results) == len(self.jobs)

    def cancel(self) -> None:
        """Hand nothing more over; jobs that have begun are finished."""
        self.cancelled = True
        self.waiting.clear()
        self.open.clear()


class Runs:
    """The server's one door to heavy work: the engine, the jobs under way, and the newest results."""

    def __init__(self) -> None:
        self.trouble = ""  # a sentence for the pages, when a cluster was lost
        self.workers = WORKERS
        self._engine: Executor | None = None
        self._client = None  # of a cluster
        self._lock = threading.RLock()
        self._under_way: weakref.WeakValueDictionary[Task, Batch] = weakref.WeakValueDictionary()
        self._kept = cachetools.LRUCache(CACHE_BYTES, getsizeof=lambda result: len(pickle.dumps(result)))

    def known(self, jobs: Iterable[Task]) -> dict[Task, object]:
        """Return the newest results among these jobs."""
        with self._lock:
            return {job: self._kept[job] for job in jobs if job in self._kept}

    def keep(self, job: Task, result: object) -> None:
        """Keep a result for other visitors; a failure by chance is not one."""
        if not isinstance(result, Failure) or result.refused:
            with self._lock, suppress(ValueError):  # it is larger than the whole cache
                self._kept[job] = result

    def order(self, jobs: Iterable[Task], seconds: Callable[[Task], float] = lambda job: BATCH_SECONDS) -> Order:
        """Have these jobs done, in this order.

        Args:
            seconds: about how long a job takes: small ones travel together.
        """
        wanted = dict.fromkeys(jobs)
        order = Order(wanted, self.known(wanted))
        mine, total = [], 0.0
        for number, job in enumerate(wanted, start=1):
            mine.append(job)
            total += seconds(job)
            if total >= BATCH_SECONDS or number == len(wanted):
                order.waiting.append((tuple(mine), False))
                mine, total = [], 0.0
        self.look(order)
        return order

    def look(self, order: Order) -> dict[Task, object]:
        """Return the results so far, and hand over what may go next: a few jobs, so that others have a turn."""
        with self._lock:
            self._collect(order)
            while order.waiting:
                jobs, retried = order.waiting[0]
                # Jobs that have seen a worker end go alone: if they end the next one too, nothing else is lost.
                alone = retried or any(batch.retried for batch in order.open)
                if len(order.open) >= (1 if alone else AHEAD * self.workers):
                    break
                order.waiting.popleft()
                jobs = tuple(job for job in jobs if not self._known_or_under_way(order, job))
                if jobs:
                    batch = Batch(jobs, self._submit(jobs), retried)
                    self._under_way.update(dict.fromkeys(jobs, batch))
                    order.open.append(batch)
                    if batch.future.done():  # in place: one batch a look, so that the page can say how far it is
                        break
            self._collect(order)
        return dict(order.results)

    def wait(self, order: Order, seconds: float) -> bool:
        """Wait until a batch is done, at most so long; return whether the order is over."""
        wait([batch.future for batch in order.open], seconds, return_when="FIRST_COMPLETED")
        self.look(order)
        return order.over

    def close(self) -> None:
        """End the workers of this machine, or leave the cluster."""
        engine, self._engine, client, self._client = self._engine, None, self._client, None
        if client is not None:
            client.close()
        elif engine is not None and not isinstance(engine, InPlace):
            engine.shutdown(wait=True, kill_workers=True)

    def _known_or_under_way(self, order: Order, job: Task) -> bool:
        """Give the order a result that is there, or a share in the batch that another visitor has under way."""
        batch = self._under_way.get(job)
        if job in self._kept:
            order.results[job] = self._kept[job]
        elif batch is not None and not batch.future.done():
            order.open += [] if batch in order.open else [batch]
        else:
            return job in order.results
        return True

    def _collect(self, order: Order) -> None:
        for batch in [b for b in order.open if b.future.done()]:
            order.open.remove(batch)
            if batch.future.cancelled():  # although an order holds it: by an engine that is gone
                if self._client is not None:
                    self._lose_cluster()
                order.waiting.appendleft((batch.jobs, batch.retried))
                continue
            problem = batch.future.exception()
            if problem is None:
                found = zip(batch.jobs, batch.future.result(), strict=True)
            elif isinstance(problem, BrokenProcessPool) and not batch.retried:
                order.waiting.extendleft(((job,), True) for job in reversed(batch.jobs))
                continue
            else:
                found = ((job, Failure(BROKEN)) for job in batch.jobs)
            for job, result in found:
                self.keep(job, result)
                if job in order.jobs:
                    order.results[job] = result

    def _submit(self, jobs: tuple[Task, ...]) -> Future:
        with suppress(OSError, RuntimeError, ImportError, NotImplementedError):
            return self._executor().submit(outcomes, jobs)
        log.warning("no worker process can be started: runs are done in the server, more slowly")
        self._engine, self._client = InPlace(), None
        return self._engine.submit(outcomes, jobs)

    def _executor(self) -> Executor:
        """Return the engine: a cluster that is named and answers, else loky's processes on this machine."""
        if self._engine is None and os.environ.get(ADDRESS) and not self.trouble:
            self._connect(os.environ[ADDRESS])
        if self._client is None and not isinstance(self._engine, InPlace):
            from loky import get_reusable_executor  # with the first heavy run

            # The same pool at each call, and a new one where a worker's end has broken the last.
            self._engine = get_reusable_executor(
                max_workers=WORKERS, timeout=IDLE_SECONDS, initializer=prepare_worker, env=ONE_THREAD
            )
        return self._engine

    def _connect(self, address: str) -> None:
        try:
            from dask.distributed import Client

            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
            self.workers = max(sum(self._client.nthreads().values()), 1)
            # Pure: equal jobs have one name on the cluster, whichever server asks for them.
            self._engine = self._client.get_executor(retries=1, pure=True)
        except Exception as problem:  # an address that answers nothing, or is no scheduler, fails in many ways
            log.warning("no Dask scheduler at %s (%s): runs use this machine", address, type(problem).__name__)
            self._lose_cluster()

    def _lose_cluster(self) -> None:
        client, self._client, self._engine = self._client, None, None
        self.workers, self.trouble = WORKERS, LOST
        if client is not None:
            threading.Thread(target=client.close, args=(1,), daemon=True).start()


RUNS = Runs()
