"""Heavy work outside the server: the pool of all visitors, who is still there, and a wait that says where it stands.

While one visitor is alone, a computation runs here at once. As soon as several visitors ask for heavy work, each
goes to a worker process and only its visitor waits: the server's own thread stays free for everybody's sliders.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection
from pathlib import Path
from time import monotonic, sleep
from typing import TypeVar

import streamlit as st
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import in_cached_function

from ui import shipped, waiting
from ui.jobs import Answer, Call, Job, Pool, Result, Ticket

T = TypeVar("T")
ALONE = 8.0  # seconds after which somebody else's heavy work counts no more
SHORT = 2.0  # seconds of work that a visitor who is alone may do in the server
NAMED = 0.5  # seconds after which a wait is named
REDRAW, MOST = 1.0, 5  # seconds between two drawings for each visitor who waits, up to so many visitors
LOOK = 0.25  # seconds between two looks
FULL = "The queue is full ({} orders of other visitors); you are next as soon as there is a place, in about {}."
_asked: dict[str, float] = {}  # visitor -> when heavy work was asked for last
_lock = threading.Lock()


@st.cache_resource(show_spinner=False)
def race_pool() -> Pool:
    """The processes that play races for all visitors, and the runs they have finished."""
    return Pool(workers=min(2, os.cpu_count() or 1), present=present)


def visitor() -> str:
    """The name of this session; empty outside a page."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else ""


def present(name: str) -> bool:
    """Whether this visitor's tab is still connected; without a server to ask, everybody is taken to be there."""
    try:
        return not name or get_instance().is_active_session(name)
    except RuntimeError:  # no server: asked at once, since it may go between two questions of a pool's thread
        return True


def order(jobs, urgent: bool = False) -> Ticket | None:
    """Order these jobs for this visitor; None when all places are taken."""
    _crowded()
    return race_pool().order(jobs, visitor(), urgent)


def expected(seconds: float) -> float:
    """About how long runs take that would take so many seconds without other readers: each of them has his turn."""
    return seconds * (1 + race_pool().others(visitor()))


def at_hand(jobs: Collection[Job], file: Path | None = None) -> dict[Job, Result]:
    """Those of these runs that nobody has to play: the pool remembers them, or the lab ships them in this file."""
    pool = race_pool()
    found = pool.known(jobs)
    stored = shipped.runs((job for job in jobs if job not in found), file or shipped.FILE)
    for job, result in stored.items():
        pool.keep(job, result)
    return found | stored


def here(spot: object | None) -> None:
    """Where a wait on this page may be named: an empty place of its shell, or nowhere."""
    st.session_state["_wait_spot"] = spot


def done(function: Callable[..., T], *arguments: object, seconds: float = 0.0, brief: bool = False) -> T:
    """What the function returns: computed here for a visitor who is alone and a short wait, else in a worker.

    The function and its arguments travel to the worker: an importable function, values that can be pickled.

    Args:
        seconds: about how long it takes, where that is known.
        brief: some hundredths of a second at most: computed here, also in a crowd, where it would wait for longer
            work of others.

    An accident in the worker is a sentence on the page, which ends there with its controls.

    Raises:
        ValueError: what the function refuses.
    """
    if brief or (not _crowded() and seconds < SHORT):
        return function(*arguments)
    answer = _answer(race_pool(), Call(function, arguments))
    if answer.accident:
        st.info(answer.accident, icon="🧭")
        st.stop()
        raise ValueError(answer.accident)  # outside a page nothing stops
    if answer.refusal is not None:
        raise answer.refusal
    return answer.value


def full(pool: Pool) -> str:
    """Why there is no place, and when to come back."""
    return FULL.format(pool.places, waiting.said(pool.backlog).removeprefix("about "))


def due(drawn: float) -> bool:
    """Whether a page drawn at this time may be drawn anew for new results: the more visitors wait, the more rarely."""
    return monotonic() - drawn > REDRAW * min(race_pool().visitors, MOST)


def line(ticket: Ticket, text: str) -> str:
    """The progress, or the place in the queue while nothing has begun."""
    return waiting.queued(*race_pool().queue(ticket)) or text


def _answer(pool: Pool, call: Call) -> Answer:
    """Wait for it, and for a place if there is none; what is written meanwhile lets Streamlit stop this run."""
    me, start, named, ticket = visitor(), monotonic(), False, None
    # What is written while Streamlit fills one of its caches would be written again for whoever reads from it.
    spot = None if in_cached_function.get() else st.session_state.get("_wait_spot")
    try:
        while ticket is None or call not in ticket.results:
            if ticket is None or ticket.cancelled:
                ticket = pool.order([call], me, urgent=True)
            if ticket is None:
                sleep(LOOK)
            elif pool.wait(ticket, LOOK if named else NAMED):
                continue
            if not present(me):
                st.stop()  # nobody works for a closed tab, and others may wait for what this run has begun to make
            if spot is not None:
                said = full(pool) if ticket is None else waiting.queued(*pool.queue(ticket)) or "Computing…"
                spot.caption(f":material/hourglass_empty: {said} · waiting for {monotonic() - start:.0f} s")
                named = True
    finally:
        if ticket is not None:
            pool.cancel(ticket)
    if named:
        spot.empty()
    return ticket.results[call]


def _crowded() -> bool:
    """Note that this visitor asks for heavy work; whether another one did so a moment ago."""
    me, now = visitor(), monotonic()
    with _lock:
        for name in [name for name, when in _asked.items() if now - when > ALONE]:
            del _asked[name]
        others = bool(_asked.keys() - {me})
        _asked[me] = now
    return others
