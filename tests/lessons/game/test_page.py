"""The game's page: what survives, what is refused, and that the truth comes after the last round only."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from figures.theme import Theme
from lessons.game import model, panel, words
from lessons.game import scene as game_scene
from lessons.game.knobs import FIRST_CODE
from lessons.game.lesson import LESSON
from lessons.game.model import Game, Setting
from lessons.game.panel import GameSession
from lessons.record import Moment
from lessons.shared.knobs import METHODS
from shell.links import VERSION
from tests.lessons.game.games import JUMPS, QUICK, SETTING, STILL, TELLING, finished
from tests.lessons.shown import drawn, film, finding, of_scene, opened, sent, sentences, specs
from tests.lessons.test_pages import address, faults, turn, unfolded
from tests.shared import session_of
from tvbo_core.worlds.codes import ARMS, decode, encode

PAGE = "pages/You_against_the_bandits.py"


def told(at: AppTest) -> dict:
    """What the stage of a game that is not over was given."""
    return json.loads(sent(at, "tvbo_game", "json")[0])


def seated(at: AppTest, played: Game) -> AppTest:
    """The page with a game as its session remembers it."""
    session_of(at).parts.setdefault(GameSession, GameSession()).games = {played.setting: played}
    return at.run()


def over(played: Game, **link: str) -> AppTest:
    s = played.setting
    return seated(opened(PAGE, world=s.code, rounds=str(s.rounds), noise=f"{s.noise:g}", **link), played)


def test_the_untouched_page_is_the_first_round_and_tells_nothing() -> None:
    at = opened(PAGE)
    assert not at.exception and not at.toast and not specs(at)
    said = told(at)
    assert said["asked"] == said["heard"] == [] and said["rounds"] == 12 and said["arms"] == ARMS
    assert said["status"].startswith("Round 1 of 12")
    assert "11 bandits" in sentences(at)[0]


def test_the_finished_page_shows_the_film_the_lessons_the_table_and_a_link_that_tells_nothing() -> None:
    at = over(finished())
    assert faults(at) == [] and len(specs(at)) == 1
    assert film(at)["n"] == 10 and film(at)["start"] == 9
    assert "You came" in sentences(at)[-1]
    line, link = at.code[0].value.split("\n")
    assert line == words.result(model.finished(finished(), LESSON.knobs["algos"].default, 10, "best"))
    assert re.search(rf"\?v={VERSION}&world={FIRST_CODE}&rounds=10&noise=0.2$", link)
    at.session_state["table_data"] = at.session_state["drawer_link"] = at.session_state["drawer_export"] = True
    at.run()
    rows = at.dataframe[0].value
    assert faults(at) == [] and len(rows) == 12 and list(rows["place"]) == sorted(rows["place"])


@pytest.mark.parametrize("versus", ["best", "gp", "sparq"])
def test_another_path_beside_yours_is_that_bandits(versus: str) -> None:
    at = over(finished(), view="paths", versus=METHODS.get(versus, "the best"))
    wanted = model.finished(finished(), LESSON.knobs["algos"].default, 10, versus)
    assert faults(at) == []
    assert any(wanted.versus in note["text"] for note in specs(at)[0]["layout"]["annotations"])


def test_nothing_but_the_same_game_is_kept_and_another_setting_begins_anew() -> None:
    at = seated(opened(PAGE, rounds="10"), Game(SETTING, (50, 20)))
    assert told(at)["asked"] == [50, 20]
    at.session_state["lecture"] = True
    at.run()
    assert told(at)["asked"] == [50, 20]
    turn(at, "stops", "rounds", 15)
    said = told(at)
    assert said["asked"] == [] and said["game"].endswith("-2")  # this world has been asked before
    turn(at, "stops", "rounds", 10)
    assert told(at)["asked"] == [50, 20]


def test_a_game_that_was_left_waits_and_says_so_and_a_new_session_begins_at_round_one() -> None:
    at = seated(opened(PAGE, rounds="10"), Game(SETTING, (50, 20)))
    at.switch_page("pages/Under_the_microscope.py").run()
    at.switch_page(PAGE)
    at.query_params.update({"rounds": "10"})
    at.run()
    assert told(at)["asked"] == [50, 20]
    assert any("round 3 of 10 is waiting" in t.value for t in at.toast)
    assert told(opened(PAGE, rounds="10"))["asked"] == []


def test_after_the_last_round_of_a_secret_world_the_truth_comes_after_a_guess_and_names_it() -> None:
    at = over(replace(finished(JUMPS), guess=None))
    assert not specs(at) and not at.exception and not at.code
    assert "how did the reward move?" in told(at)["status"]
    assert not TELLING.search(told(at)["status"])
    at.button(key="guess_glide").click().run()
    assert faults(at) == [] and len(specs(at)) == 1
    assert any("in round 16" in c.value for c in at.caption)
    assert finding(at)[-1].endswith("The world jumped; you said that it glided.")
    game_now = session_of(at).parts[GameSession].games[JUMPS]
    assert game_now.guess == "glide"
    at.button(key="start_over").click().run()
    assert session_of(at).parts[GameSession].games[JUMPS] == Game(JUMPS, tries=2)


def test_a_right_guess_is_called_right_no_guess_is_not_mentioned_and_a_known_world_asks_for_none() -> None:
    def said(guess: str) -> str:
        return words.verdict(model.finished(replace(finished(JUMPS), guess=guess), QUICK, 10, "best"))

    assert said("jumps") == f"{said('')} The world jumped; you guessed it." and "guess" not in said("")
    longest = said("still")  # no headline has more words
    assert longest.endswith("The world jumped; you said that it stood still.") and len(longest.split()) <= 24
    at = over(replace(finished(JUMPS), guess=None), challenge="Jumps")
    assert faults(at) == [] and len(specs(at)) == 1


def test_starting_over_is_another_try_at_the_same_world() -> None:
    at = seated(opened(PAGE, rounds="10"), Game(SETTING, (50, 20)))
    at.button(key="start_over").click().run()
    said = told(at)
    assert said["asked"] == [] and said["game"].endswith("-2") and at.session_state["world"] == FIRST_CODE
    at.button(key="start_over").click().run()  # nothing was asked: not another try
    assert told(at)["game"].endswith("-2")


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
    assert not at.exception and at.session_state["world"] == FIRST_CODE
    assert len(at.toast) == 1 and "world = " in at.toast[0].value


def test_a_link_whose_kind_is_not_its_worlds_keeps_the_world_and_does_not_tell() -> None:
    at = opened(PAGE, world=encode(0, 9), challenge="Jumps")
    assert not at.exception and at.session_state["challenge"] == "secret"
    assert at.session_state["world"] == encode(0, 9) and "challenge" not in address(at)


@pytest.mark.parametrize("moment", LESSON.moments, ids=lambda moment: moment.key)
def test_a_moment_by_link_is_the_moment_by_click_and_its_world_moves_as_it_says(moment: Moment) -> None:
    linked, clicked = opened(PAGE, moment=moment.key), opened(PAGE)
    turn(clicked, "segmented", "moment", moment.key)
    for at in (linked, clicked):
        assert not at.exception and not at.toast
        assert at.session_state["world"] == moment.values["world"]
        assert at.session_state["challenge"] == moment.values["challenge"]
    challenge = moment.values["challenge"]
    assert challenge in ("secret", decode(linked.session_state["world"])[0].kind)


@pytest.mark.parametrize(
    ("key", "kind", "values"),
    [
        ("rounds", "stops", (10, 50)),
        ("noise", "stops", (0.05, 1.0)),
        ("m", "stops", (0, 50)),
    ],
)
def test_both_ends_of_every_control_play_and_reveal(key: str, kind: str, values: tuple) -> None:
    for value in values:
        at = turn(unfolded(opened(PAGE)), kind, key, value)
        assert not at.exception
        setting = Setting(FIRST_CODE, at.session_state["rounds"], at.session_state["noise"])
        seated(at, finished(setting))
        assert faults(at) == [] and film(at)["n"] == setting.rounds


@pytest.mark.parametrize(("view", "left"), [("places", [0, 0.12]), ("paths", [0, 0, 0])])
def test_a_phone_gets_its_panels_below_each_other(view: str, left: list[float]) -> None:
    at = opened(PAGE, rounds="10", view=view)
    session_of(at).parts[GameSession].narrow = True
    seated(at, finished())
    (spec,) = specs(at)
    axes = [axis["domain"] for key, axis in spec["layout"].items() if key.startswith("xaxis")]
    assert axes == [[at, 1] for at in left] and spec["layout"]["height"] > 740


def test_a_session_forgets_its_oldest_games_only() -> None:
    at = opened(PAGE)
    many = {
        Setting(encode(0, s), 30, 0.2): Game(Setting(encode(0, s), 30, 0.2), (1,)) for s in range(panel.MAX_GAMES + 5)
    }
    session_of(at).parts[GameSession].games = many
    at.run()
    kept = session_of(at).parts[GameSession].games
    assert len(kept) == panel.MAX_GAMES and list(kept)[-1] == Setting(FIRST_CODE, 12, 0.2)
    assert list(many)[-1] in kept


def test_a_trimmed_page_plays_the_world_of_its_link_and_offers_no_other() -> None:
    at = opened(PAGE, hide="controls.moments.more.menu", world=STILL.code, rounds="10")
    assert not at.exception and not at.toast
    assert told(at)["game"].startswith(f"{STILL.code}-10-")
    assert not at.text_input and not at.slider and not [b for b in at.button if b.key in ("new_world", "start_over")]


def test_a_finished_games_scene_is_what_the_page_draws() -> None:
    at, played = over(finished()), finished()
    values = LESSON.settings({"world": played.setting.code, "rounds": 10, "noise": 0.2})
    scene = game_scene.drawn(model.finished(played, values["algos"], values["m"], "best"), values, LESSON.t, Theme())
    assert drawn(at) == of_scene(scene) and film(at)["start"] == scene.start
    assert finding(at) == list(scene.sentences())


def test_a_game_that_is_not_over_has_no_scene_for_a_pack_and_no_script() -> None:
    assert LESSON.scene is None and LESSON.recipe(LESSON.defaults, 9) is None


def test_the_script_of_a_finished_game_is_in_the_export_drawer_and_not_before() -> None:
    def scripts(played: Game) -> list[str]:
        at = over(played)
        at.session_state["drawer_export"] = True
        at.run()
        assert not at.exception
        return [c.value for c in at.code if "hidden_world" in c.value]

    assert scripts(Game(SETTING, (50, 20))) == []
    (script,) = scripts(finished())
    assert re.search(r"you = \[[\d, \n]+\]", script)


@pytest.mark.parametrize("hide", ["", "controls"])
def test_the_address_does_not_tell_how_the_reward_moves(hide: str) -> None:
    """A link may choose it; from then on it is the player's secret, drawn or hidden."""
    at = opened(PAGE, challenge="Glides", world=encode(2, 30), **({"hide": hide} if hide else {}))
    assert not at.exception and at.session_state["challenge"] == "glide"
    assert "challenge" not in address(at)
    assert "challenge" not in address(at.run())
