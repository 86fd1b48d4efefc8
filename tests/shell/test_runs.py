"""Runs: the race's own numbers, each job once for all visitors, and every accident one sentence."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep

import numpy as np
import psutil
import pytest

from benchmarks.processes import ended
from lessons.shared.play_jobs import PlayJob
from shell.runs import engines, jobs
from shell.runs import runs as runs_module
from shell.runs.jobs import CallJob, Failure, is_own, outcome, outcomes
from shell.runs.runs import AHEAD, BROKEN, STALLED, Order, Runs
from tests.core.test_guests import FAULTY
from tests.lessons.shown import until
from tests.shared import ROOT
from tests.standins_runs import Counted, EndsItsWorker, Naps, allocate, answer, nothing_that_travels, performed, workers
from tvbo_core.guests import load_guest
from tvbo_core.policies import GPUCB, WGPUCB
from tvbo_core.records import World

WORLD = World(kind="jumps", horizon=40, arms=20)
PATIENCE = 90.0  # seconds; a busy machine is slow, not wrong


@pytest.fixture
def make() -> Iterator[Callable[..., Runs]]:
    """Return servers' doors to heavy work; all of them are closed at the end."""
    made: list[Runs] = []

    def new(workers: int = 2) -> Runs:
        made.append(Runs(workers))
        return made[-1]

    yield new
    for one in made:
        one.close()


@pytest.fixture(scope="module")
def one() -> Iterator[Runs]:
    """One worker that tests share: each of them leaves nothing under way."""
    runs = Runs(1)
    yield runs
    runs.close()


@dataclass(frozen=True)
class Gated:
    """A job of this process that ends once it may."""

    gate: Event
    name: str = "A gate"

    def perform(self) -> bool:
        return self.gate.wait(PATIENCE)


def finish(runs: Runs, *orders: Order) -> None:
    """Look at these orders as pages do, until they are over."""
    start = monotonic()
    while not all(order.over for order in orders):
        for order in orders:
            runs.wait(order, 0.1)
        assert monotonic() - start < PATIENCE, "it did not happen"


# Orders --------------------------------------------------------------------------------------------------------------


def test_order_ends_when_no_worker_answers(make: Callable[..., Runs], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The engine takes every batch and never does one, as where its processes cannot start."""
    runs, wanted = make(1), [Counted(n, str(tmp_path / "never"), 0.0) for n in range(9)]
    monkeypatch.setattr(runs._engine, "submit", lambda jobs, alone: Future())
    order = runs.order(wanted)
    runs.poll(order)
    assert not order.over
    monkeypatch.setattr(runs_module, "STALL_SECONDS", 0.0)
    runs.poll(order)
    assert order.over and set(order.results.values()) == {Failure(STALLED)}


def test_jobs_of_two_visitors_are_performed_once(one: Runs, tmp_path: Path):
    file = tmp_path / "performed"
    wanted = [Counted(n, str(file), 0.01) for n in range(20)]
    mine, other = one.order([*wanted, *wanted]), one.order(reversed(wanted))
    finish(one, mine, other)
    assert mine.results == other.results == {job: job.number for job in wanted}
    assert sorted(performed(file)) == list(range(20))
    late = one.order([Counted(99, str(file))])
    until(lambda: all(batch.future.done() for batch in late.open))
    again = one.order([Counted(99, str(file))])  # before its own visitor has looked
    assert again.over and list(again.results.values()) == [99] and performed(file).count(99) == 1


def test_result_counts_before_its_thread_reports(make: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch):
    """A visitor who waits for a batch may be awake before the engine's thread has told the server that it is done."""

    class Unheard(Future):
        def add_done_callback(self, fn: Callable[[Future], object]) -> None:
            """Tell nobody."""

    runs, batches = make(1), []
    monkeypatch.setattr(runs._engine, "submit", lambda jobs, alone: batches.append(Unheard()) or batches[-1])
    for number, looked in enumerate((False, True)):
        mine = runs.order([Naps(number, 0.0)])
        batches[-1].set_result([7])
        if looked:
            runs.poll(mine)
        assert runs.order([Naps(number, 0.0)]).results == {Naps(number, 0.0): 7} and len(batches) == number + 1


def test_order_that_nobody_holds_begins_nothing_more(one: Runs, tmp_path: Path):
    for gone in ("forgotten", "cancelled"):
        file = tmp_path / gone
        wanted = [Counted(n, str(file), 0.1) for n in range(40)]
        order = one.order(wanted)
        until(lambda order=order: len(one.poll(order)) >= 2)
        handed_over = len(order.results) + len(order.open)
        if gone == "cancelled":
            order.cancel()
            assert order.over and not order.open and not order.waiting
        del order
        gc.collect()
        finish(one, one.order([CallJob(answer, (len(gone),))]))
        begun = performed(file)
        # What loky has on its way to the worker cannot be cancelled: two a worker and one more.
        assert 2 <= len(begun) <= handed_over < 40, gone
        assert set(one.known(wanted)) == {wanted[n] for n in begun}  # who comes back finds them


def test_short_order_does_not_wait_for_long_ones(one: Runs, tmp_path: Path):
    file = tmp_path / "performed"
    long = one.order([Counted(n, str(file), 0.02) for n in range(60)])
    assert len(long.open) == AHEAD and len(long.waiting) == 60 - AHEAD
    finish(one, one.order([Counted(100 + n, str(file), 0.02) for n in range(2)]))
    # Ahead of it: what the long order had handed over, and as much again while the short one was under way.
    assert len(one.poll(long)) <= 2 * AHEAD + 2
    long.cancel()


def test_time_limits_are_sentences_and_leave_the_timer(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(jobs, "OWN_SECONDS", 0.05)
    before = jobs.signal.getsignal(jobs.signal.SIGALRM)
    slow, quick = CallJob(sleep, (5.0,), own=True), CallJob(sleep, (0.1,))
    late, well = outcomes([slow, quick], seconds=2.0)  # of an own table it is shorter
    assert isinstance(late, Failure) and "took longer than 0.05 s" in late.sentence and well is None
    assert jobs.signal.getsignal(jobs.signal.SIGALRM) is before
    found: list[object] = []
    thread = Thread(target=lambda: found.append(outcome(Naps(1, 0.1), seconds=0.05)))
    thread.start()
    thread.join()
    assert found == [1]  # it holds in a main thread only


def test_results_make_room_and_accidents_are_not_kept(make, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("shell.runs.runs.CACHE_BYTES", 2500)
    runs, found = make(), [Naps(n, 0.0) for n in range(5)]
    for job in found[:3]:
        runs.keep(job, bytes(1000))
        runs.known(found[:1])  # asked for all the time
    assert set(runs.known(found)) == {found[0], found[2]}
    runs.keep(found[3], bytes(9000))  # larger than everything
    runs.keep(found[3], Failure("an accident"))
    assert found[3] not in runs.known(found)
    runs.keep(found[4], Failure("never", refused=True))
    assert found[4] in runs.known(found)


# Failures ------------------------------------------------------------------------------------------------------------


def test_failures_are_sentences_and_spare_their_neighbours(one: Runs):
    refused, failed, five = (CallJob(answer, (n,)) for n in (-3, 0, 5))
    stays, fine = CallJob(nothing_that_travels, ()), Naps(3, 0.0)
    theory = PlayJob("WGP-UCB", WGPUCB(width="theory"), World(kind="markov", horizon=20))
    wanted = [fine, refused, failed, stays, theory, five]
    order = one.order(wanted, lambda job: 0.001)  # in one batch
    finish(one, order)
    assert order.results[refused] == Failure("n must not be negative, got -3", refused=True)
    assert order.results[failed] == Failure("This computation failed (ZeroDivisionError); please report this setting.")
    stuck = order.results[stays]
    assert isinstance(stuck, Failure) and not stuck.refused and stuck.sentence.endswith("please report this setting.")
    assert order.results[theory].refused and "norm" in order.results[theory].sentence
    assert order.results[five] == 2 and order.results[fine] == 3
    assert not one.known([five])  # the arguments of a call may hold a visitor's own table


@pytest.mark.slow
def test_killed_worker_costs_one_retry(make, tmp_path: Path):
    runs, file = make(2), tmp_path / "performed"
    wanted, others = [Counted(n, str(file), 0.3) for n in range(8)], set(workers())
    order = runs.order(wanted)
    until(lambda: len(performed(file)) >= 2)
    next(one for one in workers() if one not in others).kill()
    finish(runs, order)
    assert order.results == {job: job.number for job in wanted}
    job = EndsItsWorker(str(tmp_path / "been here"))  # the first time
    order = runs.order([job])
    finish(runs, order)
    assert order.results == {job: "performed"}


@pytest.mark.slow
def test_worker_that_dies_after_a_rest_is_missed(make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(engines, "IDLE_SECONDS", 1)
    runs, others = make(1), set(workers())
    finish(runs, runs.order([Naps(1, 0.0)]))
    until(lambda: set(workers()) <= others)
    job = EndsItsWorker(str(tmp_path / "been here"))
    order = runs.order([job])
    finish(runs, order)
    assert order.results == {job: "performed"}


@pytest.mark.slow
def test_deadly_job_is_a_sentence_and_others_finish(make):
    runs, deadly = make(2), EndsItsWorker()
    innocent, mine = [Naps(n, 0.05) for n in range(12)], [Naps(100 + n, 0.01) for n in range(4)]
    other = runs.order(innocent)
    order = runs.order([mine[0], deadly, *mine[1:]], lambda job: 0.01)  # in one batch
    finish(runs, order, other)
    assert order.results[deadly] == Failure(BROKEN)
    assert {job: order.results[job] for job in mine} == {job: job.number for job in mine}
    assert other.results == {job: job.number for job in innocent}
    assert not runs.known([deadly])  # it may be tried again


@pytest.mark.slow
def test_worker_goes_on_after_time_and_memory(make, monkeypatch: pytest.MonkeyPatch):
    runs = make(1)
    with monkeypatch.context() as patch:
        patch.setattr(engines, "outcomes", partial(outcomes, seconds=0.2))
        late = runs.order([Naps(1, 600.0)])
        finish(runs, late)
    order = runs.order([Naps(2, 0.0)])
    finish(runs, order)
    said = "A nap took longer than 0.2 s and was stopped; choose a smaller setting."
    assert late.results == {Naps(1, 600.0): Failure(said)} and order.results == {Naps(2, 0.0): 2}
    if sys.platform != "linux":  # other systems do not keep a process within an address space
        return
    greedy = CallJob(allocate, (4_000_000_000,))
    order = runs.order([greedy, Naps(3, 0.0)])
    finish(runs, order)
    said = "This computation needs more memory than a worker may take; choose a smaller setting."
    assert order.results == {greedy: Failure(said), Naps(3, 0.0): 3}


# Engines -------------------------------------------------------------------------------------------------------------


def test_without_processes_runs_are_done_here(make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture):
    def no_room(*given: object, **named: object) -> None:
        raise OSError("no memory for a process")

    monkeypatch.setattr("loky.ProcessPoolExecutor", no_room)
    runs, wanted = make(2), [PlayJob("GP-UCB", GPUCB(), replace(WORLD, seed=s)) for s in range(3)]
    one, other = Gated(Event()), Gated(Event())
    order = runs.order([one, other, *wanted])
    assert not order.results and runs.workers == 1  # the page is drawn meanwhile
    one.gate.set()
    until(lambda: runs.poll(order))
    assert order.results == {one: True}  # before the others
    other.gate.set()
    finish(runs, order)
    for job in wanted:
        here = job.perform()
        for column in ("arms", "regret", "extra_queries"):
            np.testing.assert_array_equal(getattr(order.results[job], column), getattr(here, column))
    again = runs.order([Naps(n, 0.1) for n in range(50)])
    again.cancel()
    assert again.over
    assert [r.message for r in caplog.records] == [
        "no worker process can be started: runs are done in the server, more slowly"
    ]


ORPHAN = """
from shell.runs.runs import Runs
from tests.standins_runs import Naps
import time
runs = Runs(1)
order = runs.order([Naps(0, 0.0)])
while not runs.wait(order, 1.0):
    pass
order = runs.order([Naps(1, 2.0)])
print("ready", flush=True)
time.sleep(600)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="counts children as Linux does")
def test_no_worker_outlives_a_killed_server():
    script = [sys.executable, "-c", ORPHAN]
    with subprocess.Popen(script, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as parent:
        assert parent.stdout.readline() == b"ready\n"
        left = psutil.Process(parent.pid).children(recursive=True)
        assert left
        parent.kill()
    until(lambda: all(ended(process) for process in left))


def test_slow_guest_is_stopped_with_its_round(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(FAULTY)
    world = World(kind="jumps", horizon=20, arms=15, seed=5)
    one, other = (PlayJob("mine", load_guest(f"{path}@Sleeps").policy(), replace(world, seed=s)) for s in (5, 6))
    began = monotonic()
    first, second = outcomes((one, other), seconds=2.0)
    assert monotonic() - began < 60  # that one of them sleeps
    stopped = "mine took longer than 2 s and was stopped, Sleeps() of mine.py in round t = 2 (seed 5)"
    assert str(first).startswith(stopped) and str(second).startswith("mine took longer than")
    assert first.refused and is_own(one)
