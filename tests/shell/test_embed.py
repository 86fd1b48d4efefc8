"""An embedded page: the stage alone, a line that opens it as it stands, and the moments that it is asked for."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from lessons import BY_KEY, LESSONS
from lessons.record import ROOT, Lesson
from tests.lessons.shown import finding, opened, raw_film, sent

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


@pytest.mark.parametrize(
    "lesson",
    [pytest.param(one, marks=() if one.key in ("chase", "bands") else pytest.mark.wide, id=one.key) for one in STAGED],
)
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
    here = opened(lesson.file, closed=True)
    assert finding(at) == finding(here) and raw_film(at) == raw_film(here)
    told = [json.loads(one) for one in sent(at, "tvbo_embed", "json")]  # the page around it may ask for the moments
    assert told == [{"lesson": lesson.key, "moments": [moment.key for moment in lesson.moments]}]


def test_moments_are_not_offered_beside_a_question() -> None:
    lesson = BY_KEY["bands"]
    for bet in ({"guess": "open"}, {"guess": next(iter(lesson.bet.options)), "reveal": "true"}):
        (told,) = sent(embedded(lesson, **bet), "tvbo_embed", "json")
        assert json.loads(told)["moments"] == []
