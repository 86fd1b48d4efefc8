"""Undo: the last change goes, one step at a time; the page as it opens is one button beside it."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from lessons import BY_KEY
from tests.lessons.test_pages import faults, opened, turn
from tests.shared import session_of


def page(lesson: str) -> str:
    return BY_KEY[lesson].file


def state(at: AppTest) -> dict:
    """The reader's settings: knobs, moment and time."""
    keys = (*BY_KEY[session_of(at).page].knobs, "moment")
    return {key: at.session_state[key] for key in keys} | {"t": session_of(at).t}


def test_changes_are_taken_back_in_turn() -> None:
    at = opened(page("drift"))
    states = [state(at)]
    assert at.button(key="undo_last").disabled
    for change in (("slider", "V", 8.0), ("select", "kind", "markov"), ("segmented", "moment", "deng")):
        states.append(state(turn(at, *change)))
    assert len({str(one) for one in states}) == 4
    at.button(key="undo_all").click().run()  # a change like others
    assert state(at) == states[0]
    while states:
        at.button(key="undo_last").click().run()
        assert state(at) == states.pop() and faults(at) == []
        if len(states) == 1:
            break
    at.button(key="undo_last").click().run()
    assert state(at) == states[0] and at.button(key="undo_last").disabled
    turn(at, "slider", "V", 8.0)
    session_of(at).t = 30  # where the reader looks
    at.button(key="undo_last").click().run()
    assert at.session_state["V"] == states[0]["V"] and session_of(at).t == 30
    turn(at, "slider", "V", 8.0)
    at.switch_page(page("bands")).run()
    assert at.button(key="undo_last").disabled and not at.exception
