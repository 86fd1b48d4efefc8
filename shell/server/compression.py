"""Middleware that sends the files of the page compressed, each compressed once.

Streamlit leaves compression of its files to a proxy, because Starlette's own middleware would compress them anew for
every visitor. A seminar that starts the app without a proxy sent each visitor of the confidence bands
eight megabytes; a file that is compressed at its first use and kept costs the processor a quarter of a second once.
"""

from __future__ import annotations

import gzip

import cachetools
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shell.server.whole import read_answer, send_answer

KEPT_BYTES = 16 << 20  # Streamlit's own files are about 4 MB compressed
LEAST_BYTES = 1024  # below it the headers weigh as much as what is saved
TEXT = ("text/", "application/javascript", "application/json", "application/wasm", "image/svg+xml")
BY_PROXY = ("x-forwarded-for", "via")  # headers of a request that came through one
CONDITIONAL = ("range", "if-none-match", "if-modified-since", "if-range")


class CompressedFiles:
    """Middleware that answers with gzip below some paths, whose files never change while the server runs.

    A request that came through a proxy, that asks for a part, or whether something has changed, stays as it is.

    Args:
        below: first parts of the paths.   kept_bytes: of compressed files in memory; the least used go first.
    """

    def __init__(self, app: ASGIApp, below: tuple[str, ...], kept_bytes: int = KEPT_BYTES) -> None:
        self.app, self.below = app, below
        self._kept: cachetools.LRUCache[str, tuple[Message, bytes]] = cachetools.LRUCache(
            kept_bytes, getsizeof=lambda answer: len(answer[1])
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._is_due(scope):
            return await self.app(scope, receive, send)
        kept = self._kept.get(scope["path"])
        if kept is None:
            start, body = await read_answer(self.app, scope, receive)
            if not _is_worth(start, body):
                return await send_answer(send, start, body)
            packed = await run_in_threadpool(gzip.compress, body, 6)
            kept = _compressed_start(start, len(packed)), packed
            if len(packed) <= self._kept.maxsize:
                self._kept[scope["path"]] = kept
        await send_answer(send, *kept)

    def _is_due(self, scope: Scope) -> bool:
        if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith(self.below):
            return False
        headers = Headers(scope=scope)
        accepted = [coding.split(";")[0].strip() for coding in headers.get("accept-encoding", "").split(",")]
        return "gzip" in accepted and not any(name in headers for name in (*BY_PROXY, *CONDITIONAL))


def _is_worth(start: Message, body: bytes) -> bool:
    headers = Headers(raw=start["headers"])
    kind = headers.get("content-type", "")
    return (
        start["status"] == 200
        and len(body) >= LEAST_BYTES
        and "content-encoding" not in headers
        and kind.startswith(TEXT)
    )


def _compressed_start(start: Message, length: int) -> Message:
    """Return the start of the answer with the headers of its compressed form."""
    message = {**start, "headers": list(start["headers"])}
    headers = MutableHeaders(scope=message)
    headers["content-encoding"], headers["content-length"] = "gzip", str(length)
    headers.add_vary_header("Accept-Encoding")
    if "etag" in headers and not headers["etag"].startswith("W/"):
        headers["etag"] = f"W/{headers['etag']}"  # the same file in other bytes
    del headers["accept-ranges"]
    return message
