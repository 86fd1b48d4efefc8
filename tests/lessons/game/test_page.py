"""The game's page: what survives, what is refused, and that the truth comes after the last round only."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from figures.theme import Theme
from lessons.game import model, panel, words
from lessons.game import scene as game_scene
from lessons.game.knobs import FIRST_CODE
from lessons.game.lesson import LESSON
from lessons.game.model import Game, GameSetting
from lessons.game.panel import GameSession
from lessons.record import BadValue
from lessons.shared import sealed
from shell.links import VERSION
from tests.lessons.game.games import JUMPS, PAGE, SETTING, STILL, TELLING, finished, over, seated, told
from tests.lessons.shown import drawn, film, finding, live, of_scene, opened, sentences, specs
from tests.lessons.test_pages import address, faults, turn
from tests.shared import session_of
from tvbo_core.worlds.codes import ARMS, decode, encode


def test_first_round_tells_nothing_and_kinds_draw_worlds() -> None:
    at = opened(PAGE)
    assert not at.exception and not at.toast
    said = told(at)
    assert said["asked"] == said["heard"] == [] and said["left"] == 12 and said["arms"] == ARMS
    assert said["status"].startswith("Round 1 of 12") and "11 bandit algorithms" in live(at)[0]
    for kind in ("glide", "markov"):
        turn(at, "select", "challenge", kind)
        code = at.session_state["world"]
        assert decode(code)[0].kind == kind and "challenge" not in address(at)
        at.button(key="new_world").click().run()
        other = at.session_state["world"]
        assert other != code and decode(other)[0].kind == kind and at.query_params["world"] in (other, [other])
    turn(at, "select", "challenge", "secret")
    assert at.session_state["world"] == other and not at.exception


def test_a_game_waits_and_another_setting_begins_anew() -> None:
    at = seated(opened(PAGE, rounds="10"), Game(SETTING, (50, 20)))
    at.session_state["lecture"] = True
    assert told(at.run())["asked"] == [50, 20]
    turn(at, "stops", "rounds", 15)
    said = told(at)
    assert said["asked"] == [] and said["game"].endswith("-2")  # this world has been asked before
    at.switch_page("pages/Under_the_microscope.py").run()
    at.switch_page(PAGE)
    at.query_params.update({"rounds": "10"})
    assert told(at.run())["asked"] == [50, 20]
    assert any("round 3 of 10 is waiting" in t.value for t in at.toast)
    for _ in range(2):  # the second time nothing was asked: not another try
        at.button(key="start_over").click().run()
        said = told(at)
        assert said["asked"] == [] and said["game"].endswith("-2") and at.session_state["world"] == FIRST_CODE


def test_finished_page_shows_its_scene_and_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "SALT", b"a salt of this test only")
    code = sealed.new("jumps")
    played = replace(finished(), setting=replace(SETTING, code=code))
    at = seated(opened(PAGE, world=code, rounds="10"), replace(played, arms=(50, 20)))
    at.session_state["drawer_export"] = True
    assert not [c for c in at.run().code if "hidden_world" in c.value]  # no script before the end
    seated(at, played)
    assert faults(at) == [] and len(specs(at)) == 1 and "You came" in sentences(at)[-1]
    values = LESSON.settings({"world": code, "rounds": 10, "noise": 0.2})
    done = model.finished(played, values["algos"], values["m"], "best")
    scene = game_scene.drawn(done, values, LESSON.t, Theme())
    assert drawn(at) == of_scene(scene) and film(at)["start"] == scene.start == 9
    line, link = at.code[0].value.split("\n")
    assert line == words.result(done)
    assert re.search(rf"\?v={VERSION}&world={code}&rounds=10&noise=0.2$", link)  # it tells nothing
    (script,) = (c.value for c in at.code if "hidden_world" in c.value)
    assert re.search(r"you = \[[\d, \n]+\]", script)
    assert f'hidden_world("{sealed.plain(code)}"' in script and code not in script.split("world = ")[1]  # the core's
    at.session_state["table_data"] = True
    session_of(at).parts[GameSession].narrow = True  # a phone gets its panels below each other
    at.run()
    rows = at.dataframe[0].value
    assert faults(at) == [] and len(rows) == 12 and list(rows["place"]) == sorted(rows["place"])
    axes = [axis["domain"] for key, axis in specs(at)[0]["layout"].items() if key.startswith("xaxis")]
    assert axes == [[0, 1], [0.12, 1]]


def test_truth_of_a_secret_world_follows_a_guess() -> None:
    at = over(replace(finished(JUMPS), guess=None))
    assert told(at)["left"] == 0 and not at.exception and not at.code
    assert "how did the reward move?" in told(at)["status"] and not TELLING.search(told(at)["status"])
    at.button(key="guess_glide").click().run()
    assert faults(at) == [] and len(specs(at)) == 1 and any("in round 16" in c.value for c in at.caption)
    assert finding(at)[-1].endswith("The reward jumped; your guess: it glided.")
    kept = session_of(at).parts[GameSession]
    assert kept.games[JUMPS].guess == "glide"
    at.button(key="start_over").click().run()
    assert session_of(at).parts[GameSession].games[JUMPS] == Game(JUMPS, tries=2)
    known = over(replace(finished(JUMPS), guess=None), challenge="Jumps")  # nothing is left to guess
    assert faults(known) == [] and len(specs(known)) == 1


def test_link_with_wrong_code_or_kind_tells_nothing() -> None:
    for raw in ("abc", "zzzzz", "", "rwzg3rwzg3", "<b>", "1e5"):
        with pytest.raises(BadValue):
            LESSON.knobs["world"].read(raw)
    at = opened(PAGE, world="<b>")
    assert at.session_state["world"] == FIRST_CODE and len(at.toast) == 1 and "world = " in at.toast[0].value
    at = opened(PAGE, world=encode(0, 9), challenge="Jumps", hide="controls")  # a world of another kind
    assert at.session_state["challenge"] == "secret" and at.session_state["world"] == encode(0, 9)
    assert not at.exception and "challenge" not in address(at) and "challenge" not in address(at.run())


def test_session_forgets_its_oldest_games_only() -> None:
    at = opened(PAGE, hide="controls.moments.more.menu", world=STILL.code, rounds="10")
    assert not at.toast and told(at)["game"].startswith(f"{STILL.code}-10-")  # a trimmed page offers no other world
    assert not at.text_input and not at.slider and not [b for b in at.button if b.key in ("new_world", "start_over")]
    settings = [GameSetting(encode(0, s), 30, 0.2) for s in range(panel.MAX_GAMES + 5)]
    session_of(at).parts[GameSession].games = {one: Game(one, (1,)) for one in settings}
    at.run()
    kept = session_of(at).parts[GameSession].games
    assert len(kept) == panel.MAX_GAMES and list(kept)[-2:] == [settings[-1], STILL]
