"""A game takes the next question and tells nothing of its world; its chances and lessons are what was computed."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from common.formats import percent
from lessons.game import model, words
from lessons.game.duel import NEAR_DISTANCE, YOU, rewards_of, stalest
from lessons.game.model import Game, GameSetting
from lessons.shared.codes import ARMS, VARIANTS, Variant, encode
from lessons.shared.knobs import METHODS
from lessons.shared.policies import policy
from tests.lessons.game.games import JUMPS, QUICK, SETTING, STILL, TELLING, board_of, finished, whole
from tests.strategies import LAW
from tvbo_core import play
from tvbo_core.designs import play_rng
from tvbo_core.race_results import LESS, MORE
from tvbo_core.worlds.make import events


@given(st.integers(-3, 12), st.integers(-3, 120))
@example(3, ARMS - 1)
@example(3, ARMS)
@LAW
def test_only_the_next_question_is_taken(n: int, arm: int) -> None:
    played = Game(SETTING, (50, 20, 70))
    fits = n == 3 and 0 <= arm < ARMS
    assert played.ask(n, arm) == (replace(played, arms=(50, 20, 70, arm)) if fits else played)


@given(st.integers(0, len(VARIANTS) - 1), st.lists(st.integers(0, ARMS - 1), max_size=9))
@LAW
def test_browser_is_sent_own_questions_and_rewards(variant: int, arms: list[int]) -> None:
    played = Game(GameSetting(encode(variant, 5), 10, 0.2), tuple(arms))
    made = whole(played)
    said = board_of(made)
    rewards = rewards_of(model.problem(played.setting), arms, 5)
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
    _, found = model.run(SETTING, "gp")
    bandit = policy("gp", 0, model.WIDTH)
    regret = [float(play(model.problem(SETTING), bandit, play_rng(seed)).regret.sum()) for seed in range(own, own + 10)]
    np.testing.assert_allclose(found, regret[1:], rtol=1e-12)
    assert regret[0] not in found and len(set(found)) > 1  # other noise, another game


def test_standings_are_those_of_the_t_test() -> None:
    done = model.finished(finished(JUMPS), QUICK)
    mine, seed = done.duel.total[YOU][-1], JUMPS.world.seed
    runs: dict[str, list[float]] = {}
    for other in range(seed, seed + model.REPLAYS + 1):  # the player's own noise first
        for m in QUICK:
            run = play(model.problem(JUMPS), policy(m, 10, "2"), play_rng(other))
            runs.setdefault(METHODS[m], []).append(run.regret.sum())
    place = {name: said for said, names in done.standings.items() for name in names}
    for name, regret in runs.items():
        clear = ttest_1samp(regret, mine).pvalue < 0.05
        assert (place[name] in (LESS, MORE)) == clear
        assert not clear or (place[name] == LESS) == (np.mean(regret) < mine)
    said = words.chance(done)
    assert all(name in said for name in runs) and f"Over {model.REPLAYS + 1} draws" in said


@pytest.mark.parametrize(("challenge", "moves"), [("secret", "may move"), ("still", "does not move")])
def test_rules_say_what_the_player_chose(challenge: str, moves: str) -> None:
    game = Game(STILL)
    assert moves in words.rules(challenge) and moves in words.status(game, [], 3, challenge)
    assert ("may move" in words.rules(challenge)) == (challenge == "secret")


@pytest.mark.parametrize("many", [1, 2])
def test_stale_questions_are_told_from_two_on(many: int) -> None:
    """A player on the peak in every round, but on the old one for so many rounds after its first hop."""
    problem = model.problem(JUMPS)
    hop = next(one for one in events(problem, least_hop=NEAR_DISTANCE).hops if one.t + many < problem.horizon)
    arms = problem.best.copy()
    arms[hop.t : hop.t + many] = problem.best[hop.t - 1]
    done = model.finished(Game(JUMPS, tuple(arms.tolist()), guess=""), QUICK)
    caught, said = stalest(done.duel.you), " ".join(words.lessons(done))
    assert caught is not None and (caught.row, caught.rounds) == (hop.t, many)
    assert ("times in a row" in said) == (many == 2) and (many == 1 or "queried 2 times in a row" in said)


def test_lessons_of_a_game_are_measured() -> None:
    for setting in (SETTING, STILL, JUMPS, GameSetting(encode(8, 1), 50, 1.0)):
        done = model.finished(finished(setting), QUICK)
        d, said = done.duel, " ".join(words.lessons(done))
        assert f"in {(d.you.regret <= setting.noise).sum()} of {setting.rounds} rounds" in said
        assert f"; {d.best_rival} in {(d.rivals[d.best_rival].regret <= setting.noise).sum()}." in said
        early = d.you.regret[: setting.rounds // 3].sum() / d.you.regret.sum()
        assert f"{percent(early)} of your regret fell into the first {setting.rounds // 3} rounds" in said
        assert f"round {d.you.regret.argmax() + 1} (" in said


def test_each_of_two_jumps_is_named() -> None:
    setting = GameSetting(encode(VARIANTS.index(Variant("jumps", 4.0, 2)), 1), 20, 0.2)
    first, second = (jump.t + 1 for jump in events(model.problem(setting)).jumps)
    assert f"in rounds {first} and {second} (" in words.moved(model.finished(finished(setting), QUICK))
