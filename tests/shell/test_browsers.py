"""A browser gets one random word; Streamlit is told its mark, whatever the browser says itself."""

from __future__ import annotations

import asyncio
import re

import pytest
from starlette.responses import PlainTextResponse

from shell.browsers import HEADER, BrowserCookie

HTML = {"accept": "text/html"}


def asked(scope: dict) -> tuple[list[dict], list[dict]]:
    """What is sent to the browser, and the scopes that the app behind gets."""
    sent, seen = [], []

    async def app(scope: dict, receive, send) -> None:
        seen.append(scope)
        if scope["type"] == "http":
            await PlainTextResponse("ok")(scope, receive, send)

    async def receive() -> dict:
        return {"type": "http.request"}

    async def send(message: dict) -> None:
        sent.append(message)

    asyncio.run(BrowserCookie(app)(scope, receive, send))
    return sent, seen


def scope(kind: str = "http", path: str = "/", scheme: str = "http", **headers: str) -> dict:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": kind, "method": "GET", "path": path, "scheme": scheme, "headers": raw}


def cookies(sent: list[dict]) -> list[str]:
    return [value.decode() for name, value in sent[0]["headers"] if name == b"set-cookie"]


def mark(**headers: str) -> bytes:
    _, (seen,) = asked(scope("websocket", "/_stcore/stream", **headers))
    (found,) = [value for name, value in seen["headers"] if name == HEADER.encode()]
    return found


def test_a_page_brings_a_new_word_that_no_script_reads() -> None:
    (one,), (two,) = cookies(asked(scope(**HTML))[0]), cookies(asked(scope(scheme="https", **HTML))[0])
    assert re.fullmatch(r"tvbo_browser=[0-9a-f]{32}; Path=/; HttpOnly; SameSite=Strict", one)
    assert two.endswith("; Secure") and one.split(";")[0] != two.split(";")[0]


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {**HTML, "cookie": "tvbo_browser=" + "a" * 32}),
        ("/x.js", {"accept": "*/*"}),
        ("/_stcore/health", HTML),
    ],
)
def test_who_has_a_word_keeps_it_and_parts_of_a_page_bring_none(path: str, headers: dict) -> None:
    assert cookies(asked(scope(path=path, **headers))[0]) == []


def test_a_word_that_is_none_is_replaced() -> None:
    assert len(cookies(asked(scope(cookie="tvbo_browser=x", **HTML))[0])) == 1


def test_the_mark_is_the_browsers_and_not_what_the_browser_says() -> None:
    one, two = "tvbo_browser=" + "a" * 32, "tvbo_browser=" + "b" * 32
    assert mark(cookie=one) == mark(cookie=one) != mark(cookie=two)
    assert mark(cookie=two, x_lab_browser=mark(cookie=one).decode()) == mark(cookie=two)
    assert mark() == mark(cookie="tvbo_browser=x") and b"aaaa" not in mark(cookie=one)
