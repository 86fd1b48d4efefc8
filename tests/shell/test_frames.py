"""Frames in which the lab cannot run say so; no shell of ours is translated."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
import streamlit
from starlette.responses import HTMLResponse, PlainTextResponse

from shell import limits, speaker
from shell.frames import NO_SCRIPTS, REFUSED, FrameCheck, may_frame
from shell.headers import SecurityHeaders, security_headers
from shell.page_style import PageStyle
from shell.static import animation, pages

ROOT = Path(__file__).resolve().parents[2]
PAGE = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
FRAME = {"accept": "text/html", "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site"}
DECK = "https://slides.example.org/talk.html"


def answered(app: object, path: str = "/The_race", **headers: str) -> tuple[int, dict[str, str], str]:
    """Status, headers and text of an answer."""
    sent: list[dict] = []

    async def receive() -> None:
        await asyncio.Event().wait()

    async def send(message: dict) -> None:
        sent.append(message)

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": path, "headers": raw}
    asyncio.run(app(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, b"".join(message["body"] for message in sent[1:]).decode()


def server(frame_ancestors: str = "'self'") -> SecurityHeaders:
    return SecurityHeaders(FrameCheck(PlainTextResponse("the lab"), frame_ancestors), security_headers(frame_ancestors))


@pytest.mark.parametrize("dest", ["iframe", "frame", "embed", "object"])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_refused_frame_gets_a_sentence(dest: str, site: str) -> None:
    said = FRAME | {"sec-fetch-dest": dest, "sec-fetch-site": site, "referer": DECK}
    status, headers, text = answered(server(), **said)
    assert (status, text) == (403, REFUSED)
    assert headers["content-security-policy"].endswith("frame-ancestors *")  # else the browser would hide it
    assert headers["x-content-type-options"] == "nosniff" and "script-src" not in headers["content-security-policy"]
    assert 'href="" target="_blank"' in text and "FRAME_ANCESTORS" in text


@pytest.mark.parametrize(
    "other",
    [
        {"sec-fetch-dest": "document"},
        {"sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "none"},
        {"accept": "text/javascript"},
    ],
)
def test_everything_else_gets_the_lab(other: dict[str, str]) -> None:
    assert answered(server(), **FRAME | other)[2] == "the lab"


@pytest.mark.parametrize(
    ("page", "frame_ancestors", "may"),
    [
        (DECK, "'self'", False),
        (DECK, "'none'", False),
        ("", "'self'", False),
        (DECK, "'self' https://slides.example.org", True),
        (DECK, "https://*.example.org", True),
        (DECK, "slides.example.org:8443", True),  # a port or a scheme is the browser's matter
        (DECK, "*", True),
        (DECK, "https:", True),
        ("", "'self' https://moodle.example.org", True),  # which page it is, only the browser knows
        (DECK, "'self' https://moodle.example.org", False),
        ("https://example.org.evil.test/", "https://example.org", False),
        ("http://[::1]:8000/", "http://[::1]:8000", True),
        ("https://[::1", "https://example.org", True),
    ],
)
def test_only_sure_refusals_are_ours(page: str, frame_ancestors: str, may: bool) -> None:
    assert may_frame(page, frame_ancestors) is may
    text = answered(server(frame_ancestors), **FRAME | {"referer": page})[2]
    assert text == ("the lab" if may else REFUSED)


def test_the_apps_page_is_not_translated() -> None:
    _, _, text = answered(PageStyle(HTMLResponse(PAGE), "p {}"), **FRAME)
    assert '<html lang="en" translate="no">' in text
    assert re.findall(r"<noscript>(.*?)</noscript>", text, re.S) == [NO_SCRIPTS]


def test_no_shell_of_ours_is_translated() -> None:
    shells = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "assets").rglob("*.html")}
    shells |= {"full": limits.FULL, "refused": REFUSED, "speaker": speaker.page()}
    whole = {name: text for name, text in shells.items() if "<html" in text.lower()}
    assert set(whole) == {"page.html", "window.html", "full", "refused", "speaker"}
    assert not [name for name, text in whole.items() if not re.search(r'<html lang="en" translate="no"[ >]', text)]
    for module in (animation, limits, pages):  # those that a module writes by itself
        text = Path(module.__file__).read_text(encoding="utf-8")
        begun = re.findall(r"<!doctype html>.{0,40}", text, re.I)
        assert all('translate="no"' in one for one in begun)
