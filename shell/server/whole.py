"""An answer from behind a middleware, read to its end before anything of it is sent."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send


async def read_answer(app: ASGIApp, scope: Scope, receive: Receive) -> tuple[Message, bytes]:
    """Return the start of the app's answer to a request, and its body."""
    messages: list[Message] = []

    async def collect(message: Message) -> None:
        messages.append(message)

    await app(scope, receive, collect)
    start, *parts = messages
    return start, b"".join(part.get("body", b"") for part in parts)


async def send_answer(send: Send, start: Message, body: bytes) -> None:
    """Send an answer in one piece."""
    await send(start)
    await send({"type": "http.response.body", "body": body})
