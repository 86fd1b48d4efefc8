"""A Dask cluster of processes started by hand: two servers share it, and what goes wrong with it costs no result."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic

import distributed
import loky  # noqa: F401 (seconds on a slow machine, which are not those that are measured)
import numpy as np
import psutil
import pytest

from benchmarks import drive
from benchmarks.processes import commands
from benchmarks.visitor import Visitor
from lessons.record import ROOT
from lessons.shared.play_jobs import PlayJob
from shell.runs.engines import ADDRESS, LOST
from shell.runs.runs import Runs
from tests.lessons.shown import until
from tests.shared import unmarked
from tests.standins_cluster import Count, at_rest, performed_batches
from tvbo_core.policies import GPUCB
from tvbo_core.records import World

pytestmark = pytest.mark.slow
SERVER = ("-m", "streamlit", "run", "app.py")
RACE, METHODS, SEEDS = "The_race", ("rnd", "gp", "sw", "tv"), 30
PATIENCE = 120.0  # seconds; a busy machine is slow, not wrong


def link(seed: int) -> str:
    """Return the address of a race over 2000 rounds in one world, which takes some seconds of two cores."""
    return f"T=2000&seeds={SEEDS}&seed={seed}&pair=none&algos={'.'.join(METHODS)}"


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen]:
    """Run `dask ARGUMENTS` as docs/serving.md does, in the folder of the project."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "dask", *arguments]
    process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        family = [process, *psutil.Process(process.pid).children(recursive=True)] if process.poll() is None else []
        for member in family:
            member.kill()
        process.wait()


def read(tab: Visitor) -> list[str]:
    """Return the page's texts, without the marks of the glossary."""
    return [unmarked(text) for text in tab.texts]


async def shows(tab: Visitor, *wanted: str) -> str:
    """Wait until the page says all of this; return all that it says."""
    start = monotonic()
    while not all(word in "\n".join(read(tab)) for word in wanted):
        assert monotonic() - start < PATIENCE, (wanted, tab.errors, [t for t in read(tab) if len(t) < 300])
        await asyncio.sleep(0.1)
    return "\n".join(read(tab))


def words(tab: Visitor) -> list[str]:
    """Return the page's sentences and captions, and the finding of every frame."""
    told = [json.loads(text) for text in read(tab) if text.startswith("{")]
    return [t for t in read(tab) if not t.startswith("{")] + [s for t in told for s in t.get("sentences", [])]


def local_workers() -> list[str]:
    """Return the worker processes that servers have started on this machine."""
    return [command for command in commands().values() if "loky" in command and "resource_tracker" not in command]


def test_two_servers_share_a_failing_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    port = drive.free_port()
    address = f"tcp://{drive.HOST}:{port}"
    monkeypatch.setenv(ADDRESS, address)
    limits = "--nworkers 1 --nthreads 1 --memory-limit 1GB --no-dashboard --host"
    worker = ("worker", address, *limits.split(), drive.HOST)

    async def story(first: str, second: str, scheduler: subprocess.Popen, client: distributed.Client) -> None:
        def performed() -> dict[str, int]:
            return client.run_on_scheduler(performed_batches)

        async def reaches(claim: Callable[[], bool], pause: float = 0.1) -> None:
            start = monotonic()
            while not claim():
                assert monotonic() - start < PATIENCE
                await asyncio.sleep(pause)

        one, two, three = Visitor(first), Visitor(second), Visitor(first)
        await one.open(RACE, link(seed=40))
        await reaches(lambda: len(performed()) >= 2)
        psutil.Process(next(iter(client.run(os.getpid).values()))).kill()  # a worker
        await shows(one, f"Medians of {SEEDS} seeds")
        await reaches(lambda: client.run_on_scheduler(at_rest))  # it makes again what the killed worker held
        counted = performed()
        assert len(counted) > 5 and local_workers() == [] and not one.errors

        await two.open(RACE, link(seed=40))
        await shows(two, f"Medians of {SEEDS} seeds")
        await reaches(lambda: words(one) == words(two))  # the page's last lines come after its medians
        assert performed() == counted and local_workers() == []

        await three.open(RACE, link(seed=80))  # seconds of work: most of it is left when the scheduler goes
        await reaches(lambda: performed() != counted, 0.05)
        client.close()
        scheduler.kill()
        assert (await shows(three, LOST)).count(LOST) == 1
        await shows(three, f"Medians of {SEEDS} seeds")
        assert len(local_workers()) == 2 and not [*one.errors, *two.errors, *three.errors]
        await asyncio.gather(one.close(), two.close(), three.close())

    with (
        started("scheduler", "--host", drive.HOST, "--port", str(port), "--no-dashboard") as scheduler,
        started(*worker),
        started(*worker),
        distributed.Client(address, timeout=PATIENCE, set_as_default=False) as client,
    ):
        client.register_plugin(Count())
        client.wait_for_workers(2, timeout=PATIENCE)
        with (
            drive.server(SERVER, tmp_path / "one.log") as first,
            drive.server(SERVER, tmp_path / "two.log") as second,
        ):
            asyncio.run(story(first, second, scheduler, client))
        log = (tmp_path / "one.log").read_text(encoding="utf-8")
        assert log.count("the Dask scheduler has gone: runs use this machine") == 1


def test_address_without_a_scheduler_means_local_workers(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """Something listens there and never answers."""
    jobs = [PlayJob("GP-UCB", GPUCB(), World(kind="jumps", horizon=40, arms=20, seed=seed)) for seed in range(3)]
    runs = Runs(1)
    with socket.socket() as listening:
        listening.bind((drive.HOST, 0))
        listening.listen()
        address = f"tcp://{drive.HOST}:{listening.getsockname()[1]}"
        monkeypatch.setenv(ADDRESS, address)
        start = monotonic()
        order = runs.order(jobs)
        assert monotonic() - start < 8.0  # the first visitor's page waits so long, once
        until(lambda: runs.wait(order, 0.5))
        again = runs.order([replace(jobs[0], world=World(kind="jumps", horizon=41))])  # nobody asks there again
        until(lambda: runs.wait(again, 0.5))
        runs.close()
    for job in jobs:
        np.testing.assert_array_equal(order.results[job].arms, job.perform().arms)
    ours = [r.getMessage() for r in caplog.records if r.name == "shell.runs.engines" and r.levelno >= logging.WARNING]
    assert len(ours) == 1 and ours[0].startswith(f"no Dask scheduler at {address} (") and runs.trouble == LOST
