"""Runs that nobody asked for begin where they take a moment, alone and in a crowd; what is asked for always may."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from tvbo_core.policies import GPUCB
from tvbo_core.records import World
from ui import elsewhere
from ui.jobs import Job, Pool, perform
from ui.seat import Seat, held, rise, start, stop, take
from ui.worker import size

JOBS = (Job("GP-UCB", GPUCB(), World(kind="jumps", horizon=40, arms=20)),)
MOST = 12.0


def seeds(n: int) -> list[Job]:
    return [Job("GP-UCB", GPUCB(), World(kind="jumps", horizon=40, arms=20, seed=seed)) for seed in range(n)]


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    """A pool whose workers never come to anything, and a reader of it."""
    found = Pool(workers=1, present=lambda name: False)
    monkeypatch.setattr(elsewhere, "race_pool", lambda: found)
    monkeypatch.setattr(elsewhere, "visitor", lambda: "me")
    yield found
    found.close()


@pytest.mark.parametrize(("seconds", "others", "begun", "busy"), [
    (12.0, 0, True, False),
    (4.0, 2, True, False),  # three readers with a turn each: 12 s
    (4.0, 3, False, True),
    (12.1, 0, False, False),  # long in any case: then the crowd is not why
    (12.1, 5, False, False),
])  # fmt: skip
def test_runs_begin_unasked_where_they_take_a_moment_also_with_the_turns_of_others(
    pool: Pool, seconds: float, others: int, begun: bool, busy: bool
):
    for i in range(others):
        pool.order(JOBS, f"reader {i}")
    seat = Seat("a setting", JOBS)
    assert elsewhere.expected(seconds) == seconds * (1 + others)
    seat.begin(seconds, MOST)
    assert (seat.ticket is not None, seat.busy) == (begun, busy)


def test_my_own_orders_are_no_crowd_and_a_seat_orders_once(pool: Pool):
    pool.order(JOBS, "me")
    seat = Seat("a setting", JOBS)
    seat.begin(MOST, MOST)
    ticket = seat.ticket
    seat.begin(MOST, MOST)
    assert ticket is not None and seat.ticket is ticket and pool.others("me") == 0
    seat.leave()
    assert ticket.cancelled


def test_what_is_asked_for_is_ordered_in_any_crowd_and_begins_when_the_crowd_has_gone(pool: Pool):
    crowd = [pool.order(JOBS, f"reader {i}") for i in range(9)]
    asked, unasked = Seat("a setting", JOBS), Seat("another", JOBS)
    unasked.begin(MOST, MOST)
    asked.order()
    assert asked.ticket is not None and not asked.busy and unasked.busy
    asked.leave()
    for ticket in crowd:
        pool.cancel(ticket)
    unasked.begin(MOST, MOST)
    assert unasked.ticket is not None and not unasked.busy


def test_without_a_place_there_is_no_ticket_and_nothing_missing_is_nothing_to_order(pool: Pool):
    done = Seat("a setting")
    done.begin(0.0, MOST)
    assert done.ticket is None and not done.busy
    for i in range(pool.places):
        pool.order(JOBS, f"reader {i}")
    seat = Seat("a setting", JOBS)
    seat.order()
    assert seat.ticket is None and seat.busy
    seat.leave()  # of nothing


def test_a_mark_tells_which_runs_are_there_and_not_only_how_many():
    runs, marks = tuple(seeds(3)), set()
    for there in ((), runs[:1], runs[1:2], runs[:2], runs[1:], runs):
        seat = Seat("a setting", runs)
        seat.learn(dict.fromkeys(there, "done"))
        assert seat.missing == tuple(run for run in runs if run not in there)
        marks.add(seat.mark)
    assert len(marks) == 6


def test_what_has_come_in_stays_with_the_reader_when_the_pool_forgets_it(monkeypatch: pytest.MonkeyPatch):
    runs = tuple(seeds(6))
    first = perform(runs[0])
    small = Pool(workers=1, room=5 * size(first) // 2)  # two of these runs
    monkeypatch.setattr(elsewhere, "race_pool", lambda: small)
    seat = Seat("a setting", runs)
    seat.learn({runs[0]: first})
    small.keep(runs[0], seat.results[runs[0]])
    seat.order()
    assert small.wait(seat.ticket, 60.0)
    small.close()
    assert len(small._kept) == 2  # a reader who asked the pool's memory alone would wait for ever
    seat.look()
    assert not seat.missing and seat.mark == "all" and set(seat.results) == set(runs)
    assert small.known(runs) == seat.results  # and while he holds them, others find them
    seat = first = None
    gc.collect()
    assert len(small.known(runs)) == 2


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """What one reader's session remembers."""
    found: dict[str, object] = {}
    monkeypatch.setattr("ui.seat.st.session_state", found)
    return found


def test_a_seat_stays_while_its_setting_does_and_another_setting_gives_its_order_up(pool: Pool, session: dict):
    made = []

    def make(old: Seat | None) -> Seat:
        made.append(old)
        return Seat(f"setting {len(made)}", JOBS)

    seat = take("race", "setting 1", make)
    seat.order()
    assert take("race", "setting 1", make) is seat and made == [None]
    other = take("race", "setting 2", make)
    assert made == [None, seat] and other is not seat and seat.ticket.cancelled
    assert take("bowls", "setting 3", make) is not other and made[-1] is None  # every page has a seat of its own


def test_a_seat_that_could_not_be_made_is_not_taken_and_the_older_order_is_given_up(pool: Pool, session: dict):
    seat = take("race", "one", lambda old: Seat("one", JOBS))
    seat.order()

    def refuse(old: Seat | None) -> Seat:
        raise ValueError("a world that cannot be")

    with pytest.raises(ValueError, match="cannot be"):
        take("race", "two", refuse)
    assert take("race", "one", refuse) is seat and seat.ticket.cancelled


def test_a_reader_who_opens_another_page_leaves_what_is_through_to_the_pool(pool: Pool, session: dict):
    run = JOBS[0]
    through = take("race", "one", lambda old: Seat("one", JOBS))
    through.play(JOBS)
    running = take("bowls", "two", lambda old: Seat("two", tuple(seeds(3))))
    running.order()
    regret = through.results[run].regret
    rise()
    assert list(session["_seats"]) == ["bowls"]  # who comes back finds the progress
    del through
    back = take("race", "one", lambda old: Seat("one", JOBS))
    back.look()
    assert not back.missing and (back.results[run].regret == regret).all()
    running.leave()
    rise()
    assert not session["_seats"]


def test_a_press_of_a_button_finds_the_seat_by_the_name_of_the_page(pool: Pool, session: dict):
    seat = take("race", "one", lambda old: Seat("one", JOBS))
    start("bowls")  # nobody sits there: a press that comes late
    stop("bowls")
    assert seat.ticket is None
    start("race")
    assert seat.ticket is not None and not seat.ticket.cancelled
    stop("race")
    assert seat.ticket.cancelled


def test_what_a_page_holds_is_made_once_a_setting_and_goes_when_another_page_is_opened(session: dict):
    made = []

    def make() -> int:
        made.append(len(made))
        return made[-1]

    assert [held("trial", setting, make) for setting in "aabba"] == [0, 0, 1, 1, 2]
    rise()
    assert held("trial", "a", make) == 3
