"""The pool plays what the race plays, takes turns, stops when told, and leaves nobody behind."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep

import numpy as np
import pytest

from tests.standins import Niceness, Scheduling
from tvbo_core.policies import GPUCB, WGPUCB, Random
from tvbo_core.policies.side_queries.policy import WSparQ
from tvbo_core.race import race
from tvbo_core.race_results import Run, tabulate
from tvbo_core.records import World
from ui import worker
from ui.jobs import BROKEN, Call, Job, Pool, Ticket, perform
from ui.turns import LATELY, SIGHT, Turns

ROOT = Path(__file__).resolve().parent.parent
WORLD = World(kind="jumps", horizon=40, arms=20)
PATIENCE = 60.0  # seconds; a busy machine is slow, not wrong


def until(done: Callable[[], object], most: float = PATIENCE) -> None:
    """Wait for it, and complain when it does not come."""
    start = monotonic()
    while not done():
        assert monotonic() - start < most, "it did not happen"
        sleep(0.005)


def many(n: int, horizon: int = 40, start: int = 0) -> list[Job]:
    return [Job("GP-UCB", GPUCB(), replace(WORLD, seed=start + s, horizon=horizon)) for s in range(n)]


@pytest.fixture
def pool() -> Iterator[Pool]:
    found = Pool(workers=1)
    yield found
    found.close()


def test_the_pool_plays_the_runs_of_the_race():
    policies = {"Random": Random(), "GP-UCB": GPUCB(), "W-SparQ": WSparQ()}
    seeds = (2, 5)
    jobs = [Job(n, p, replace(WORLD, seed=s)) for n, p in policies.items() for s in seeds]
    pool = Pool(workers=2)
    ticket = pool.order(jobs)
    until(lambda: ticket.over)
    table = tabulate(pool.look(ticket).values(), list(policies), [40], seeds)
    pool.close()
    oracle = race(WORLD, policies, seeds)
    for column in ("finished", "regret", "arms", "extra_queries"):
        np.testing.assert_array_equal(getattr(table, column), getattr(oracle, column))


def test_a_run_in_a_worker_is_the_run_in_this_process(pool: Pool):
    (job,) = many(1)
    ticket = pool.order([job])
    until(lambda: ticket.over)
    far, here = pool.look(ticket)[job], perform(job)
    for column in ("arms", "regret", "extra_queries"):
        np.testing.assert_array_equal(getattr(far, column), getattr(here, column))


def test_readers_take_turns(pool: Pool):
    long, short = many(40, horizon=2000), many(3, horizon=2000, start=90)  # long enough that we are not too late
    first = pool.order(long, "one")
    second = pool.order(short, "another")
    until(lambda: second.over)
    # Taking turns, the long race has about three runs behind it; in one queue it would have had all forty.
    assert len(pool.look(first)) < 30
    pool.cancel(first)


def test_cancelling_keeps_what_finished_and_starts_nothing_more(pool: Pool):
    jobs = many(200, horizon=100)
    ticket = pool.order(jobs)
    until(lambda: len(pool.look(ticket)) >= 3)
    pool.cancel(ticket)
    assert ticket.over
    finished = pool.look(ticket)
    assert 3 <= len(finished) < len(jobs)
    assert all(isinstance(run, Run) for run in finished.values())
    assert set(finished) <= set(pool.known(jobs))
    sleep(0.3)
    assert len(pool.known(jobs)) <= len(finished) + 1  # the run under way is kept, and that is all


def test_what_two_readers_want_is_played_once(monkeypatch: pytest.MonkeyPatch):
    pool, asked, ask = Pool(workers=2), [], worker.ask
    monkeypatch.setattr(worker, "ask", lambda process, job: asked.append(job) or ask(process, job))
    jobs = many(8)
    one, other = pool.order(jobs), pool.order(reversed(jobs))
    until(lambda: one.over and other.over)
    mine, yours = pool.look(one), pool.look(other)
    pool.close()
    asked = [job for job in asked if job in jobs]  # another pool of this process may be at work
    assert len(asked) == len(set(asked)) == 8
    assert all(mine[job] is yours[job] for job in jobs)


def test_what_is_kept_is_not_played_again(pool: Pool):
    jobs = many(4)
    ticket = pool.order(jobs)
    until(lambda: ticket.over)
    again = pool.order(jobs)
    assert again.over
    assert all(again.results[job] is ticket.results[job] for job in jobs)


def test_a_refusal_is_a_sentence_and_an_accident_too(pool: Pool):
    refused = Job("WGP-UCB", WGPUCB(width="theory"), World(kind="markov", horizon=20))
    broken = Job("Nobody", None, WORLD)
    ticket = pool.order([refused, broken, *many(1)])
    until(lambda: ticket.over)
    results = pool.look(ticket)
    assert "norm" in results[refused] and results[refused] == perform(refused)
    assert results[broken] == "Nobody failed (AttributeError); please report this setting."
    assert isinstance(results[many(1)[0]], Run)  # the worker lives on


def test_a_run_whose_worker_dies_twice_ends_in_a_sentence_and_the_pool_goes_on(pool: Pool):
    slow = Job("W-SparQ", WSparQ(), World(horizon=20_000, arms=60))
    ticket = pool.order([slow])
    until(lambda: slow in pool._running and 0 in pool._processes)
    first = pool._processes[0]
    first.kill()
    until(lambda: pool._processes[0] is not first and slow in pool._running)  # it is begun once more
    pool._processes[0].kill()
    until(lambda: ticket.over)
    assert pool.look(ticket)[slow] == BROKEN
    assert slow not in pool.known([slow])  # it may be tried again
    after = pool.order(many(1))
    until(lambda: after.over)
    assert isinstance(pool.look(after)[many(1)[0]], Run)


def test_a_ticket_that_nobody_looks_at_is_dropped():
    pool = Pool(workers=1, patience=0.2)
    ticket = pool.order(many(400, horizon=200))
    until(lambda: ticket.cancelled)
    pool.close()
    assert len(ticket.results) < 400


def test_when_all_places_are_taken_there_is_no_ticket():
    pool = Pool(workers=1, places=1)
    first = pool.order(many(50, horizon=100))
    assert pool.order(many(2, start=70)) is None
    pool.cancel(first)
    assert pool.order(many(2, start=70)) is not None
    pool.close()


def test_races_take_no_place_from_those_who_wait_before_an_empty_panel():
    pool = Pool(workers=1, places=1)
    pool.order(many(50, horizon=100), "racer")
    assert pool.order(many(2, start=70), "other racer") is None
    call = Call(sum, ((1, 2),))
    ticket = pool.order([call], "reader", urgent=True)
    until(lambda: ticket.over)
    pool.close()
    assert ticket.results[call].value == 3


def test_who_has_not_looked_for_a_while_makes_room_when_all_places_are_taken():
    pool = Pool(workers=1, places=2)
    left, watched = pool.order(many(50, horizon=100), "left"), pool.order(many(50, start=60, horizon=100), "watched")
    left.seen -= SIGHT + 1
    assert pool.order(many(2, start=200), "new") is not None
    assert left.cancelled and not watched.cancelled
    assert pool.order(many(2, start=300), "too many") is None
    pool.close()


def test_a_race_out_of_sight_goes_on_only_while_nobody_elses_waits():
    turns, (first, second) = Turns(), many(2)
    out, here = (Ticket(frozenset({job}), {job: None}, {}, who) for job, who in ((first, "out"), (second, "here")))
    out.seen -= SIGHT + 1
    turns.join("out")  # whose turn it would be

    def pick(tickets: list[Ticket]) -> object:
        return turns.pick(tickets, [], lambda visitor: True, 2)

    assert pick([out, here]) == second
    assert pick([out]) == first
    here.seen -= SIGHT + 1
    assert pick([out, here]) in (first, second)


def test_an_idle_worker_is_let_go_and_comes_back():
    pool = Pool(workers=1, idle=0.3)
    ticket = pool.order(many(1))
    until(lambda: ticket.over)
    until(lambda: not pool._threads and not pool._processes)
    again = pool.order(many(1, start=5))
    until(lambda: again.over)
    pool.close()
    assert not pool._processes


def test_the_runs_that_were_asked_for_longest_ago_make_room():
    a, b, c = many(3)
    runs = {job: perform(job) for job in (a, b, c)}
    pool = Pool(room=5 * worker.size(runs.pop(c)) // 2)  # two runs
    for job in (a, b):
        pool.keep(job, runs.pop(job))
    pool.known([a])
    pool.keep(c, perform(c))
    assert set(pool.known([a, b, c])) == {a, c}


def test_a_run_that_a_reader_still_holds_is_found_when_the_room_is_full_and_then_it_is_gone():
    """Readers of one setting share its runs: else a full class would hold each of them many times."""
    a, b = many(2)
    reader = {a: perform(a)}
    pool = Pool(room=worker.size(reader[a]) + 1)
    pool.keep(a, reader[a])
    pool.keep(b, perform(b))  # there is room for one
    assert pool.known([a, b])[a] is reader[a]
    assert pool.order([a]).results[a] is reader[a]  # nobody plays it again
    reader.clear()
    gc.collect()
    assert set(pool.known([a, b])) == {b}


def test_what_a_worker_sends_is_kept_in_arrays_of_its_own_and_weighs_what_it_says(pool: Pool):
    (job,) = many(1)
    ticket = pool.order([job])
    until(lambda: ticket.over)
    run = pool.look(ticket)[job]
    arrays = [getattr(run, name) for name in worker.ARRAYS]
    assert all(a.base is None and a.flags.owndata for a in arrays)
    assert worker.size(run) - worker.AROUND == sum(a.nbytes for a in arrays) == 14 * len(run.arms)
    assert worker.size("refused") == worker.AROUND and worker.size(None) == 0


BUSY = "Job('SparQ', SparQ(q_const=5), World(horizon=20_000, arms=100))"
IDLE = "Job('Random', Random(), World(horizon=5))"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux knows the niceness of a thread")
def test_who_waits_before_an_empty_panel_has_more_of_the_processor_than_a_race(pool: Pool):
    mine = os.getpriority(os.PRIO_PROCESS, 0)
    waited = Call(os.getpriority, (os.PRIO_PROCESS, 0))
    race, after, idle = Niceness("a race"), Niceness("another race"), Scheduling("a third")
    ticket = pool.order([race, waited, after, idle])
    until(lambda: ticket.over)
    heard = pool.look(ticket)
    assert heard[idle] == os.SCHED_IDLE  # a processor that only races counts as free
    assert heard[race] == min(mine + worker.RACES, 19)
    assert heard[waited].value == min(mine + worker.WAITED, 19)
    assert heard[after] == heard[race]  # the thread of the races has not become another one


@pytest.mark.parametrize(("job", "ready"), [(BUSY, "pool._processes"), (IDLE, "ticket.over")], ids=["busy", "idle"])
def test_no_worker_outlives_a_server_that_is_killed(job: str, ready: str):
    """Parent and worker share one pipe: it ends only when both are gone."""
    script = (
        "import time\nfrom ui.jobs import Job, Pool\nfrom tvbo_core.policies.side_queries.policy import SparQ\n"
        "from tvbo_core.records import World\n"
        "from tvbo_core.policies import Random\n"
        f"pool = Pool(workers=1)\nticket = pool.order([{job}])\n"
        f"while not {ready}: time.sleep(.01)\n"
        "print('ready', flush=True)\ntime.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert parent.stdout.readline() == b"ready\n"
    parent.kill()
    ended = Event()
    Thread(target=lambda: (parent.stderr.read(), ended.set()), daemon=True).start()
    # The busy run alone takes minutes; a worker that is still waking up needs a second or two to notice.
    assert ended.wait(timeout=20)
    with parent:
        pass


def test_the_workers_module_does_not_need_streamlit():
    said = subprocess.run(
        [sys.executable, "-c", "import sys, ui.jobs, ui.worker; print('streamlit' in sys.modules)"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout == "False\n"


def test_a_run_whose_worker_dies_once_is_begun_again(pool: Pool):
    job = Job("W-SparQ", WSparQ(), World(horizon=1500, arms=60))
    ticket = pool.order([job])
    until(lambda: job in pool._running and 0 in pool._processes)
    pool._processes[0].kill()
    until(lambda: ticket.over)
    assert isinstance(pool.look(ticket)[job], Run)


def test_a_visitor_with_many_orders_gets_no_more_than_a_visitor_with_one():
    """Forty runs in four orders against six in one: each takes every other turn."""
    pool = Pool(workers=1)
    greedy = [pool.order(many(10, horizon=150, start=10 * k), "greedy") for k in range(4)]
    modest = pool.order(many(6, horizon=150, start=90), "modest")
    until(lambda: modest.over)
    done = sum(len(pool.look(ticket)) for ticket in greedy)
    pool.close()
    # One run before the other came, then turn by turn: about seven; the pool may be a run or two ahead of us.
    assert done <= 10


def test_the_place_in_the_queue_counts_visitors_and_ends_when_a_run_begins():
    pool = Pool(workers=1)
    slow = Job("W-SparQ", WSparQ(), World(horizon=20_000, arms=60))
    first = pool.order([slow], "first")
    until(lambda: slow in pool._running)
    second, third = pool.order(many(2), "second"), pool.order(many(2, start=50), "third")
    places = [pool.queue(ticket)[0] for ticket in (first, second, third)]
    pool.cancel(second)
    moved_up = pool.queue(third)
    pool.close()
    assert places == [0, 1, 2]
    assert moved_up[0] == 1 and moved_up[1] > 0


def test_a_visitor_who_is_alone_is_in_no_queue_while_the_worker_wakes_up(pool: Pool):
    ticket = pool.order(many(3), "only")
    assert pool.queue(ticket) == (0, 0.0)
    until(lambda: ticket.over)


def test_urgent_calls_take_three_turns_for_one_of_a_race():
    pool = Pool(workers=1)
    race_ticket = pool.order(many(30, horizon=150), "racer")
    calls = [Call(sum, ((k,),)) for k in range(15)]
    asked = pool.order(calls, "reader", urgent=True)
    until(lambda: asked.over)
    raced = len(pool.look(race_ticket))
    pool.close()
    assert [asked.results[call].value for call in calls] == list(range(15))
    assert 3 <= raced <= 8  # about one for three calls, neither none nor all


def test_while_more_than_two_visitors_wait_races_get_half_of_the_workers_and_before_that_all():
    turns, runs = Turns(), many(3)
    racers = [Ticket(frozenset({job}), {job: None}, {}, f"racer {i}") for i, job in enumerate(runs)]
    call = Call(sum, ((1,),))
    reader = Ticket(frozenset({call}), {call: None}, {}, "reader", urgent=True)

    def pick(tickets: list[Ticket], running: list, workers: int) -> object:
        return turns.pick(tickets, running, lambda visitor: True, workers)

    first, second, third = runs
    assert pick(racers[:2], [first], 2) == second  # two visitors: both workers race
    assert pick(racers, [first], 2) is None  # three: the other worker stays free for those who wait
    assert pick([*racers, reader], [first], 2) == call
    assert pick([*racers, reader], [call], 2) in runs  # whose work it does is no race
    assert pick(racers, [first], 4) in (second, third)
    assert pick(racers, [first, second], 4) is None
    assert pick(racers, [], 1) is not None  # one worker alone does everything


def test_one_worker_stays_free_of_races_while_a_class_is_there_also_when_nobody_waits_for_a_moment():
    turns, (first, second) = Turns(), many(2)
    racer = Ticket(frozenset({first, second}), {second: None}, {first: ""}, "racer")

    def pick() -> object:
        return turns.pick([racer], [first], lambda visitor: True, 2)

    turns.join("racer")
    turns.join("reader")
    assert pick() == second
    turns.join("another reader")
    turns.leave({"racer"})  # both have what they asked for
    assert pick() is None  # for they will ask again
    for reader in turns._met:
        turns._met[reader] -= LATELY
    assert pick() == second  # a quiet room


def test_a_call_brings_back_its_refusal_and_is_never_kept(pool: Pool):
    refused, broken = Call(int, ("x",)), Call(divmod, (1, 0))
    ticket = pool.order([refused, broken])
    until(lambda: ticket.over)
    assert "invalid literal" in str(ticket.results[refused].refusal)
    assert "ZeroDivisionError" in ticket.results[broken].accident
    assert not pool._kept


def test_a_closed_tab_stops_its_work_and_a_tab_that_comes_back_goes_on():
    here = {"a", "b"}
    pool = Pool(workers=1, present=here.__contains__, grace=0.1)
    slow = Job("W-SparQ", WSparQ(), World(horizon=20_000, arms=60))
    ticket = pool.order([slow], "a")
    until(lambda: slow in pool._running)
    here.discard("a")
    until(lambda: not pool._running)
    other = pool.order(many(1), "b")
    until(lambda: other.over)  # the worker's place is free for others
    assert not ticket.over and slow not in pool._running
    here.add("a")
    until(lambda: slow in pool._running)
    pool.close()


def test_a_visitor_cannot_take_all_places():
    pool = Pool(workers=1, places=8, share=3)
    orders = [pool.order(many(3, horizon=400, start=10 * k), "greedy") for k in range(8)]
    places = len(pool._tickets)
    pool.close()
    assert places <= 3
    assert all(order is not None for order in orders)
