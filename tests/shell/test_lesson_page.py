"""The frame of a page: bodies that end early, visits that are cut, what a session keeps, and the page in a deck."""

from __future__ import annotations

import json

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from lessons import BY_KEY, LESSONS
from lessons.record import ROOT, Lesson
from shell.links import permalink
from tests.lessons.shown import finding, opened, raw_film, sent
from tests.shared import few

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

    def body(visit: object) -> object:
        how = st.session_state["how"]
        if how == "at once":
            stop()
        if how == "shows":
            visit.live_sentence("It is so.", 0)
            stop()
        visit.columns()
        if how == "refuses":
            return visit.or_stop(refused)
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


STAGED = [lesson for lesson in LESSONS if lesson.scene]
CONTROLS = ("slider", "select_slider", "selectbox", "segmented_control", "pills", "toggle", "number_input")
UNDER = ("expander", "dataframe", "page_link", "caption", "popover")


def embedded(lesson: Lesson, **params: str) -> AppTest:
    """A page as the frame of a deck opens it."""
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    at.context["is_embedded"] = True
    if lesson.file != "home.py":
        at.switch_page(lesson.file)
    at.query_params.update(params)
    return at.run()


def components(at: AppTest) -> list[str]:
    return [c.proto.component_name for c in at.get("bidi_component")]


@pytest.mark.parametrize("lesson", few(STAGED, "chase", "bands", rest=pytest.mark.wide))
def test_embedded_page_draws_its_stage_alone(lesson: Lesson) -> None:
    at = embedded(lesson)
    assert not at.exception and not at.toast
    assert [one.value for one in at.title] == [lesson.question]
    assert {kind: len(at.get(kind)) for kind in (*CONTROLS, *UNDER) if at.get(kind)} == {}
    drawn = [name for name in components(at) if name not in ("tvbo_address", "tvbo_glossary")]
    stage = ["tvbo_chart", "tvbo_player"]
    assert sorted(drawn) == sorted(["tvbo_embed", "tvbo_live", *stage])
    again = at.run()
    assert not again.exception and components(again) == components(at)
    here = opened(lesson.file)
    assert finding(at) == finding(here) and raw_film(at) == raw_film(here)
    told = [json.loads(one) for one in sent(at, "tvbo_embed", "json")]  # the page around it may ask for the moments
    assert told == [{"lesson": lesson.key, "moments": [moment.key for moment in lesson.moments]}]


def test_moments_are_not_offered_beside_a_question() -> None:
    lesson = BY_KEY["bands"]
    for bet in ({"guess": "open"}, {"guess": next(iter(lesson.bet.options)), "reveal": "true"}):
        (told,) = sent(embedded(lesson, **bet), "tvbo_embed", "json")
        assert json.loads(told)["moments"] == []
