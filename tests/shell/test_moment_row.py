"""The row of moments sets what a moment says, and leaves alone what is another page's."""

from __future__ import annotations

import pytest
import streamlit as st

from lessons import BY_KEY
from shell.moments import set_moment
from shell.session import session

RACE, BANDS = BY_KEY["race"], BY_KEY["bands"]


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})


def test_a_moment_of_this_page_sets_its_knobs_and_its_time() -> None:
    moment = RACE.moments[1]
    st.session_state["moment"] = moment.key
    set_moment(RACE)
    assert all(st.session_state[key] == value for key, value in moment.values.items()) and session().t == moment.t


def test_a_moment_of_the_page_that_was_turned_to_is_left_to_that_page() -> None:
    st.session_state.update(moment=BANDS.moments[1].key, V=7.0)
    scene = session().scene
    set_moment(RACE)
    assert (st.session_state["moment"], st.session_state["V"]) == (BANDS.moments[1].key, 7.0)
    assert session().scene == scene
