"""Middleware that refuses requests with a foreign Origin before Streamlit checks them.

Streamlit's own check of a foreign origin asks a web service for the public address of this machine, to allow that
address too. With this middleware the check sees no foreign origin, and no request leaves the machine.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOCAL = ("localhost", "127.0.0.1", "0.0.0.0", "::1")
POLICY_VIOLATION = 1008  # the WebSocket close code; before the handshake it is answered as 403


def is_allowed(origin: str, host: str, port: int | None, listed: Collection[str] = ()) -> bool:
    """Return whether a page of this origin may speak to the server.

    Args:
        origin: as the browser sent it.   host: the request's Host.   port: that the server listens on.
        listed: further origins, scheme included.
    """
    try:
        parts = urlsplit(origin)
        local = parts.hostname in LOCAL and parts.port == port
    except ValueError:  # a port that is none, or half an IPv6 address
        return False
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return False
    same = parts.netloc.lower() == host.lower()
    return same or local or origin.lower() in {one.strip().rstrip("/").lower() for one in listed}


class OriginCheck:
    """Middleware that answers 403 to a request with a foreign Origin.

    Allowed are the request's own Host, this machine's names with the server's port, `server.corsAllowedOrigins`, and
    every origin where `server.enableCORS` is off. A request without an Origin comes from no page and passes.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        origins, host = headers.getlist("origin"), headers.get("host", "")
        port = scope["server"][1] if scope.get("server") else None
        if st.get_option("server.enableCORS"):
            listed = st.get_option("server.corsAllowedOrigins")
            if not all(is_allowed(origin, host, port, listed) for origin in origins):
                return await self._refuse(scope, receive, send)
        if scope["type"] == "websocket" and origins:
            # For a listed origin Streamlit would ask the web service before it reads the list.
            others = [(name, value) for name, value in scope["headers"] if name != b"origin"]
            scope = {**scope, "headers": [*others, (b"origin", f"http://{host}".encode("latin-1"))]}
        await self.app(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": "foreign origin"})
        else:
            await PlainTextResponse("Requests of other origins are refused.\n", 403)(scope, receive, send)
