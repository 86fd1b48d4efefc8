"""The front page opens cold, follows its controls and what is done on its stage, and its link says so."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from figures.theme import Theme
from lessons.chase import model
from lessons.chase.knobs import CHASE, SHOWN
from lessons.chase.lesson import LESSON
from lessons.chase.model import ROUNDS
from lessons.chase.scene import scene
from lessons.record import Moment
from tests.lessons.shown import charts
from tests.shared import session_of

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
    assert at.title[0].value == LESSON.question and not at.toast
    assert "seed 49" in caption(at) and "σ = 0.1" in caption(at)
    assert session_of(at).t == LESSON.t
    assert at.caption[0].value.startswith("**Drifting rewards lab**") and "“it”" in at.caption[0].value
    assert not any("Drifting rewards lab" in c.value for c in opened(lecture="true").caption)


@pytest.mark.parametrize("moment", LESSON.moments, ids=lambda moment: moment.key)
def test_a_moment_sets_every_control_and_the_time(moment: Moment) -> None:
    at = opened(moment=moment.key)
    assert any(moment.script in c.value for c in at.caption)
    assert {key: at.session_state[key] for key in LESSON.knobs} == {**LESSON.defaults, **moment.values}
    assert session_of(at).t == moment.t


@pytest.mark.parametrize("ends", ["low", "high"])
def test_both_ends_of_every_control_are_a_page(ends: str) -> None:
    last = ends == "high"
    link = {
        "drift": "4" if last else "0",
        "memory": CHASE["memory"].shown("1" if last else "all"),
        "noise": "0.5" if last else "0.05",
        "beside": str(last).lower(),
        "unseen": str(last).lower(),
        "hill": "99" if last else "0",
        "t": str(4 * ROUNDS - 1) if last else "0",
    }
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


@pytest.mark.parametrize(
    ("key", "raw"),
    [("start", "1_2_3"), ("end", "0_0_0_0_0_121"), ("asked", "x"), ("drift", "7"), ("memory", "2 rounds"), ("t", "-3")],
)
def test_a_value_that_is_not_allowed_is_dropped_and_named(key: str, raw: str) -> None:
    at = opened(**{key: raw})
    assert key in at.toast[0].value and at.session_state["drift"] == LESSON.defaults["drift"]


def test_each_control_is_followed() -> None:
    at = opened()
    assert {w.key for w in (*at.slider, *at.select_slider, *at.toggle)} >= set(SHOWN)
    at.slider(key="drift").set_value(0.0).run()
    assert "$V_T$ = 0.0," in caption(at)
    at.select_slider(key="memory").set_value("all").run()
    assert caption(at).startswith("GP-UCB and GP-UCB")
    at.toggle(key="beside").set_value(False).run()
    assert caption(at).startswith("GP-UCB, width 3")
    assert not at.exception


def test_the_path_of_the_stage_travels_to_another_page_and_back() -> None:
    at = opened(moment="moving")
    at.query_params.clear()  # as a browser does on the way to another page
    at.switch_page("pages/Drifting_rewards.py").run()
    assert not at.exception and not at.toast
    at.switch_page("home.py").run()
    assert not at.exception and not at.toast and at.title[0].value == LESSON.question


def test_the_link_to_exactly_this_carries_a_moment_with_what_was_changed_in_it() -> None:
    at = opened(moment="your_turn", drift="1", asked="0-50")
    at.select_slider(key="noise").set_value(0.3).run()
    at.session_state["drawer_link"] = True
    at.run()
    query = parse_qs(urlsplit(at.code[0].value).query)
    assert query["moment"] == ["your_turn"]
    again = opened(**{key: values[0] for key, values in query.items()})
    assert not again.toast and session_of(again).t == session_of(at).t
    assert all(again.session_state[key] == at.session_state[key] for key in LESSON.knobs)
    assert again.session_state["unseen"] and again.session_state["noise"] == 0.3


def test_the_bet_stands_before_the_hill_travels_and_its_truth_is_played() -> None:
    at = opened(guess="open")
    assert not at.exception and session_of(at).t == LESSON.bet.before and at.session_state["beside"]
    at.button_group(key="bet_pick").set_value("forget").run()
    at.button(key="bet_reveal").click().run()
    assert not at.exception and session_of(at).t == LESSON.bet.t
    film = model.chase(model.setting({**LESSON.defaults, **LESSON.bet.values}))
    forgets, keeps = (one.paid[-1] for one in film.learners)
    assert forgets < keeps / 2 and any("so it is" in m.value for m in at.markdown)
    assert f"{forgets:.1f}" in at.title[1].value


def test_the_export_drawer_holds_the_stage_as_a_figure_at_this_frame() -> None:
    at = opened(t="83", unseen="true")
    at.session_state["drawer_export"] = True
    at.run()
    assert not at.exception and list(charts(at)) == ["main"]
    assert not any("no figure" in i.value for i in at.info)


@pytest.mark.parametrize("unseen", [False, True])
def test_the_figure_shows_the_numbers_of_its_round_and_hides_what_is_hidden(unseen: bool) -> None:
    values = {**LESSON.defaults, "unseen": unseen}
    shown, film = scene(values, 83, Theme()), model.chase(model.setting(values))
    made = shown.films["main"].draw(83)
    made.figure.checked()
    assert len(shown.sentences()) == len(shown.labels()) == made.frames() == 4 * ROUNDS
    tracks = [track for track in made.tracks if isinstance(track.values, np.ndarray)]
    hill = any(
        np.allclose(track.values[83], film.problem.f[20], atol=1e-5)
        for track in tracks
        if track.values.shape[1] == film.problem.f.shape[1]
    )
    paid = [row[83][0] for row in (t.values for t in made.tracks) if isinstance(row, tuple)]
    assert hill is not unseen
    assert paid == ([] if unseen else [f"<b>{one.paid[20]:.1f}</b>" for one in film.learners])
