"""The frame of a lesson whose body ends early: drawers are there, and nothing holds a place for what never comes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

DRAWERS = {"What am I looking at", "The maths, symbol by symbol", "Data table", "Link to exactly this"}


def ends_at_once() -> None:
    from lessons import LESSONS
    from shell.lesson_page import lesson_page
    from shell.stop import stop

    lesson_page(LESSONS[1], LESSONS, lambda visit: stop())


def ends_while_it_holds_the_stage() -> None:
    import streamlit as st

    from lessons import LESSONS
    from shell.lesson_page import lesson_page
    from shell.stop import stop

    def body(visit: object) -> dict:
        visit.columns()
        st.info("There is no figure, because.")
        stop()

    lesson_page(LESSONS[1], LESSONS, body)


def refuses_a_value() -> None:
    from lessons import LESSONS
    from shell.lesson_page import lesson_page

    def refused() -> None:
        raise ValueError("There is no figure, because.")

    def body(visit: object) -> dict:
        visit.columns()
        return {"Data table": visit.or_stop(refused)}

    lesson_page(LESSONS[1], LESSONS, body)


def shows_and_ends() -> None:
    from lessons import LESSONS
    from shell.lesson_page import lesson_page
    from shell.stop import stop

    def body(visit: object) -> dict:
        visit.live_sentence(["It is so."], 0)
        stop()

    lesson_page(LESSONS[1], LESSONS, body)


def fails() -> None:
    from lessons import LESSONS
    from shell.lesson_page import lesson_page

    def body(visit: object) -> dict:
        visit.columns()
        raise KeyError("a bug")

    lesson_page(LESSONS[1], LESSONS, body)


def skeletons(at: AppTest) -> int:
    return sum("skeleton" in one.proto.body for one in at.get("html") if "<div" in one.proto.body)


@pytest.mark.parametrize("page", [ends_at_once, ends_while_it_holds_the_stage, refuses_a_value, shows_and_ends])
def test_a_body_that_ends_early_leaves_the_drawers_and_no_skeleton(page: Callable[[], None]) -> None:
    at = AppTest.from_function(page, default_timeout=60).run()
    for again in (at, at.run()):
        assert not again.exception and skeletons(again) == 0
        assert {one.label for one in again.expander} >= DRAWERS


def test_a_sentence_that_was_drawn_before_the_end_stays() -> None:
    at = AppTest.from_function(shows_and_ends, default_timeout=60).run()
    assert [c.proto.component_name for c in at.get("bidi_component")].count("tvbo_live") == 1


def test_the_drawer_of_a_table_that_is_not_there_says_so() -> None:
    at = AppTest.from_function(ends_at_once, default_timeout=60).run()
    at.session_state["table_data"] = True
    at.run()
    assert not at.exception and not at.dataframe
    assert [i.value for i in at.info] == ["There are no numbers on this page at the moment."]


def test_a_body_that_fails_leaves_no_skeleton_beside_its_exception() -> None:
    at = AppTest.from_function(fails, default_timeout=60).run()
    assert len(at.exception) == 1 and skeletons(at) == 0


def test_a_place_that_is_held_has_a_skeleton_until_something_is_drawn_there() -> None:
    """So that the tests above can fail."""

    def page() -> None:
        import streamlit as st

        from shell import skeleton

        place, _ = skeleton.first(st.container(), skeleton.STAGE, lecture=False)
        if "come" in st.session_state:
            place.markdown("It is there.")

    at = AppTest.from_function(page, default_timeout=60).run()
    assert skeletons(at) == 1
    at.session_state["come"] = True
    assert skeletons(at.run()) == 0
