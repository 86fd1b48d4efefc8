"""Frames in which the lab cannot run say so; no shell of ours is translated."""

from __future__ import annotations

import re
from pathlib import Path

import streamlit
from starlette.responses import HTMLResponse, PlainTextResponse

from shell.hall import speaker
from shell.server import limits
from shell.server.frames import NO_SCRIPTS, REFUSED, FrameCheck
from shell.server.headers import SecurityHeaders, security_headers
from shell.server.inject_style import PageStyle
from shell.static import animation, pages
from tests.asgi import Answer, ask
from tests.shared import ROOT

PAGE = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
DECK = "https://slides.example.org/talk.html"
FRAME = {"accept": "text/html", "sec_fetch_dest": "iframe", "sec_fetch_site": "cross-site", "referer": DECK}


def framed(frame_ancestors: str = "'self'", **headers: str) -> Answer:
    app = SecurityHeaders(FrameCheck(PlainTextResponse("the lab"), frame_ancestors), security_headers(frame_ancestors))
    return ask(app, "/The_race", **FRAME | headers)


def test_refused_frame_gets_a_sentence() -> None:
    for dest in ("iframe", "frame", "embed", "object"):
        for site in ("cross-site", "same-site"):
            answer = framed(sec_fetch_dest=dest, sec_fetch_site=site)
            assert (answer.status_code, answer.text) == (403, REFUSED), (dest, site)
    policy = answer.headers["content-security-policy"]
    assert policy.endswith("frame-ancestors *") and "script-src" not in policy  # else the browser would hide it
    assert 'href="" target="_blank"' in REFUSED and "FRAME_ANCESTORS" in REFUSED
    for name, value in (
        ("sec_fetch_dest", "document"),
        ("sec_fetch_site", "same-origin"),
        ("sec_fetch_site", "none"),
        ("accept", "text/javascript"),
    ):
        assert framed(**{name: value}).text == "the lab", (name, value)


def test_only_sure_refusals_are_ours() -> None:
    for page, frame_ancestors, may in (
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
    ):
        assert (framed(frame_ancestors, referer=page).text == "the lab") is may, (page, frame_ancestors)


def test_no_page_of_the_lab_is_translated() -> None:
    text = ask(PageStyle(HTMLResponse(PAGE), "p {}"), **FRAME).text
    assert re.findall(r"<noscript>(.*?)</noscript>", text, re.S) == [NO_SCRIPTS]
    shells = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "assets").rglob("*.html")}
    shells |= {"app": text, "full": limits.FULL, "refused": REFUSED, "speaker": speaker.page()}
    whole = {name: text for name, text in shells.items() if "<html" in text.lower()}
    assert set(whole) == {"page.html", "window.html", "app", "full", "refused", "speaker"}
    assert not [name for name, text in whole.items() if not re.search(r'<html lang="en" translate="no"[ >]', text)]
    for module in (animation, limits, pages):  # those that a module writes by itself
        text = Path(module.__file__).read_text(encoding="utf-8")
        begun = re.findall(r"<!doctype html>.{0,40}", text, re.I)
        assert all('translate="no"' in one for one in begun)
