"""Sealed codes say nothing without the server's salt; links do not say how a world moves; a replay is marked."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.game import model, panel, words
from lessons.game.model import Setting
from lessons.shared import sealed
from tests.lessons.game.games import TELLING, finished
from tests.lessons.game.test_page import PAGE, over, told
from tests.lessons.shown import opened
from tests.lessons.test_pages import address, faults, turn
from tests.strategies import LAW
from tvbo_core.worlds import codes

SALT = b"a salt of this test only"


@pytest.fixture
def salted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "SALT", SALT)


@pytest.mark.usefixtures("salted")
@pytest.mark.parametrize("kind", ["still", "glide", "jumps", "markov"])
def test_a_new_world_moves_as_asked_and_its_code_decodes_nowhere_else(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = sealed.new(kind)
    world = Setting(code, 10, 0.2).world
    assert sealed.kind(code) == world.kind == kind and world == codes.hidden_world(sealed.plain(code), 10, 0.2)
    with pytest.raises(ValueError, match="no world has the code"):
        codes.decode(code)
    monkeypatch.setattr(sealed, "SALT", b"")  # a server without a salt
    with pytest.raises(ValueError, match="no world has the code"):
        sealed.plain(code)


def test_another_salt_reads_other_worlds_and_refuses_most_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "SALT", SALT)
    made = [sealed.new("secret") for _ in range(150)]
    monkeypatch.setattr(sealed, "SALT", b"another salt than before")
    refused = 0
    for code in made:
        try:
            sealed.plain(code)
        except ValueError:
            refused += 1
    assert refused >= 145  # each passes with probability 1/784


@pytest.mark.usefixtures("salted")
def test_public_codes_stay_the_worlds_they_are_and_slips_are_refused() -> None:
    for variant, seed in ((0, 33), (4, 2), (8, 4095)):
        code = codes.encode(variant, seed)
        assert sealed.plain(f" {code.upper()} ") == code
    code = sealed.new("secret")
    slips = [code[:i] + c + code[i + 1 :] for i in range(len(code)) for c in codes.ALPHABET[:4] if c != code[i]]
    assert sum(_known(slip) for slip in slips) <= 2  # each passes with probability 1/784


def _known(code: str) -> bool:
    try:
        return bool(sealed.plain(code))
    except ValueError:
        return False


@pytest.mark.usefixtures("salted")
def test_sealed_codes_say_nothing_about_the_kind_to_the_eye() -> None:
    first = Counter(sealed.new(kind)[0] for kind in ("still", "markov") for _ in range(60))
    assert len(first) > 15  # of 28 signs


def test_a_salt_that_can_be_guessed_is_refused_and_none_is_none() -> None:
    assert sealed.salt("") == b"" and sealed.salt("x" * 16)
    with pytest.raises(ValueError, match="at least 16 characters"):
        sealed.salt("short")


@LAW
@given(st.text(max_size=12))
def test_no_text_is_more_than_refused(raw: str) -> None:
    assert _known(raw) in (True, False)


@pytest.mark.usefixtures("salted")
def test_a_sealed_world_is_played_from_its_link_and_the_script_after_the_end_names_the_cores_code() -> None:
    setting = Setting(sealed.new("jumps"), 10, 0.2)
    at = over(finished(setting))
    assert faults(at) == [] and setting.code in at.code[0].value
    at.session_state["drawer_export"] = True
    at.run()
    (script,) = (c.value for c in at.code if "hidden_world" in c.value)
    assert f'hidden_world("{sealed.plain(setting.code)}"' in script and setting.code not in script.split("world = ")[1]


@pytest.mark.usefixtures("salted")
def test_no_link_says_how_the_world_moves_and_its_reader_meets_the_same_world() -> None:
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
    assert not TELLING.search(told(other)["status"])
    old = opened(PAGE, world=code, challenge="Wanders")  # a link of before this rule
    assert old.session_state["challenge"] == "markov" and "challenge" not in address(old)


def test_the_end_that_a_browser_has_seen_in_another_session_marks_its_next_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    context = SimpleNamespace(cookies={"tvbo_browser": "one"})
    monkeypatch.setattr(panel.st, "context", context)
    game, other = finished(), finished(Setting(codes.encode(1, 5), 10, 0.2))
    first, second = {}, {}
    monkeypatch.setattr(panel.st, "session_state", first)
    assert not panel._seen_before(game) and not panel._seen_before(game)
    monkeypatch.setattr(panel.st, "session_state", second)
    assert panel._seen_before(game) and not panel._seen_before(other)
    context.cookies = {"tvbo_browser": "two"}
    assert not panel._seen_before(game)
    context.cookies = {}
    assert not panel._seen_before(game)
    done = model.finished(game, ("rnd",), 10, "best")
    assert "(a replay: its end was seen before)" in words.result(done, True) and "replay" not in words.result(done)
