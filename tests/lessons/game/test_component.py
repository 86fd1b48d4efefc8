"""Before the last round the browser is sent what the player has heard, and nothing that tells how the world moves."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lessons.game import component, model
from lessons.game.model import Game, Setting
from tests.lessons.game.games import TELLING
from tests.strategies import LAW
from tvbo_core.policies.human import heard
from tvbo_core.worlds.codes import ARMS, VARIANTS, encode


@given(st.integers(0, len(VARIANTS) - 1), st.lists(st.integers(0, ARMS - 1), max_size=9))
@LAW
def test_before_the_end_a_browser_is_told_its_own_questions_and_their_rewards(variant: int, arms: list[int]) -> None:
    played = Game(Setting(encode(variant, 5), 10, 0.2), tuple(arms))
    said = component.message(played, {"ink": "#000"})
    assert said["asked"] == arms
    told = heard(model.problem(played.setting), arms, 5)
    assert np.allclose(said["heard"], told, rtol=0, atol=5e-5)  # four decimals
    assert set(said) == {"game", "rounds", "arms", "asked", "heard", "reach", "status", "look"}
    assert not TELLING.search(json.dumps(said))
    assert said["reach"] >= max([3.5, *np.abs(told)])
    assert said["reach"] == 3.5 or said["reach"] <= np.abs(told).max() + 1.0  # it follows what was heard, no more


def test_the_axis_the_status_and_the_rules_are_the_same_in_every_world() -> None:
    opens = {
        json.dumps({**component.message(Game(Setting(encode(v, 3), 30, 0.2)), {}), "game": ""})
        for v in range(len(VARIANTS))
    }
    assert len(opens) == 1
