"""The front page opens cold, follows its controls and what is done on its stage, and its link says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from lessons.chase import model
from lessons.chase.knobs import CHASE, SHOWN
from lessons.chase.lesson import PEAK
from lessons.chase.model import ROUNDS

HOME = str(Path(__file__).resolve().parents[3] / "home.py")


def opened(**link: str) -> AppTest:
    at = AppTest.from_file(HOME, default_timeout=60)
    for key, value in link.items():
        at.query_params[key] = value
    at.run()
    assert not at.exception, at.exception
    return at


def caption(at: AppTest) -> str:
    return next(c.value for c in at.caption if "The learner never sees the hill" in c.value)


def test_an_untouched_page_asks_its_question_and_says_its_setup() -> None:
    at = opened()
    assert at.title[0].value == PEAK.question and not at.toast
    assert "seed 60" in caption(at) and "σ = 0.1" in caption(at)
    assert at.session_state["_t"] == PEAK.t


@pytest.mark.parametrize("number", range(1, 6))
def test_a_moment_sets_every_control_and_the_time(number: int) -> None:
    at = opened(moment=str(number))
    moment = PEAK.moments[number - 1]
    assert any(moment.script in c.value for c in at.caption)
    assert {key: at.session_state[key] for key in CHASE} == {**PEAK.defaults, **moment.values}
    assert at.session_state["_t"] == moment.t


@pytest.mark.parametrize("ends", ["low", "high"])
def test_both_ends_of_every_control_are_a_page(ends: str) -> None:
    last = ends == "high"
    link = {"drift": "6" if last else "0", "memory": CHASE["memory"].shown("1" if last else "all"),
            "noise": "0.5" if last else "0.05", "beside": str(last).lower(), "unseen": str(last).lower(),
            "hill": "99" if last else "0", "t": str(4 * ROUNDS - 1) if last else "0"}  # fmt: skip
    at = opened(**link)
    assert not at.toast
    film = model.chase(model.setting({key: at.session_state[key] for key in CHASE}))
    assert len(film.learners) == 1 + last and film.setting.seed == (99 if last else 0)


def test_a_link_brings_bends_and_questions_and_one_button_takes_them_back() -> None:
    at = opened(start="0_0_20_0_0_-5", asked="3-50_9-12")
    assert "shapes bent by hand" in caption(at) and "2 questions of yours" in caption(at)
    at.button(key="as_drawn").click().run()
    assert not at.exception and "bent" not in caption(at) and "yours" not in caption(at)
    assert [b.key for b in at.button if b.key == "as_drawn"] == []
    assert "start" not in at.query_params and "asked" not in at.query_params


@pytest.mark.parametrize(("key", "raw"), [("start", "1_2_3"), ("end", "0_0_0_0_0_121"), ("asked", "x"),
                                          ("drift", "7"), ("memory", "2 rounds"), ("t", "-3")])  # fmt: skip
def test_a_value_that_is_not_allowed_is_dropped_and_named(key: str, raw: str) -> None:
    at = opened(**{key: raw})
    assert key in at.toast[0].value and at.session_state["drift"] == PEAK.defaults["drift"]


def test_each_control_is_followed() -> None:
    at = opened()
    assert {w.key for w in (*at.slider, *at.select_slider, *at.toggle)} >= set(SHOWN)
    at.slider(key="drift").set_value(0.0).run()
    assert "$V_T$ = 0.0," in caption(at)
    at.select_slider(key="memory").set_value("all").run()
    assert caption(at).startswith("GP-UCB")
    at.toggle(key="beside").set_value(True).run()
    assert caption(at).startswith("GP-UCB and GP-UCB")
    assert not at.exception


def test_the_path_of_the_stage_travels_to_another_page_and_back() -> None:
    at = opened(moment="2")
    at.switch_page("pages/1_Drifting_rewards.py").run()
    assert not at.exception and not at.toast
    at.switch_page("home.py").run()
    assert not at.exception and not at.toast and at.title[0].value == PEAK.question
