"""A request of a foreign page is answered before Streamlit sees it, and no welcome one makes Streamlit ask outside."""

from __future__ import annotations

import asyncio
import re
from urllib.parse import urlsplit

import hypothesis
import pytest
import streamlit as st
from hypothesis.strategies import text as st_text

from shell import origins

HOST, PORT = "lab.example.org", 8501
FOREIGN = [
    "http://evil.example",
    "https://lab.example.org.evil.example",
    "http://evil.example/lab.example.org",
    "null",
    "",
    "https://lab.example.org:8080",
    "http://localhost:9999",
    "http://localhost",
    "file://lab.example.org",
    "https://user@lab.example.org",
    "http://[::1",
    "https://lab.example.org:port",
    "lab.example.org",
]
WELCOME = [
    "https://lab.example.org",
    "http://lab.example.org",
    "https://LAB.example.org",
    "http://localhost:8501",
    "http://127.0.0.1:8501",
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


LOOPBACK = ["localhost", "localhost:8501", "127.0.0.1:8501", "127.8.8.8", "[::1]:8501", "LOCALHOST:80", "localhost."]
NUMBERS = ["192.168.1.7:8501", "10.0.0.3", "[fe80::1]:8501", "203.0.113.9:80", "0.0.0.0:8501"]
NAMES = [
    "evil.example",
    "evil.example:8501",
    "127.0.0.1.evil.example",
    "localhost.evil.example:8501",
    "lab.example.org",
    "1.evil",
    "user@localhost",
    "localhost@evil.example",
    "localhost/evil",
    "",
    "[::1",
    "localhost:port",
    "2130706433",
    "0x7f.1",
]


@pytest.mark.parametrize("door", ["127.0.0.1", "localhost", "::1"])
def test_a_server_on_loopback_answers_to_loopback_names_alone(door: str) -> None:
    assert [host for host in LOOPBACK if not origins.is_own_host(host, door)] == []
    assert [host for host in [*NUMBERS, *NAMES] if origins.is_own_host(host, door)] == []


@pytest.mark.parametrize("door", ["0.0.0.0", "::", "192.168.1.7"])
def test_a_server_on_a_network_answers_to_numbers_and_its_own_name_and_to_no_other_name(
    door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phone in the hall reads http://192.168.1.7:8501 from the screen; rebinding needs a name of somebody's DNS."""
    monkeypatch.setattr(origins.socket, "gethostname", lambda: "Desk.uni.example")
    own = ["desk.uni.example:8501", "desk.local", "DESK.local:8501"]
    assert [host for host in [*LOOPBACK, *NUMBERS, *own] if not origins.is_own_host(host, door)] == []
    assert [host for host in NAMES if origins.is_own_host(host, door)] == []


@pytest.mark.parametrize("door", ["127.0.0.1", "0.0.0.0"])
def test_a_setting_names_public_names_and_takes_none_of_the_others_away(door: str) -> None:
    listed = origins.allowed_hosts("Lab.example.org, door.example.org")
    for host in ("lab.example.org", "LAB.example.org:443", "door.example.org:80", "localhost:8501", "127.0.0.1"):
        assert origins.is_own_host(host, door, listed), host
    for host in ("a.lab.example.org", "lab.example.org.evil.example", "evil.example"):
        assert not origins.is_own_host(host, door, listed), host


@pytest.mark.parametrize("setting", ["https://lab.example.org", "lab.example.org:443", "*", "lab example/org"])
def test_a_setting_that_is_no_list_of_names_is_refused_at_the_start(setting: str) -> None:
    with pytest.raises(ValueError, match="ALLOWED_HOSTS must be names"):
        origins.allowed_hosts(setting)


@pytest.mark.parametrize("door", ["127.0.0.1", "0.0.0.0"])
def test_host_and_origin_that_are_forged_together_open_nothing(settings: dict, door: str) -> None:
    settings["server.address"] = door
    for host in ("evil.example", "evil.example:8501"):
        sent, through = ask("websocket", f"http://{host}", host=host)
        assert not through and [m["type"] for m in sent] == ["websocket.close"]
        for given in ((f"http://{host}",), ()):
            sent, through = ask("http", *given, host=host)
            assert not through and sent[0]["status"] == 421


def body(host: str) -> str:
    sent, _ = ask("http", host=host)
    return b"".join(message.get("body", b"") for message in sent[1:]).decode()


@pytest.mark.parametrize("host", ["evil.example", "a-b.hf.space:443", "LAB.uni.example.", "192.168.1.7:8501"])
def test_refused_name_reads_which_setting_welcomes_it(settings: dict, host: str) -> None:
    said = body(host)
    setting = re.search(r"ALLOWED_HOSTS=(\S+)", said)[1]
    assert said.count("\n") == 1 and "localhost" in said
    assert ask("http", host=host, hosts=setting)[1]  # what it says is enough


@hypothesis.given(st_text(max_size=300))
@hypothesis.example("<script>alert(1)</script>")
@hypothesis.example("evil.example\r\nSet-Cookie: a=b")
@hypothesis.example("evil.example/ALLOWED_HOSTS=*")
@hypothesis.example("a" * 254)
def test_refusal_repeats_plain_names_only(host: str) -> None:
    said = origins.no_such_host(host)
    name = re.search(r"the name (.*): start", said)[1]
    if name == "in this address":
        assert said == origins.no_such_host("")
    else:
        assert re.fullmatch(r"[a-z0-9_.-]{1,253}", name)
        assert said == origins.no_such_host("some.name").replace("some.name", name)


def test_everybody_is_welcome_is_said_of_origins_and_not_of_names(settings: dict) -> None:
    settings["server.enableCORS"] = False
    assert not ask("websocket", "http://evil.example", host="evil.example")[1]
