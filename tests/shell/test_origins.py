"""A request of a foreign page is answered before Streamlit sees it, and no welcome one makes Streamlit ask outside."""

from __future__ import annotations

import asyncio
import re
from urllib.parse import urlsplit

import pytest
import streamlit as st

from shell.server import origins

HOST, PORT = "lab.example.org", 8501
FOREIGN = [
    "http://evil.example",
    "https://lab.example.org.evil.example",
    "null",
    "",
    "https://lab.example.org:8080",
    "http://localhost",
    "https://user@lab.example.org",
    "http://[::1",
]
WELCOME = [
    "https://lab.example.org",
    "http://lab.example.org",
    "https://LAB.example.org",
    "http://localhost:8501",
    "http://[::1]:8501",
]


def ask(kind: str, *given: str, host: str = HOST, hosts: str = HOST) -> tuple[list[dict], list[dict]]:
    """The messages that a request with these origins gets from a server of these hosts, and the scopes let through."""
    sent, through = [], []

    async def app(scope: dict, receive, send) -> None:
        through.append(scope)

    async def receive() -> dict:
        return {"type": f"{kind}.connect"}

    async def send(message: dict) -> None:
        sent.append(message)

    headers = [(b"host", host.encode()), *((b"origin", origin.encode()) for origin in given)]
    scope = {"type": kind, "headers": headers, "server": ("127.0.0.1", PORT), "method": "GET"}
    asyncio.run(origins.OriginCheck(app, origins.allowed_hosts(hosts))(scope, receive, send))
    return sent, through


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Streamlit's settings as the check reads them."""
    values = {"server.enableCORS": True, "server.corsAllowedOrigins": [], "server.address": "127.0.0.1"}
    monkeypatch.setattr(st, "get_option", values.__getitem__)
    return values


def test_foreign_pages_are_refused(settings: dict) -> None:
    for origin in FOREIGN:
        sent, through = ask("websocket", origin)
        assert not through and [m["type"] for m in sent] == ["websocket.close"], origin  # before a handshake: 403
        sent, through = ask("http", origin)
        assert not through and sent[0]["status"] == 403, origin
    assert not ask("websocket", WELCOME[0], FOREIGN[0])[1]  # one among several is enough


def test_own_pages_and_no_pages_are_welcome(settings: dict) -> None:
    for kind in ("websocket", "http"):
        for given in (*((one,) for one in WELCOME), ()):
            sent, through = ask(kind, *given)
            assert not sent and len(through) == 1, given


def test_settings_name_further_origins(settings: dict) -> None:
    settings["server.corsAllowedOrigins"] = [" https://door.example.org/ "]
    assert ask("websocket", "https://door.example.org")[1]
    for origin in ("http://door.example.org", "https://door.example.org.evil.example", "https://door.example.org:444"):
        assert not ask("websocket", origin)[1], origin
    settings["server.enableCORS"] = False
    assert ask("websocket", "http://evil.example")[1] and ask("http", "null")[1]
    assert not ask("websocket", "http://evil.example", host="evil.example")[1]  # of origins, and not of names


def test_streamlit_sees_its_own_origin_and_asks_nobody(settings: dict) -> None:
    settings["server.corsAllowedOrigins"] = ["https://door.example.org"]
    for origin in (*WELCOME, "https://door.example.org"):
        _, (scope,) = ask("websocket", origin)
        (seen,) = [value.decode() for name, value in scope["headers"] if name == b"origin"]
        assert urlsplit(seen).netloc == HOST, origin


def test_streamlit_knows_the_settings_that_are_read() -> None:
    assert st.get_option("server.enableCORS") is True and list(st.get_option("server.corsAllowedOrigins")) == []


LOOPBACK = ["localhost", "localhost:8501", "127.0.0.1:8501", "127.8.8.8", "[::1]:8501", "LOCALHOST:80", "localhost."]
NUMBERS = ["192.168.1.7:8501", "10.0.0.3", "[fe80::1]:8501", "203.0.113.9:80", "0.0.0.0:8501"]
NAMES = [
    "evil.example",
    "127.0.0.1.evil.example",
    "user@localhost",
    "localhost@evil.example",
    "",
    "2130706433",
]


def test_loopback_server_answers_to_loopback_names_alone() -> None:
    for door in ("127.0.0.1", "localhost", "::1"):
        assert [host for host in LOOPBACK if not origins.is_own_host(host, door)] == []
        assert [host for host in [*NUMBERS, *NAMES] if origins.is_own_host(host, door)] == []


def test_network_server_answers_to_numbers_and_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone in the hall reads http://192.168.1.7:8501 from the screen; rebinding needs a name of somebody's DNS."""
    monkeypatch.setattr(origins.socket, "gethostname", lambda: "Desk.uni.example")
    own = ["desk.uni.example:8501", "desk.local", "DESK.local:8501"]
    for door in ("0.0.0.0", "::", "192.168.1.7"):
        assert [host for host in [*LOOPBACK, *NUMBERS, *own] if not origins.is_own_host(host, door)] == []
        assert [host for host in NAMES if origins.is_own_host(host, door)] == []


def test_setting_adds_public_names() -> None:
    listed = origins.allowed_hosts("Lab.example.org, door.example.org")
    for door in ("127.0.0.1", "0.0.0.0"):
        for host in ("lab.example.org", "LAB.example.org:443", "door.example.org:80", "localhost:8501", "127.0.0.1"):
            assert origins.is_own_host(host, door, listed), host
        for host in ("a.lab.example.org", "lab.example.org.evil.example", "evil.example"):
            assert not origins.is_own_host(host, door, listed), host
    for setting in ("https://lab.example.org", "lab.example.org:443", "*", "lab example/org"):
        with pytest.raises(ValueError, match="ALLOWED_HOSTS must be names"):
            origins.allowed_hosts(setting)


def test_forged_host_and_origin_open_nothing(settings: dict) -> None:
    for settings["server.address"] in ("127.0.0.1", "0.0.0.0"):
        for host in ("evil.example", "evil.example:8501"):
            sent, through = ask("websocket", f"http://{host}", host=host)
            assert not through and [m["type"] for m in sent] == ["websocket.close"]
            for given in ((f"http://{host}",), ()):
                sent, through = ask("http", *given, host=host)
                assert not through and sent[0]["status"] == 421


def test_refused_name_reads_which_setting_welcomes_it(settings: dict) -> None:
    for host in ("evil.example", "a-b.hf.space:443", "LAB.uni.example.", "192.168.1.7:8501"):
        sent, _ = ask("http", host=host)
        said = b"".join(message.get("body", b"") for message in sent[1:]).decode()
        setting = re.search(r"ALLOWED_HOSTS=(\S+)", said)[1]
        assert said.count("\n") == 1 and "localhost" in said
        assert ask("http", host=host, hosts=setting)[1]  # what it says is enough
