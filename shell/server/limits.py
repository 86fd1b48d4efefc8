"""Middleware that bounds the cost of one visitor: uploads, sessions, and the server's measurements."""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from time import monotonic

import cachetools
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_FILES, MAX_FILE_BYTES = 2, 20_100_000  # that a session holds: two of the largest, with the forms around them
SESSION_UPLOADS, ADDRESS_UPLOADS = 10, 60  # a minute; a lecture hall has one address
FORGED = "a forwarded address that no setting believes"
MINUTE_SECONDS, HELD_SECONDS, MAX_COUNTED = 60, 3600, 10_000
MAX_SESSIONS = 450  # of one process: a hall of 400 and its lecturer, who may have one address
TRY_AGAIN_LATER = 1013  # the WebSocket close code; before the handshake it is answered as 403
_UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)/?$")
FULL = """<!doctype html><html lang="en" translate="no"><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="20"><title>The lab is full</title>
<body style="font-family: sans-serif; max-width: 36em; margin: 15vh auto; padding: 0 1em">
<h1>The lab is full</h1><p>Leave this page open: it tries again by itself and comes in when a place is free.</p>
</body></html>
"""


def address_of(scope: Scope) -> str:
    """Return the address that a request is counted for, empty for none.

    The server that runs the app puts what `X-Forwarded-For` says in place of the connection's address whenever the
    connection is of this machine, and where `FORWARDED_ALLOW_IPS` names proxies, whenever it is one of theirs. Without
    that setting nobody is known to be a proxy: all who send the header are counted together.
    """
    if "FORWARDED_ALLOW_IPS" not in os.environ and "x-forwarded-for" in Headers(scope=scope):
        return FORGED
    return scope["client"][0] if scope.get("client") else ""


def most_sessions(text: str) -> int:
    """Return how many WebSockets may be open, as MAX_SESSIONS says; the default where it says nothing.

    Raises:
        ValueError: no whole number, or none from 1.
    """
    if text and not (text.isascii() and text.isdigit() and int(text[:9]) > 0 and len(text) < 9):
        raise ValueError(f"MAX_SESSIONS is a whole number from 1, got {text}")
    return int(text or MAX_SESSIONS)


def check_proxies(text: str) -> None:
    """Raise ValueError where FORWARDED_ALLOW_IPS names anything but addresses, networks and *."""
    for one in filter(None, (part.strip() for part in text.split(","))):
        try:
            _ = one == "*" or ip_network(one)
        except ValueError:
            raise ValueError(
                f"FORWARDED_ALLOW_IPS is a list of proxies, as in 127.0.0.1,10.0.0.0/8, or * for all, got {one}"
            ) from None


class UploadQuota:
    """Middleware that answers 429 to an upload beyond the quota of its session or address.

    A session holds at most two files and 20 MB, and uploads ten times a minute; an address sixty times.
    """

    def __init__(self, app: ASGIApp, clock: Callable[[], float] = monotonic) -> None:
        self.app = app
        # session -> file -> bytes; and the uploads of the last minute, by session and by address
        self._held = cachetools.TTLCache(MAX_COUNTED, HELD_SECONDS, timer=clock)
        self._recent: cachetools.TTLCache = cachetools.TTLCache(MAX_COUNTED, MINUTE_SECONDS, timer=clock)
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _UPLOAD.search(scope["path"]) if scope["type"] == "http" else None
        if found is None or scope["method"] not in ("PUT", "POST", "DELETE"):
            return await self.app(scope, receive, send)
        session, file = found.groups()
        if scope["method"] == "DELETE":
            return await self.app(scope, receive, self._forgetting(send, session, file))
        headers = Headers(scope=scope)
        said = headers.get("content-length", "")
        size = int(said) if said.isascii() and said.isdigit() and len(said) < 12 else MAX_FILE_BYTES // MAX_FILES
        held = {name: n for name, n in self._held.get(session, {}).items() if name != file}
        if (
            len(held) >= MAX_FILES
            or sum(held.values()) + size > MAX_FILE_BYTES
            or not self._within(("session", session), SESSION_UPLOADS)
            or not self._within(("address", address_of(scope)), ADDRESS_UPLOADS)
        ):
            answer = PlainTextResponse("Too many uploads: try again in a minute.\n", 429, {"Retry-After": "60"})
            return await answer(scope, receive, send)
        self._held[session] = held | {file: size}  # while it is on its way it counts
        done = False

        async def noting(message: Message) -> None:
            nonlocal done
            done = done or (message["type"] == "http.response.start" and message["status"] < 400)
            await send(message)

        try:
            await self.app(scope, receive, noting)
        finally:
            if not done:
                self._forget(session, file)

    def _within(self, who: tuple[str, str], most: int) -> bool:
        """Count an upload; return whether there were fewer than so many in the last minute."""
        now = self._clock()
        times = [then for then in self._recent.get(who, ()) if now - then < MINUTE_SECONDS]
        if len(times) >= most:
            return False
        self._recent[who] = (*times, now)
        return True

    def _forgetting(self, send: Send, session: str, file: str) -> Send:
        async def forgetting(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                self._forget(session, file)
            await send(message)

        return forgetting

    def _forget(self, session: str, file: str) -> None:
        left = {name: n for name, n in self._held.get(session, {}).items() if name != file}
        if left:
            self._held[session] = left
        else:
            self._held.pop(session, None)


class SessionLimit:
    """Middleware that counts open WebSockets; beyond the limit a visitor gets a page with status 503.

    Args:
        most: WebSockets that may be open at the same time.
    """

    def __init__(self, app: ASGIApp, most: int = MAX_SESSIONS) -> None:
        if most < 1:
            raise ValueError(f"MAX_SESSIONS must be at least 1, got {most}")
        self.app, self.most, self.open = app, most, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            if self.open >= self.most:
                return await send({"type": "websocket.close", "code": TRY_AGAIN_LATER, "reason": "the lab is full"})
            self.open += 1
            try:
                return await self.app(scope, receive, send)
            finally:
                self.open -= 1
        if scope["type"] == "http" and self.open >= self.most and is_page(scope):
            return await HTMLResponse(FULL, 503, {"Retry-After": "20"})(scope, receive, send)
        await self.app(scope, receive, send)


def is_page(scope: Scope) -> bool:
    """Return whether a browser asks for a page, not for a part of one."""
    wanted = Headers(scope=scope).get("accept", "")
    ours = any(name in scope["path"] for name in ("/_stcore/", "/frame/", "/r/"))
    part = ours or scope["path"].endswith("/speaker")
    return scope["method"] == "GET" and "text/html" in wanted and not part


class MetricsGuard:
    """Middleware that hides `/_stcore/metrics` (404) except from this machine and with the token.

    A request that a proxy has passed on is not from this machine.

    Args:
        token: as in `Authorization: Bearer TOKEN`; empty for none.
    """

    def __init__(self, app: ASGIApp, token: str = "") -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = scope["type"] == "http" and scope["path"].rstrip("/").endswith("/_stcore/metrics")
        if asked and not (self._from_here(scope) or self._with_token(scope)):
            return await PlainTextResponse("Not Found", 404)(scope, receive, send)
        await self.app(scope, receive, send)

    def _from_here(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        if any(name in headers for name in ("x-forwarded-for", "x-real-ip", "forwarded", "via")):
            return False
        try:
            return ip_address(scope["client"][0]).is_loopback
        except (ValueError, TypeError, KeyError):  # a socket of this machine's file system has no address
            return False

    def _with_token(self, scope: Scope) -> bool:
        header = Headers(scope=scope).get("authorization", "")
        return bool(self.token) and hmac.compare_digest(header.encode(), f"Bearer {self.token}".encode())
