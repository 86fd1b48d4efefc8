"""Films, and single frames of them, over plain HTTP beside the pages.

`GET /film/<lesson>?r=<release>&v=<version of links>&<settings>`, with the lesson's key, is what a page's stage plays;
`GET /frame/<lesson>?...&t=<time>` is one time of it, which the page shows while one of its sliders is dragged. With
`until=<time>` at which the lesson's bet opens, a film is the question of that bet: it ends there, and nothing in it
knows the answer (`Lesson.question_scene`). All are pure functions of their address, so that browsers and proxies may
keep the answers, and run no script of Streamlit. Their form is that of answers/film_format.py.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from weakref import WeakValueDictionary

from cachetools import LRUCache
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from answers.address import OtherRelease, Refused, read, release
from answers.ask import FRAME, ask
from answers.state import State
from lessons.record import Lesson
from shell.server.headers import CLOSED_POLICY, KEPT_FOR_GOOD, below
from shell.server.limits import address_of

AT_ONCE = 2  # films and frames that are computed
MAX_WAITING = {"film": 100, "frame": 8}  # those that wait: a film comes some time, a frame at once or not at all
OF_ADDRESS = {"film": 50, "frame": 4}  # for one address, which gets one at a time: a class may stand behind it
PAUSE_FACTOR = 2.0  # an address whose places are full waits so many times as long as its last frame took
BUSY_SECONDS = 1.0  # until an answer that there is no place: who asks in a loop keeps the server busy with answers
CACHE_BYTES = 15_000_000  # a class fills them within minutes: what grows after that is a fault
MAX_QUERY = 4_000  # characters
REFUSED = (
    "This address names no film or frame: its settings must be those of a link, each once, on the slider's grid.\n"
)
BUSY = "Too many films or frames are asked for at once: ask again in a second.\n"


class Busy(Exception):
    """More frames are asked for than may wait, by all or by one address."""


@dataclass(eq=False)
class AddressRequests:
    """The films and frames that one address has asked for.

    Attributes:
        lock: held by its one that is computed.   number: of those that are computed or wait.
        pause: seconds that its next one waits.
    """

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    number: int = 0
    pause: float = 0.0


class Films:
    """The films and frames of all lessons: each is computed once, two at a time and one for an address, in threads."""

    def __init__(self, lessons: Sequence[Lesson]) -> None:
        self.lessons = {lesson.key: lesson for lesson in lessons if lesson.scene}
        self.cache: LRUCache = LRUCache(CACHE_BYTES, getsizeof=lambda made: len(made) + 1000)
        self.running: dict[Hashable, asyncio.Task] = {}
        self.requests: WeakValueDictionary[str, AddressRequests] = WeakValueDictionary()  # by address, while it has any
        self.slots = asyncio.Semaphore(AT_ONCE)

    def routes(self, base: str = "") -> list[Route]:
        """Return the two routes.

        Args:
            base: path that the pages lie under.
        """
        return [Route(below(base, f"{kind}/{{lesson}}"), partial(self.answer, kind)) for kind in MAX_WAITING]

    async def answer(self, kind: str, request: Request) -> Response:
        """Return the answer to a request: 200, 204 (none in these settings), 304, 400 or 503."""
        lesson = self.lessons.get(request.path_params["lesson"])
        try:
            if lesson is None or len(request.url.query) > MAX_QUERY:
                raise Refused
            asked = read(lesson, request.query_params.multi_items(), kind)
            found = await self.get(kind, asked, address_of(request.scope))
        except Refused as refused:
            headers = {"Cache-Control": "no-store"}
            if isinstance(refused, OtherRelease):
                headers["Lab-Release"] = release()  # a page from before an update asks in its name
            return _closed(PlainTextResponse(REFUSED, 400, headers))
        except Busy:
            await asyncio.sleep(BUSY_SECONDS)
            return _closed(PlainTextResponse(BUSY, 503, {"Cache-Control": "no-store", "Retry-After": "1"}))
        headers = {"Cache-Control": KEPT_FOR_GOOD, "Vary": "Accept-Encoding"}
        if not found:
            return _closed(Response(status_code=204, headers=headers))
        headers["ETag"] = f'"{hashlib.sha256(found).hexdigest()[:20]}"'
        if headers["ETag"] in request.headers.get("if-none-match", ""):
            return _closed(Response(status_code=304, headers=headers))
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
        else:
            found = gzip.decompress(found)
        return _closed(Response(found, headers=headers, media_type="application/octet-stream"))

    async def get(self, kind: str, state: State, address: str) -> bytes:
        """Return the compressed film or frame, from the cache or from the one computation of it that is under way.

        Args:
            address: who asks.

        Raises:
            Busy: too many others wait, or too many of this address.
        """
        asked = _name(kind, state)
        if (found := self.cache.get(asked)) is not None:
            return found
        if asked not in self.running:
            requests = self.requests.setdefault(address, AddressRequests())
            if len(self.running) >= AT_ONCE + MAX_WAITING[kind] or requests.number >= OF_ADDRESS[kind]:
                raise Busy
            requests.number += 1
            self.running[asked] = asyncio.create_task(self._make(kind, state, requests))
        return await asyncio.shield(self.running[asked])

    async def _make(self, kind: str, state: State, requests: AddressRequests) -> bytes:
        try:
            async with requests.lock:
                await asyncio.sleep(requests.pause)
                async with self.slots:
                    began = monotonic()
                    found = await asyncio.to_thread(_answer, kind, state)
                requests.pause = PAUSE_FACTOR * (monotonic() - began) if requests.number >= OF_ADDRESS[kind] else 0.0
            self.cache[_name(kind, state)] = found
            return found
        finally:
            requests.number -= 1
            del self.running[_name(kind, state)]


def _name(kind: str, state: State) -> Hashable:
    """Return what a film or frame is kept under: not the state, which would keep its scene, some hundred kilobytes."""
    return kind, state.identity


def _answer(kind: str, state: State) -> bytes:
    """Return a film or a frame; b"" for none, and for a film that has no address and comes with its page."""
    with suppress(ValueError):
        if kind == FRAME or state.lesson.has_address(state.values):
            return ask(state, kind)
    return b""


def _closed(response: Response) -> Response:
    """Return the response with a policy that lets it load and show nothing."""
    response.headers["Content-Security-Policy"] = CLOSED_POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
