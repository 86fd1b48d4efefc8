"""The address: written once an action, put right without an entry, and read where the reader goes back."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from lessons import BY_KEY
from lessons.record import Lesson
from shell.links import address
from tests.lessons import test_pages as pages
from tests.shared import session_of


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> list[dict]:
    """Every address that Python has written since: each is an entry of the browser's history."""
    found: list[dict] = []
    proxy, write = type(st.query_params), type(st.query_params).from_dict

    def noted(self: object, words: dict) -> None:
        found.append(dict(words))
        write(self, words)

    def refused(*_: object) -> None:
        raise AssertionError("the address is written whole, in one place")

    monkeypatch.setattr(proxy, "from_dict", noted)
    for name in ("__setitem__", "__delitem__", "update", "clear"):
        monkeypatch.setattr(proxy, name, refused)
    return found


def step(at: AppTest, number: int, **words: str) -> AppTest:
    """The reader goes back or forward: the browser says where to, and numbers the step."""
    at.query_params.clear()
    at.query_params.update(words | {address.BACK: str(number)})
    return at.run()


def pause(at: AppTest, t: int) -> AppTest:
    at.session_state["player"] = {"t": {"t": t, "reset": pages.film(at)["reset"]}}
    return at.run()


def state(at: AppTest, lesson: Lesson) -> dict[str, object]:
    return {key: at.session_state[key] for key in (*lesson.knobs, "moment", "lecture")} | {"t": session_of(at).t}


BANDS = BY_KEY["bands"]


def test_every_action_writes_one_entry(entries: list[dict]) -> None:
    at = pages.opened(pages.BANDS)
    assert entries == [] and pages.address(at) == {}
    pages.turn(at, "slider", "V", 2.0)
    assert entries == [{"V": "2"}]
    at.button_group(key="moment").set_value("missed").run()  # sets many knobs
    assert entries[1:] == [{"moment": "missed"}]
    at.button(key="bet_open").click().run()
    assert entries[2:] == [{"guess": "open"}]
    at.toggle(key="lecture").set_value(True).run()
    assert entries[3:] == [{"guess": "open", "lecture": "true", "theme": "light"}]
    at.run()
    assert len(entries) == 4
    assert pages.address(at) == entries[-1]


def test_pause_is_said_without_an_entry(entries: list[dict]) -> None:
    at = pages.opened(pages.BANDS)
    pause(at, 12)
    assert entries == [] and pages.address(at) == {"t": "12"}
    pages.turn(at, "slider", "V", 2.0)
    assert entries == [{"V": "2", "t": "12"}]
    pause(at, 9)
    assert len(entries) == 1 and pages.address(at) == {"V": "2", "t": "9"}


def test_opening_beyond_the_film_is_no_move() -> None:
    at = pages.opened(pages.REAL, **pages.QUICK[pages.REAL]).run()
    assert "t" not in pages.address(at) and session_of(at).t == BY_KEY["real_data"].t  # later than its last row
    pause(at, 12)
    assert "t" in pages.address(at)


def test_step_back_brings_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    at = pages.opened(pages.BANDS, V="2", t="12", symbols="deng", hide="nu")
    first = state(at, BANDS)
    at.button_group(key="moment").set_value("missed").run()
    second, said = state(at, BANDS), pages.address(at)
    at.button(key="bet_open").click().run()
    at.toggle(key="lecture").set_value(True).run()
    step(at, 1, **said)
    assert state(at, BANDS) == second and pages.address(at) == said
    step(at, 2, V="2", t="12", symbols="deng", hide="nu")
    assert state(at, BANDS) == first and session_of(at).look.symbols == "deng"
    step(at, 3)  # what such an address leaves out is a default, also where the session has another one
    assert state(at, BANDS) == state(pages.opened(pages.BANDS), BANDS)
    assert session_of(at).look.symbols == "ours" and session_of(at).look.hidden == frozenset()
    assert not at.toast and not at.exception


def test_older_address_takes_nothing_back() -> None:
    """The browser may ask for a run before it has heard of the last address: only a numbered one is a step."""
    at = pages.opened(pages.BANDS)
    pages.turn(at, "slider", "V", 2.0)
    at.query_params.clear()
    at.slider(key="V").set_value(3.0).run()
    assert at.session_state["V"] == 3.0
    step(at, 1, V="2")
    assert at.session_state["V"] == 2.0
    at.slider(key="V").set_value(1.5).run()  # the same number is the same step
    assert at.session_state["V"] == 1.5
