"""Middleware that identifies browsers by a random word in a cookie.

Streamlit gives a session, with the table that was loaded into it, to whoever names its id. With this middleware its
setting `server.trustedUserHeaders` knows the browser that opened the session, and gives it to no other one.
"""

from __future__ import annotations

import hashlib
import re
import secrets

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shell.server.limits import is_page

COOKIE, HEADER = "tvbo_browser", "x-lab-browser"
WORD = re.compile("[0-9a-f]{32}")


class BrowserCookie:
    """Middleware that sets the cookie with a page, and names the browser of a WebSocket to Streamlit."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            others = [(name, value) for name, value in scope["headers"] if name.lower() != HEADER.encode()]
            mark = hashlib.sha256(_word(scope).encode()).hexdigest().encode()
            return await self.app({**scope, "headers": [*others, (HEADER.encode(), mark)]}, receive, send)
        if scope["type"] != "http" or not is_page(scope) or _word(scope):
            return await self.app(scope, receive, send)
        secure = "; Secure" if scope.get("scheme") == "https" else ""
        cookie = f"{COOKIE}={secrets.token_hex(16)}; Path=/; HttpOnly; SameSite=Strict{secure}"

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("Set-Cookie", cookie)
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def _word(scope: Scope) -> str:
    """Return the browser's word, empty for none."""
    word = HTTPConnection(scope).cookies.get(COOKIE, "")
    return word if WORD.fullmatch(word) else ""
