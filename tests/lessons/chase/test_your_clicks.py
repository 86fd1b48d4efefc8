"""After the game lesson 0 opens in its world: your clicks beside a learner's, and what the game told as your regret."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from lessons.chase import model
from lessons.chase.knobs import CHASE
from lessons.chase.lesson import LESSON
from lessons.chase.model import STEPS, Chase
from lessons.chase.setting import setting_from
from lessons.game import model as game
from lessons.game.duel import YOU
from lessons.shared import clicks, sealed
from lessons.shared.clicks import Clicks
from lessons.shared.codes import ARMS, VARIANTS, encode
from tests.lessons.game.games import PAGE, QUICK, SETTING, finished, seated
from tests.lessons.shown import opened, sentences
from tests.shared import session_of
from tests.strategies import LAW

KINDS = {VARIANTS[i].kind: encode(i, 33) for i in (0, 2, 5, 8)}
SETTINGS = [
    game.GameSetting(KINDS["still"], 10, 0.05),
    game.GameSetting(KINDS["glide"], 12, 0.2),
    game.GameSetting(KINDS["jumps"], 30, 1.0),
    game.GameSetting(KINDS["markov"], 50, 0.5),
]
EACH = pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.world.kind)


def code_of(setting: game.GameSetting, arms: tuple[int, ...] | None = None) -> str:
    """Return what a finished game's link carries."""
    return clicks.write(Clicks(setting.code, setting.noise, arms or finished(setting).arms))


def film(setting: game.GameSetting, **more: object) -> Chase:
    return model.chase(setting_from({**LESSON.defaults, "clicks": code_of(setting), **more}))


def caption(at: AppTest) -> str:
    """Return what stands below the stage of lesson 0."""
    return next(c.value for c in at.caption if "The learner never sees the hill" in c.value)


def links(at: AppTest) -> list:
    """Return the links of a game's page to lesson 0 that carry clicks."""
    return [one for one in at.get("page_link") if "clicks=" in one.proto.query_string]


@EACH
def test_your_regret_is_what_the_game_told(setting: game.GameSetting) -> None:
    told = game.finished(finished(setting), QUICK).duel
    learner, you = film(setting).learners
    np.testing.assert_array_equal(you.paid, told.total[YOU])  # to the last digit
    np.testing.assert_array_equal(you.history.arms, finished(setting).arms)
    np.testing.assert_array_equal(you.history.y, told.you.y)  # the same world and the same noise
    assert you.yours and not learner.yours
    np.testing.assert_array_equal(film(setting, memory="all").learners[0].paid, told.total["GP-UCB"])


# ---------------------------------------------------------------------- the code in the link
@given(
    variant=st.integers(0, len(VARIANTS) - 1),
    seed=st.integers(0, 4095),
    noise=st.sampled_from([0.05, 0.2, 1.0]),
    arms=st.lists(st.integers(0, ARMS - 1), min_size=10, max_size=50),
)
@LAW
def test_clicks_travel_in_a_link(variant: int, seed: int, noise: float, arms: list[int]) -> None:
    mine = Clicks(encode(variant, seed), noise, tuple(arms))
    code = clicks.write(mine)
    assert clicks.read(code) == mine and CHASE["clicks"].read(code) == code and CHASE["clicks"].has(code)


def test_clicks_of_another_salt_open_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "SALT", b"a salt of this test only")
    secret = game.GameSetting(sealed.new("jumps"), 12, 0.2)
    code = code_of(secret)
    assert clicks.read(code).world == secret.world
    monkeypatch.setattr(sealed, "SALT", b"")  # what anybody can run at home
    forged = code_of(game.GameSetting(KINDS["jumps"], 12, 0.2)).split("-")
    monkeypatch.setattr(sealed, "SALT", b"a salt of this test only")
    with pytest.raises(ValueError, match="finished game"):
        clicks.read("-".join([secret.code, *forged[1:]]))
    with pytest.raises(ValueError, match="finished game"):
        clicks.read("-".join(forged))


# ---------------------------------------------------------------------- the two pages
def test_link_to_a_games_clicks_comes_after_truth() -> None:
    at = opened(PAGE, rounds="10")
    assert links(at) == [] == links(seated(at, game.Game(SETTING, (50, 20))))
    assert links(seated(at, game.Game(SETTING, finished().arms))) == []  # over, and the guess is still open
    at.button(key="guess_none").click().run()
    (link,) = links(at)
    told = re.search(r"your regret is ([\d.]+\d)", sentences(at)[-1])[1]
    (code,) = re.findall(r"clicks=([^&]+)", link.proto.query_string)
    there = opened(LESSON.file, clicks=code)
    kept = session_of(there)
    assert not there.exception and not there.toast and kept.t >= kept.stage.last == len(STEPS) * SETTING.rounds - 1
    assert f"<b>Your</b> regret is {told}." in sentences(there)[-1]
    assert f"world {SETTING.code}" in caption(there) and "σ = 0.2" in caption(there)
    shown = {w.key for w in (*there.slider, *there.select_slider, *there.toggle)}
    assert {"memory", "unseen"} <= shown and not shown & {"drift", "noise", "beside"}
    there.select_slider(key="memory").set_value("all").run()
    assert not there.exception and f"<b>Your</b> regret is {told}." in sentences(there)[-1]
    there.button(key="as_drawn").click().run()
    assert not there.exception and "seed 49" in caption(there) and "clicks" not in there.query_params


def test_reset_takes_back_bends_and_questions() -> None:
    at = opened(LESSON.file, start="0_0_20_0_0_-5", asked="3-50_9-12")
    assert "shapes bent by hand" in caption(at) and "your queries: 2" in caption(at)
    at.button(key="undo_all").click().run()
    assert not at.exception and "bent" not in caption(at) and "yours" not in caption(at)
    assert not {"start", "asked"} & {*at.query_params} and not [b for b in at.button if b.key == "as_drawn"]
