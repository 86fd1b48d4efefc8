"""Sealed codes say nothing without the server's salt; links do not say how a world moves; a replay is marked."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.game import model, panel, words
from lessons.game.model import GameSetting
from lessons.shared import sealed
from tests.lessons.game.games import PAGE, TELLING, finished, told
from tests.lessons.shown import opened
from tests.lessons.test_pages import address, turn
from tests.strategies import LAW
from tvbo_core.worlds import codes


@pytest.fixture
def salted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "SALT", b"a salt of this test only")


def known(code: str) -> bool:
    """Return whether a code names a world; what is no code is refused by a sentence."""
    try:
        return bool(sealed.plain(code))
    except ValueError as problem:
        assert str(problem).startswith("no world")
        return False


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
    assert sum(map(known, many)) <= 5  # each passes with probability 1/784
    monkeypatch.setattr(sealed, "SALT", b"")  # a server without a salt
    assert not any(map(known, made.values()))


@pytest.mark.usefixtures("salted")
def test_public_codes_stay_and_slips_are_refused() -> None:
    for variant, seed in ((0, 33), (4, 2), (8, 4095)):
        code = codes.encode(variant, seed)
        assert sealed.plain(f" {code.upper()} ") == code
    code = sealed.new("secret")
    slips = [code[:i] + c + code[i + 1 :] for i in range(len(code)) for c in codes.ALPHABET[:4] if c != code[i]]
    assert sum(map(known, slips)) <= 2  # each passes with probability 1/784


def test_salt_that_can_be_guessed_is_refused() -> None:
    assert sealed.salt("") == b"" and sealed.salt("x" * 16)
    with pytest.raises(ValueError, match="at least 16 characters"):
        sealed.salt("short")


@LAW
@given(st.text(max_size=12))
def test_any_text_is_at_most_refused(raw: str) -> None:
    known(raw)


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
    assert not TELLING.search(told(other)["status"])
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
    done = model.finished(game, ("rnd",), 10, "best")
    assert "(a replay: its end was seen before)" in words.result(done, True) and "replay" not in words.result(done)
