"""The game's page, its links and sealed codes: the truth comes after the last round only, and a replay is marked."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

from answers.address import VERSION
from figures.theme import Theme
from lessons.game import model, panel, words
from lessons.game import scene as game_scene
from lessons.game.knobs import FIRST_CODE
from lessons.game.lesson import LESSON
from lessons.game.model import Game, GameSetting
from lessons.game.panel import GameSession
from lessons.record import BadValue
from lessons.shared import codes, sealed
from lessons.shared import script as source
from lessons.shared.codes import ARMS, decode, encode
from tests.lessons.game.games import JUMPS, PAGE, SETTING, TELLING, finished, over, seated, stage_data
from tests.lessons.shown import film, finding, live, of_scene, opened, page_films, sentences, specs
from tests.lessons.test_pages import address, faults, turn
from tests.shared import session_of


def test_first_round_tells_nothing_and_kinds_draw_worlds() -> None:
    at = opened(PAGE)
    assert not at.exception and not at.toast
    said = stage_data(at)
    assert said["asked"] == said["heard"] == [] and said["left"] == 25 and said["arms"] == ARMS
    assert said["status"].startswith("Round 1 of 25") and "11 bandit algorithms" in live(at)[0]
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
    assert stage_data(at.run())["asked"] == [50, 20]
    turn(at, "stops", "rounds", 15)
    said = stage_data(at)
    assert said["asked"] == [] and said["game"].endswith("-2")  # this world has been asked before
    at.switch_page("pages/Under_the_microscope.py").run()
    at.switch_page(PAGE)
    at.query_params.update({"rounds": "10"})
    assert stage_data(at.run())["asked"] == [50, 20]
    for _ in range(2):  # the second time nothing was asked: not another try
        at.button(key="start_over").click().run()
        said = stage_data(at)
        assert said["asked"] == [] and said["game"].endswith("-2") and at.session_state["world"] == FIRST_CODE


def test_finished_page_shows_its_scene_and_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "SALT", b"a salt of this test only")
    code = sealed.new("jumps")
    played = replace(finished(), setting=replace(SETTING, code=code))
    at = seated(opened(PAGE, world=code, rounds="10"), replace(played, arms=(50, 20)))
    at.session_state["drawer_export"] = True
    assert not [c for c in at.run().code if "tv.World(" in c.value]  # no script before the end
    seated(at, played)
    assert faults(at) == [] and len(specs(at)) == 1 and "You came" in sentences(at)[-1]
    done = model.finished(played)
    scene = game_scene.scene_of(done, Theme())
    assert page_films(at) == of_scene(scene, LESSON.t) and film(at)["start"] == scene.frames - 1 == 9
    line, link = at.code[0].value.split("\n")
    assert line == words.result(done)
    assert re.search(rf"\?v={VERSION}&world={code}&rounds=10&noise=0.2$", link)  # it tells nothing
    (script,) = (c.value for c in at.code if "tv.World(" in c.value)
    assert re.search(r"you = \[[\d, \n]+\]", script)
    assert source.world(played.setting.world, "world") in script
    at.session_state["table_data"] = True
    at.run()
    rows = at.dataframe[0].value
    assert faults(at) == [] and len(rows) == 12 and list(rows["place"]) == sorted(rows["place"])


def test_truth_of_a_secret_world_follows_a_guess() -> None:
    at = over(replace(finished(JUMPS), guess=None))
    assert stage_data(at)["left"] == 0 and not at.exception and not at.code
    assert "how did the reward move?" in stage_data(at)["status"] and not TELLING.search(stage_data(at)["status"])
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


@pytest.fixture
def salted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "SALT", b"a salt of this test only")


def names_a_world(code: str) -> bool:
    """Return whether a code names a world; what is no code is refused by a sentence."""
    try:
        return bool(sealed.plain(code))
    except ValueError as problem:
        assert str(problem).startswith("no world")
        return False


@pytest.mark.usefixtures("salted")
def test_sealed_codes_given_away_keep_their_worlds() -> None:
    """The last commit without a travelling hill made them, with this salt."""
    given = {"sj5twh8y": "q45mw", "w3fmm57f": "xjv9b", "htcd5hkk": "7ggs7", "b324nmj6": "szj5v"}
    assert {code: sealed.plain(code) for code in given} == given
    assert sealed.CHECKS[sealed.NEWEST] == len(codes.VARIANTS) and sealed.kind(sealed.new("travel")) == "travel"


@pytest.mark.usefixtures("salted")
def test_sealed_code_decodes_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {kind: sealed.new(kind) for kind in ("still", "glide", "jumps", "markov")}
    for kind, code in made.items():
        world = GameSetting(code, 10, 0.2).world
        assert sealed.kind(code) == world.kind == kind and world == codes.hidden_world(sealed.plain(code), 10, 0.2)
        with pytest.raises(ValueError, match="no world has the code"):
            codes.decode(code)
    first = Counter(sealed.new(kind)[0] for kind in ("still", "markov") for _ in range(60))
    assert len(first) > 15  # of 28 signs: the first one does not tell the kind
    many = [sealed.new("secret") for _ in range(150)]
    monkeypatch.setattr(sealed, "SALT", b"another salt than before")
    assert sum(map(names_a_world, many)) <= 5  # each passes with probability 1/784
    monkeypatch.setattr(sealed, "SALT", b"")  # a server without a salt
    assert not any(map(names_a_world, made.values()))


@pytest.mark.usefixtures("salted")
def test_public_codes_stay_and_slips_are_refused() -> None:
    for variant, seed in ((0, 33), (4, 2), (8, 4095)):
        code = codes.encode(variant, seed)
        assert sealed.plain(f" {code.upper()} ") == code
    code = sealed.new("secret")
    slips = [code[:i] + c + code[i + 1 :] for i in range(len(code)) for c in codes.ALPHABET[:4] if c != code[i]]
    assert sum(map(names_a_world, slips)) <= 2  # each passes with probability 1/784


@pytest.mark.usefixtures("salted")
def test_no_link_says_how_the_world_moves() -> None:
    at = opened(PAGE, rounds="10")
    turn(at, "select", "challenge", "markov")
    code = at.session_state["world"]
    at.session_state["drawer_link"] = at.session_state["drawer_export"] = True
    at.run()
    links = [c.value for c in at.code if "world=" in c.value]
    assert links and all(code in link and not TELLING.search(link.split("?")[1]) for link in links)
    assert "challenge" not in {*at.query_params, *address(at)} and at.session_state["challenge"] == "markov"
    other = opened(PAGE, world=code, rounds="10", v="1")
    assert other.session_state["world"] == code and other.session_state["challenge"] == "secret"
    assert not TELLING.search(stage_data(other)["status"])
    old = opened(PAGE, world=code, challenge="Wanders")  # a link of before this rule
    assert old.session_state["challenge"] == "markov" and "challenge" not in address(old)


def test_end_seen_in_another_session_marks_a_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    context = SimpleNamespace(cookies={"tvbo_browser": "one"})
    monkeypatch.setattr(panel.st, "context", context)
    game, other = finished(), finished(GameSetting(codes.encode(1, 5), 10, 0.2))
    monkeypatch.setattr(panel.st, "session_state", {})
    assert not panel._seen_before(game) and not panel._seen_before(game)
    monkeypatch.setattr(panel.st, "session_state", {})
    assert panel._seen_before(game) and not panel._seen_before(other)
    for cookies in ({"tvbo_browser": "two"}, {}):
        context.cookies = cookies
        assert not panel._seen_before(game)
    done = model.finished(game, ("rnd",))
    assert "(a replay: its end was seen before)" in words.result(done, True) and "replay" not in words.result(done)
