"""No QR code of an address that only this computer reaches, and a field for the one that a hall reaches."""

from __future__ import annotations

import socket

import pytest
import streamlit as st

from shell.links import reach, share_drawer
from shell.links.share_drawer import ONLY_HERE
from tests.lessons import test_pages as pages

LOCAL = (
    *("http://localhost:8501", "http://LOCALHOST", "http://localhost.:80", "http://lab.localhost"),
    *("http://127.0.0.1:8501", "http://127.8.9.1", "http://[::1]:8501", "http://0.0.0.0:8501", "http://[::]"),
    *("http://[::ffff:127.0.0.1]", "http://localhost.localdomain"),
)
REACHED = (
    *("http://192.168.1.5:8501", "http://10.0.0.7", "http://169.254.1.1", "http://[fe80::1]:8501"),
    *("https://lab.example.org", "http://laptop.local:8501", "http://laptop"),
    *("https://localhost.example.org", "https://127.0.0.1.example.org"),
)
BLANK = "<svg xmlns='http://www.w3.org/2000/svg'/>"
# Where the server listens, the page's address, the machine in its network, and the address that a hall reaches.
SERVED = (
    ("0.0.0.0", "http://localhost:8501/lab", "192.168.1.5", "http://192.168.1.5:8501"),
    (None, "https://127.0.0.1:8501/", "10.0.0.7", "https://10.0.0.7:8501"),
    ("192.168.7.7", "http://localhost:8501", None, "http://192.168.7.7:8501"),
    ("fd00::1", "http://localhost:8501", None, "http://[fd00::1]:8501"),
    ("127.0.0.1", "http://localhost:8501", "192.168.1.5", None),  # nobody else is let in
    ("0.0.0.0", "http://localhost:8501", None, None),  # no network
    ("0.0.0.0", "http://localhost/", "192.168.1.5", None),  # a proxy, of which nothing is known
)


def test_local_addresses_are_told_from_others() -> None:
    assert [one for one in ("", "?v=4", *LOCAL) if not reach.is_local(one)] == []
    assert [one for one in REACHED if reach.is_local(one)] == []


def test_server_names_its_network_address(monkeypatch: pytest.MonkeyPatch) -> None:
    class Way:
        """A socket that can be connected and asked for its own address, and cannot send."""

        def __init__(self, _: int, kind: int) -> None:
            assert kind == socket.SOCK_DGRAM

        def __enter__(self) -> Way:
            return self

        def __exit__(self, *_: object) -> None: ...

        def connect(self, _: tuple[str, int]) -> None:
            if machine is None:
                raise OSError("Network is unreachable")

        def getsockname(self) -> tuple[str, int]:
            return machine, 4711

    assert reach.ELSEWHERE[0].startswith("192.0.2.")  # reserved (RFC 5737): a datagram socket sends nothing there
    monkeypatch.setattr(reach.socket, "socket", Way)
    monkeypatch.setattr(reach.st, "get_option", lambda name: {"server.address": door, "server.port": 8501}[name])
    for door, here, machine, wanted in SERVED:
        assert reach.in_network(here) == wanted, (door, here, machine)


@pytest.mark.parametrize(("page", "link"), [(pages.BANDS, {}), ("home.py", {"course": "twenty"})])
def test_on_localhost_a_sentence_replaces_the_code(
    monkeypatch: pytest.MonkeyPatch, page: str, link: dict[str, str]
) -> None:
    codes: list[str] = []
    monkeypatch.setattr(share_drawer, "code", lambda link: codes.append(link) or BLANK)
    monkeypatch.setattr(type(st.context), "url", property(lambda _: url))
    url = "http://localhost:8501/x"
    at = pages.opened(page, **link)
    at.session_state["drawer_link"] = True
    at.run()
    for typed, said in (("", ONLY_HERE), ("foo bar", "“foo bar” is no address"), ("127.0.0.1:8501", ONLY_HERE)):
        at.text_input(key="audience_shown").set_value(typed).run()
        assert codes == [] and said in " ".join(one.value for one in (*at.markdown, *at.caption)), typed
        assert typed in at.text_input(key="audience_shown").value  # nothing typed is lost
    at.text_input(key="audience_shown").set_value("https://lab.example.org/").run()
    assert codes[-1].startswith("https://lab.example.org/x?") and not at.exception
    url = "https://lab.example.org/x"
    codes.clear()
    at = pages.opened(page, **link)
    at.session_state["drawer_link"] = True
    assert not at.run().exception and codes[-1].startswith(f"{url}?")
    fields = [one for one in at.text_input if one.key == "audience_shown"]
    assert len(fields) == (page != "home.py")  # no field in the sight of the hall
