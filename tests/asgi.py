"""One request of an ASGI application, without a server."""

from __future__ import annotations

import asyncio
import gzip
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.types import ASGIApp


@dataclass(frozen=True)
class Answer:
    """The answer of the server; each header came once."""

    status_code: int
    headers: dict[str, str]
    raw: bytes

    @property
    def content(self) -> bytes:
        return gzip.decompress(self.raw) if self.headers.get("content-encoding") == "gzip" else self.raw

    @property
    def text(self) -> str:
        return self.content.decode()


async def call(
    app: ASGIApp,
    path: str = "/",
    method: str = "GET",
    headers: dict[str, str] | None = None,
    who: str | None = "1.2.3.4",
    scheme: str = "http",
) -> Answer:
    """Return the answer to one request, as a server hands it over."""
    parts, sent, asked = urlsplit(path), [], []
    given = {"accept-encoding": "gzip", "host": "lab", **{k.lower(): v for k, v in (headers or {}).items()}}

    async def receive() -> dict:
        if asked:
            await asyncio.Event().wait()  # the browser says nothing more
        asked.append(True)
        return {"type": "http.request"}

    async def send(message: dict) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "root_path": "",
        "query_string": parts.query.encode(),
        "scheme": scheme,
        "server": ("lab", 80),
        "client": who and (who, 5),
        "headers": [(k.encode(), v.encode()) for k, v in given.items()],
    }
    await app(scope, receive, send)
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    assert len(found) == len(sent[0]["headers"])
    return Answer(sent[0]["status"], found, b"".join(part.get("body", b"") for part in sent[1:]))


def ask(app: ASGIApp, path: str = "/", method: str = "GET", who: str | None = "1.2.3.4", **headers: str) -> Answer:
    """Return the answer to one request with these headers, "_" for "-"."""
    return asyncio.run(call(app, path, method, {k.replace("_", "-"): v for k, v in headers.items()}, who))
