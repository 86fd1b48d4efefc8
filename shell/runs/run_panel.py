"""Runs of a lesson on its page: the visitor's orders, one progress line with Cancel, and short waits."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, TypeVar

import streamlit as st

from common import cache
from common.durations import duration
from lessons.record import RunPlan, Values
from shell.page.stop import stop
from shell.runs.jobs import CallJob, Failure, Job, outcome
from shell.runs.redraw import redraw
from shell.runs.runs import RUNS, Order
from shell.session import session

T = TypeVar("T")
SHORT_SECONDS = 0.5  # what takes less runs in place
STARTER_SECONDS = 0.4  # the first runs of a page may take while the reader waits
NAMED_SECONDS = 0.5  # after which a wait says what it waits for
REDRAW_SECONDS = 1.0  # between two drawings of a page whose runs are coming in
OPEN_ORDERS = 4  # of one session; with another one, the oldest is given up


@dataclass(eq=False)
class RunSet:
    """The runs of one page in one setting, for one visitor.

    Attributes:
        setting: of the page.   jobs: all of them.   what: they are, in words, as "8 seeds × 6 methods".
        seconds: returns about how long jobs take on one core.   order: what was ordered, None before.
        results: of the jobs that are done. They stay with the visitor while the page is open.
        missing: jobs without a result.   mark: which jobs have one: equal marks look the same.
        unasked: whether the order began by itself.
    """

    setting: object
    jobs: tuple[Job, ...] = ()
    what: str = "the rest"
    seconds: Callable[[Iterable[Job]], float] = lambda jobs: 0.0
    results: dict[Job, object] = field(default_factory=dict)
    order: Order | None = None
    missing: tuple[Job, ...] = ()
    mark: str = ""
    unasked: bool = False

    def __post_init__(self) -> None:
        self.want(self.jobs)

    @property
    def cancelled(self) -> bool:
        """True once the visitor has stopped the order."""
        return self.order is not None and self.order.cancelled

    def want(self, jobs: Iterable[Job]) -> None:
        """Want these jobs instead of those before; nothing is ordered yet."""
        self.jobs = self.missing = tuple(jobs)
        self.order, self.mark = None, ""
        self.learn(self.results)

    def learn(self, found: Mapping[Job, object]) -> None:
        """Take these results."""
        if self.mark and not found:
            return
        self.results |= found
        self.missing = tuple(job for job in self.missing if job not in self.results)
        self.mark = "".join("1" if job in self.results else "0" for job in self.jobs) if self.missing else "all"

    def play(self, jobs: Iterable[Job]) -> None:
        """Run these here and now, for this visitor and for others."""
        found = {job: outcome(job) for job in jobs}
        for job, result in found.items():
            RUNS.keep(job, result)
        self.learn(found)

    def poll(self) -> None:
        """Take the results that have arrived."""
        if self.missing:
            self.learn(RUNS.known(self.missing) | (RUNS.poll(self.order) if self.order else {}))

    def begin(self, most: float) -> None:
        """Order what is missing without being asked, where it takes at most so many seconds."""
        if self.missing and self.order is None and self.expected <= most:
            self.start()
            self.unasked = True

    def start(self) -> None:
        """Order what is missing."""
        self.order, self.unasked = order(self.missing, self.seconds), False

    @property
    def done(self) -> int:
        """Return the number of jobs that have a result."""
        return len(self.jobs) - len(self.missing)

    @property
    def expected(self) -> float:
        """Seconds that the missing jobs are expected to take."""
        return self.seconds(self.missing) / RUNS.workers

    @property
    def left(self) -> float:
        """Seconds that the missing jobs will take: as expected at first, then by the pace of those that are done."""
        played = self.seconds(self.order.results) / RUNS.workers if self.order else 0.0
        return self.expected if played < NAMED_SECONDS else self.expected * (monotonic() - self.order.began) / played


def order(jobs: Iterable[Job], seconds: Callable[[Iterable[Job]], float]) -> Order:
    """Order these jobs for this session, which may have a few orders open."""
    orders = _open_orders()
    for oldest in orders[: max(len(orders) - OPEN_ORDERS + 1, 0)]:
        oldest.cancel()
    new = RUNS.order(jobs, lambda job: seconds((job,)))
    session().runs.orders = [*(o for o in orders if not o.cancelled), new]
    return new


def _open_orders() -> list[Order]:
    """Return the session's orders that are not over, and forget the others: each holds its results."""
    session().runs.orders = [one for one in session().runs.orders if not one.over]
    return session().runs.orders


def run_set(page: str, setting: object, make: Callable[[], RunSet]) -> RunSet:
    """Return this visitor's runs on a page; for another setting they are made anew, and the older order ends."""
    sets = session().runs.sets
    old = sets.get(page)
    if old is None or old.setting != setting:
        if old is not None and old.order is not None:
            old.order.cancel()
        _open_orders()
        sets[page] = make()  # whole, or not at all: a run of the page may be cut short at any moment
    return sets[page]


def page_value(page: str, setting: Hashable, make: Callable[[], T]) -> T:
    """Return what a page makes once for a visitor's setting, as long as the page is open."""
    values = session().runs.values
    if page not in values or values[page][0] != setting:
        values[page] = (setting, make())
    return values[page][1]


def close_page() -> None:
    """Forget what the last page made; an order that a visitor asked for stays, one that began by itself will again."""
    session().runs.values = {}
    sets = session().runs.sets
    for page, runs in list(sets.items()):
        if runs.order is not None and runs.unasked:
            runs.order.cancel()
        if runs.order is None or runs.order.over:
            del sets[page]
    _open_orders()


def follow(page: str, plan: RunPlan, values: Values) -> tuple[Any, RunSet]:
    """Return what the runs of a plan come to so far, and order those that are missing unless they take long.

    Args:
        page: name of the run set.
    Raises:
        ValueError: knob values that the plan refuses.
    """
    runs = planned(page, plan, values)
    setting = runs.setting
    return cache.kept((page, repr(setting), runs.mark), lambda: plan.gather(setting, runs.results)), runs


def planned(page: str, plan: RunPlan, values: Values) -> RunSet:
    """Return the runs of a plan as far as they have come, and order the others; see `follow`."""
    plan.ready(values, compute)
    setting = plan.setting(values)

    def make() -> RunSet:
        runs = RunSet(setting, tuple(plan.jobs(setting)), plan.what(setting), plan.seconds)
        runs.poll()
        runs.learn(stored := plan.stored(runs.missing, plan.file))
        for job, run in stored.items():
            RUNS.keep(job, run)
        first = [job for job in plan.starter(setting) if job not in runs.results] if runs.missing else []
        if plan.seconds(first) < STARTER_SECONDS:
            runs.play(first)
        return runs

    runs = run_set(page, setting, make)
    runs.poll()
    runs.begin(plan.long_seconds)
    return runs


def plan_panel(page: str, plan: RunPlan, runs: RunSet) -> None:
    """Draw what is still to come of a plan."""
    key = plan.display_key(runs.setting, runs.results)
    panel(page, runs, lambda: plan.display_key(runs.setting, runs.results) != key)


def panel(page: str, runs: RunSet, fresh: Callable[[], bool] = lambda: False) -> None:
    """Draw what is still to come: the progress with a button that cancels it, or a button that starts it.

    Args:
        page: name of the run set, and of the two buttons.
        fresh: returns whether the page would show the new results; then it is drawn anew.
    """
    if RUNS.trouble:
        st.info(RUNS.trouble, icon=":material/info:")
    if not runs.missing:
        return
    if runs.order is None or runs.cancelled:
        st.info(paused(runs), icon=":material/info:")
        # By the page's name: a session keeps its buttons with what they call, and would keep the runs with them.
        words = f"Run the rest: {_count(len(runs.missing))}, {duration(runs.expected)}"
        st.button(words, on_click=_start, args=(page,), key=f"{page}_start", icon=":material/play_arrow:")
        return
    began, waited = monotonic(), runs.order

    @st.fragment(run_every=0.5)
    def watch() -> None:
        runs.learn(RUNS.poll(waited))
        if waited.over or (monotonic() - began > REDRAW_SECONDS and fresh()):
            redraw()
        done, total = runs.done, len(runs.jobs)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(done / total, text=f"Running {runs.what}: {done}/{total} done, {duration(runs.left)}")
            st.button("Cancel", on_click=_cancel, args=(page,), key=f"{page}_cancel", icon=":material/stop:")

    watch()


def paused(runs: RunSet) -> str:
    """Return why nothing is running although runs are missing."""
    total = _count(len(runs.jobs))
    if not runs.cancelled:
        return f"{runs.done} of {total} {'is' if runs.done == 1 else 'are'} done; the rest takes a while."
    if not runs.done:
        return f"Cancelled before the first of {total} was done."
    return f"Cancelled after {runs.done} of {total}: what they show is kept."


def _count(runs: int) -> str:
    return f"{runs:,} run{'s' * (runs != 1)}"


def compute(function: Callable[..., T], *arguments: Hashable, seconds: float, own: bool = False) -> T:
    """Return what a function of plain values returns: in place where that is short, else from a worker.

    While the page waits it says so, and runs again from time to time: a knob that was moved meanwhile ends the wait.

    Args:
        seconds: about how long it takes.   own: whether it is about the visitor's own table, or plays a guest.
    Raises:
        ValueError: what the function refuses.
    """
    if seconds < SHORT_SECONDS:
        return function(*arguments)
    call = CallJob(function, arguments, own)
    # The session keeps what came in until the page is drawn, and gives up an order that is no longer asked for.
    kept = session()
    kept.runs.waits = waits = {c: o for c, o in kept.runs.waits.items() if o.over or c == call}
    wanted, spot = waits.get(call) or RUNS.order([call]), kept.runs.wait_spot

    def say() -> None:
        if spot is not None:
            so_far = monotonic() - wanted.began
            spot.caption(f":material/hourglass_empty: Computing, about {seconds:.0f} s; {so_far:.0f} s so far")

    if call in waits and not wanted.over:
        say()
    while not RUNS.wait(wanted, NAMED_SECONDS):
        say()
        kept.runs.waits = waits | {call: wanted}
        redraw()  # with the latest values: a move in a fragment does not cut a run short
    kept.runs.waits = waits | {call: wanted}
    if spot is not None:
        spot.empty()
    result = wanted.results[call]
    if isinstance(result, Failure) and not result.refused:
        st.info(result.sentence, icon=":material/info:")
        stop()
    if isinstance(result, Failure):
        raise ValueError(result.sentence)
    return result


def _start(page: str) -> None:
    if page in (sets := session().runs.sets):
        sets[page].start()


def _cancel(page: str) -> None:
    runs = session().runs.sets.get(page)
    if runs is not None and runs.order is not None:
        runs.order.cancel()
