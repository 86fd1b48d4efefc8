"""Runs of a lesson on its page: a visitor's orders, their progress with a button that cancels them, and short waits."""

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
SHORT_SECONDS = 0.5  # A computation that is expected to take less is done in this process.
STARTER_SECONDS = 0.4  # The first runs of a page are done in this process if they are expected to take less.
NAMED_SECONDS = 0.5  # A wait that takes longer is named on the page.
REDRAW_SECONDS = 1.0  # A page whose results are arriving is drawn anew at most this often.
OPEN_ORDERS = 4  # A session may have this many orders open; one more cancels the oldest.


@dataclass(eq=False)
class RunSet:
    """The runs of one page in one setting, for one visitor.

    Attributes:
        setting: of the page.   jobs: all jobs of the setting.   what: name of the jobs, such as "8 seeds × 6 methods".
        seconds: returns about how long jobs take on one core.   order: the jobs that were ordered, None before.
        results: of the finished jobs. They stay here while the page is open, even when the cache drops them.
        missing: jobs without a result.
        mark: for each job whether it has a result ("1") or failed by accident ("x"); "all" if each has one.
        automatic: whether the order was made without a click.
    """

    setting: object
    jobs: tuple[Job, ...] = ()
    what: str = "the rest"
    seconds: Callable[[Iterable[Job]], float] = lambda jobs: 0.0
    results: dict[Job, object] = field(default_factory=dict)
    order: Order | None = None
    missing: tuple[Job, ...] = ()
    mark: str = ""
    automatic: bool = False

    def __post_init__(self) -> None:
        self.set_jobs(self.jobs)

    @property
    def cancelled(self) -> bool:
        """True once the visitor has stopped the order."""
        return self.order is not None and self.order.cancelled

    def set_jobs(self, jobs: Iterable[Job]) -> None:
        """Replace the jobs, without ordering the new ones."""
        self.jobs = self.missing = tuple(jobs)
        self.order, self.mark = None, ""
        self.add_results(self.results)

    def add_results(self, found: Mapping[Job, object]) -> None:
        """Add these results, and update `missing` and `mark`."""
        if self.mark and not found:
            return
        self.results |= found
        self.missing = tuple(job for job in self.missing if job not in self.results)
        signs = "".join(map(self._sign, self.jobs))
        self.mark = signs if signs.strip("1") else "all"

    def _sign(self, job: Job) -> str:
        """Return a job's sign in `mark`, under which what all results come to is kept for every visitor."""
        if job not in self.results:
            return "0"
        result = self.results[job]
        return "x" if isinstance(result, Failure) and not result.refused else "1"

    def play(self, jobs: Iterable[Job]) -> None:
        """Do these jobs in this process, for this visitor and for others."""
        found = {job: outcome(job) for job in jobs}
        for job, result in found.items():
            RUNS.keep(job, result)
        self.add_results(found)

    def poll(self) -> None:
        """Add the results that have arrived."""
        if self.missing:
            self.add_results(RUNS.known(self.missing) | (RUNS.poll(self.order) if self.order else {}))

    def start_if_short(self, most: float) -> None:
        """Order the missing jobs without a click, if they are expected to take at most this many seconds."""
        if self.missing and self.order is None and self.expected_seconds <= most:
            self.start()
            self.automatic = True

    def start(self) -> None:
        """Order the missing jobs."""
        self.order, self.automatic = order(self.missing, self.seconds), False

    @property
    def done(self) -> int:
        """The number of jobs that have a result."""
        return len(self.jobs) - len(self.missing)

    @property
    def expected_seconds(self) -> float:
        """Seconds that the missing jobs are expected to take on all workers."""
        return self.seconds(self.missing) / RUNS.workers

    @property
    def seconds_left(self) -> float:
        """Seconds that the missing jobs still take, corrected by the pace so far once there is enough to measure it."""
        expected_so_far = self.seconds(self.order.results) / RUNS.workers if self.order else 0.0
        if self.order is None or expected_so_far < NAMED_SECONDS:
            return self.expected_seconds
        return self.expected_seconds * (monotonic() - self.order.began) / expected_so_far


def order(jobs: Iterable[Job], seconds: Callable[[Iterable[Job]], float]) -> Order:
    """Order these jobs for this session; beyond `OPEN_ORDERS` its oldest orders are cancelled."""
    orders = _open_orders()
    for oldest in orders[: max(len(orders) - OPEN_ORDERS + 1, 0)]:
        oldest.cancel()
    new = RUNS.order(jobs, lambda job: seconds((job,)))
    session().runs.orders = [*(o for o in orders if not o.cancelled), new]
    return new


def _open_orders() -> list[Order]:
    """Return the session's orders that are not over, and drop the others, so that their results can be freed."""
    session().runs.orders = [one for one in session().runs.orders if not one.over]
    return session().runs.orders


def run_set(page: str, setting: object, make: Callable[[], RunSet]) -> RunSet:
    """Return this visitor's runs on a page; another setting makes them anew and cancels the order of the one before."""
    sets = session().runs.sets
    old = sets.get(page)
    if old is None or old.setting != setting:
        if old is not None and old.order is not None:
            old.order.cancel()
        _open_orders()
        # Made before it is stored: Streamlit may stop this run of the page at any moment, and `make` may raise.
        sets[page] = make()
    return sets[page]


def page_value(page: str, setting: Hashable, make: Callable[[], T]) -> T:
    """Return the value that `make` returns, made once for a visitor's setting while the page is open."""
    values = session().runs.values
    if page not in values or values[page][0] != setting:
        values[page] = (setting, make())
    return values[page][1]


def close_page() -> None:
    """Drop the values and finished runs of the last page; an order goes on only if the visitor asked for it."""
    session().runs.values = {}
    sets = session().runs.sets
    for page, runs in list(sets.items()):
        if runs.order is not None and runs.automatic:
            runs.order.cancel()
        if runs.order is None or runs.order.over:
            del sets[page]
    _open_orders()


def follow(page: str, plan: RunPlan, values: Values) -> tuple[Any, RunSet]:
    """Return what a plan gathers from its results so far, and its runs; see `planned`.

    Args:
        page: name of the run set.
    Raises:
        ValueError: knob values that the plan refuses.
    """
    runs = planned(page, plan, values)
    setting = runs.setting
    return cache.kept((page, repr(setting), runs.mark), lambda: plan.gather(setting, runs.results)), runs


def planned(page: str, plan: RunPlan, values: Values) -> RunSet:
    """Return the runs of a plan with the results so far, and order the missing ones unless they are long."""
    plan.ready(values, compute)
    setting = plan.setting(values)

    def make() -> RunSet:
        runs = RunSet(setting, tuple(plan.jobs(setting)), plan.what(setting), plan.seconds)
        runs.poll()
        runs.add_results(stored := plan.stored(runs.missing, plan.file))
        for job, run in stored.items():
            RUNS.keep(job, run)
        first = [job for job in plan.starter(setting) if job not in runs.results] if runs.missing else []
        if plan.seconds(first) < STARTER_SECONDS:
            runs.play(first)
        return runs

    runs = run_set(page, setting, make)
    runs.poll()
    runs.start_if_short(plan.long_seconds)
    return runs


def plan_panel(page: str, plan: RunPlan, runs: RunSet) -> None:
    """Draw the progress of a plan's runs, and the page anew when its new results would change what it shows."""
    key = plan.display_key(runs.setting, runs.results)
    panel(page, runs, lambda: plan.display_key(runs.setting, runs.results) != key)


def panel(page: str, runs: RunSet, fresh: Callable[[], bool] = lambda: False) -> None:
    """Draw the progress with a button that cancels it, or a button that starts the missing jobs; nothing if none is.

    Args:
        page: name of the run set, and of the two buttons.
        fresh: returns whether the new results would change the page; then it is drawn anew.
    """
    if RUNS.trouble:
        st.info(RUNS.trouble, icon=":material/info:")
    if not runs.missing:
        return
    if runs.order is None or runs.cancelled:
        st.info(paused(runs), icon=":material/info:")
        # The button is given the page's name, not `runs`: a session stores the arguments of its buttons, and would
        # store all results with them.
        label = f"Run the rest: {_count(len(runs.missing))}, {duration(runs.expected_seconds)}"
        st.button(label, on_click=_start, args=(page,), key=f"{page}_start", icon=":material/play_arrow:")
        return
    began, waited = monotonic(), runs.order

    @st.fragment(run_every=0.5)
    def watch() -> None:
        runs.add_results(RUNS.poll(waited))
        if waited.over or (monotonic() - began > REDRAW_SECONDS and fresh()):
            redraw()
        done, total = runs.done, len(runs.jobs)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(done / total, text=f"Running {runs.what}: {done}/{total} done, {duration(runs.seconds_left)}")
            st.button("Cancel", on_click=_cancel, args=(page,), key=f"{page}_cancel", icon=":material/stop:")

    watch()


def paused(runs: RunSet) -> str:
    """Return a sentence that says why no job is running although some are missing."""
    total = _count(len(runs.jobs))
    if not runs.cancelled:
        return f"{runs.done} of {total} {'is' if runs.done == 1 else 'are'} done; the rest takes a while."
    if not runs.done:
        return f"Cancelled before the first of {total} was done."
    return f"Cancelled after {runs.done} of {total}: what they show is kept."


def _count(runs: int) -> str:
    return f"{runs:,} run{'s' * (runs != 1)}"


def compute(function: Callable[..., T], *arguments: Hashable, seconds: float, own: bool = False) -> T:
    """Return what a function of plain values returns, computed in this process if that is short, else in a worker.

    While a worker computes, the page names the wait and runs anew every half second. A knob that is moved meanwhile is
    read by the next run, and ends the wait.

    Args:
        seconds: about how long it takes.   own: whether it reads the visitor's own table, or runs their own policy.
    Raises:
        ValueError: the function refuses its arguments.
    """
    if seconds < SHORT_SECONDS:
        return function(*arguments)
    call = CallJob(function, arguments, own)
    # Finished orders and that of this call stay for the next runs of the page. Any other is dropped, which cancels it.
    runs = session().runs
    runs.waits = waits = {c: o for c, o in runs.waits.items() if o.over or c == call}
    waited, slot = waits.get(call) or RUNS.order([call]), runs.wait_spot

    def name_wait() -> None:
        if slot is not None:
            so_far = monotonic() - waited.began
            slot.caption(f":material/hourglass_empty: Computing, about {seconds:.0f} s; {so_far:.0f} s so far")

    if call in waits and not waited.over:
        name_wait()
    while not RUNS.wait(waited, NAMED_SECONDS):
        name_wait()
        runs.waits = waits | {call: waited}
        redraw()  # The page reads its knobs anew: a move inside a fragment does not stop the run of a page.
    runs.waits = waits | {call: waited}
    if slot is not None:
        slot.empty()
    result = waited.results[call]
    if isinstance(result, Failure) and not result.refused:
        del runs.waits[call]  # the next run of the page repeats it
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
