"""The speaker window: one page for everybody, and what it is told of a lesson."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette

from lessons import LESSONS
from lessons.record import label_of
from shell.hall import speaker
from shell.server.limits import is_page
from shell.session import session
from tests.asgi import ask


def test_window_is_served_whole_to_everybody() -> None:
    for base, path in (("", "/speaker"), ("/lab/", "/lab/speaker")):
        answer = ask(Starlette(routes=speaker.routes(base)), path)
        said = answer.text
        assert answer.status_code == 200 and said == speaker.page()
        assert not {"STYLE", "SCRIPT"} & set(said.split()) and "src=" not in said and "http" not in said
    for path in ("/speaker", "/lab/speaker", "/Drifting_rewards"):  # a full server still gives it
        asked = {"type": "http", "method": "GET", "path": path, "headers": [(b"accept", b"text/html")]}
        assert is_page(asked) == (path == "/Drifting_rewards")


def test_window_knows_every_line_and_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    for i, lesson in enumerate(LESSONS):
        told = speaker.speaker_view(lesson, LESSONS, lesson.moments[1].key)
        assert told["moments"] == [(one.title, one.script) for one in lesson.moments] and told["chosen"] == 2
        assert told["after"] == (label_of(LESSONS[i + 1], LESSONS) if i + 1 < len(LESSONS) else "")
    monkeypatch.setattr(session(), "hidden", frozenset({"moments"}))
    assert speaker.speaker_view(LESSONS[1], LESSONS, None)["moments"] == []
