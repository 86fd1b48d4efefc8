"""What a session knows about controls that are gone goes with them.

Streamlit forgets the value of a control that a run of the page did not draw, and remembers its description for the
life of the session: labels, readers and writers of its value, and what a press calls, with all that this holds. A
reader who turns pages gathers a thousand of them in an hour. A description without a value is asked for nothing; a
control that comes back is described anew.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx

MOST = 200  # descriptions of what is gone from the page that is open: a press on its way still finds its own

PAGE = "_described"  # under this name the session keeps which page that was


def forgetful(remove: Callable[[Any, frozenset[str]], None]) -> Callable[[Any, frozenset[str]], None]:
    """The same method of a session's state, after which it describes what the page shows, and little else."""

    @wraps(remove)
    def removed(state: Any, active: frozenset[str]) -> None:
        remove(state, active)
        context = get_script_run_ctx(suppress_warning=True)
        if context is None or context.fragment_ids_this_run:
            return  # a part of the page says nothing about the rest
        described = state._new_widget_state.widget_metadata
        gone = [name for name in described if name not in active]
        before = state._new_session_state.get(PAGE, state._old_state.get(PAGE))
        state._new_session_state[PAGE] = context.page_script_hash
        if len(gone) > MOST or before != context.page_script_hash:
            for name in gone:
                del described[name]

    return removed


@cache
def install() -> None:
    """Let Streamlit's sessions use it; once for all."""
    from streamlit.runtime.state.session_state import SessionState

    SessionState._remove_stale_widgets = forgetful(SessionState._remove_stale_widgets)
