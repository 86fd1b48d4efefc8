"""Files of the page leave compressed, once compressed for all, and whole for whoever asks otherwise."""

from __future__ import annotations

import asyncio
import gzip

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from shell import compression
from shell.compression import CompressedFiles

TEXT = b"const peak = 1; // and so on\n" * 400
KINDS = {"peak.png": "image/png", "small.css": "text/css"}


class Files:
    """A server with files below /static/ that counts what it sent."""

    asked = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked += 1
        name = Request(scope).url.path.rpartition("/")[2]
        body, status = (b"a{}" if name == "small.css" else TEXT), (404 if name == "gone" else 200)
        headers = {"ETag": '"one"', "Accept-Ranges": "bytes"}
        await Response(body, status, headers, KINDS.get(name, "text/javascript"))(scope, receive, send)


@pytest.fixture
def files() -> Files:
    return Files()


def get(app: CompressedFiles, path: str, **more: str) -> tuple[dict[str, str], bytes]:
    """Headers and body of an answer."""
    sent: list[dict] = []

    async def receive() -> None:
        await asyncio.Event().wait()  # the browser says nothing more

    async def send(message: dict) -> None:
        sent.append(message)

    said = {"host": "lab", "accept-encoding": "gzip, br"} | {
        key.replace("_", "-"): value for key, value in more.items()
    }
    raw = [(name.encode(), value.encode()) for name, value in said.items()]
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": raw,
        "scheme": "http",
        "server": ("lab", 80),
    }
    asyncio.run(app(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return found, b"".join(message["body"] for message in sent[1:])


def test_a_file_arrives_whole_and_small(files: Files) -> None:
    headers, body = get(CompressedFiles(files, ("/static/",)), "/static/peak.js")
    assert gzip.decompress(body) == TEXT and headers["content-encoding"] == "gzip"
    assert int(headers["content-length"]) == len(body) < len(TEXT) / 10
    assert headers["vary"] == "Accept-Encoding" and headers["etag"] == 'W/"one"' and "accept-ranges" not in headers


def test_a_file_is_read_and_compressed_once(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    compress = gzip.compress
    monkeypatch.setattr(compression.gzip, "compress", lambda body, level: made.append(1) or compress(body, level))
    app = CompressedFiles(files, ("/static/",))
    assert get(app, "/static/peak.js") == get(app, "/static/peak.js")
    assert len(made) == files.asked == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"accept_encoding": "identity"},
        {"accept_encoding": "br"},
        {"range": "bytes=0-9"},
        {"if_none_match": '"one"'},
        {"x_forwarded_for": "192.0.2.1"},
        {"via": "1.1 proxy"},
    ],
)
def test_whoever_asks_otherwise_gets_the_file_as_it_is(files: Files, headers: dict[str, str]) -> None:
    app = CompressedFiles(files, ("/static/",))
    get(app, "/static/peak.js")  # it is kept compressed
    found, body = get(app, "/static/peak.js", **headers)
    assert body == TEXT and "content-encoding" not in found and found["etag"] == '"one"'


@pytest.mark.parametrize("path", ["/static/peak.png", "/static/small.css", "/static/gone", "/page/peak.js"])
def test_what_gains_nothing_stays_as_it_is(files: Files, path: str) -> None:
    app = CompressedFiles(files, ("/static/",))
    assert [("content-encoding" in get(app, path)[0]) for _ in range(2)] == [False, False] and files.asked == 2


def test_files_below_each_of_its_paths_are_compressed(files: Files) -> None:
    app = CompressedFiles(files, ("/static/", "/module/"))
    for path in ("/static/peak.js", "/module/peak.js"):
        assert get(app, path)[0]["content-encoding"] == "gzip"
    assert "content-encoding" not in get(app, "/film/peak.js")[0]


def test_what_is_kept_is_bounded_and_the_least_used_goes(files: Files) -> None:
    size = len(get(CompressedFiles(files, ("/static/",)), "/static/a")[1])
    app, files.asked = CompressedFiles(files, ("/static/",), kept_bytes=2 * size), 0
    for name in ("a", "b", "a", "c", "a", "b"):
        assert gzip.decompress(get(app, f"/static/{name}")[1]) == TEXT
    assert files.asked == 4  # a, b, c, and b again


def test_a_file_larger_than_the_bound_is_compressed_and_not_kept(files: Files) -> None:
    app = CompressedFiles(files, ("/static/",), kept_bytes=10)
    assert [get(app, "/static/a")[0]["content-encoding"] for _ in range(2)] == ["gzip", "gzip"]
    assert files.asked == 2
