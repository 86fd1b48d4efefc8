"""What servers take while they are under load: memory, threads, processes, and what their caches hold."""

from __future__ import annotations

import asyncio
import re
import statistics
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from urllib.request import urlopen

import psutil

MB = 1e6
HELD = re.compile(r'^cache_memory_bytes\{cache_type="([^"]+)",cache="([^"]+)"\} (\d+)', re.MULTILINE)
LOOKED = re.compile(r'^cache_lookups_total\{cache="([^"]+)",cache_type="[^"]+",result="(\w+)"\} (\d+)', re.MULTILINE)


def server_on(port: int) -> psutil.Process:
    """The process of ours that serves this port.

    Raises:
        LookupError: there is none.
    """
    for process in psutil.Process().children(recursive=True):
        if str(port) in process.cmdline():
            return process
    raise LookupError(f"no server of ours on port {port}")


@dataclass
class Gauge:
    """Readings over time: `await watch()` until it is cancelled.

    Attributes:
        minutes, memory, threads: of the servers' processes together; memory in MB.   workers: resident MB of
            their workers.
        lag: seconds by which the driver itself was late.
    """

    servers: Sequence[psutil.Process]
    minutes: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    workers: list[float] = field(default_factory=list)
    lag: list[float] = field(default_factory=list)
    cpu: tuple[float, float] = (0.0, 0.0)

    async def watch(self, every: float = 2.0) -> None:
        """Read every few seconds."""
        start, before = perf_counter(), self._used()
        while True:
            self.read((perf_counter() - start) / 60)
            spent = perf_counter() - start
            self.cpu = (self._used() - before) / max(spent, 1e-9), spent
            due = perf_counter() + every
            await asyncio.sleep(every)
            self.lag.append(perf_counter() - due)

    def read(self, minute: float) -> None:
        """One reading."""
        self.memory.append(sum(server.memory_info().rss for server in self.servers) / MB)
        self.threads.append(sum(server.num_threads() for server in self.servers))
        self.minutes.append(minute)
        self.workers.append(sum(worker.memory_info().rss for worker in self.alive()) / MB)

    def alive(self) -> list[psutil.Process]:
        """The worker processes of the servers."""
        found = []
        for server in self.servers:
            with suppress(psutil.NoSuchProcess):
                found += [p for p in server.children(recursive=True) if p.is_running()]
        return found

    def _used(self) -> float:
        return sum(t.user + t.system for t in (server.cpu_times() for server in self.servers))

    @property
    def slope(self) -> float:
        """MB a minute after the warm-up, the first third: a least-squares line."""
        rest = [(t, m) for t, m in zip(self.minutes, self.memory, strict=True) if t >= self.minutes[-1] / 3]
        if len(rest) < 3:
            return 0.0
        return statistics.linear_regression(*zip(*rest, strict=True)).slope

    async def quiet(self, most: float = 30.0) -> float:
        """Seconds until no worker computes any more; `most` if that does not come."""
        start = perf_counter()
        while (spent := perf_counter() - start) < most:
            before = self._work()
            await asyncio.sleep(1.0)
            if self._work() - before < 0.1:
                return spent
        return most

    def _work(self) -> float:
        total = 0.0
        for worker in self.alive():
            try:
                times = worker.cpu_times()
            except psutil.NoSuchProcess:
                continue
            total += times.user + times.system
        return total


def pace() -> float:
    """Milliseconds that a million turns of a plain loop take this Python on this machine now: the best of five."""
    best = float("inf")
    for _ in range(5):
        start, total = perf_counter(), 0
        for i in range(1_000_000):
            total += i * i
        best = min(best, perf_counter() - start)
    return 1e3 * best


def caches(address: str) -> list[tuple[str, int, int, int]]:
    """(name, entries, hits, misses) of the server's caches, the fullest first, as Streamlit counts them."""
    with urlopen(f"{address}/_stcore/metrics", timeout=120) as answer:
        text = answer.read().decode()
    entries = {name: int(n) for kind, name, n in HELD.findall(text) if kind == "st_cache_resource"}
    hits: dict[str, dict[str, int]] = {}
    for name, result, n in LOOKED.findall(text):
        hits.setdefault(name, {})[result] = int(n)
    rows = [(name, n, *(hits.get(name, {}).get(r, 0) for r in ("hit", "miss"))) for name, n in entries.items()]
    return sorted(rows, key=lambda row: -row[1])
