"""Middleware that refuses requests with a foreign Host or Origin before Streamlit checks them.

A page of evil.example whose name is moved to this machine's address (DNS rebinding) sends its own name as Host and as
Origin: they agree, so the Host is checked by itself.

Streamlit's own check of a foreign origin asks a web service for the public address of this machine, to allow that
address too. With this middleware the check sees no foreign origin, and no request leaves the machine.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOCAL = ("localhost", "127.0.0.1", "0.0.0.0", "::1")
NAME = re.compile(r"[a-z0-9]([a-z0-9_.-]{0,251}[a-z0-9])?", re.ASCII)  # of a host; 253 letters are the most in DNS
POLICY_VIOLATION = 1008  # the WebSocket close code; before the handshake it is answered as 403


def allowed_hosts(setting: str) -> frozenset[str]:
    """Return the names in a list with spaces or commas between.

    Raises:
        ValueError: one of them is no name of a host, or has a scheme or a port.
    """
    names = frozenset(setting.lower().replace(",", " ").split())
    if wrong := sorted(name for name in names if not NAME.fullmatch(name)):
        raise ValueError(f"ALLOWED_HOSTS must be names without scheme and port, with spaces between, got {wrong[0]!r}")
    return names


def is_own_host(host: str, door: str, listed: Collection[str] = ()) -> bool:
    """Return whether a Host names this server: no name that somebody else's DNS can point here.

    Always `localhost`, the loopback addresses, the door itself and the listed names. Where the door is wider than
    loopback, every IP address as well (rebinding needs a name) and this machine's own names.

    Args:
        host: the request's Host.   door: the address that the server listens on.   listed: further names, lower case.
    """
    name = _name(host)
    if not name:
        return False
    if name in ("localhost", door) or name in listed:
        return True
    if _is_loopback(door):
        return _is_loopback(name)
    return _address(name) is not None or name in _own_names()


def _name(host: str) -> str:
    """Return the name in a Host, lower case and without port; "" where it is no Host."""
    try:
        parts = urlsplit(f"//{host}")
        name, _ = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:  # a port that is none, or half an IPv6 address
        return ""
    return name if parts.netloc == host and "@" not in host else ""


def no_such_host(host: str) -> str:
    """Return the answer to a foreign Host: the setting that welcomes its name, where that is plainly one."""
    name = _name(host)
    if NAME.fullmatch(name):
        what, setting = f"the name {name}", f"ALLOWED_HOSTS={name}"
    else:
        what, setting = "the name in this address", "that name in ALLOWED_HOSTS"
    return (
        f"The lab does not answer to {what}: start it with {setting} in its environment, or open it as localhost or by "
        "its IP address (docs/serving.md, All settings).\n"
    )


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None


def _is_loopback(name: str) -> bool:
    found = _address(name)
    return name == "localhost" or (found is not None and found.is_loopback)


def _own_names() -> set[str]:
    name = socket.gethostname().lower()
    return {name, f"{name.split('.')[0]}.local"}


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
    """Middleware that answers 421 to a request with a foreign Host, and 403 to one with a foreign Origin.

    Allowed as Origin are the request's own Host, this machine's names with the server's port, every origin of
    `server.corsAllowedOrigins`, and any where `server.enableCORS` is off. A request without an Origin comes from no
    page and passes.

    Args:
        hosts: names that the server answers to besides those of `is_own_host`, as `allowed_hosts` returns them.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] = ()) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        origins, host = headers.getlist("origin"), headers.get("host", "")
        if not is_own_host(host, st.get_option("server.address") or "0.0.0.0", self.hosts):
            return await self._refuse(scope, receive, send, "foreign host", PlainTextResponse(no_such_host(host), 421))
        port = scope["server"][1] if scope.get("server") else None
        if st.get_option("server.enableCORS"):
            listed = st.get_option("server.corsAllowedOrigins")
            if not all(is_allowed(origin, host, port, listed) for origin in origins):
                answer = PlainTextResponse("Requests of other origins are refused.\n", 403)
                return await self._refuse(scope, receive, send, "foreign origin", answer)
        if scope["type"] == "websocket" and origins:
            # For a listed origin Streamlit would ask the web service before it reads the list.
            others = [(name, value) for name, value in scope["headers"] if name != b"origin"]
            scope = {**scope, "headers": [*others, (b"origin", f"http://{host}".encode("latin-1"))]}
        await self.app(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, why: str, answer: PlainTextResponse) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": why})
        else:
            await answer(scope, receive, send)
