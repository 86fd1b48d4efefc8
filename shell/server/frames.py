"""Frames of other pages in which the lab cannot run: the sentence that stands there instead of nothing.

A frame whose page is not in FRAME_ANCESTORS shows an error of the browser's own, and one whose sandbox forbids
Streamlit's scripts stays empty.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from shell.server.limits import is_page

FRAMES = ("iframe", "frame", "embed", "object")  # what a browser says of a request for the page of a frame
# The address of the link is the frame's own.
NO_SCRIPTS = '<p>The lab needs scripts: <a href="" target="_blank">open it in a tab of its own</a>, and allow them.</p>'
REFUSED = """<!doctype html><html lang="en" translate="no"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>The lab in a tab of its own</title>
<body style="font-family: sans-serif; max-width: 36em; margin: 15vh auto; padding: 0 1em">
<p>This server does not let the page around this frame show the lab: <a href="" target="_blank">open the lab in a tab of
its own</a>, or name that page in FRAME_ANCESTORS (docs/embedding.md).</p></body></html>
"""
# Of that sentence alone, which every page may show.
REFUSED_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors *"


class FrameCheck:
    """Middleware that answers a sentence where the browser would refuse the page of a frame.

    Browsers say on https and on localhost what a request is for (`Sec-Fetch-Dest`); elsewhere their own error stands.

    Args:
        frame_ancestors: as in `shell.server.headers.security_headers`.
    """

    def __init__(self, app: ASGIApp, frame_ancestors: str) -> None:
        self.app, self.frame_ancestors = app, frame_ancestors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        framed = headers.get("sec-fetch-dest") in FRAMES and headers.get("sec-fetch-site") in (
            "cross-site",
            "same-site",
        )
        if framed and is_page(scope) and not may_frame(headers.get("referer", ""), self.frame_ancestors):
            own = {"Content-Security-Policy": REFUSED_POLICY, "Cache-Control": "no-store"}
            return await HTMLResponse(REFUSED, 403, own)(scope, receive, send)
        await self.app(scope, receive, send)


def may_frame(page: str, frame_ancestors: str) -> bool:
    """Return False where a page of another origin may surely not show the lab, True where the browser decides.

    Args:
        page: its address, "" where it is not known.   frame_ancestors: sources, with spaces between.
    """
    hosts = [_host(source) for source in frame_ancestors.split() if source not in ("'self'", "'none'")]
    host = _host(page)
    return any(host is None or one is None or fnmatchcase(host, one) for one in hosts)


def _host(source: str) -> str | None:
    """Return the host of an address or a source; None where it has none, as a scheme alone."""
    try:
        return urlsplit(source if "//" in source or source.endswith(":") else f"//{source}").hostname
    except ValueError:  # half an IPv6 address
        return None
