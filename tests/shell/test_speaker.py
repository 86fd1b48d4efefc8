"""The speaker window: one page for everybody, and what it is told of a lesson."""

from __future__ import annotations

import asyncio

import pytest
from starlette.applications import Starlette

from lessons import LESSONS
from lessons.record import label_of
from shell import speaker
from shell.limits import is_page
from shell.session import session
from tests.asgi import call


@pytest.mark.parametrize(("base", "path"), [("", "/speaker"), ("/lab/", "/lab/speaker")])
def test_the_window_is_served_beside_the_pages_whole_and_to_everybody_alike(base: str, path: str) -> None:
    answer = asyncio.run(call(Starlette(routes=speaker.routes(base)), path))
    said = answer.raw.decode()
    assert answer.status_code == 200 and said == speaker.page()
    assert not {"STYLE", "SCRIPT"} & set(said.split()) and "src=" not in said and "http" not in said  # loads nothing


def test_a_full_server_still_gives_it_to_the_lecturer_who_is_in() -> None:
    browser = [(b"accept", b"text/html")]
    pages = {
        path: is_page({"type": "http", "method": "GET", "path": path, "headers": browser})
        for path in ("/speaker", "/lab/speaker", "/Drifting_rewards")
    }
    assert list(pages.values()) == [False, False, True]


def test_it_is_told_every_line_of_the_page_and_what_comes_after_the_last_one() -> None:
    for i, lesson in enumerate(LESSONS):
        told = speaker.told(lesson, LESSONS, lesson.moments[1].key)
        assert told["moments"] == [(one.title, one.script) for one in lesson.moments] and told["chosen"] == 2
        assert told["after"] == (label_of(LESSONS[i + 1], LESSONS) if i + 1 < len(LESSONS) else "")


def test_of_a_page_that_hides_its_moments_it_is_told_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session(), "hidden", frozenset({"moments"}))
    assert speaker.told(LESSONS[1], LESSONS, None)["moments"] == []
