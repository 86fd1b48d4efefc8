"""A game takes the next question and nothing else; a new world is of the kind that was asked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lessons.game import model
from lessons.game.model import Game
from lessons.shared import sealed
from lessons.shared.policies import policy
from tests.lessons.game.games import SETTING, finished
from tests.strategies import LAW
from tvbo_core import play
from tvbo_core.designs import play_rng
from tvbo_core.worlds.codes import ARMS, VARIANTS


@given(st.integers(-3, 12), st.integers(-3, 120))
@example(3, ARMS - 1)
@example(3, ARMS)
@LAW
def test_only_the_next_question_of_the_game_is_taken(n: int, arm: int) -> None:
    played = Game(SETTING, (50, 20, 70))
    after = played.ask(n, arm)
    fits = n == 3 and 0 <= arm < ARMS
    assert after == (replace(played, arms=(50, 20, 70, arm)) if fits else played)


@pytest.mark.parametrize("n, arm", [(None, 1), (3, None), (3.0, 4), ("3", 4), (3, "4"), (True, 4), (3, True), (3, [4])])
def test_a_question_of_another_form_changes_nothing(n: object, arm: object) -> None:
    played = Game(SETTING, (50, 20, 70))
    assert played.ask(n, arm) is played


def test_after_the_last_round_nothing_is_taken() -> None:
    played = finished()
    assert played.over and played.ask(10, 5) is played


def test_the_replays_of_a_bandit_are_its_runs_with_nine_other_noises_and_not_with_the_players() -> None:
    problem, own = model.problem(SETTING), SETTING.world.seed
    found = model.replays(SETTING, ("gp",), 0)["GP-UCB"]
    bandit = policy("gp", 0, model.WIDTH)
    regret = [float(play(problem, bandit, play_rng(seed)).regret.sum()) for seed in range(own, own + 10)]
    np.testing.assert_allclose(found, regret[1:], rtol=1e-12)
    assert regret[0] not in found and len(set(found)) > 1  # other noise, another game


def test_secret_worlds_are_of_every_kind() -> None:
    kinds = [sealed.kind(sealed.new("secret")) for _ in range(200)]
    # Each of four kinds with probability 1/4: one is missing in 200 draws with probability 4 * 0.75^200 = 4e-25.
    assert set(kinds) == {v.kind for v in VARIANTS}
