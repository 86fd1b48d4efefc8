"""Films, and single frames of them, over plain HTTP beside the pages.

`GET /film/<lesson>?r=<release>&v=<version of links>&<settings>`, with the lesson's key, is what a page's stage plays;
`GET /frame/<lesson>?...&t=<time>` is one time of it, which the page shows while one of its sliders is dragged. With
`until=<time>` at which the lesson's bet opens, a film is the question of that bet: it ends there, and nothing in it
knows the answer (`Lesson.question_scene`). All are pure functions of their address, so that browsers and proxies may
keep the answers, and run no script of Streamlit. Their form is that of shell/stage/film_format.py.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from time import monotonic
from weakref import WeakValueDictionary

from cachetools import LRUCache
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from figures.film import Film, PackedFigure
from figures.theme import Theme
from lessons.record import LECTURE, ROOT, BadValue, Knob, Lesson, Scene
from shell.glossary.marks import marked_alone
from shell.links import VERSION
from shell.notation.letters import in_letters, translate
from shell.notation.table import PAPERS
from shell.server.headers import CLOSED_POLICY, KEPT_FOR_GOOD, below
from shell.server.limits import address_of
from shell.stage.film_format import encode
from shell.stage.film_message import compressed, film
from shell.stage.pointers import pointed
from tvbo_core.guests import ADMITTED
from tvbo_core.threads import one_thread

AT_ONCE = 2  # films and frames that are computed
MAX_WAITING = {"film": 100, "frame": 8}  # those that wait: a film comes some time, a frame at once or not at all
OF_ADDRESS = {"film": 50, "frame": 4}  # for one address, which gets one at a time: a class may stand behind it
RESTS = 2.0  # times as long as a frame took does an address wait for the next one while its places are full
BUSY_SECONDS = 1.0  # until an answer that there is no place: who asks in a loop keeps the server busy with answers
CACHE_BYTES = 15_000_000  # a class fills them within minutes: what grows after that is a fault
MAX_BYTES = {"film": 1_000_000, "frame": 30_000}  # of an answer
MAX_QUERY = 4_000  # characters
REFUSED = (
    "This address names no film or frame: its settings must be those of a link, each once, on the slider's grid.\n"
)
BUSY = "Too many films or frames are asked for at once: ask again in a second.\n"
# What a film is made from: modules, markup, shipped tables and runs, odds.
READ = dict.fromkeys(("tvbo_core", "common", "figures", "lessons", "shell"), (".py", ".html"))
READ |= {"assets": (".npz", ".json")}
HOVER_ONLY = ("customdata", "hovertemplate", "hovertext")  # nobody hovers while a slider is held


class Refused(ValueError):
    """An address that is not answered; it is not said why, and nothing of it is repeated."""


class OtherRelease(Refused):
    """An address of a page that was drawn before an update."""


class Busy(Exception):
    """More frames are asked for than may wait, by all or by one address."""


@dataclass(frozen=True)
class Question:
    """A film or a frame that is asked for: plain values.

    Attributes:
        kind: "film" or "frame".   lesson: its key.   values: (key, value) of every knob.   t: time of a frame.
        until: time up to which a film goes that is the question of the lesson's bet, or its reveal; None for others.
        charts: that a film has beside the stage, of `Lesson.charts`.
        dark, lecture: theme and type size.   paper: in whose letters the texts are, a key of `PAPERS`.
    """

    kind: str
    lesson: str
    values: tuple[tuple[str, object], ...]
    t: int
    dark: bool
    lecture: bool
    paper: str
    until: int | None = None
    charts: tuple[str, ...] = ()


@cache
def release() -> str:
    """Return a short name for all that a film is made from: a checksum of files, guests and pinned versions."""
    files = [ROOT / "requirements.txt"]
    for folder, endings in READ.items():
        files += sorted(path for ending in endings for path in (ROOT / folder).rglob(f"*{ending}"))
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.read_bytes())
    digest.update("".join(guest.word for guest in ADMITTED.values()).encode())
    return digest.hexdigest()[:12]


def read(lesson: Lesson, query: Sequence[tuple[str, str]], kind: str = "frame") -> Question:
    """Return what an address asks for.

    Args:
        query: names and texts, as in a link; what is left out has its default.
        kind: "film" or "frame"; only a frame has a time.

    Raises:
        Refused: an unknown or repeated name, a text that is no value of its slider.
        OtherRelease: the address names another release.
    """
    given = dict(query)
    if len(given) < len(query):
        raise Refused
    if given.pop("r", None) != release():
        raise OtherRelease
    t = _whole(given.pop("t", str(lesson.t))) if kind == "frame" else lesson.t
    until = _whole(given.pop("until")) if kind == "film" and "until" in given else None
    if until is not None and (lesson.bet is None or until not in (lesson.bet.opens, lesson.bet.t)):
        raise Refused  # only a bet's question, and its reveal, have an end of their own
    charts = tuple(given.pop("charts").split(",")) if kind == "film" and until is None and "charts" in given else ()
    if charts != tuple(one for one in lesson.charts if one in charts):
        raise Refused  # one film has one address: each at most once, in their order
    if given.pop("v", None) != str(VERSION):
        raise Refused
    theme, paper = given.pop("theme", "light"), given.pop("symbols", "ours")
    lecture = _value(LECTURE, given.pop("lecture", "false"))
    if theme not in ("light", "dark") or paper not in PAPERS or not given.keys() <= lesson.knobs.keys():
        raise Refused
    values = {key: _value(knob, given[key]) if key in given else knob.default for key, knob in lesson.knobs.items()}
    return Question(kind, lesson.key, tuple(values.items()), t, theme == "dark", bool(lecture), paper, until, charts)


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
    if text not in (knob.text(value), knob.screen_text(value)):
        raise Refused
    return value


def question(
    lesson: Lesson,
    values: Mapping[str, object],
    *,
    dark: bool,
    lecture: bool,
    paper: str,
    until: int | None = None,
    charts: Collection[str] = (),
) -> dict:
    """Return what the browser needs to ask for the film and the frames of a page in this state.

    Args:
        until: time up to which the film goes that is the question of a bet, or its reveal; None for others.
        charts: that the film has beside the stage, of `Lesson.charts`.
    Returns:
        "lesson" (its key), "query" (names and texts in a fixed order, without the time) and "knobs" (key -> the text of
        each stop of its slider, of those that the stage follows).
    """
    words = {"r": release(), "v": str(VERSION)}
    words |= {key: knob.text(values[key]) for key, knob in lesson.knobs.items()}
    words |= {"lecture": LECTURE.text(lecture), "theme": "dark" if dark else "light", "symbols": paper}
    words |= {} if until is None else {"until": str(until)}
    words |= {"charts": ",".join(one for one in lesson.charts if one in charts)} if charts else {}
    knobs = {key: lesson.knobs[key].stop_texts for key in lesson.follows}
    return {"lesson": lesson.key, "query": list(words.items()), "knobs": knobs}


def body(lesson: Lesson, request: Question) -> bytes:
    """Return a film or a frame, compressed; b"" where there is none in these settings."""
    values, theme = dict(request.values), Theme(request.dark, request.lecture)
    try:
        with one_thread():
            if request.kind == "frame":
                made = frame(lesson.at_time(values, request.t, theme), request.paper)
            elif lesson.has_address(values):
                asks = request.until is not None
                scene = (
                    lesson.question_scene(values, request.until, theme)
                    if asks
                    else lesson.scene(values, request.t, theme)
                )
                made = film(scene.showing(request.charts), request.paper, marked(scene))
            else:
                made = b""
    except ValueError:  # a world that cannot be: the page says why
        return b""
    found = compressed(made) if made else b""
    return found if len(found) <= MAX_BYTES[request.kind] else b""


def marked(scene: Scene) -> Callable[[str], str]:
    """Return what puts the glossary's terms and the figure's marks into a sentence of a scene."""
    marks = scene.marks()
    return lambda sentence: marked_alone(pointed(sentence, marks), "html")


def frame(made: Scene | None, paper: str) -> bytes:
    """Return the scene of one time as the browser reads it, in the letters of a paper; b"" for none."""
    if made is None:
        return b""
    sentence, at = made.sentence, made.inside(made.start)
    sentence = sentence and translate(marked_alone(sentence, "html"), paper, "html")
    head = {"n": 1, "said": sentence, "kept": sorted(made.unknown)}
    figures = {key: in_letters(one.draw(at).figure, paper).to_dict() for key, one in made.films.items()}
    return encode(head, {key: _preview_film(spec, made.unknown) for key, spec in figures.items()})


def _preview_film(spec: dict, kept: Collection[str]) -> Film:
    """Return a still film of what is seen while a slider is held: without what is there for the mouse, and without what
    is on axes that the page keeps, but for what has a name there."""
    layout = dict(spec["layout"])
    for name in ("annotations", "shapes"):
        if name in layout:
            layout[name] = [one for one in layout[name] if "name" in one or not _on(one, kept)]
    traces = [_without_hover(trace) for trace in spec["data"] if not _on(trace, kept)]
    return Film(PackedFigure(traces, layout))


def _on(part: Mapping[str, object], axes: Collection[str]) -> bool:
    """Return whether a trace, an annotation or a shape belongs to one of these axes."""
    names = ("xaxis", "yaxis", "xref", "yref")
    return any(str(part.get(name, "")).removesuffix(" domain") in axes for name in names)


def _without_hover(trace: dict) -> dict:
    """Return a trace without what is only there for the mouse."""
    if trace.get("mode") == "none":
        return {"type": trace["type"], "mode": "none", "x": [], "y": []}
    return {name: part for name, part in trace.items() if name not in HOVER_ONLY}


@dataclass(eq=False)
class Turn:
    """The films and frames that one address has asked for.

    Attributes:
        lock: held by its one that is computed.   requests: how many, computed and waiting.
        rest: seconds that its next one waits.
    """

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    requests: int = 0
    rest: float = 0.0


class Films:
    """The films and frames of all lessons: each is computed once, two at a time and one for an address, in threads."""

    def __init__(self, lessons: Sequence[Lesson]) -> None:
        self.lessons = {
            "film": {lesson.key: lesson for lesson in lessons if lesson.is_instant},
            "frame": {lesson.key: lesson for lesson in lessons if lesson.follows},
        }
        self.cache: LRUCache = LRUCache(CACHE_BYTES, getsizeof=lambda made: len(made) + 1000)
        self.running: dict[Question, asyncio.Task] = {}
        self.turns: WeakValueDictionary[str, Turn] = WeakValueDictionary()  # by address, while it has any
        self.slots = asyncio.Semaphore(AT_ONCE)

    def routes(self, base: str = "") -> list[Route]:
        """Return the two routes.

        Args:
            base: path that the pages lie under.
        """
        return [Route(below(base, f"{kind}/{{lesson}}"), partial(self.answer, kind)) for kind in self.lessons]

    async def answer(self, kind: str, request: Request) -> Response:
        """Return the answer to a request: 200, 204 (none in these settings), 304, 400 or 503."""
        lesson = self.lessons[kind].get(request.path_params["lesson"])
        try:
            if lesson is None or len(request.url.query) > MAX_QUERY:
                raise Refused
            asked = read(lesson, request.query_params.multi_items(), kind)
            found = await self.get(asked, address_of(request.scope))
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

    async def get(self, asked: Question, address: str) -> bytes:
        """Return the compressed film or frame, from the cache or from the one computation of it that is under way.

        Args:
            address: who asks.

        Raises:
            Busy: too many others wait, or too many of this address.
        """
        if (found := self.cache.get(asked)) is not None:
            return found
        if asked not in self.running:
            turn = self.turns.setdefault(address, Turn())
            if len(self.running) >= AT_ONCE + MAX_WAITING[asked.kind] or turn.requests >= OF_ADDRESS[asked.kind]:
                raise Busy
            turn.requests += 1
            self.running[asked] = asyncio.create_task(self._make(asked, turn))
        return await asyncio.shield(self.running[asked])

    async def _make(self, asked: Question, turn: Turn) -> bytes:
        try:
            async with turn.lock:
                await asyncio.sleep(turn.rest)
                async with self.slots:
                    began = monotonic()
                    found = await asyncio.to_thread(body, self.lessons[asked.kind][asked.lesson], asked)
                turn.rest = RESTS * (monotonic() - began) if turn.requests >= OF_ADDRESS[asked.kind] else 0.0
            self.cache[asked] = found
            return found
        finally:
            turn.requests -= 1
            del self.running[asked]


def _closed(response: Response) -> Response:
    """Return the response with a policy that lets it load and show nothing."""
    response.headers["Content-Security-Policy"] = CLOSED_POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
