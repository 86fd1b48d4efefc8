"""One frame of a stage over plain HTTP, beside the pages: what a page shows while one of its sliders is dragged.

`GET /frame/<lesson>?r=<release>&v=<version of links>&<settings>&t=<time>` is a pure function of its address, so that
browsers and proxies may keep the answer. It computes one time, not a film, and runs no script of Streamlit.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from cachetools import LRUCache
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from figures.theme import Theme
from lessons.record import LECTURE, ROOT, BadValue, Frame, Knob, Lesson
from shell.glossary.marks import marked_alone
from shell.headers import CLOSED_POLICY
from shell.links import VERSION, permalink
from shell.notation import translate as symbols
from shell.notation.table import PAPERS
from tvbo_core.threads import one_thread

AT_ONCE, MAX_WAITING = 2, 8  # frames that are computed, and that wait for their turn
CACHE_BYTES = 20_000_000
MAX_BYTES = 30_000  # of an answer
MAX_QUERY = 4_000  # characters
REFUSED = "This address names no frame: its settings must be those of a link, each once, on the slider's grid.\n"
BUSY = "Too many frames are asked for at once: let the slider go.\n"
KEPT_FOR_GOOD = "public, max-age=31536000, immutable"
HOVER_ONLY = ("customdata", "hovertemplate", "hovertext")  # nobody hovers while a slider is held


class Refused(ValueError):
    """An address that is not answered; it is not said why, and nothing of it is repeated."""


class Busy(Exception):
    """More frames are asked for than may wait."""


@dataclass(frozen=True)
class Question:
    """A frame that is asked for: plain values.

    Attributes:
        lesson: its number.   values: (key, value) of every knob.   t: time in the link.
        dark, lecture: theme and type size.   paper: in whose letters the texts are, a key of `PAPERS`.
    """

    lesson: int
    values: tuple[tuple[str, object], ...]
    t: int
    dark: bool
    lecture: bool
    paper: str


@cache
def release() -> str:
    """Return a short name for this version of the lab: a checksum of its modules and its stored defaults."""
    digest = hashlib.sha256(np.__version__.encode())
    for folder in ("tvbo_core", "figures", "lessons", "shell"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def read(lesson: Lesson, query: Sequence[tuple[str, str]]) -> Question:
    """Return what an address asks for.

    Args:
        query: names and texts, as in a link; what is left out has the default of the link's version.

    Raises:
        Refused: an unknown or repeated name, a text that is no value of its slider, another release.
    """
    given = dict(query)
    if len(given) < len(query) or given.pop("r", None) != release():
        raise Refused
    version, t = _whole(given.pop("v", "")), _whole(given.pop("t", str(lesson.t)))
    if not 1 <= version <= VERSION:
        raise Refused
    theme, paper = given.pop("theme", "light"), given.pop("symbols", "ours")
    lecture = _value(LECTURE, given.pop("lecture", "false"))
    if theme not in ("light", "dark") or paper not in PAPERS or not given.keys() <= lesson.knobs.keys():
        raise Refused
    first, _ = permalink.opening(lesson, {"v": version})
    values = {key: _value(knob, given[key]) if key in given else first[key] for key, knob in lesson.knobs.items()}
    return Question(lesson.number, tuple(values.items()), t, theme == "dark", bool(lecture), paper)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and text == str(int(text))):
        raise Refused
    return int(text)


def _value(knob: Knob, text: str) -> object:
    """Return a knob's value; one frame has one address, so a text that would be moved to the grid is refused."""
    try:
        value = knob.read(text)
    except BadValue:
        raise Refused from None
    if text not in (knob.text(value), knob.shown(value)):
        raise Refused
    return value


def question(lesson: Lesson, values: Mapping[str, object], *, dark: bool, lecture: bool, paper: str) -> dict:
    """Return what the browser needs to ask for frames of a page in this state.

    Returns:
        "path" (relative to the page), "query" (names and texts in a fixed order, without the time) and "knobs" (key
        -> the text of each stop of its slider).
    """
    words = {"r": release(), "v": str(VERSION)}
    words |= {key: knob.text(values[key]) for key, knob in lesson.knobs.items()}
    words |= {"lecture": LECTURE.text(lecture), "theme": "dark" if dark else "light", "symbols": paper}
    knobs = {key: [knob.text(stop) for stop in knob.stops] for key in lesson.follows for knob in [lesson.knobs[key]]}
    return {"path": f"frame/{lesson.number}", "query": list(words.items()), "knobs": knobs}


def body(lesson: Lesson, asked: Question) -> bytes:
    """Return a frame as JSON, compressed: "charts", "said", "kept" and "stage"; b"" where there is none."""
    try:
        with one_thread():
            frame = lesson.frame(dict(asked.values), asked.t, Theme(asked.dark, asked.lecture))
    except ValueError:  # a world that cannot be: the page says why when the slider is let go
        return b""
    found = b"" if frame is None else gzip.compress(_json(frame, asked.paper), 6, mtime=0)
    return found if len(found) <= MAX_BYTES else b""


def _json(frame: Frame, paper: str) -> bytes:
    charts = {key: _chart(symbols.in_letters(figure, paper).to_dict(), frame.kept) for key, figure in
              frame.figures.items()}  # fmt: skip
    said = frame.sentence and symbols.translate(marked_alone(frame.sentence, "html"), paper, "html")
    found = {"charts": charts, "said": said, "kept": sorted(frame.kept), "stage": frame.stage}
    return json.dumps(found, separators=(",", ":")).encode()


def _chart(spec: dict, kept: Collection[str]) -> dict:
    """Return data and layout without what is on axes that the page keeps, but for what has a name there."""
    layout = {name: part for name, part in spec["layout"].items() if name != "meta"}
    for name in ("annotations", "shapes"):
        if name in layout:
            layout[name] = [one for one in layout[name] if "name" in one or not _on(one, kept)]
    return {"data": [_seen(trace) for trace in spec["data"] if not _on(trace, kept)], "layout": layout}


def _on(part: Mapping[str, object], axes: Collection[str]) -> bool:
    """Return whether a trace, an annotation or a shape belongs to one of these axes."""
    names = ("xaxis", "yaxis", "xref", "yref")
    return any(str(part.get(name, "")).removesuffix(" domain") in axes for name in names)


def _seen(trace: dict) -> dict:
    """Return a trace without what is only there for the mouse."""
    if trace.get("mode") == "none":
        return {"type": trace["type"], "mode": "none", "x": [], "y": []}
    return {name: part for name, part in trace.items() if name not in HOVER_ONLY}


class Frames:
    """The frames of all lessons: each is computed once, two at a time, in threads of the server."""

    def __init__(self, lessons: Sequence[Lesson]) -> None:
        self.lessons = {lesson.number: lesson for lesson in lessons if lesson.frame}
        self.cache: LRUCache = LRUCache(CACHE_BYTES, getsizeof=lambda made: len(made) + 1000)
        self.running: dict[Question, asyncio.Task] = {}
        self.slots = asyncio.Semaphore(AT_ONCE)

    def routes(self, base: str = "") -> list[Route]:
        """Return the routes of the frames.

        Args:
            base: path that the pages lie under.
        """
        return [Route(f"{'/' + base.strip('/') if base.strip('/') else ''}/frame/{{number}}", self.answer)]

    async def answer(self, request: Request) -> Response:
        """Return the answer to a request: 200, 204 (no frame in these settings), 304, 400 or 503."""
        lesson = next((one for n, one in self.lessons.items() if str(n) == request.path_params["number"]), None)
        try:
            if lesson is None or len(request.url.query) > MAX_QUERY:
                raise Refused
            found = await self.get(read(lesson, request.query_params.multi_items()))
        except Refused:
            return _closed(PlainTextResponse(REFUSED, 400, {"Cache-Control": "no-store"}))
        except Busy:
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
        return _closed(Response(found, headers=headers, media_type="application/json"))

    async def get(self, asked: Question) -> bytes:
        """Return the compressed frame, from the cache or from the one computation of it that is under way.

        Raises:
            Busy: too many others wait.
        """
        if (found := self.cache.get(asked)) is not None:
            return found
        if asked not in self.running:
            if len(self.running) >= AT_ONCE + MAX_WAITING:
                raise Busy
            self.running[asked] = asyncio.create_task(self._make(asked))
        return await asyncio.shield(self.running[asked])

    async def _make(self, asked: Question) -> bytes:
        try:
            async with self.slots:
                found = await asyncio.to_thread(body, self.lessons[asked.lesson], asked)
            self.cache[asked] = found
            return found
        finally:
            del self.running[asked]


def _closed(response: Response) -> Response:
    """Return the response with a policy that lets it load and show nothing."""
    response.headers["Content-Security-Policy"] = CLOSED_POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
