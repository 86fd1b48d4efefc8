"""Middleware that limits what one visitor can cost: uploads, sessions, and access to the server's metrics."""

from __future__ import annotations

import hmac
import os
import re
from collections import Counter
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from time import monotonic

import cachetools
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_FILES, MAX_FILE_BYTES = 2, 20_100_000  # A session may hold two files of the largest size, with their form data.
SESSION_UPLOADS, ADDRESS_UPLOADS = 10, 60  # Limits in a minute; a whole lecture hall may have one address.
# Requests with a forwarded address that no setting allows are all counted under this name.
FORGED = "a forwarded address that no setting believes"
HELD_SECONDS, MAX_COUNTED = 3600, 10_000  # Sizes of files are remembered this long, for at most so many sessions.
MAX_SESSIONS = 450  # Limit of a server process: a hall of 400 and its lecturer, who may have one address.
TRY_AGAIN_LATER = 1013  # A code of WebSocket's; a connection that is refused with it gets the status 403.
_UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)/?$")
FULL = """<!doctype html><html lang="en" translate="no"><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="20"><title>The lab is full</title>
<body style="font-family: sans-serif; max-width: 36em; margin: 15vh auto; padding: 0 1em">
<h1>The lab is full</h1><p>Leave this page open: it tries again by itself and comes in when a place is free.</p>
</body></html>
"""


def address_of(scope: Scope) -> str:
    """Return the address by which a request is counted, empty if it has none.

    uvicorn replaces the connection's address by the one in `X-Forwarded-For` if the connection comes from this machine
    or from a proxy that `FORWARDED_ALLOW_IPS` names. Without that setting any visitor may have written the header, so
    all requests with it are counted as one address.
    """
    if "FORWARDED_ALLOW_IPS" not in os.environ and "x-forwarded-for" in Headers(scope=scope):
        return FORGED
    return scope["client"][0] if scope.get("client") else ""


def most_sessions(text: str) -> int:
    """Return how many WebSockets may be open, from the value of the environment's MAX_SESSIONS; empty for the default.

    Raises:
        ValueError: it is not a whole number from 1.
    """
    if text and not (text.isascii() and text.isdigit() and int(text[:9]) > 0 and len(text) < 9):
        raise ValueError(f"MAX_SESSIONS is a whole number from 1, got {text}")
    return int(text or MAX_SESSIONS)


def check_proxies(text: str) -> None:
    """Check the value of the environment's FORWARDED_ALLOW_IPS.

    Raises:
        ValueError: it has anything but addresses, networks and *.
    """
    for one in filter(None, (part.strip() for part in text.split(","))):
        try:
            _ = one == "*" or ip_network(one)
        except ValueError:
            raise ValueError(
                f"FORWARDED_ALLOW_IPS is a list of proxies, as in 127.0.0.1,10.0.0.0/8, or * for all, got {one}"
            ) from None


class PerMinute:
    """Counts of requests by kind and name in the present minute."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock, self.began, self.counts = clock, clock(), Counter[tuple[str, str]]()

    def within(self, kind: str, name: str, most: int) -> bool:
        """Count a request, and return whether this minute has at most so many of its kind and name."""
        if self.clock() - self.began >= 60:
            self.began, self.counts = self.clock(), Counter()
        self.counts[kind, name] += 1
        return self.counts[kind, name] <= most


class UploadQuota:
    """Middleware that answers 429 to an upload beyond the limits of its session or address.

    A session may hold two files and 20 MB, and upload ten times a minute; an address may upload sixty times a minute.
    """

    def __init__(self, app: ASGIApp, clock: Callable[[], float] = monotonic) -> None:
        self.app = app
        self._held = cachetools.TTLCache(MAX_COUNTED, HELD_SECONDS, timer=clock)  # session -> file -> bytes
        self._uploads = PerMinute(clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _UPLOAD.search(scope["path"]) if scope["type"] == "http" else None
        if found is None or scope["method"] not in ("PUT", "POST", "DELETE"):
            return await self.app(scope, receive, send)
        session, file = found.groups()
        if scope["method"] == "DELETE":
            return await self.app(scope, receive, self._forgetting(send, session, file))
        headers = Headers(scope=scope)
        length = headers.get("content-length", "")
        valid = length.isascii() and length.isdigit() and len(length) < 12
        size = int(length) if valid else MAX_FILE_BYTES // MAX_FILES
        held = {name: n for name, n in self._held.get(session, {}).items() if name != file}
        if (
            len(held) >= MAX_FILES
            or sum(held.values()) + size > MAX_FILE_BYTES
            or not self._uploads.within("session", session, SESSION_UPLOADS)
            or not self._uploads.within("address", address_of(scope), ADDRESS_UPLOADS)
        ):
            answer = PlainTextResponse("Too many uploads: try again in a minute.\n", 429, {"Retry-After": "60"})
            return await answer(scope, receive, send)
        self._held[session] = held | {file: size}  # An upload counts from its start, and no longer if it fails.
        done = False

        async def send_and_note(message: Message) -> None:
            nonlocal done
            done = done or _is_success(message)
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        finally:
            if not done:
                self._forget(session, file)

    def _forgetting(self, send: Send, session: str, file: str) -> Send:
        """Return a `send` that drops the file from the counts once it is deleted."""

        async def send_and_forget(message: Message) -> None:
            if _is_success(message):
                self._forget(session, file)
            await send(message)

        return send_and_forget

    def _forget(self, session: str, file: str) -> None:
        left = {name: n for name, n in self._held.get(session, {}).items() if name != file}
        if left:
            self._held[session] = left
        else:
            self._held.pop(session, None)


def _is_success(message: Message) -> bool:
    return message["type"] == "http.response.start" and message["status"] < 400


class SessionLimit:
    """Middleware that limits the open WebSockets: at the limit a new one is refused, and a page is answered with 503.

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
    """Return whether a request is for a whole page, which a browser would show."""
    accepted = Headers(scope=scope).get("accept", "")
    part = any(name in scope["path"] for name in ("/_stcore/", "/frame/", "/r/")) or scope["path"].endswith("/speaker")
    return scope["method"] == "GET" and "text/html" in accepted and not part


class MetricsGuard:
    """Middleware that hides `/_stcore/metrics` (404) from all but this machine and requests with the token.

    A request that a proxy passed on does not count as one of this machine.

    Args:
        token: as in `Authorization: Bearer TOKEN`; empty if there is none.
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
        except (ValueError, TypeError, KeyError):  # A Unix socket has no address.
            return False

    def _with_token(self, scope: Scope) -> bool:
        header = Headers(scope=scope).get("authorization", "")
        return bool(self.token) and hmac.compare_digest(header.encode(), f"Bearer {self.token}".encode())
