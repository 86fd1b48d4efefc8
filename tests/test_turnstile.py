"""A few runs at a time, whoever is due first, and nobody waits for somebody who waits for a place."""

from __future__ import annotations

import threading
from time import monotonic, sleep

import pytest

from ui import turnstile
from ui.turnstile import Turnstile


def until(true, seconds: float = 10.0) -> bool:
    """Wait for it; whether it came true."""
    end = monotonic() + seconds
    while not true() and monotonic() < end:
        sleep(0.001)
    return true()


def started(work) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("places", [1, 2, 3])
def test_no_more_than_the_places_are_inside_and_everybody_gets_through(places: int):
    gate, inside, most, through, lock = Turnstile(places), 0, 0, 0, threading.Lock()

    def run() -> None:
        nonlocal inside, most, through
        with gate.through():
            with lock:
                inside += 1
                most = max(most, inside)
            sleep(0.002)
            with lock:
                inside -= 1
                through += 1

    threads = [started(run) for _ in range(20)]
    for thread in threads:
        thread.join(10)
    assert (most, through) == (places, 20)
    assert (gate.inside, gate.waiting) == (0, 0)


def test_those_who_wait_go_in_the_order_in_which_they_came():
    gate, order, go = Turnstile(1), [], threading.Event()

    def run(name: int) -> None:
        with gate.through():
            order.append(name)

    def first() -> None:
        with gate.through():
            go.wait(10)

    threads = [started(first)]
    assert until(lambda: gate.inside == 1)
    for name in range(5):
        threads.append(started(lambda name=name: run(name)))
        assert until(lambda name=name: gate.waiting == name + 1)
    go.set()
    for thread in threads:
        thread.join(10)
    assert order == [0, 1, 2, 3, 4]


def test_a_short_run_goes_before_a_long_one_and_a_long_one_is_not_put_off_for_ever(monkeypatch: pytest.MonkeyPatch):
    spent = threading.local()
    monkeypatch.setattr(turnstile, "thread_time", lambda: getattr(spent, "time", 0.0))
    monkeypatch.setattr(turnstile, "monotonic", lambda: now)
    gate, order, go, now = Turnstile(1), [], threading.Event(), 0.0

    def run(kind: str, takes: float, name: str = "") -> None:
        spent.time = 0.0
        with gate.through(kind):
            spent.time = takes
            order.append(name)

    for kind, takes in (("long", 1.0), ("short", 0.01)):  # so much is known
        run(kind, takes)
    order.clear()

    def first() -> None:
        with gate.through():
            go.wait(10)

    threads = [started(first)]
    assert until(lambda: gate.inside == 1)
    # The long run that came at 0 is due at 4: after the short one of second 3, before that of second 5.
    for now, kind in ((0.0, "long"), (3.0, "short"), (5.0, "short"), (5.0, "long")):
        waiting = gate.waiting
        threads.append(started(lambda kind=kind, name=f"{kind} {now:g}": run(kind, 0.0, name)))
        assert until(lambda waiting=waiting: gate.waiting == waiting + 1)
    go.set()
    for thread in threads:
        thread.join(10)
    assert order == ["short 3", "long 0", "short 5", "long 5"]


def test_a_tab_that_names_ever_new_pages_is_not_remembered_for_ever():
    gate = Turnstile(1)
    for page in range(3 * turnstile.KINDS):
        with gate.through(page):
            pass
    assert len(gate._takes) == turnstile.KINDS


def test_whoever_steps_aside_lets_the_next_one_in_and_comes_back_without_waiting():
    gate, came, answer = Turnstile(1), threading.Event(), threading.Event()
    back = threading.Event()

    def asks() -> None:
        with gate.through():
            with gate.aside():
                answer.wait(10)
            back.set()

    def gives() -> None:  # has the only place, and goes on until the other one is back
        with gate.through():
            came.set()
            answer.set()
            back.wait(10)

    threads = [started(asks), started(gives)]
    assert came.wait(10) and back.wait(10)  # a gate that made him wait would stand still here
    for thread in threads:
        thread.join(10)
    assert gate.inside == 0


def test_an_accident_inside_or_aside_gives_the_place_back():
    gate = Turnstile(1)
    with pytest.raises(ValueError, match="inside"), gate.through():
        raise ValueError("inside")
    with pytest.raises(ValueError, match="aside"), gate.through(), gate.aside():
        raise ValueError("aside")
    assert (gate.inside, gate.waiting) == (0, 0)
    with gate.through():
        assert gate.inside == 1


def test_outside_stepping_aside_is_nothing():
    gate = Turnstile(1)
    with gate.aside():
        assert gate.inside == 0
    assert gate.inside == 0
