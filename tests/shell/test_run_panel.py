"""A page's runs: what came in stays with its visitor, orders end with their setting, and waits say what they do."""

from __future__ import annotations

import gc
import os
import re
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import lessons  # noqa: F401  (before the shell, as the pages do)
from common.failure import Failure
from shell.runs import run_panel
from shell.runs.run_panel import OPEN_ORDERS, RunSet, close_page, compute, order, run_set
from shell.runs.runs import Order, Runs
from shell.session import KEY, Session
from tests.lessons.shown import settled, until
from tests.standins_runs import Counted, Naps, answer, performed


def cost(jobs) -> float:
    """Return about how long these take."""
    return sum(job.seconds for job in jobs)


def naps(n: int, seconds: float = 0.3) -> tuple[Naps, ...]:
    return tuple(Naps(i, seconds) for i in range(n))


@pytest.fixture(scope="module")
def door() -> Iterator[Runs]:
    """The door to heavy work of a server of its own, with one worker."""
    found = Runs(1)
    yield found
    found.close()


@pytest.fixture
def runs(door: Runs, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    monkeypatch.setattr(run_panel, "RUNS", door)
    yield door
    door._kept.clear()


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """The record of one visitor's session."""
    found = Session()
    monkeypatch.setattr("shell.runs.run_panel.st.session_state", {KEY: found})
    yield found
    for one in found.runs.orders:
        one.cancel()


def finish(runs: Runs, wanted: Order) -> None:
    until(lambda: runs.wait(wanted, 0.2))


# A set of runs -------------------------------------------------------------------------------------------------------


def test_results_stay_with_visitor_and_others_find_them(runs: Runs, session: Session):
    found = RunSet("a setting", naps(4, 0.01), seconds=cost)
    found.play(found.jobs[:1])
    other = RunSet("a setting", found.jobs[:1])
    other.poll()
    assert not other.missing
    runs._kept.clear()
    found.start()
    finish(runs, found.order)
    runs._kept.clear()  # as when others' runs have taken the room
    found.poll()
    assert not found.missing and found.results == {job: job.number for job in found.jobs}


def test_mark_names_accidents_and_keeps_refusals():
    jobs = naps(2)
    found = RunSet("a setting", jobs, results={jobs[0]: 1, jobs[1]: Failure("Its worker ended.")})
    assert not found.missing and found.mark == "1x"
    found = RunSet("a setting", jobs, results={jobs[0]: 1, jobs[1]: Failure("No such n.", refused=True)})
    assert found.mark == "all"


# Of a session --------------------------------------------------------------------------------------------------------


def test_session_has_four_open_orders(runs: Runs, session: Session):
    orders = [order([Naps(i, 0.5)], cost) for i in range(OPEN_ORDERS + 2)]
    assert [o.cancelled for o in orders] == [True, True] + [False] * OPEN_ORDERS
    assert session.runs.orders == orders[2:]
    for one in orders[3:]:
        one.cancel()  # what is through does not count
    last = order([Naps(99, 0.5)], cost)
    assert not orders[2].cancelled and session.runs.orders == [orders[2], last]


def test_other_setting_gives_the_older_order_up(runs: Runs, session: Session):
    made = []

    def make() -> RunSet:
        made.append(RunSet(len(made), naps(3, 0.5), seconds=cost))
        return made[-1]

    def refuse() -> RunSet:
        raise ValueError("a world that cannot be")

    first = run_set("race", 0, make)
    first.start()
    assert run_set("race", 0, make) is first and not first.cancelled
    second = run_set("race", 1, make)
    assert second is not first and first.cancelled and not session.runs.orders
    assert run_set("bowls", 2, make) is not second and run_set("race", 1, make) is second
    second.start()
    with pytest.raises(ValueError, match="cannot be"):
        run_set("race", 3, refuse)
    assert second.cancelled and session.runs.sets["race"] is second  # nothing is half made
    run_panel._start("nothing")  # a button that was pressed late
    run_panel._cancel("nothing")
    assert not session.runs.orders


def test_left_page_keeps_only_what_runs(runs: Runs, session: Session):
    going = run_set("bowls", "two", lambda: RunSet("two", naps(3, 0.5), seconds=cost))
    going.start()
    through = run_set("race", "one", lambda: RunSet("one", naps(1, 0.01), seconds=cost))
    through.start()
    finish(runs, through.order)
    gone = weakref.ref(through), weakref.ref(through.order)
    del through
    close_page()
    gc.collect()
    assert list(session.runs.sets) == ["bowls"] and [one() for one in gone] == [None, None]
    going.order.cancel()
    close_page()
    assert session.runs.sets == {}


# On the page ---------------------------------------------------------------------------------------------------------


def a_page() -> None:
    """A page with ten jobs of a setting, as lessons draw it."""
    from collections.abc import Iterable

    import streamlit as st

    from shell.runs.run_panel import RunSet, panel, run_set
    from tests.standins_runs import Counted

    setting, file = st.number_input("setting", value=0, key="setting"), st.session_state["file"]
    jobs = tuple(Counted(100 * int(setting) + n, file, 0.1) for n in range(10))

    def cost(jobs: Iterable[Counted]) -> float:
        return sum(job.seconds for job in jobs)

    runs = run_set("test", setting, lambda: RunSet(setting, jobs, "5 seeds × 2 methods", cost))
    runs.poll()
    panel("test", runs)
    st.markdown(f"sum {sum(runs.results.values())}, mark {runs.mark}")


WAITS = "0 of 10 runs are done; the rest takes a while."


def opened(file: Path) -> AppTest:
    at = AppTest.from_function(a_page, default_timeout=60)
    at.session_state["file"] = str(file)
    return at.run()


def test_panel_runs_cancels_and_goes_on(runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("shell.runs.runs.AHEAD", 1)  # a slow page would have handed over all ten before it is stopped
    file = tmp_path / "performed"
    at = opened(file)
    assert [i.value for i in at.info] == [WAITS] and not at.get("progress")
    assert at.button(key="test_start").label == "Run the rest: 10 runs, about 1 s"
    at.button(key="test_start").click().run()
    (bar,) = at.get("progress")
    assert re.fullmatch(r"Running 5 seeds × 2 methods: \d/10 done, about 1 s", bar.proto.text) and not at.info
    until(lambda: len(performed(file)) >= 2)
    at.button(key="test_cancel").click().run()
    (said,) = (i.value for i in at.info)
    first = r"before the first of 10 runs was done"  # they go in batches
    assert re.fullmatch(rf"Cancelled ({first}|after \d of 10 runs: what they show is kept)\.", said)
    assert "mark all" not in at.markdown[0].value
    finish(runs, runs.order([Naps(1, 0.0)]))
    assert len(performed(file)) < 10
    at.button(key="test_start").click().run()
    assert not settled(at).exception and not at.button and "sum 45, mark all" in at.markdown[0].value
    assert sorted(performed(file)) == list(range(10))  # none of them twice


# One computation -----------------------------------------------------------------------------------------------------


def test_short_computations_are_done_in_place(runs: Runs, session: Session):
    assert compute(os.getpid, seconds=0.1) == os.getpid()
    assert compute(os.getpid, seconds=1.0) != os.getpid()
    with pytest.raises(ValueError, match="n must not be negative, got -1"):
        compute(answer, -1, seconds=1.0)


def test_accident_is_a_sentence_and_is_repeated(runs: Runs, tmp_path: Path):
    def page() -> None:
        import streamlit as st

        from shell.page.stop import Stopped
        from shell.runs.run_panel import compute
        from tests.standins_runs import fails_once

        try:
            st.markdown("above")
            compute(fails_once, st.session_state["file"], seconds=1.0)
            st.markdown("below")
        except Stopped:
            st.markdown("under the body")

    at = AppTest.from_function(page, default_timeout=60)
    at.session_state["file"] = str(tmp_path / "tried")
    at.run()
    assert not at.exception and [m.value for m in at.markdown] == ["above", "under the body"]
    assert [i.value for i in at.info] == ["This computation failed (RuntimeError); please report this setting."]
    assert [m.value for m in at.run().markdown] == ["above", "below"]
