"""A page that is opened while the last one is still in the middle of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.testing.v1 import AppTest

from lessons.record import Lesson
from shell import page, visit
from shell.links import permalink

ROOT = Path(__file__).resolve().parents[2]
FORGETTING = "pages/6_Forgetting.py"


def opened(path: str, **params: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    at.switch_page(path)
    at.query_params.update(params)
    return at.run()


class Bound(dict):
    """An address whose parameters all belong to controls of the last page."""

    def __setitem__(self, key: str, value: str) -> None:
        raise StreamlitAPIException(f"Cannot directly set query parameter '{key}' - it is bound to a widget.")

    def pop(self, key: str, default: object = None) -> object:
        if key not in self:
            return default
        raise StreamlitAPIException(f"Cannot directly delete query parameter '{key}' - it is bound to a widget.")


def test_a_word_that_still_belongs_to_the_last_page_stays_until_the_next_run(monkeypatch: pytest.MonkeyPatch):
    address = Bound(T="300")
    monkeypatch.setattr(st, "query_params", address)
    permalink.write("T", "100")
    permalink.write("T", None)
    permalink.write("V", None)
    assert address == {"T": "300"}
    monkeypatch.setattr(st, "query_params", free := {"T": "300"})
    permalink.write("T", "100")
    permalink.write("V", None)
    assert free == {"T": "100"}
    permalink.write("T", None)
    assert free == {}


def test_a_visit_that_was_stopped_while_it_read_its_link_reads_it_again(monkeypatch: pytest.MonkeyPatch):
    apply_link, cut = page.apply_link, []

    def once(lesson: Lesson, lessons: Sequence[Lesson]) -> None:
        if not cut:
            cut.append(lesson.number)
            raise RuntimeError("the reader was faster")
        apply_link(lesson, lessons)

    monkeypatch.setattr(page, "apply_link", once)
    at = opened(FORGETTING, T="400")
    assert cut == [6] and at.exception
    at.run()
    assert not at.exception
    assert at.session_state["T"] == 400
    assert at.session_state["_page"] == 6


def test_a_page_left_while_it_read_its_link_leaves_nothing_of_it_on_the_page_one_comes_back_to(
    monkeypatch: pytest.MonkeyPatch,
):
    at = opened(FORGETTING)
    write, cut = permalink.apply_words, []

    def stops(*arguments: object, **named: object) -> None:
        if not cut:
            cut.append(st.session_state["seed"])  # another page's knobs are set by now
            raise RuntimeError("the reader was faster")
        write(*arguments, **named)

    monkeypatch.setattr(permalink, "apply_words", stops)
    at.switch_page("pages/1_Drifting_rewards.py").run()
    assert cut == [47]
    at.switch_page(FORGETTING).run()
    assert not at.exception and at.session_state["seed"] == 3


def test_a_drawn_frame_whose_writing_was_stopped_is_written_anew(monkeypatch: pytest.MonkeyPatch):
    class Cut(dict):
        """A session that ends after the next word that is written to it."""

        def __setitem__(self, key: str, value: object) -> None:
            if self.pop("over", None):
                raise InterruptedError
            super().__setitem__(key, value)
            super().__setitem__("over", True)

    session = Cut()
    monkeypatch.setattr(st, "session_state", session)
    with pytest.raises(InterruptedError):
        visit.drawn_frame("one", 7)
    monkeypatch.setattr(st, "session_state", {k: v for k, v in session.items() if k != "over"})
    assert visit.drawn_frame("one", 9) == 9
