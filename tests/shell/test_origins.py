"""A request of a foreign page is answered before Streamlit sees it, and no welcome one makes Streamlit ask outside."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import pytest
import streamlit as st

from shell import origins

HOST, PORT = "lab.example.org", 8501
FOREIGN = [
    "http://evil.example", "https://lab.example.org.evil.example", "http://evil.example/lab.example.org", "null", "",
    "https://lab.example.org:8080", "http://localhost:9999", "http://localhost", "file://lab.example.org",
    "https://user@lab.example.org", "http://[::1", "https://lab.example.org:port", "lab.example.org",
]  # fmt: skip
WELCOME = ["https://lab.example.org", "http://lab.example.org", "https://LAB.example.org", "http://localhost:8501",
           "http://127.0.0.1:8501", "http://[::1]:8501"]  # fmt: skip


def ask(kind: str, *given: str, host: str = HOST) -> tuple[list[dict], list[dict]]:
    """The messages that a request with these origins gets, and the scopes that came through."""
    sent, through = [], []

    async def app(scope: dict, receive, send) -> None:
        through.append(scope)

    async def receive() -> dict:
        return {"type": f"{kind}.connect"}

    async def send(message: dict) -> None:
        sent.append(message)

    headers = [(b"host", host.encode()), *((b"origin", origin.encode()) for origin in given)]
    scope = {"type": kind, "headers": headers, "server": ("127.0.0.1", PORT), "method": "GET"}
    asyncio.run(origins.OriginCheck(app)(scope, receive, send))
    return sent, through


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Streamlit's settings as the check reads them."""
    values = {"server.enableCORS": True, "server.corsAllowedOrigins": []}
    monkeypatch.setattr(st, "get_option", values.__getitem__)
    return values


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_foreign_page_is_refused(settings: dict, origin: str) -> None:
    sent, through = ask("websocket", origin)
    assert not through and [m["type"] for m in sent] == ["websocket.close"]  # before a handshake this is 403
    sent, through = ask("http", origin)
    assert not through and sent[0]["status"] == 403


@pytest.mark.parametrize("origin", WELCOME)
def test_a_page_of_the_server_itself_is_welcome(settings: dict, origin: str) -> None:
    for kind in ("websocket", "http"):
        sent, through = ask(kind, origin)
        assert not sent and len(through) == 1


def test_who_is_no_page_is_welcome(settings: dict) -> None:
    assert ask("websocket")[1] and ask("http")[1]


def test_one_foreign_origin_among_several_is_enough_to_refuse(settings: dict) -> None:
    assert not ask("websocket", WELCOME[0], FOREIGN[0])[1]


def test_an_origin_of_the_settings_is_welcome_and_its_likeness_is_not(settings: dict) -> None:
    settings["server.corsAllowedOrigins"] = [" https://door.example.org/ "]
    assert ask("websocket", "https://door.example.org")[1]
    for origin in ("http://door.example.org", "https://door.example.org.evil.example", "https://door.example.org:444"):
        assert not ask("websocket", origin)[1], origin


def test_everybody_is_welcome_where_the_settings_say_so(settings: dict) -> None:
    settings["server.enableCORS"] = False
    assert ask("websocket", "http://evil.example")[1] and ask("http", "null")[1]


@pytest.mark.parametrize("origin", [*WELCOME, "https://door.example.org"])
def test_streamlit_sees_the_requests_own_host_as_the_origin_so_that_it_asks_nobody(settings: dict, origin: str) -> None:
    settings["server.corsAllowedOrigins"] = ["https://door.example.org"]
    _, (scope,) = ask("websocket", origin)
    (seen,) = [value.decode() for name, value in scope["headers"] if name == b"origin"]
    assert urlsplit(seen).netloc == HOST


def test_the_check_reads_settings_that_streamlit_knows() -> None:
    assert st.get_option("server.enableCORS") is True and list(st.get_option("server.corsAllowedOrigins")) == []
