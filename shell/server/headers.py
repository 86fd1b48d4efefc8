"""Security headers of every response of the server."""

from __future__ import annotations

import re

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shell.server.frames import REFUSED_POLICY

# Streamlit's page holds an inline script and inline styles; its components are modules under blob: addresses; and its
# protocol multiplies long whole numbers by a WebAssembly module of its own (without it by a slower way, and Firefox
# reports an error on every page). A script that may run already gains nothing by WebAssembly.
POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
}
CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'"  # of an answer that is no page
KEPT_FOR_GOOD = "public, max-age=31536000, immutable"  # of an answer that is a pure function of its address
UNUSED = ("camera", "microphone", "geolocation", "payment", "usb", "serial", "midi", "display-capture")


def below(base: str, path: str) -> str:
    """Return the path of a route of ours.

    Args:
        base: path that the pages lie under, "" for none.   path: relative to the pages.
    """
    return f"/{base.strip('/')}/{path}" if base.strip("/") else f"/{path}"


def security_headers(frame_ancestors: str = "'self'") -> dict[str, str]:
    """Return the headers by name.

    Args:
        frame_ancestors: addresses whose pages may show the app in a frame, as in the policy's own directive.

    Raises:
        ValueError: `frame_ancestors` is no list of sources, or would begin another directive.
    """
    sources = frame_ancestors.split()
    if not sources or not all(re.fullmatch(r"'self'|'none'|[\w.*:/\[\]-]+", one, re.ASCII) for one in sources):
        wanted = "'self', 'none' or addresses with spaces between"
        raise ValueError(f"FRAME_ANCESTORS must be {wanted}, got {frame_ancestors!r}")
    policy = {**POLICY, "frame-ancestors": " ".join(sources)}
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Permissions-Policy": ", ".join(f"{name}=()" for name in UNUSED),
    }


class SecurityHeaders:
    """Middleware that sets these headers on every HTTP response, in place of others of the same name.

    A response that allows nothing at all keeps its policy, as does the sentence for a frame.
    """

    def __init__(self, app: ASGIApp, headers: dict[str, str]) -> None:
        self.app, self.headers = app, headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = MutableHeaders(scope=message)
                policy = own.get("Content-Security-Policy")
                kept = {"Content-Security-Policy": policy} if policy in (CLOSED_POLICY, REFUSED_POLICY) else {}
                own.update(self.headers | kept)
            await send(message)

        await self.app(scope, receive, send_with_headers)
