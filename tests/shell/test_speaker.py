"""The speaker window: one page for everybody, and what it is told of a lesson."""

from __future__ import annotations

from starlette.applications import Starlette

from shell.hall import speaker
from shell.server.limits import is_page
from tests.asgi import ask
from tests.lessons.shown import sent
from tests.shell.test_course import opened


def test_window_is_served_whole_to_everybody() -> None:
    for base, path in (("", "/speaker"), ("/lab/", "/lab/speaker")):
        answer = ask(Starlette(routes=speaker.routes(base)), path)
        said = answer.text
        assert answer.status_code == 200 and said == speaker.page()
        assert not {"STYLE", "SCRIPT"} & set(said.split()) and "src=" not in said and "http" not in said
    for path in ("/speaker", "/lab/speaker", "/Drifting_rewards"):  # a full server still gives it
        asked = {"type": "http", "method": "GET", "path": path, "headers": [(b"accept", b"text/html")]}
        assert is_page(asked) == (path == "/Drifting_rewards")


def test_window_gets_moments_without_tex() -> None:
    (said,) = sent(opened(), "tvbo_speaker", "json")
    assert "V_T" in said and "$" not in said
