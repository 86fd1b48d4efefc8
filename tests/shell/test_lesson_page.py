"""The frame of a page: bodies that end early, pages left in the middle of a run, and what a session keeps."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from lessons.record import Lesson
from shell.links import permalink
from shell.page import frame as page
from tests.lessons.shown import opened
from tests.shared import session_of

DRAWERS = {
    "What am I looking at",
    "The maths, symbol by symbol",
    "Data table",
    "Link to exactly this · Keep as my moment",
}

# A body that ends early ----------------------------------------------------------------------------------------------


def early() -> None:
    """A page whose body ends in one of several ways, which the session names."""
    import streamlit as st

    from lessons import LESSONS
    from shell.page.lesson_page import lesson_page
    from shell.page.stop import stop

    def refused() -> None:
        raise ValueError("There is no figure, because.")

    def body(visit: object) -> dict:
        how = st.session_state["how"]
        if how == "at once":
            stop()
        if how == "shows":
            visit.live_sentence(["It is so."], 0)
            stop()
        visit.columns()
        if how == "refuses":
            return {"Data table": visit.or_stop(refused)}
        if how == "fails":
            raise KeyError("a bug")
        st.info("There is no figure, because.")
        stop()

    lesson_page(LESSONS[1], LESSONS, body)


def ended(how: str) -> AppTest:
    at = AppTest.from_function(early, default_timeout=60)
    at.session_state["how"] = how
    return at.run()


def skeletons(at: AppTest) -> int:
    return sum("skeleton" in one.proto.body for one in at.get("html") if "<div" in one.proto.body)


def test_early_end_leaves_drawers_and_no_skeleton() -> None:
    for how in ("at once", "holds the stage", "refuses", "shows"):
        at = ended(how)
        for again in (at, at.run()):
            assert not again.exception and skeletons(again) == 0, how
            assert {one.label for one in again.expander} >= DRAWERS, how
    assert [c.proto.component_name for c in at.get("bidi_component")].count("tvbo_live") == 1  # what was shown stays
    at.session_state["table_data"] = True
    at.run()
    assert [i.value for i in at.info] == ["There are no numbers on this page at the moment."] and not at.dataframe
    failed = ended("fails")
    assert len(failed.exception) == 1 and skeletons(failed) == 0


# A page that is left in the middle of a run --------------------------------------------------------------------------

FORGETTING = "pages/Forgetting.py"


def test_stopped_visit_reads_its_link_again(monkeypatch: pytest.MonkeyPatch):
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


def test_page_left_while_reading_leaves_nothing(monkeypatch: pytest.MonkeyPatch):
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
