"""A game takes the next question and nothing else; what a browser is sent before the end tells nothing of the world."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from lessons.game import model
from lessons.game.model import Game, GameSetting
from lessons.shared.policies import policy
from tests.lessons.game.games import SETTING, TELLING, board_of, finished, whole
from tests.strategies import LAW
from tvbo_core import play
from tvbo_core.designs import play_rng
from tvbo_core.policies.human import heard
from tvbo_core.worlds.codes import ARMS, VARIANTS, encode


@given(st.integers(-3, 12), st.integers(-3, 120))
@example(3, ARMS - 1)
@example(3, ARMS)
@LAW
def test_only_the_next_question_is_taken(n: int, arm: int) -> None:
    played = Game(SETTING, (50, 20, 70))
    fits = n == 3 and 0 <= arm < ARMS
    assert played.ask(n, arm) == (replace(played, arms=(50, 20, 70, arm)) if fits else played)


def test_other_forms_and_later_questions_change_nothing() -> None:
    played, ended = Game(SETTING, (50, 20, 70)), finished()
    for n, arm in ((None, 1), (3, None), (3.0, 4), ("3", 4), (3, "4"), (True, 4), (3, True), (3, [4])):
        assert played.ask(n, arm) is played, (n, arm)
    assert ended.over and ended.ask(10, 5) is ended


@given(st.integers(0, len(VARIANTS) - 1), st.lists(st.integers(0, ARMS - 1), max_size=9))
@LAW
def test_browser_is_sent_own_questions_and_rewards(variant: int, arms: list[int]) -> None:
    played = Game(GameSetting(encode(variant, 5), 10, 0.2), tuple(arms))
    made = whole(played)
    said = board_of(made)
    rewards = heard(model.problem(played.setting), arms, 5)
    assert said["asked"] == arms and np.allclose(said["heard"], rewards, rtol=0, atol=5e-5)  # four decimals
    assert set(made) == {"n", "labels", "events", "times", "sentences", "said", "charts", "arrays"}
    assert made["times"] == [len(arms)] and said["left"] == 10 - len(arms)
    assert not TELLING.search(json.dumps(made))
    assert said["reach"] >= max([3.5, *np.abs(rewards)])
    assert said["reach"] == 3.5 or said["reach"] <= np.abs(rewards).max() + 1.0  # it follows what was heard, no more


def test_every_world_opens_alike() -> None:
    games = [Game(GameSetting(encode(v, 3), 30, 0.2)) for v in range(len(VARIANTS))]
    assert len({json.dumps(whole(game)) for game in games}) == 1


def test_replays_have_nine_other_noises() -> None:
    own = SETTING.world.seed
    found = model.replays(SETTING, ("gp",), 0)["GP-UCB"]
    bandit = policy("gp", 0, model.WIDTH)
    regret = [float(play(model.problem(SETTING), bandit, play_rng(seed)).regret.sum()) for seed in range(own, own + 10)]
    np.testing.assert_allclose(found, regret[1:], rtol=1e-12)
    assert regret[0] not in found and len(set(found)) > 1  # other noise, another game
