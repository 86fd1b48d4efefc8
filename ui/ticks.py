"""The end of a run reaches its browser, also when a part of the page asks to run again at that moment.

A page with runs under way has a part that runs again twice a second. When such a request meets a run that has just
ended, Streamlit begins another one at once and forgets what the ended one still had to say, its end among it: the
browser waits for it until its reader moves something. (A crowd makes that moment long.) Here the end comes first. A
clock's request then needs no answer, for the next one is on its way; a reader's own begins when the end is through.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

AGAIN = 0.01  # seconds until a reader's request is tried again


def patient(begin: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """The same method of a session, which begins no run of a part while another run's end is on its way."""

    @wraps(begin)
    def when_told(session: Any, request: Any) -> None:
        ended = session._scriptrunner  # a whole page's request has put it off its place already
        if ended is None or not request.fragment_id:
            begin(session, request)
        elif not request.is_auto_rerun:
            session._event_loop.call_later(AGAIN, again, session, request)

    def again(session: Any, request: Any) -> None:
        runner = session._scriptrunner
        if session._state.name == "SHUTDOWN_REQUESTED" or not session.has_fragment(request.fragment_id):
            return  # the tab is closed, or the page has another structure by now
        if runner is None or not runner.request_rerun(request):
            when_told(session, request)

    return when_told


@cache
def install() -> None:
    """Let Streamlit's sessions use it; once for all."""
    from streamlit.runtime.app_session import AppSession

    AppSession._create_scriptrunner = patient(AppSession._create_scriptrunner)
