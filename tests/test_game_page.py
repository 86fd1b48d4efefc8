"""The game's page: what a browser may ask and is told, what survives, and that every sentence is what was computed."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from lessons.game import component as game_stage
from lessons.game import model as game
from lessons.game import words as game_words
from lessons.game.code_knob import FIRST
from lessons.game.lesson import GAME
from lessons.game.model import Game, Setting
from lessons.shared.knobs import METHODS
from tests.strategies import LAW
from tests.test_pages import faults, film, mounted, opened, sentences, specs, turn, unfolded
from tvbo_core.policies.human import YOU, heard
from tvbo_core.worlds.codes import ARMS, VARIANTS, decode, encode

PAGE = "pages/11_You_against_the_bandits.py"
SETTING = Setting(FIRST, 10, 0.2)
STILL, JUMPS = Setting(encode(0, 33), 10, 0.2), Setting(encode(4, 2), 30, 0.2)
QUICK = ("rnd", "gp", "tv")
# Words that would tell how the world moves.
TELLING = re.compile(r"still|glid|jump|markov|wander|drift|budget|V_T|V<sub>|switch|epsilon|kind|seed", re.I)


def finished(setting: Setting = SETTING, seed: int = 0) -> Game:
    rng = np.random.default_rng(seed)
    return Game(setting, tuple(int(a) for a in rng.integers(0, ARMS, setting.rounds)), guess="")


def seated(at: AppTest, played: Game) -> AppTest:
    """The page with a game as its session remembers it."""
    at.session_state["_games"] = {played.setting: played}
    return at.run()


def over(played: Game, **link: str) -> AppTest:
    s = played.setting
    return seated(opened(PAGE, world=s.code, rounds=str(s.rounds), noise=f"{s.noise:g}", **link), played)


def test_the_untouched_page_is_the_first_round_and_tells_nothing() -> None:
    at = opened(PAGE)
    assert not at.exception and not at.toast and not specs(at)
    said = json.loads(mounted(at, "tvbo_game").json)
    assert said["asked"] == said["heard"] == [] and said["rounds"] == 30 and said["arms"] == ARMS
    assert said["status"].startswith("Round 1 of 30")
    assert "11 bandits" in sentences(at)[0]


@given(st.integers(0, len(VARIANTS) - 1), st.lists(st.integers(0, ARMS - 1), max_size=9))
@LAW
def test_before_the_end_a_browser_is_told_its_own_questions_and_their_rewards(variant: int, arms: list[int]) -> None:
    played = Game(Setting(encode(variant, 5), 10, 0.2), tuple(arms))
    said = game_stage.message(played, {"ink": "#000"})
    assert said["asked"] == arms
    told = heard(game.problem(played.setting), arms, 5)
    assert np.allclose(said["heard"], told, rtol=0, atol=5e-5)  # four decimals
    assert set(said) == {"game", "rounds", "arms", "asked", "heard", "reach", "status", "look"}
    assert not TELLING.search(json.dumps(said))
    assert said["reach"] >= max([3.5, *np.abs(told)])
    assert said["reach"] == 3.5 or said["reach"] <= np.abs(told).max() + 1.0  # it follows what was heard, no more


def test_the_axis_the_status_and_the_rules_are_the_same_in_every_world() -> None:
    opens = {json.dumps({**game_stage.message(Game(Setting(encode(v, 3), 30, 0.2)), {}), "game": ""})
             for v in range(len(VARIANTS))}  # fmt: skip
    assert len(opens) == 1


@given(st.integers(-3, 12), st.integers(-3, 120))
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


def test_the_status_names_the_round_the_last_reward_and_the_best() -> None:
    played = Game(SETTING, (31, 90, 31))
    rewards = [0.5, 1.25, -0.404]
    assert game_words.status(played, rewards) == (
        "Round 4 of 10: last reward −0.40 at x = 0.31; best so far 1.25 at x = 0.90, in round 2."
    )
    assert game_words.status(played, [0.5, 1.2, 2.0]) == (
        "Round 4 of 10: last reward 2.00 at x = 0.31; it is the best so far."
    )


@pytest.mark.parametrize(
    ("n", "said"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st")],
)
def test_places_are_said_as_people_say_them(n: int, said: str) -> None:
    assert game_words.ordinal(n) == said


def test_the_verdict_names_place_regrets_and_what_the_world_did() -> None:
    played = finished(JUMPS)
    show = game.show(played, QUICK, 10, "best")
    d, said = show.duel, game_words.finding(show)
    assert len(said) == 30
    place, n, mine, rival, best = re.search(
        r"came (\d+)\w\w of (\d+)</b>: regret ([\d.]+); the best bandit, ([\w-]+), ([\d.]+)\.", said[-1]
    ).groups()
    assert (int(place), int(n)) == (d.place[YOU][-1], 4)
    totals = {name: curve[-1] for name, curve in d.total.items() if name != YOU}
    assert float(mine) == pytest.approx(d.total[YOU][-1], abs=0.05)
    assert rival == min(totals, key=totals.get) and float(best) == pytest.approx(totals[rival], abs=0.05)
    row = int(np.abs(np.diff(d.problem.f, axis=0)).max(axis=1).argmax()) + 2
    assert f"jumped, in round {row} (V<sub>T</sub> = 3.00)" in said[-1]
    for t, text in enumerate(said[:-1]):
        assert text.startswith(f"Round {t + 1}: You asked x = {d.you.X[t, 0]:.2f}")
        assert not TELLING.search(text)


def test_a_game_that_was_won_says_who_is_next() -> None:
    rival = game.field(STILL, QUICK, 10)
    problem = game.problem(STILL)
    played = Game(STILL, tuple(int(a) for a in problem.best))
    show = game.show(played, QUICK, 10, "best")
    said = game_words.verdict(show)
    assert "came 1st of 4" in said and "regret 0.00; the next, " in said and "stood still (V<sub>T</sub> = 0)" in said
    assert show.duel.best_rival in rival.histories
    assert "and that was the best" in game_words.finding(show)[0]


@pytest.mark.parametrize("setting", [SETTING, STILL, JUMPS, Setting(encode(8, 1), 50, 1.0)])
def test_what_there_is_to_learn_is_what_was_measured(setting: Setting) -> None:
    show = game.show(finished(setting), QUICK, 10, "gp")
    d, said = show.duel, " ".join(game_words.lessons(show))
    close = (d.you.regret <= setting.noise).sum()
    assert f"in {close} of {setting.rounds} rounds" in said
    assert f"; GP-UCB in {(d.rivals['GP-UCB'].regret <= setting.noise).sum()}." in said
    early = d.you.regret[: setting.rounds // 3].sum() / d.you.regret.sum()
    assert f"{early:.0%} of your regret" in said and f"round {d.you.regret.argmax() + 1} (" in said
    assert "nan" not in said


def test_the_line_to_hand_in_says_code_set_up_regret_place_and_try() -> None:
    show = game.show(replace(finished(JUMPS), tries=2), QUICK, 10, "best")
    d, said = show.duel, game_words.result(show)
    assert said.startswith(f"world {JUMPS.code}, 30 rounds, noise 0.2: my regret ")
    assert f"I came {game_words.ordinal(int(d.place[YOU][-1]))} of 4 (2nd try)" in said
    assert f"best bandit: {d.best_rival} " in said


def test_the_finished_page_shows_the_film_the_lessons_the_table_and_a_link_that_tells_nothing() -> None:
    at = over(finished())
    assert faults(at) == [] and len(specs(at)) == 1
    assert film(at)["n"] == 10 and film(at)["start"] == 9
    assert "You came" in sentences(at)[-1]
    line, link = at.code[0].value.split("\n")
    assert line == game_words.result(game.show(finished(), tuple(METHODS), 10, "best"))
    assert re.search(rf"\?v=1&world={FIRST}&rounds=10&noise=0.2$", link)
    at.session_state["table_data"] = at.session_state["drawer_link"] = at.session_state["drawer_export"] = True
    at.run()
    rows = at.dataframe[0].value
    assert faults(at) == [] and len(rows) == 12 and list(rows["place"]) == sorted(rows["place"])


@pytest.mark.parametrize("versus", ["best", "gp", "sparq"])
def test_another_path_beside_yours_is_that_bandits(versus: str) -> None:
    at = over(finished(), versus=METHODS.get(versus, "the best"))
    wanted = game.show(finished(), tuple(METHODS), 10, versus)
    assert faults(at) == []
    assert any(wanted.versus in note["text"] for note in specs(at)[0]["layout"]["annotations"])


def test_nothing_but_the_same_game_is_kept_and_another_setting_begins_anew() -> None:
    at = seated(opened(PAGE, rounds="10"), Game(SETTING, (50, 20)))
    assert json.loads(mounted(at, "tvbo_game").json)["asked"] == [50, 20]
    at.session_state["lecture"] = True
    at.run()
    assert json.loads(mounted(at, "tvbo_game").json)["asked"] == [50, 20]
    turn(at, "slider", "rounds", 15)
    said = json.loads(mounted(at, "tvbo_game").json)
    assert said["asked"] == [] and said["game"].endswith("-2")  # this world has been asked before
    turn(at, "slider", "rounds", 10)
    assert json.loads(mounted(at, "tvbo_game").json)["asked"] == [50, 20]


def test_a_game_that_was_left_waits_and_says_so_and_a_new_session_begins_at_round_one() -> None:
    at = seated(opened(PAGE, rounds="10"), Game(SETTING, (50, 20)))
    at.switch_page("pages/10_Under_the_microscope.py").run()
    at.switch_page(PAGE)
    at.query_params.update({"rounds": "10"})
    at.run()
    assert json.loads(mounted(at, "tvbo_game").json)["asked"] == [50, 20]
    assert any("round 3 of 10 is waiting" in t.value for t in at.toast)
    assert json.loads(mounted(opened(PAGE, rounds="10"), "tvbo_game").json)["asked"] == []


def test_after_the_last_round_of_a_secret_world_the_truth_comes_after_a_guess_and_names_it() -> None:
    at = over(replace(finished(JUMPS), guess=None))
    assert not specs(at) and not at.exception and not at.code
    assert "how did the reward move?" in json.loads(mounted(at, "tvbo_game").json)["status"]
    assert not TELLING.search(json.loads(mounted(at, "tvbo_game").json)["status"])
    at.button(key="guess_glide").click().run()
    assert faults(at) == [] and len(specs(at)) == 1
    assert sentences(at)[-1].endswith("jumped, in round 16 (V<sub>T</sub> = 3.00); you said that it glided.")
    game_now = at.session_state["_games"][JUMPS]
    assert game_now.guess == "glide"
    at.button(key="start_over").click().run()
    assert at.session_state["_games"][JUMPS] == Game(JUMPS, tries=2)


def test_a_right_guess_is_called_right_no_guess_is_not_mentioned_and_a_known_world_asks_for_none() -> None:
    def said(guess: str) -> str:
        return game_words.moved(game.show(replace(finished(JUMPS), guess=guess), QUICK, 10, "best"))

    assert said("jumps").endswith("; you guessed it.") and said("").endswith("= 3.00).")
    at = over(replace(finished(JUMPS), guess=None), challenge="Jumps")
    assert faults(at) == [] and len(specs(at)) == 1


def test_starting_over_is_another_try_at_the_same_world() -> None:
    at = seated(opened(PAGE, rounds="10"), Game(SETTING, (50, 20)))
    at.button(key="start_over").click().run()
    said = json.loads(mounted(at, "tvbo_game").json)
    assert said["asked"] == [] and said["game"].endswith("-2") and at.session_state["world"] == FIRST
    at.button(key="start_over").click().run()  # nothing was asked: not another try
    assert json.loads(mounted(at, "tvbo_game").json)["game"].endswith("-2")


@pytest.mark.parametrize("challenge", ["still", "glide", "jumps", "markov"])
def test_a_choice_of_how_it_moves_draws_a_world_that_does_and_secret_keeps_it(challenge: str) -> None:
    at = opened(PAGE)
    turn(at, "select", "challenge", challenge)
    code = at.session_state["world"]
    assert decode(code)[0].kind == challenge and not at.exception
    at.button(key="new_world").click().run()
    other = at.session_state["world"]
    assert other != code and decode(other)[0].kind == challenge
    assert at.query_params["world"] in (other, [other])
    turn(at, "select", "challenge", "secret")
    assert at.session_state["world"] == other and "challenge" not in at.query_params


def test_secret_worlds_are_of_every_kind() -> None:
    kinds = [decode(game.fresh("secret"))[0].kind for _ in range(200)]
    # Each of four kinds with probability 1/4: one is missing in 200 draws with probability 4 * 0.75^200 = 4e-25.
    assert set(kinds) == {v.kind for v in VARIANTS}


def test_a_code_that_is_typed_is_laid_on_the_table_and_nonsense_is_refused_in_words() -> None:
    at = opened(PAGE, challenge="Glides", world=encode(2, 30))
    assert at.session_state["challenge"] == "glide" and not at.toast
    at.text_input(key="code_box").set_value(" CFH3K ").run()
    assert at.session_state["world"] == "cfh3k" and at.session_state["challenge"] == "secret"
    at.text_input(key="code_box").set_value("hello").run()
    assert at.session_state["world"] == "cfh3k" and not at.exception
    assert any("No world has the code “hello”" in t.value for t in at.toast)
    assert at.text_input(key="code_box").value == "cfh3k"


@pytest.mark.parametrize("raw", ["abc", "zzzzz", "", "rwzg3rwzg3", "<b>", "1e5"])
def test_an_unknown_code_in_the_link_is_a_toast_and_the_default_world(raw: str) -> None:
    at = opened(PAGE, world=raw)
    assert not at.exception and at.session_state["world"] == FIRST
    assert len(at.toast) == 1 and "world = " in at.toast[0].value


def test_a_link_whose_kind_is_not_its_worlds_keeps_the_world_and_does_not_tell() -> None:
    at = opened(PAGE, world=encode(0, 9), challenge="Jumps")
    assert not at.exception and at.session_state["challenge"] == "secret"
    assert at.session_state["world"] == encode(0, 9) and "challenge" not in at.query_params


@pytest.mark.parametrize("number", range(1, len(GAME.moments) + 1))
def test_a_moment_by_link_is_the_moment_by_click_and_its_world_moves_as_it_says(number: int) -> None:
    linked, clicked = opened(PAGE, moment=str(number)), opened(PAGE)
    turn(clicked, "segmented", "moment", number)
    for at in (linked, clicked):
        assert not at.exception and not at.toast
        assert at.session_state["world"] == GAME.moments[number - 1].values["world"]
        assert at.session_state["challenge"] == GAME.moments[number - 1].values["challenge"]
    challenge = GAME.moments[number - 1].values["challenge"]
    assert challenge in ("secret", decode(linked.session_state["world"])[0].kind)


@pytest.mark.parametrize(("key", "kind", "values"), [
    ("rounds", "slider", (10, 50)), ("noise", "stops", (0.05, 1.0)), ("m", "stops", (0, 50)),
])  # fmt: skip
def test_both_ends_of_every_control_play_and_reveal(key: str, kind: str, values: tuple) -> None:
    for value in values:
        at = turn(unfolded(opened(PAGE)), kind, key, value)
        assert not at.exception
        setting = Setting(FIRST, at.session_state["rounds"], at.session_state["noise"])
        seated(at, finished(setting))
        assert faults(at) == [] and film(at)["n"] == setting.rounds


def test_a_phone_gets_its_panels_below_each_other() -> None:
    at = opened(PAGE, rounds="10")
    at.session_state["_narrow"] = True
    seated(at, finished())
    (spec,) = specs(at)
    axes = [spec["layout"][key]["domain"] for key in ("xaxis", "xaxis2", "xaxis3")]
    assert axes == [[0, 1]] * 3 and spec["layout"]["height"] > 740


def test_a_session_forgets_its_oldest_games_only() -> None:
    at = opened(PAGE)
    many = {Setting(encode(0, s), 30, 0.2): Game(Setting(encode(0, s), 30, 0.2), (1,)) for s in range(game.KEPT + 5)}
    at.session_state["_games"] = many
    at.run()
    kept = at.session_state["_games"]
    assert len(kept) == game.KEPT and list(kept)[-1] == Setting(FIRST, 30, 0.2)
    assert list(many)[-1] in kept


def test_a_trimmed_page_plays_the_world_of_its_link_and_offers_no_other() -> None:
    at = opened(PAGE, hide="controls.moments.more.menu", world=STILL.code, rounds="10")
    assert not at.exception and not at.toast
    assert json.loads(mounted(at, "tvbo_game").json)["game"].startswith(f"{STILL.code}-10-")
    assert not at.text_input and not at.slider and not [b for b in at.button if b.key in ("new_world", "start_over")]
