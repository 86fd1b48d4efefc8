"""The front page follows its controls and what is done on its stage, and its link says so."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from lessons.chase import model
from lessons.chase.lesson import LESSON
from lessons.chase.model import ROUNDS
from lessons.game.knobs import FIRST_CODE
from lessons.record import ROOT
from lessons.shared import clicks
from tests.shared import session_of


def opened(**link: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    at.query_params.update(link)
    at.run()
    assert not at.exception, at.exception
    return at


def caption(at: AppTest) -> str:
    return next(c.value for c in at.caption if "The learner never sees the hill" in c.value)


@pytest.mark.slow
def test_moments_and_both_ends_are_pages() -> None:
    for moment in LESSON.moments:
        at = opened(moment=moment.key)
        assert {key: at.session_state[key] for key in LESSON.knobs} == {**LESSON.defaults, **moment.values}
        assert session_of(at).t == moment.t
    lowest = {"drift": "0", "noise": "0.05", "beside": "false", "hill": "0", "t": "0"}
    highest = {"drift": "4", "noise": "0.5", "beside": "true", "hill": "99", "t": str(4 * ROUNDS - 1), "unseen": "true"}
    for link, memory in ((lowest, "all"), (highest, "1")):
        at = opened(memory=LESSON.knobs["memory"].shown(memory), **link)
        film = model.chase(model.setting({key: at.session_state[key] for key in LESSON.knobs}))
        assert not at.toast and len(film.learners) == 1 + (link is highest) and film.setting.seed == int(link["hill"])


def test_one_button_takes_back_bends_and_questions() -> None:
    at = opened(start="0_0_20_0_0_-5", asked="3-50_9-12")
    assert "shapes bent by hand" in caption(at) and "2 questions of yours" in caption(at)
    at.button(key="as_drawn").click().run()
    assert not at.exception and "bent" not in caption(at) and "yours" not in caption(at)
    assert not {"start", "asked"} & {*at.query_params} and not [b for b in at.button if b.key == "as_drawn"]
    at.select_slider(key="memory").set_value("all")
    at.toggle(key="beside").set_value(False)
    at.slider(key="drift").set_value(0.0).run()  # each control is followed
    assert caption(at).startswith("GP-UCB, width 3") and "$V_T$ = 0.0," in caption(at) and not at.exception


def test_values_not_allowed_are_dropped_and_named() -> None:
    wrong = {"start": "1_2_3", "end": "0_0_0_0_0_121", "asked": "x", "drift": "7", "memory": "2 rounds", "t": "-3"}
    wrong["clicks"] = clicks.write(clicks.Clicks(FIRST_CODE, 0.2, (5,) * 12))[:-1] + "a"  # its last sign is another one
    at = opened(**wrong)
    assert "finished game" in at.toast[0].value and all(f"{key} = " in at.toast[0].value for key in wrong)
    assert {key: at.session_state[key] for key in LESSON.knobs} == LESSON.defaults and session_of(at).t == LESSON.t


def test_link_carries_a_moment_and_its_changes() -> None:
    at = opened(moment="your_turn", drift="1", asked="0-50")
    at.session_state["drawer_link"] = True
    at.select_slider(key="noise").set_value(0.3).run()
    query = parse_qs(urlsplit(at.code[0].value).query)
    assert query["moment"] == ["your_turn"]
    again = opened(**{key: values[0] for key, values in query.items()})
    assert not again.toast and session_of(again).t == session_of(at).t
    assert all(again.session_state[key] == at.session_state[key] for key in LESSON.knobs)
    assert again.session_state["unseen"] and again.session_state["noise"] == 0.3
