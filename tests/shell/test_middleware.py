"""Middleware before Streamlit: files leave compressed, a page has its style, a browser has one random word."""

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
from shell.server.inject_style import PageStyle
from tests.asgi import Answer, ask, call

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

PAGE = '<html><head></head><body><div id="root"></div></body></html>'
PAD = "<!-- " + "long enough to be compressed " * 50 + "-->"
STYLE = "p > a { color: red; content: 'ä'; }"
STYLED = PAGE.replace("<div", f"<style>{STYLE}</style><div")
OWN = {"etag": '"1"', "last-modified": "Mon, 23 Nov 2026 05:36:39 GMT", "accept-ranges": "bytes"}


def styled(behind: Response, path: str = "/") -> Answer:
    return ask(PageStyle(GZipMiddleware(behind, minimum_size=100), STYLE), path, accept="text/html,*/*")


def page() -> Response:
    return HTMLResponse(PAGE + PAD, headers=OWN)


def test_style_stands_once_before_the_page() -> None:
    answer = styled(page())
    assert answer.text == STYLED + PAD and int(answer.headers["content-length"]) == len(answer.raw)
    assert not set(OWN) & set(answer.headers)  # a page that a browser has kept would hide a new style
    pieces = StreamingResponse(iter([PAGE[:40], PAGE[40:], ""]), media_type="text/html")
    assert styled(pieces).text == STYLED
    assert styled(HTMLResponse("<p>no place</p>")).text == "<p>no place</p>"


def test_what_is_no_page_stays() -> None:
    for path, behind in (("/", PlainTextResponse(PAGE, headers=OWN)), ("/_stcore/x", page())):
        answer = styled(behind, path)
        assert answer.text in (PAGE, PAGE + PAD) and set(OWN) <= set(answer.headers)


def test_style_cannot_end_its_own_element() -> None:
    both = PageStyle(page(), STYLE, script="let a = 1;")
    assert both.style.decode() == f"<style>{STYLE}</style><script>let a = 1;</script>"
    for given in ({"style": "</style><script>"}, {"style": STYLE, "script": "'</script>'"}):
        with pytest.raises(ValueError, match="cannot hold '</'"):
            PageStyle(page(), **given)


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
