"""No QR code of an address that only this computer reaches, and a field for the one that a hall reaches."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as hs
from streamlit.testing.v1 import AppTest

from shell.links import reach, share_drawer
from shell.links.share_drawer import ONLY_HERE
from tests.lessons import test_pages as pages
from tests.strategies import LAW

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
NONSENSE = "foo bar|http://|://x|ftp://lab.example.org|lab..org|10.0.0|300.1.1.1|lab.example.org:port|[::1|a@b.org|?|"
NONSENSE += "javascript:alert(1)|lab.example.org:99999|http://a b.org|" + "a" * 254


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    """The server's options, and the address of the machine in its network; a socket that would send fails."""
    options = {"server.address": "0.0.0.0", "server.port": 8501, "machine": "192.168.1.5"}

    class Way:
        def __init__(self, _: int, kind: int) -> None:
            assert kind == socket.SOCK_DGRAM

        def __enter__(self) -> Way:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def connect(self, _: tuple[str, int]) -> None:
            if options["machine"] is None:
                raise OSError("Network is unreachable")

        def getsockname(self) -> tuple[str, int]:
            return str(options["machine"]), 4711

    monkeypatch.setattr(reach.socket, "socket", Way)
    monkeypatch.setattr(reach.st, "get_option", options.__getitem__)
    yield options


@pytest.mark.parametrize("address", ["", "?v=4", *LOCAL])
def test_local_addresses_are_known(address: str) -> None:
    assert reach.is_local(address)


@pytest.mark.parametrize("address", REACHED)
def test_addresses_in_a_network_are_known(address: str) -> None:
    assert not reach.is_local(address)


@pytest.mark.parametrize(
    ("door", "here", "machine", "wanted"),
    [
        ("0.0.0.0", "http://localhost:8501/lab", "192.168.1.5", "http://192.168.1.5:8501"),
        (None, "https://127.0.0.1:8501/", "10.0.0.7", "https://10.0.0.7:8501"),
        ("::", "http://[::1]:8501/", "10.0.0.7", "http://10.0.0.7:8501"),
        ("192.168.7.7", "http://localhost:8501", None, "http://192.168.7.7:8501"),
        ("fd00::1", "http://localhost:8501", None, "http://[fd00::1]:8501"),
        ("127.0.0.1", "http://localhost:8501", "192.168.1.5", None),  # nobody else is let in
        ("localhost", "http://localhost:8501", "192.168.1.5", None),
        ("0.0.0.0", "http://localhost:8501", None, None),  # no network
        ("0.0.0.0", "http://localhost:8501", "127.0.0.1", None),
        ("0.0.0.0", "http://localhost/", "192.168.1.5", None),  # a proxy, of which nothing is known
        ("0.0.0.0", "", "192.168.1.5", None),
    ],
)
def test_a_server_names_its_network_address(
    network: dict[str, object], door: str | None, here: str, machine: str | None, wanted: str | None
) -> None:
    network |= {"server.address": door, "machine": machine}
    assert reach.in_network(here) == wanted


def test_nothing_is_sent_to_find_it() -> None:
    """Oracle: only a connected stream or a send puts a packet on the wire, and the address is reserved (RFC 5737)."""
    found = reach._outward()
    assert found is None or socket.inet_aton(found)
    assert reach.ELSEWHERE[0].startswith("192.0.2.")


@pytest.mark.parametrize(
    ("typed", "here", "base"),
    [
        ("lab.example.org", "", "http://lab.example.org"),
        (" https://Lab.example.org./ ", "", "https://lab.example.org"),
        ("10.0.0.7:8501", "", "http://10.0.0.7:8501"),
        ("http://[fd00::1]:80", "", "http://[fd00::1]:80"),
        ("https://example.org/lab/", "", "https://example.org/lab"),
        ("https://lab.example.org/The_race?v=4#x", "http://localhost:8501/The_race", "https://lab.example.org"),
        ("https://example.org/lab/The_race", "http://localhost:8501/The_race", "https://example.org/lab"),
        ("bücher.example", "", "http://bücher.example"),
        ("laptop", "", "http://laptop"),
    ],
)
def test_a_typed_address_is_read(typed: str, here: str, base: str) -> None:
    assert reach.read(typed, here) == base
    assert reach.read(base) == base


@pytest.mark.parametrize("typed", ["", *NONSENSE.split("|")])
def test_nonsense_is_refused_in_one_sentence(typed: str) -> None:
    with pytest.raises(ValueError, match=r"^“.*” is no address of a web page: .* https://lab.example.org\.$"):
        reach.read(typed)


@LAW
@given(hs.text(max_size=40))
def test_any_text_is_read_or_refused(typed: str) -> None:
    try:
        base = reach.read(typed)
    except ValueError as problem:
        assert "is no address of a web page" in str(problem)  # ours, not one of Python's
    else:
        assert base.startswith(("http://", "https://")) and reach.read(base) == base
        assert not base.endswith("/") and "?" not in base and "#" not in base


@pytest.mark.parametrize(
    ("here", "base", "wanted"),
    [
        ("http://localhost:8501/lab/The_race", "https://lab.example.org", "https://lab.example.org/lab/The_race"),
        ("http://localhost:8501/The_race", "https://example.org/lab", "https://example.org/lab/The_race"),
        ("http://localhost:8501/lab/The_race", "https://example.org/lab", "https://example.org/lab/The_race"),
        ("http://localhost:8501/", "https://example.org/lab", "https://example.org/lab/"),
        ("http://localhost:8501/lab", "https://example.org/lab", "https://example.org/lab"),
    ],
)
def test_a_page_moves_below_the_typed_address(here: str, base: str, wanted: str) -> None:
    assert reach.moved(here, base) == wanted


def opened(monkeypatch: pytest.MonkeyPatch, page: str, url: str, **link: str) -> AppTest:
    """A page whose browser has this address."""
    monkeypatch.setattr(type(st.context), "url", property(lambda _: url))
    at = pages.opened(page, **link)
    if page != "home.py":
        at.session_state["drawer_link"] = True
        at.run()
    assert not at.exception
    return at


def texts(at: AppTest) -> str:
    return " ".join(one.value for one in (*at.markdown, *at.caption))


@pytest.fixture
def codes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Links of which a code was drawn."""
    found: list[str] = []
    blank = "<svg xmlns='http://www.w3.org/2000/svg'/>"
    monkeypatch.setattr(share_drawer, "code", lambda link: found.append(link) or blank)
    return found


DRAWER_AND_TITLE = pytest.mark.parametrize(
    ("page", "link"), [(pages.BANDS, {}), ("home.py", {"course": "twenty"})], ids=["drawer", "title"]
)


@DRAWER_AND_TITLE
def test_on_localhost_a_sentence_replaces_the_code(
    monkeypatch: pytest.MonkeyPatch, codes: list[str], page: str, link: dict[str, str]
) -> None:
    at = opened(monkeypatch, page, "http://localhost:8501/x", **link)
    assert codes == [] and ONLY_HERE in texts(at) and share_drawer.TO_OPEN in texts(at)
    at.text_input(key="audience_shown").set_value("foo bar").run()
    assert codes == [] and "“foo bar” is no address" in texts(at)
    assert at.text_input(key="audience_shown").value == "foo bar"  # nothing typed is lost
    at.text_input(key="audience_shown").set_value("127.0.0.1:8501").run()
    assert codes == [] and ONLY_HERE in texts(at)
    at.text_input(key="audience_shown").set_value("https://lab.example.org/").run()
    assert codes[-1].startswith("https://lab.example.org/x?") and ONLY_HERE not in texts(at)
    codes.clear()
    at.text_input(key="audience_shown").set_value("").run()
    assert codes == [] and ONLY_HERE in texts(at)


@DRAWER_AND_TITLE
@pytest.mark.parametrize("url", ["http://192.168.1.5:8501/x", "https://lab.example.org/x"])
def test_a_reached_address_has_its_code(
    monkeypatch: pytest.MonkeyPatch, codes: list[str], page: str, link: dict[str, str], url: str
) -> None:
    at = opened(monkeypatch, page, url, **link)
    assert codes[-1].startswith(f"{url}?") and ONLY_HERE not in texts(at)
    assert len(at.text_input) == (page != "home.py")  # no field in the hall's sight
