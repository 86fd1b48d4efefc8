"""Runs in other processes, through the interface `concurrent.futures.Executor`.

The engine (shell/runs/engines.py) is loky's pool on this machine, or Dask's cluster where `DASK_SCHEDULER_ADDRESS`
names one. Equal jobs (shell/runs/jobs.py) are run once for all visitors. An order submits a few jobs each time it is
polled (`poll`), so that the orders of several visitors advance together, and an order that is no longer polled stops.
"""

from __future__ import annotations

import pickle
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic, sleep

import cachetools

from shell.runs.engines import WORKERS, Engine
from shell.runs.jobs import JOB_SECONDS, CallJob, Failure, Job, is_own

AHEAD = 3  # batches a worker that an order may have under way: enough until it is polled again
BATCH_SECONDS = 0.25  # small jobs are submitted together, so that the overhead stays below a tenth of the work
CACHE_BYTES = 12_000_000  # as they are sent; as objects they take about twice as much
STALL_SECONDS = JOB_SECONDS + 30  # without any result in the server: no job takes so long, so its worker is gone
PAUSE_SECONDS = 0.05  # between two polls of an order without a batch under way
BROKEN = "A worker process ended twice before this was done; move a slider or load the page again to repeat it."
STALLED = "No worker process answered, so this was ended before it was done; load the page again to repeat it."


@dataclass(eq=False)
class JobBatch:
    """A few jobs that are submitted together; once no order holds it, it is cancelled unless it has begun."""

    jobs: tuple[Job, ...]
    future: Future
    retried: bool = False

    def __post_init__(self) -> None:
        weakref.finalize(self, self.future.cancel).atexit = False


@dataclass(eq=False)
class Order:
    """Jobs that a visitor has ordered, and their results.

    Attributes:
        jobs: all of them, in order.   results: of the finished ones.
        waiting: batches to come, and whether they are retried.   open: batches under way.
        cancelled: nothing more is submitted.   began: when it was ordered, seconds.
    """

    jobs: dict[Job, None]
    results: dict[Job, object]
    waiting: deque[tuple[tuple[Job, ...], bool]] = field(default_factory=deque)
    open: list[JobBatch] = field(default_factory=list)
    cancelled: bool = False
    began: float = field(default_factory=monotonic)

    @property
    def over(self) -> bool:
        """True once every job has a result, or the order is cancelled."""
        return self.cancelled or len(self.results) == len(self.jobs)

    def cancel(self) -> None:
        """Submit nothing more; jobs that have begun are finished."""
        self.cancelled = True
        self.waiting.clear()
        self.open.clear()


class Runs:
    """The engine of the server, the jobs under way, and the newest results."""

    def __init__(self, workers: int = WORKERS) -> None:
        self._engine = Engine(workers)
        self._lock = threading.RLock()
        self._under_way: weakref.WeakValueDictionary[Job, JobBatch] = weakref.WeakValueDictionary()
        self._own: list[Future] = []  # of jobs about visitors' own tables, also of those that nobody holds any more
        self._done: deque[tuple[tuple[Job, ...], Future]] = deque()  # to be kept; filled by threads of the engine
        self._answered = monotonic()  # when a batch was last done, or the first one was submitted
        self._kept = cachetools.LRUCache(CACHE_BYTES, getsizeof=lambda result: len(pickle.dumps(result)))

    @property
    def workers(self) -> int:
        """Processes that do jobs at the same time."""
        return self._engine.workers

    @property
    def trouble(self) -> str:
        """A sentence for the pages, once a cluster was lost."""
        return self._engine.trouble

    def known(self, jobs: Iterable[Job]) -> dict[Job, object]:
        """Return the newest results among these jobs."""
        with self._lock:
            self._keep_done()
            return {job: self._kept[job] for job in jobs if job in self._kept}

    def keep(self, job: Job, result: object) -> None:
        """Keep a result for other visitors: no failure by chance, and no answer to a call, which is the caller's."""
        if not isinstance(job, CallJob) and (not isinstance(result, Failure) or result.refused):
            with self._lock, suppress(ValueError):  # it is larger than the whole cache
                self._kept[job] = result

    def order(self, jobs: Iterable[Job], seconds: Callable[[Job], float] = lambda job: BATCH_SECONDS) -> Order:
        """Order these jobs, and return the order.

        Args:
            seconds: about how long a job takes: small ones are submitted together.
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
        self.poll(order)
        return order

    def poll(self, order: Order) -> dict[Job, object]:
        """Return the results so far, and submit the next few jobs."""
        with self._lock:
            self._engine.check()
            self._keep_done()
            if all(batch.future.done() for batch in self._under_way.values()):
                self._answered = monotonic()
            elif order.open and monotonic() - self._answered > STALL_SECONDS:
                order.results |= {job: Failure(STALLED) for job in order.jobs if job not in order.results}
                order.waiting.clear()
                order.open.clear()
            self._collect(order)
            while order.waiting and len(order.open) < AHEAD * self.workers:
                jobs, retried = order.waiting[0]
                # A job whose worker has ended runs alone, one in the whole server: no other job is lost with it.
                if retried and any(b.retried and not b.future.done() for b in self._under_way.values()):
                    break
                if is_own(jobs[0]) and not self._own_may_begin():
                    break
                order.waiting.popleft()
                jobs = tuple(job for job in jobs if not self._known_or_under_way(order, job))
                if jobs:
                    batch = JobBatch(jobs, self._engine.submit(jobs, retried), retried)
                    batch.future.add_done_callback(lambda future, jobs=jobs: self._note(jobs, future))
                    self._under_way.update(dict.fromkeys(jobs, batch))
                    self._own += [batch.future] if is_own(jobs[0]) else []
                    order.open.append(batch)
            self._collect(order)
            return dict(order.results)

    def wait(self, order: Order, seconds: float) -> bool:
        """Wait until a batch is done, at most so long; return whether the order is over."""
        if order.open:
            wait([batch.future for batch in order.open], seconds, return_when="FIRST_COMPLETED")
        elif not order.over:
            sleep(min(seconds, PAUSE_SECONDS))  # another order's retried job goes first
        self.poll(order)
        return order.over

    def close(self) -> None:
        """End the workers of this machine, or leave the cluster."""
        self._engine.end()

    def _own_may_begin(self) -> bool:
        """Return whether jobs about own tables take less than half of the workers; one may always be under way."""
        self._own = [future for future in self._own if not future.done()]
        return len(self._own) < max(self.workers // 2, 1)

    def _known_or_under_way(self, order: Order, job: Job) -> bool:
        """Give the order a result that is there, or a share in the batch that another visitor has under way."""
        batch = self._under_way.get(job)
        running = batch is not None and not batch.future.done()
        if batch is not None and not running:  # since `_keep_done`
            self._keep_batch(batch.jobs, batch.future)
        if job in self._kept:
            order.results[job] = self._kept[job]
        elif running:
            order.open += [] if batch in order.open else [batch]
        else:
            return job in order.results
        return True

    def _collect(self, order: Order) -> None:
        """Take the results of the order's finished batches; jobs of a broken one go again, one by one."""
        for batch in [b for b in order.open if b.future.done()]:
            order.open.remove(batch)
            mine = tuple(job for job in batch.jobs if job in order.jobs)
            if batch.future.cancelled():  # although an order holds it: the engine is gone
                order.waiting.appendleft((mine, batch.retried))
            elif batch.future.exception() is None:
                self._keep_batch(batch.jobs, batch.future)
                found = dict(zip(batch.jobs, batch.future.result(), strict=True))
                order.results |= {job: found[job] for job in mine}
            elif batch.retried:
                order.results |= dict.fromkeys(mine, Failure(BROKEN))
            else:
                order.waiting.extendleft(((job,), True) for job in reversed(mine))

    def _note(self, jobs: tuple[Job, ...], future: Future) -> None:
        """Hear in a thread of the engine that a batch is done, perhaps after an order that waited for it has looked."""
        self._answered = monotonic()
        if not isinstance(jobs[0], CallJob):
            self._done.append((jobs, future))

    def _keep_done(self) -> None:
        """Keep the results of batches that are done, also of those whose order is gone."""
        while self._done:
            jobs, future = self._done.popleft()
            if not future.cancelled() and future.exception() is None:
                self._engine.share(jobs, future)
                self._keep_batch(jobs, future)

    def _keep_batch(self, jobs: tuple[Job, ...], future: Future) -> None:
        """Keep the results of a batch that is done."""
        if not future.cancelled() and future.exception() is None:
            for job, result in zip(jobs, future.result(), strict=True):
                if job not in self._kept:
                    self.keep(job, result)


RUNS = Runs()
