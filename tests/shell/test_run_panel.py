"""A page's runs: what came in stays with its visitor, orders end with their setting, and waits say what they do."""

from __future__ import annotations

import gc
import os
import weakref
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest
from streamlit.testing.v1 import AppTest

import lessons  # noqa: F401  (before the shell, as the pages do)
from shell import run_panel
from shell.jobs import CallJob, Failure
from shell.run_panel import OPEN_ORDERS, RunSet, close_page, computed, order, page_value, run_set, seconds_left
from shell.runs import Order, Runs
from shell.session import KEY, Session
from tests.shared import session_of
from tests.standins_runs import Counted, Naps, answer, performed


def cost(jobs) -> float:
    """Return about how long these take."""
    return sum(job.seconds for job in jobs)


def naps(n: int, seconds: float = 0.3) -> tuple[Naps, ...]:
    return tuple(Naps(i, seconds) for i in range(n))


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    """The door to heavy work of a server of its own, with one worker."""
    found = Runs(1)
    monkeypatch.setattr(run_panel, "RUNS", found)
    yield found
    found.close()


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    """What one visitor's session remembers."""
    found = Session()
    monkeypatch.setattr("shell.run_panel.st.session_state", {KEY: found})
    return found


def finish(runs: Runs, wanted: Order) -> None:
    start = monotonic()
    while not runs.wait(wanted, 0.2):
        assert monotonic() - start < 60.0, "it did not happen"


# A set of runs -------------------------------------------------------------------------------------------------------


def test_a_mark_tells_which_runs_are_there_and_not_only_how_many():
    jobs, marks = naps(3), set()
    for there in ((), jobs[:1], jobs[1:2], jobs[:2], jobs[1:], jobs):
        found = RunSet("a setting", jobs)
        found.learn(dict.fromkeys(there, "done"))
        assert found.missing == tuple(job for job in jobs if job not in there)
        marks.add(found.mark)
    assert len(marks) == 6 and "all" in marks


def test_runs_begin_unasked_where_they_take_a_moment_and_once(runs: Runs, session: Session):
    long, short = RunSet("long", naps(5)), RunSet("short", naps(2, 0.01))
    long.begin(cost, most=1.0)
    assert long.order is None
    short.begin(cost, most=1.0)
    first = short.order
    short.begin(cost, most=1.0)
    assert first is not None and short.order is first
    done = RunSet("nothing to do")
    done.begin(cost, most=1.0)
    assert done.order is None and done.mark == "all"


def test_runs_that_came_in_stay_with_the_visitor_when_the_server_has_forgotten_them(runs: Runs, session: Session):
    found = RunSet("a setting", naps(4, 0.01))
    found.play(found.jobs[:1])
    runs._kept.clear()
    found.start(cost)
    finish(runs, found.order)
    runs._kept.clear()  # as when others' runs have taken the room
    found.look()
    assert not found.missing and found.results == {job: job.number for job in found.jobs}


def test_a_run_played_in_place_is_there_for_others(runs: Runs):
    one, other = RunSet("a setting", naps(2, 0.01)), RunSet("a setting", naps(2, 0.01))
    one.play(one.jobs)
    other.look()
    assert not other.missing


def test_what_is_left_is_told_by_the_pace_of_what_is_done(runs: Runs):
    found = RunSet("a setting", naps(10, 1.0))
    assert seconds_left(found, cost) == 10.0
    found.order = Order(dict.fromkeys(found.jobs), dict.fromkeys(found.jobs[:4], "done"), began=monotonic() - 12.0)
    found.learn(found.order.results)
    assert seconds_left(found, cost) == pytest.approx(18.0, rel=0.01)  # 3 s each: six to come


# Of a session --------------------------------------------------------------------------------------------------------


def test_a_session_has_four_open_orders_at_most_and_gives_up_the_oldest(runs: Runs, session: Session):
    orders = [order([Naps(i, 5.0)], cost) for i in range(OPEN_ORDERS + 2)]
    assert [o.cancelled for o in orders] == [True, True] + [False] * OPEN_ORDERS
    assert session.orders == orders[2:]


def test_orders_that_are_through_do_not_count(runs: Runs, session: Session):
    first = order([Naps(0, 5.0)], cost)
    for i in range(1, 7):
        done = order([Naps(i, 0.0)], cost)
        done.cancel()
    assert not first.cancelled and first in session.orders and len(session.orders) <= 2


def test_another_setting_gives_the_older_order_up_and_each_page_has_runs_of_its_own(runs: Runs, session: Session):
    made = []

    def make() -> RunSet:
        made.append(RunSet(len(made), naps(3, 5.0)))
        return made[-1]

    first = run_set("race", 0, make)
    first.start(cost)
    assert run_set("race", 0, make) is first and not first.cancelled
    second = run_set("race", 1, make)
    assert second is not first and first.cancelled and not session.orders
    assert run_set("bowls", 2, make) is not second and run_set("race", 1, make) is second


def test_runs_that_cannot_be_made_leave_nothing_half_made_and_the_older_order_is_given_up(runs: Runs, session: Session):
    first = run_set("race", "one", lambda: RunSet("one", naps(3, 5.0)))
    first.start(cost)

    def refuse() -> RunSet:
        raise ValueError("a world that cannot be")

    with pytest.raises(ValueError, match="cannot be"):
        run_set("race", "two", refuse)
    assert first.cancelled and session.run_sets == {"race": first}


def test_a_visitor_who_leaves_a_page_takes_along_only_what_is_still_under_way(runs: Runs, session: Session):
    going = run_set("bowls", "two", lambda: RunSet("two", naps(3, 5.0)))
    going.start(cost)
    through = run_set("race", "one", lambda: RunSet("one", naps(1, 0.01)))
    through.start(cost)
    finish(runs, through.order)
    gone = weakref.ref(through), weakref.ref(through.order)
    del through
    close_page()
    gc.collect()
    assert list(session.run_sets) == ["bowls"] and [one() for one in gone] == [None, None]
    going.order.cancel()
    close_page()
    assert session.run_sets == {}


def test_runs_that_began_by_themselves_go_with_the_page_and_go_on_by_themselves(runs: Runs, session: Session):
    jobs = naps(40, 0.05)

    def opened() -> RunSet:
        found = run_set("race", "one", lambda: RunSet("one", jobs))
        found.look()
        found.begin(cost, most=60.0)
        return found

    before = opened()
    assert before.order is not None
    while not before.results:
        runs.wait(before.order, 1.0)
        before.look()
    gone, so_far = weakref.ref(before), dict(before.results)
    close_page()
    assert before.cancelled and session.run_sets == {} and session.orders == []
    del before
    gc.collect()
    after = opened()
    assert gone() is None and so_far.items() <= after.results.items()
    finish(runs, after.order)
    after.look()
    assert not after.missing


def test_a_value_of_a_page_is_made_once_a_setting_and_goes_with_the_page(session: Session):
    made = []

    def make() -> int:
        made.append(len(made))
        return made[-1]

    assert [page_value("trial", setting, make) for setting in "aabba"] == [0, 0, 1, 1, 2]
    close_page()
    assert page_value("trial", "a", make) == 3


def test_a_button_pressed_late_finds_no_runs_and_does_nothing(runs: Runs, session: Session):
    run_panel._start("race", cost)
    run_panel._cancel("race")
    assert not session.orders


# On the page ---------------------------------------------------------------------------------------------------------


def a_page() -> None:
    """A page with ten jobs of a setting, as lessons draw it."""
    import streamlit as st

    from shell.run_panel import RunSet, panel, run_set
    from tests.standins_runs import Counted

    setting, file = st.number_input("setting", value=0, key="setting"), st.session_state["file"]
    jobs = tuple(Counted(100 * int(setting) + n, file, 0.4) for n in range(10))
    runs = run_set("test", setting, lambda: RunSet(setting, jobs))
    runs.look()
    panel(
        "test",
        runs,
        paused="Cancelled." if runs.cancelled else "This takes a while.",
        start="Run it",
        seconds=lambda jobs: sum(job.seconds for job in jobs),
        progress=lambda done, left: f"{done}/{len(jobs)} done, about {left:.0f} s",
    )
    st.markdown(f"sum {sum(runs.results.values())}, mark {runs.mark}")


def opened(file: Path) -> AppTest:
    at = AppTest.from_function(a_page, default_timeout=60)
    at.session_state["file"] = str(file)
    return at.run()


def test_a_panel_waits_for_its_button_says_how_far_it_is_and_goes_when_all_is_there(runs: Runs, tmp_path: Path):
    at = opened(tmp_path / "performed")
    assert [i.value for i in at.info] == ["This takes a while."] and not at.get("progress")
    at.button(key="test_start").click().run()
    (bar,) = at.get("progress")
    assert bar.proto.text.endswith("/10 done, about 4 s") and not at.info
    start = monotonic()
    while at.get("progress"):
        assert monotonic() - start < 60.0
        sleep(0.1)
        at.run()
    assert not at.exception and not at.button and "sum 45, mark all" in at.markdown[0].value
    assert sorted(performed(tmp_path / "performed")) == list(range(10))


def test_cancel_keeps_what_is_there_begins_nothing_more_and_start_goes_on_from_there(runs: Runs, tmp_path: Path):
    file = tmp_path / "performed"
    at = opened(file)
    at.button(key="test_start").click().run()
    start = monotonic()
    while len(performed(file)) < 3:
        assert monotonic() - start < 60.0
        sleep(0.02)
    at.button(key="test_cancel").click().run()
    assert [i.value for i in at.info] == ["Cancelled."] and "mark 1" in at.markdown[0].value
    sleep(1.5)
    begun = performed(file)
    assert len(begun) < 10
    at.button(key="test_start").click().run()
    while at.get("progress"):
        sleep(0.1)
        at.run()
    assert "sum 45, mark all" in at.markdown[0].value
    assert sorted(performed(file)) == list(range(10))  # none of them twice


def test_another_setting_on_the_page_ends_the_order_that_was_running(runs: Runs, tmp_path: Path):
    at = opened(tmp_path / "performed")
    at.button(key="test_start").click().run()
    older = session_of(at).run_sets["test"].order
    at.number_input(key="setting").set_value(3).run()
    assert older.cancelled and session_of(at).run_sets["test"].order is None
    assert [i.value for i in at.info] == ["This takes a while."]


def test_a_lost_cluster_is_one_sentence_above_the_runs(runs: Runs, tmp_path: Path):
    runs._engine.trouble = "The cluster does not answer."
    at = opened(tmp_path / "performed")
    assert [i.value for i in at.info] == ["The cluster does not answer.", "This takes a while."]


# One computation -----------------------------------------------------------------------------------------------------


def test_a_short_computation_is_done_in_place_and_a_long_one_by_a_worker(runs: Runs, session: Session):
    assert computed(os.getpid, seconds=0.1) == os.getpid()
    assert computed(os.getpid, seconds=1.0) != os.getpid()


class Spot:
    """The place on a page where a wait is named."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def caption(self, text: str) -> None:
        self.said.append(text)

    def empty(self) -> None:
        self.said.append("")


def test_a_wait_says_what_it_waits_for_and_is_quiet_when_it_is_over(runs: Runs, session: Session):
    spot = session.wait_spot = Spot()
    computed(os.getpid, seconds=1.0)
    spot.said.clear()
    began = monotonic()
    computed(sleep, 1.3, seconds=1.2)
    most = (monotonic() - began) / run_panel.NAMED_SECONDS + 1  # a loaded machine takes longer, and names it oftener
    assert spot.said[-1] == "" and 2 <= len(spot.said) <= most
    assert spot.said[0].startswith(":material/hourglass_empty: Computing, about 1 s;")


def test_a_visitor_who_moves_on_ends_the_wait_and_the_computation_is_not_begun(
    runs: Runs, session: Session, tmp_path: Path
):
    class MovesOn(Spot):
        def caption(self, text: str) -> None:
            raise KeyboardInterrupt  # as Streamlit ends a run

    file = tmp_path / "performed"
    busy = runs.order([Naps(n, 1.0) for n in range(6)])
    session.wait_spot = MovesOn()
    with pytest.raises(KeyboardInterrupt):
        computed(perform, Counted(1, str(file)), seconds=1.0)
    gc.collect()
    busy.cancel()
    del busy
    finish(runs, runs.order([Naps(9, 0.0)]))
    assert performed(file) in ([], [1])  # loky may have had it on its way to the worker
    assert len(runs._under_way) == 0


def perform(job: Counted) -> int:
    """Return what a job returns."""
    return job.perform()


def test_what_a_computation_refuses_is_raised_here(runs: Runs, session: Session):
    with pytest.raises(ValueError, match="n must not be negative, got -1"):
        computed(answer, -1, seconds=1.0)


def test_an_accident_is_a_sentence_and_the_body_of_the_page_stops_there(runs: Runs):
    def page() -> None:
        import streamlit as st

        from shell.run_panel import computed
        from shell.stop import Stopped
        from tests.standins_runs import answer

        try:
            st.markdown("above")
            computed(answer, 0, seconds=1.0)
            st.markdown("below")
        except Stopped:
            st.markdown("under the body")

    at = AppTest.from_function(page, default_timeout=60).run()
    assert not at.exception and [m.value for m in at.markdown] == ["above", "under the body"]
    assert [i.value for i in at.info] == ["This computation failed (ZeroDivisionError); please report this setting."]


def test_a_failure_of_a_run_is_a_result_like_others(runs: Runs, session: Session):
    found = RunSet("a setting", (CallJob(answer, (0,)), CallJob(answer, (2,))))
    found.start(lambda jobs: 0.1 * len(tuple(jobs)))
    finish(runs, found.order)
    found.look()
    assert found.mark == "all" and isinstance(found.results[found.jobs[0]], Failure)
    assert found.results[found.jobs[1]] == 5


def test_a_page_that_a_visitor_turns_to_while_the_runs_end_is_the_one_that_is_drawn(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    def page() -> None:
        import streamlit as st

        from shell.redraw import redraw
        from tests.standins_runs import turn_the_page

        st.markdown(f"page {st.query_params.get('page', 'first')}")

        @st.fragment
        def ends() -> None:
            if "turned" not in st.session_state:
                st.session_state["turned"] = True
                turn_the_page("page=second")
                redraw()

        ends()

    at = AppTest.from_function(page, default_timeout=60).run()
    assert not at.exception and [m.value for m in at.markdown] == ["page second"]
