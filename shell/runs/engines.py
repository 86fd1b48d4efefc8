"""Engines that perform jobs: loky's processes on this machine, or a Dask cluster that is named.

Both are a `concurrent.futures.Executor`. A thread of the server replaces them on a system that starts no process.
"""

from __future__ import annotations

import logging
import os
import pickle
import threading
import weakref
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress

import cachetools
import cloudpickle  # type: ignore[import-untyped]

from shell.runs.jobs import Job, outcomes, outcomes_with, prepare_worker
from tvbo_core.guests import ADMITTED

ADDRESS = "DASK_SCHEDULER_ADDRESS"
WORKERS = min(2, os.cpu_count() or 1)
IDLE_SECONDS, CONNECT_SECONDS = 60, 3  # until an idle worker ends; until an attempt to connect fails
CLUSTER_BYTES = 60_000_000  # of the newest results, which stay on the cluster
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
LOST = "The cluster does not answer: runs go on with the processes of this machine."
log = logging.getLogger(__name__)


def _call(jobs: tuple[Job, ...]) -> tuple:
    """Return function and arguments for a worker; guests go before jobs, whose modules walk the lists of methods."""
    return (outcomes_with, tuple(ADMITTED.values()), cloudpickle.dumps(jobs)) if ADMITTED else (outcomes, jobs)


class Engine:
    """The executor in use: a cluster that is named and answers, else the processes of this machine, else a thread.

    Attributes:
        workers: that perform jobs.   trouble: a sentence for the pages, once a cluster was lost.
    """

    def __init__(self, workers: int = WORKERS) -> None:
        self.workers, self.trouble = workers, ""
        self._here = workers
        self._client = None  # of a cluster
        self._cluster: Executor | None = None
        self._promised: weakref.WeakSet[Future] = weakref.WeakSet()  # by the cluster
        self._pool: Executor | None = None
        self._single: Executor | None = None  # the process of the last job that ran alone
        self._thread: ThreadPoolExecutor | None = None
        self._shared = cachetools.LRUCache(CLUSTER_BYTES, getsizeof=lambda done: len(pickle.dumps(done.result())))

    def submit(self, jobs: tuple[Job, ...], alone: bool) -> Future:
        """Return a future of the outcomes of these jobs.

        Args:
            alone: in a process of its own, because the job may end the process that performs it.
        """
        for _ in range(3):  # a cluster that is gone, a pool that breaks at this moment, and the pool after it
            try:
                return self._submit(jobs, alone)
            except (OSError, RuntimeError, ImportError, NotImplementedError):
                self._pool = None
                if self._client is not None:
                    self._leave_cluster()
        log.warning("no worker process can be started: runs are done in the server, more slowly")
        self._thread, self.workers = ThreadPoolExecutor(1, thread_name_prefix="runs"), 1
        return self._thread.submit(*_call(jobs))

    def check(self) -> None:
        """Leave a cluster that is gone; what it still owed is cancelled."""
        if self._client is not None and self._client.status != "running":
            log.warning("the Dask scheduler has gone: runs use this machine")
            self._leave_cluster()

    def share(self, jobs: tuple[Job, ...], future: Future) -> None:
        """Keep the newest results on the cluster, where other servers find them."""
        if self._client is not None:
            with suppress(ValueError):  # larger than the whole cache
                self._shared[jobs] = future

    def end(self) -> None:
        """End the workers of this machine and their jobs, and leave the cluster."""
        if self._client is not None:
            self._client.close()
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)
        for local in (self._pool, self._single):
            if local is not None:
                local.shutdown(wait=True, kill_workers=True)
        self._client = self._thread = self._pool = self._single = None

    def _submit(self, jobs: tuple[Job, ...], alone: bool) -> Future:
        if self._thread is not None:
            return self._thread.submit(*_call(jobs))
        if self._cluster is None and not self.trouble and os.environ.get(ADDRESS):
            self._connect(os.environ[ADDRESS])
        self.check()
        if self._client is not None:
            future = self._cluster.submit(*_call(jobs))
            self._promised.add(future)
            return future

        from loky import ProcessPoolExecutor  # with the first heavy run

        rules = {"timeout": IDLE_SECONDS, "initializer": prepare_worker, "env": ONE_THREAD}
        if alone:
            self._single = ProcessPoolExecutor(1, **rules)
            future = self._single.submit(*_call(jobs))
            self._single.shutdown(wait=False)  # once this is done
            return future
        if self._pool is None:  # one for all threads; loky's reusable pool is one for each thread, so for each rerun
            self._pool = ProcessPoolExecutor(self._here, **rules)
        future = self._pool.submit(*_call(jobs))
        # Loky's thread looks at its processes before it starts those in place of idle ones that have ended: without
        # a second look it would not see that a new one dies.
        self._pool.submit(int).cancel()
        return future

    def _connect(self, address: str) -> None:
        client: Future = Future()
        try:
            import dask.distributed  # noqa: F401 (seconds on a slow machine, which are not the scheduler's)

            # In a thread, because Dask waits for ever where somebody listens and says nothing.
            threading.Thread(target=_client, args=(address, client), daemon=True).start()
            self._client, self.workers = client.result(timeout=2 * CONNECT_SECONDS)
            # Pure: equal jobs have one name on the cluster, whichever server asks for them.
            self._cluster = self._client.get_executor(retries=1, pure=True)
        except Exception as problem:  # an address that answers nothing, or is no scheduler, fails in many ways
            log.warning("no Dask scheduler at %s (%s): runs use this machine", address, type(problem).__name__)
            self._leave_cluster()

    def _leave_cluster(self) -> None:
        client, self._client, self._cluster = self._client, None, None
        self.workers, self.trouble = self._here, LOST
        self._shared.clear()
        if client is not None:
            promised, self._promised = list(self._promised), weakref.WeakSet()
            threading.Thread(target=_part, args=(client, promised), daemon=True).start()


def _part(client: object, promised: list[Future]) -> None:
    """Close the client and cancel what it leaves open: a result that it was fetching just then never comes."""
    try:
        client.close(1)
    except Exception as problem:  # as when it was about to connect again
        log.info("the Dask client did not close (%s)", type(problem).__name__)
    for future in promised:
        if future.done():  # also when Dask has cancelled it: nobody may be told twice
            continue
        with suppress(RuntimeError):  # or when it does so at this moment
            if future.cancel():
                future.set_running_or_notify_cancel()  # wakes those who wait for it


def _client(address: str, found: Future) -> None:
    """Bring a client of the scheduler at this address, and how many jobs its workers take at a time."""
    try:
        from dask.distributed import Client

        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        found.set_result((client, max(sum(client.nthreads().values()), 1)))
    except Exception as problem:
        found.set_exception(problem)
