"""Answers of the server: security headers, refused frames, compressed files, a page's style, a browser's word."""

from __future__ import annotations

import asyncio
import re

import pytest
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from shell.server.browsers import HEADER, BrowserCookie
from shell.server.compression import CompressedFiles
from shell.server.frames import REFUSED, FrameCheck
from shell.server.headers import CLOSED_POLICY, REFUSED_POLICY, SecurityHeaders, security_headers
from shell.server.inject_style import PageStyle
from tests.asgi import Answer, ask, call

NAMES = {"content-security-policy", "x-content-type-options", "referrer-policy", "permissions-policy"}


def directives(headers: dict[str, str]) -> dict[str, str]:
    return dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))


def test_answer_carries_each_header_once() -> None:
    own = {"Referrer-Policy": "unsafe-url", "X-Content-Type-Options": "nosniff"}
    found = ask(SecurityHeaders(PlainTextResponse("ok", headers=own), security_headers())).headers
    assert set(found) >= NAMES and found["referrer-policy"] == "same-origin"


def test_closed_policies_alone_replace_a_pages() -> None:
    page = security_headers()["Content-Security-Policy"]
    for own, sent in ((CLOSED_POLICY, CLOSED_POLICY), (REFUSED_POLICY, REFUSED_POLICY), ("script-src *", page)):
        answer = PlainTextResponse("ok", headers={"Content-Security-Policy": own})
        assert ask(SecurityHeaders(answer, security_headers())).headers["content-security-policy"] == sent


def test_policy_names_no_other_address() -> None:
    policy = directives(security_headers())
    words = " ".join(policy.values()).split()
    assert set(words) <= {"'self'", "'none'", "'unsafe-inline'", "'wasm-unsafe-eval'", "data:", "blob:"}
    assert policy["default-src"] == policy["connect-src"] == policy["frame-ancestors"] == "'self'"
    assert "data:" not in policy["script-src"] and policy["object-src"] == policy["base-uri"] == "'none'"


def test_setting_says_who_may_frame_the_app() -> None:
    for given in ("'none'", "'self' https://moodle.example.org", "https://*.example.org:8443 http://[::1]"):
        assert directives(security_headers(given))["frame-ancestors"] == given
    for given in ("", " ", "'self'; script-src *", "a,b", "'unsafe-inline'", "a\nX: '1'", "é.org"):
        with pytest.raises(ValueError, match="FRAME_ANCESTORS must be"):
            security_headers(given)


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
        ("", "'self' https://moodle.example.org", True),  # which page it is, only the browser knows
        (DECK, "'self' https://moodle.example.org", False),
        ("https://example.org.evil.test/", "https://example.org", False),
    ):
        assert (framed(frame_ancestors, referer=page).text == "the lab") is may, (page, frame_ancestors)


# Compressed files ----------------------------------------------------------------------------------------------------

TEXT = b"const peak = 1; // and so on\n" * 400
KINDS = {"peak.png": "image/png", "small.css": "text/css"}


class Files:
    """A server with files below /static/ that counts what it sent."""

    asked = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked += 1
        name = Request(scope).url.path.rpartition("/")[2]
        body, status = (b"a{}" if name == "small.css" else TEXT), (404 if name == "gone" else 200)
        headers = {"ETag": '"one"', "Accept-Ranges": "bytes"}
        await Response(body, status, headers, KINDS.get(name, "text/javascript"))(scope, receive, send)


@pytest.fixture
def files() -> Files:
    return Files()


def test_file_arrives_whole_and_small(files: Files) -> None:
    answer = ask(CompressedFiles(files, ("/static/",)), "/static/peak.js")
    assert answer.content == TEXT and answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) == len(answer.raw) < len(TEXT) / 10
    assert answer.headers["vary"] == "Accept-Encoding" and answer.headers["etag"] == 'W/"one"'
    assert "accept-ranges" not in answer.headers


def test_other_requests_get_the_file_itself(files: Files) -> None:
    app = CompressedFiles(files, ("/static/", "/module/"))
    assert {ask(app, f"/{at}/peak.js").headers["content-encoding"] for at in ("static", "module")} == {"gzip"}
    for headers in (
        {"accept_encoding": "identity"},
        {"accept_encoding": "br"},
        {"range": "bytes=0-9"},
        {"if_none_match": '"one"'},
        {"x_forwarded_for": "192.0.2.1"},
        {"via": "1.1 proxy"},
    ):  # although it is kept compressed
        answer = ask(app, "/static/peak.js", **headers)
        assert answer.raw == TEXT and "content-encoding" not in answer.headers, headers
        assert answer.headers["etag"] == '"one"', headers
    for path in ("/static/peak.png", "/static/small.css", "/static/gone", "/page/peak.js"):
        before = files.asked
        assert [("content-encoding" in ask(app, path).headers) for _ in range(2)] == [False, False], path
        assert files.asked == before + 2, path


# The style sheet of a page -------------------------------------------------------------------------------------------

SHORT_PAGE = '<html><head></head><body><div id="root"></div></body></html>'
PAD = "<!-- " + "long enough to be compressed " * 50 + "-->"
STYLE = "p > a { color: red; content: 'ä'; }"
STYLED = SHORT_PAGE.replace("<div", f"<style>{STYLE}</style><div")
OWN = {"etag": '"1"', "last-modified": "Mon, 23 Nov 2026 05:36:39 GMT", "accept-ranges": "bytes"}


def styled(behind: Response, path: str = "/") -> Answer:
    return ask(PageStyle(GZipMiddleware(behind, minimum_size=100), STYLE), path, accept="text/html,*/*")


def page() -> Response:
    return HTMLResponse(SHORT_PAGE + PAD, headers=OWN)


def test_style_stands_once_before_the_page() -> None:
    answer = styled(page())
    assert answer.text == STYLED + PAD and int(answer.headers["content-length"]) == len(answer.raw)
    assert not set(OWN) & set(answer.headers)  # a page that a browser has kept would hide a new style
    pieces = StreamingResponse(iter([SHORT_PAGE[:40], SHORT_PAGE[40:], ""]), media_type="text/html")
    assert styled(pieces).text == STYLED
    assert styled(HTMLResponse("<p>no place</p>")).text == "<p>no place</p>"


# The word of a browser -----------------------------------------------------------------------------------------------

HTML = {"accept": "text/html"}
WORD = "tvbo_browser="


def cookie(path: str = "/", scheme: str = "http", **headers: str) -> str | None:
    answer = asyncio.run(call(BrowserCookie(PlainTextResponse("ok")), path, headers=headers, scheme=scheme))
    return answer.headers.get("set-cookie")


def mark(**headers: str) -> bytes:
    """Return what Streamlit is told of a browser that opens a session."""
    seen = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope)

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "websocket", "path": "/_stcore/stream", "scheme": "ws", "headers": raw}
    asyncio.run(BrowserCookie(app)(scope, None, None))
    (found,) = [value for name, value in seen[0]["headers"] if name == HEADER.encode()]
    return found


def test_page_brings_a_word_without_scripts() -> None:
    one, two = cookie(**HTML), cookie(scheme="https", **HTML)
    assert re.fullmatch(rf"{WORD}[0-9a-f]{{32}}; Path=/; HttpOnly; SameSite=Strict", one)
    assert two.endswith("; Secure") and one.split(";")[0] != two.split(";")[0]
    assert cookie(cookie=f"{WORD}x", **HTML)  # what is no word is replaced
    assert cookie(cookie=WORD + "a" * 32, **HTML) is None
    assert cookie("/x.js", accept="*/*") is None and cookie("/_stcore/health", **HTML) is None


def test_mark_is_not_what_browsers_say() -> None:
    one, two = WORD + "a" * 32, WORD + "b" * 32
    assert mark(cookie=one) == mark(cookie=one) != mark(cookie=two)
    assert mark(cookie=two, x_lab_browser=mark(cookie=one).decode()) == mark(cookie=two)
    assert mark() == mark(cookie=f"{WORD}x") and b"aaaa" not in mark(cookie=one)
