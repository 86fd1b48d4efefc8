"""A session describes the controls of the page that is open, and not all that it has ever shown."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from tests.test_page_changes import opened
from tests.test_pages import faults, turn
from ui import gone


def described(at: AppTest) -> dict[str, object]:
    return at.session_state._state._state._new_widget_state.widget_metadata


def test_a_session_that_turns_pages_describes_only_the_page_that_is_open() -> None:
    at = opened("pages/4_The_race.py")
    first = set(described(at))
    at.switch_page("pages/1_Drifting_rewards.py").run()
    drift = set(described(at))
    assert faults(at) == [] and drift and not first & drift
    at.switch_page("pages/4_The_race.py").run()
    assert faults(at) == [] and not drift & set(described(at))
    turn(at, "segmented", "y", "mean")  # what came back works
    assert faults(at) == [] and at.session_state["y"] == "mean"


class State:
    """As much of a session's state as is asked for."""

    def __init__(self, names: range) -> None:
        self._new_widget_state = SimpleNamespace(widget_metadata={f"control {n}": n for n in names})
        self._new_session_state, self._old_state = {}, {}
        self.removed: list[frozenset[str]] = []

    @gone.forgetful
    def remove(self, active: frozenset[str]) -> None:
        self.removed.append(active)

    @property
    def names(self) -> set[str]:
        return set(self._new_widget_state.widget_metadata)


@pytest.mark.parametrize("parts", [[], ["watch"], None])
def test_a_part_of_a_page_says_nothing_about_the_rest(monkeypatch: pytest.MonkeyPatch, parts: list[str] | None) -> None:
    context = None if parts is None else SimpleNamespace(fragment_ids_this_run=parts, page_script_hash="page")
    monkeypatch.setattr(gone, "get_script_run_ctx", lambda suppress_warning: context)
    state, active = State(range(500)), frozenset({"control 3", "control 499"})
    state.remove(active)
    assert state.removed == [active]
    assert state.names == (active if parts == [] else State(range(500)).names)


def test_a_press_on_its_way_finds_its_own_as_long_as_the_page_stays_and_not_too_much_has_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    context = SimpleNamespace(fragment_ids_this_run=None, page_script_hash="page")
    monkeypatch.setattr(gone, "get_script_run_ctx", lambda suppress_warning: context)
    state = State(range(1))
    state.remove(frozenset({"control 0"}))
    for n in range(1, 1000):
        state._new_widget_state.widget_metadata[f"control {n}"] = n
        state.remove(frozenset({f"control {n}"}))
        assert f"control {n}" in state.names and len(state.names) <= gone.MOST + 1
    assert len(state.names) > 1
    context.page_script_hash = "another"
    state.remove(frozenset())
    assert not state.names
