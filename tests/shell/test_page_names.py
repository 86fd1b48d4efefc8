"""Addresses that name no page lead to the page that was meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from lessons import LESSONS
from shell.server.page_names import PageNames
from tests.asgi import ask

NAMES = [Path(one.file).stem for one in LESSONS[1:]]


def answer(path: str, base: str = "", accept: str = "text/html") -> object:
    app = Starlette(routes=[Route("/{path:path}", lambda _: PlainTextResponse("the app"))])
    return ask(PageNames(app, NAMES, base), path, accept=accept)


@pytest.mark.parametrize("name", NAMES[:2])
def test_small_letters_open_the_page(name: str) -> None:
    for base in ("", "/lab"):
        for said in (name.lower(), name.upper(), name.replace("_", "-").lower()):
            if said != name:
                found = answer(f"{base}/{said}?V=2&moment=a%26b", base)
                assert (found.status_code, found.headers["location"]) == (307, f"{base}/{name}?V=2&moment=a%26b")
        assert answer(f"{base}/{name}?V=2", base).text == "the app"


def test_unknown_page_says_so_and_offers_one() -> None:
    found = answer("/Theorms?t=3&x=<b>")
    assert found.status_code == 404 and "The lab has no page “Theorms”" in found.text
    assert "Theorems</a>?" in found.text and "<b>" not in found.text
    found = answer("/zzzz")
    assert found.status_code == 404 and "Did you mean" not in found.text and 'href="/"' in found.text


def test_what_is_no_page_passes() -> None:
    for path in ("/", "/speaker", "/_stcore/health", "/module/1/theorms"):
        assert answer(path).text == "the app"
    assert answer("/theorms", accept="image/png").text == "the app"
