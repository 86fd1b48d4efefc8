"""Middleware that puts the style sheet, and a script that must be the first, into the page itself.

It also marks the page as not to be translated: a browser's translation wraps texts that React then cannot find again,
and the page ends in an error.

What a script draws comes later, and by a part that the browser loads when it is needed: a page then jumps to its own
padding when its chart may stand there already. Streamlit has no setting for a style sheet, nor for a script.
"""

from __future__ import annotations

import re

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send

from shell.server.frames import NO_SCRIPTS
from shell.server.limits import is_page
from shell.server.whole import read_answer, send_answer

# Those of stage and player too: a component's own sheet would be sent with every message to it.
NAMES = ("colours", "style", "stage/chart", "player/player", "player/fingers", "player/live", "forced", "print")
SHEETS = tuple(f"assets/{name}.css" for name in NAMES)
PLACE = b'<div id="root">'  # before it: after Streamlit's own styles, which stand in the head
ROOT, NOT_TRANSLATED = b'<html lang="en"', b' translate="no"'
NOSCRIPT = re.compile(rb"<noscript>.*?</noscript>", re.DOTALL)
NOT_ASKED = ("accept-encoding", "if-none-match", "if-modified-since", "range")  # of a page: its text, whole


class PageStyle:
    """Middleware that writes a style sheet and a script into every page; one without the place for it stays as it is.

    Args:
        style, script: which must not end their own element.

    Raises:
        ValueError: one of them holds `</`.
    """

    def __init__(self, app: ASGIApp, style: str, script: str = "") -> None:
        if "</" in style + script:
            raise ValueError("A style sheet or a script of a page cannot hold '</'.")
        self.app, self.style = app, f"<style>{style}</style>".encode()
        if script:
            self.style += f"<script>{script}</script>".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_page(scope):
            return await self.app(scope, receive, send)
        asked = [(name, value) for name, value in scope["headers"] if name.lower().decode() not in NOT_ASKED]
        start, page = await read_answer(self.app, {**scope, "headers": asked}, receive)
        headers = MutableHeaders(scope=start)
        if headers.get("content-type", "").startswith("text/html"):
            page = page.replace(PLACE, self.style + PLACE, 1)
            page = page.replace(ROOT, ROOT + NOT_TRANSLATED, 1)
            page = NOSCRIPT.sub(b"<noscript>" + NO_SCRIPTS.encode() + b"</noscript>", page, count=1)
            headers["content-length"] = str(len(page))
            del headers["etag"], headers["last-modified"], headers["accept-ranges"]  # of the text without the style
        await send_answer(send, start, page)
