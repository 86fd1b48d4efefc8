"""A page that is opened while the last one is still in the middle of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from lessons.record import Lesson
from shell import page, player
from shell.links import permalink
from tests.shared import session_of

ROOT = Path(__file__).resolve().parents[2]
FORGETTING = "pages/Forgetting.py"


def opened(path: str, **params: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    at.switch_page(path)
    at.query_params.update(params)
    return at.run()


def test_a_visit_that_was_stopped_while_it_read_its_link_reads_it_again(monkeypatch: pytest.MonkeyPatch):
    apply_link, cut = page.apply_link, []

    def once(lesson: Lesson, lessons: Sequence[Lesson]) -> None:
        if not cut:
            cut.append(lesson.key)
            raise RuntimeError("the reader was faster")
        apply_link(lesson, lessons)

    monkeypatch.setattr(page, "apply_link", once)
    at = opened(FORGETTING, T="400")
    assert cut == ["forgetting"] and at.exception
    at.run()
    assert not at.exception
    assert at.session_state["T"] == 400
    assert session_of(at).page == "forgetting"


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
    at.switch_page("pages/Drifting_rewards.py").run()
    assert cut == [7]
    at.switch_page(FORGETTING).run()
    assert not at.exception and at.session_state["seed"] == 3


def test_an_opening_frame_whose_writing_was_stopped_is_written_anew(monkeypatch: pytest.MonkeyPatch):
    class Cut(dict):
        """A session at one of whose accesses the run is stopped."""

        left = 0

        def get(self, key: object, default: object = None) -> object:
            self.left -= 1
            if self.left < 0:
                raise InterruptedError
            return super().get(key, default)

    session = Cut()
    monkeypatch.setattr(st, "session_state", session)
    for i, left in enumerate((0, 1)):  # at each of its two accesses
        session.left = left
        with pytest.raises(InterruptedError):
            player.opening_frame("one", 7 + i)
    session.left = 100
    assert player.opening_frame("one", 9) == 9  # nothing is half written, wherever it was stopped
    assert player.opening_frame("one", 11) == 9
