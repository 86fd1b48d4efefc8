"""The style sheet is in the page itself: whole, once, before what the page draws, and in nothing else."""

from __future__ import annotations

import asyncio
import gzip

import pytest
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse

from shell.page_style import PageStyle

PAGE = '<html><head></head><body><div id="root"></div></body></html>'
PAD = "<!-- " + "long enough to be compressed " * 50 + "-->"
STYLE = "p > a { color: red; content: 'ä'; }"
BROWSER = {"accept": "text/html,*/*", "accept-encoding": "gzip"}
OWN = {"etag": '"1"', "last-modified": "Mon, 23 Nov 2026 05:36:39 GMT", "accept-ranges": "bytes"}


def answered(behind: Response, path: str = "/", **headers: str) -> tuple[dict[str, str], bytes]:
    """Headers and body of an answer with the style sheet's and the compressing middleware before it."""
    sent: list[dict] = []

    async def receive() -> None:
        await asyncio.Event().wait()  # the browser says nothing more

    async def send(message: dict) -> None:
        sent.append(message)

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in (BROWSER | headers).items()]
    scope = {"type": "http", "method": "GET", "path": path, "headers": raw}
    asyncio.run(PageStyle(GZipMiddleware(behind, minimum_size=100), STYLE)(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return found, b"".join(message["body"] for message in sent[1:])


def page() -> Response:
    return HTMLResponse(PAGE + PAD, headers=OWN)


def test_the_style_stands_once_before_what_the_page_draws() -> None:
    headers, body = answered(page())
    assert body.decode() == PAGE.replace("<div", f"<style>{STYLE}</style><div") + PAD
    assert int(headers["content-length"]) == len(body)


def test_a_page_kept_by_the_browser_never_hides_a_new_style() -> None:
    headers, _ = answered(page())
    assert not set(OWN) & set(headers)


def test_a_page_that_comes_in_pieces_is_put_together() -> None:
    pieces = StreamingResponse(iter([PAGE[:40], PAGE[40:], ""]), media_type="text/html")
    assert answered(pieces)[1].decode() == PAGE.replace("<div", f"<style>{STYLE}</style><div")


@pytest.mark.parametrize("path, behind", [("/", PlainTextResponse(PAGE, headers=OWN)), ("/_stcore/x", page())])
def test_what_is_no_page_passes_as_it_is(path: str, behind: Response) -> None:
    headers, body = answered(behind, path)
    plain = gzip.decompress(body) if "content-encoding" in headers else body
    assert plain.decode() in (PAGE, PAGE + PAD)
    assert set(OWN) <= set(headers)


def test_a_page_without_the_place_stays_as_it_is() -> None:
    assert answered(HTMLResponse("<p>no place</p>"))[1] == b"<p>no place</p>"


def test_a_style_that_would_end_its_own_element_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot hold '</'"):
        PageStyle(page(), style="</style><script>")


def test_a_script_stands_beside_the_style_and_is_checked_alike() -> None:
    page_style = PageStyle(page(), STYLE, script="let a = 1;")
    assert page_style.style.decode() == f"<style>{STYLE}</style><script>let a = 1;</script>"
    with pytest.raises(ValueError, match="cannot hold '</'"):
        PageStyle(page(), STYLE, script="'</script>'")
