"""What a session keeps stands in one typed record, and nothing else names it."""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path

import pytest
import streamlit as st

from shell.session import KEY, Session, of_lesson, session
from tests.lessons.test_pages import opened

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in [
        ROOT / "app.py",
        ROOT / "home.py",
        *(p for room in ("shell", "lessons", "pages") for p in sorted((ROOT / room).rglob("*.py"))),
    ]
}
OTHERS = {name: text for name, text in SOURCES.items() if name != "shell/session.py"}


def test_no_file_names_a_key_of_the_session_with_an_underscore() -> None:
    assert len(SOURCES) > 100
    found = {name: re.findall(r"""[frb]?["']_[a-z]\w*["']""", text) for name, text in SOURCES.items()}
    assert {name: keys for name, keys in found.items() if keys} == {}


@pytest.mark.parametrize("name", [one.name for one in dataclasses.fields(Session)])
def test_everything_that_a_session_keeps_is_said_and_used(name: str) -> None:
    words = inspect.getdoc(Session) or ""  # from Python 3.13 on a docstring is not indented any more
    assert re.search(rf"^ +{name}: .+ \([\w/, `]+\)\.$", words, re.MULTILINE)
    assert name == "parts" or any(re.search(rf"(session\(\)|kept)\.{name}\b", text) for text in OTHERS.values())


def test_a_misspelt_name_is_an_error() -> None:
    with pytest.raises(AttributeError):
        Session().tme = 3


def test_two_visitors_share_nothing() -> None:
    first, second = (opened("pages/Glossary.py").session_state[KEY] for _ in range(2))
    assert first is not second
    mutable = [one.name for one in dataclasses.fields(Session) if isinstance(getattr(first, one.name), dict | list)]
    assert mutable and all(getattr(first, name) is not getattr(second, name) for name in mutable)


def test_a_lesson_finds_its_own_record_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})

    @dataclasses.dataclass
    class Kept:
        rounds: list[int] = dataclasses.field(default_factory=list)

    of_lesson(Kept).rounds.append(3)
    assert of_lesson(Kept).rounds == [3] and session().parts == {Kept: of_lesson(Kept)}
