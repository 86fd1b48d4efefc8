"""A visitor without a browser: a websocket that speaks Streamlit's protocol as its front end does, films by HTTP."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import perf_counter, sleep
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlencode
from urllib.request import Request, urlopen

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

SIZE, AGE = 60_000_000, 2  # bytes of the largest message; runs for which the server may refer to one by its hash
SPARE = 8  # runs that may end between a request that names a message and the answer that refers to it
KEY = re.compile(r"-([A-Za-z]\w*)$")  # the key of a control stands at the end of its id
PLAYER = "tvbo_player"
AGAIN = 1.5  # seconds until a film is asked for again when the server has no place, as assets/stage/films.js waits
FETCHES = ThreadPoolExecutor(200, "film")  # they only wait
CONTROLS = ("slider", "selectbox", "button_group", "checkbox", "number_input")


class Dropped(ConnectionError):
    """The server closed the connection."""


class Late(Dropped):
    """The server did not finish a run in time."""


class Visitor:
    """One tab. `await open(...)`, then `await move(...)`; both wait until the script is through and its film has come.

    Args:
        address: of the server, http://HOST:PORT.   patience: seconds for one run with its film.

    Attributes:
        errors: exceptions that came, type and message.   session: name that the server gave to the session.
    """

    def __init__(self, address: str, patience: float = 60.0) -> None:
        self.address, self.patience = address, patience
        self.page, self.query, self.session, self.errors = "", "", "", []
        self._state: dict[str, WidgetState] = {}
        self._bound: dict[str, tuple[str, str]] = {}  # id of a control -> its name and default in the address
        self._stands: dict[tuple[int, ...], tuple[str, str, object]] = {}  # place -> run, fragment, element
        self._kept: dict[str, tuple[ForwardMsg, int]] = {}  # hash -> message, the latest run that used it
        self._now, self._page_hash, self._runs = "", "", 0
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task | None = None
        self._waits_for, self._begun, self._finished = "", False, asyncio.Event()
        self._turning = False  # what comes until the new page begins belongs to the last one
        self._clocks: dict[str, asyncio.Task] = {}
        self._films: dict[str, asyncio.Future] = {}  # address -> texts of the film: a browser keeps them for good
        self._film: asyncio.Future | None = None  # that of the last player's message

    async def connect(self, session: str = "") -> None:
        """Open the websocket; with the name of a session that the server still keeps, go on with it."""
        names = ["streamlit", "none", session] if session else ["streamlit"]
        url = self.address.replace("http", "ws", 1) + "/_stcore/stream"
        try:
            self._socket = await connect(
                url,
                subprotocols=names,
                max_size=SIZE,
                compression=None,
                origin=self.address,
                ping_interval=None,
                open_timeout=self.patience,
            )
        except (OSError, TimeoutError, WebSocketException) as problem:
            raise Dropped(f"{self.page or 'start'}: no connection ({type(problem).__name__})") from problem
        self._reader = asyncio.create_task(self._read())

    async def open(self, page: str, query: str = "") -> float:
        """Open a page by its name in the address bar; seconds until it stands."""
        if self._socket is None:
            await self.connect()
        self.page, self.query = page, query
        self._state.clear()
        self._bound.clear()
        self._stop_clocks()
        self._turning, self._film = True, None
        return await self.again()

    async def move(self, key: str, value: float | str) -> float:
        """Let a slider go at a value; seconds until the script, or the fragment that it stands in, is through."""
        fragment, slider = next((f, s) for f, s in self._of("slider") if key_of(s.id) == key)
        state = self._state[slider.id] = WidgetState(id=slider.id)
        (state.string_array_value if isinstance(value, str) else state.double_array_value).data.append(value)
        return await self.again(fragment)

    async def again(self, fragment: str = "") -> float:
        """Run the page with nothing more changed, as the browser does for a pause of the player."""
        self._waits_for, self._begun = fragment, False
        self._finished.clear()
        start = perf_counter()
        await self._ask(fragment)
        waiting = asyncio.create_task(self._finished.wait())
        await asyncio.wait({waiting, self._reader}, timeout=self.patience, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            waiting.cancel()
            if self._reader.done():
                raise Dropped(f"{self.page or 'start'}: closed by the server")
            raise Late(f"{self.page or 'start'}: no answer in {self.patience:.0f} s")
        if self._film is not None:
            await self._arrives(self._film, start + self.patience - perf_counter())
        return perf_counter() - start

    async def _arrives(self, film: asyncio.Future, patience: float) -> None:
        try:
            await asyncio.wait_for(asyncio.shield(film), patience)
        except TimeoutError as problem:
            raise Late(f"{self.page or 'start'}: no film in {self.patience:.0f} s") from problem
        except HTTPError as problem:
            self.errors.append(f"film: {problem.code} {problem.reason}")
        except OSError as problem:
            raise Dropped(f"{self.page or 'start'}: no film ({type(problem).__name__})") from problem

    async def close(self) -> None:
        """Close the tab."""
        self._stop_clocks()
        self._films.clear()
        self._film = None
        if self._reader is not None:
            self._reader.cancel()
            with suppress(asyncio.CancelledError, Dropped):
                await self._reader
        if self._socket is not None:
            await self._socket.close()
        self._socket = self._reader = None

    @property
    def link(self) -> str:
        """The query string in the address bar: what the page has written, and the controls that are bound to it."""
        query = dict(parse_qsl(self.query))
        for name, (key, default) in self._bound.items():
            text = written(self._state[name])
            query.pop(key, None)
            query |= {key: text} if text != default else {}
        return urlencode(query)

    @property
    def texts(self) -> list[str]:
        """Sentences and captions on the page and in its film, and what its components were told."""
        bodies = [part.body for kind in ("heading", "markdown", "alert", "text") for _, part in self._of(kind)]
        bodies += self._film.result() if self._film and self._film.done() and not self._film.exception() else []
        return bodies + [part.json or part.mixed.json for _, part in self._of("bidi_component")]

    @property
    def sliders(self) -> dict[str, list[float | str]]:
        """The sliders with one thumb that can be moved, by key, and the values that they can stand at."""
        found = (part for _, part in self._of("slider") if not part.disabled and len(part.default) == 1)
        return {key_of(slider.id): stops(slider) for slider in found}

    def _of(self, kind: str) -> list[tuple[str, object]]:
        """Fragment and element of this kind, in the order of the page."""
        stands = (self._stands[place] for place in sorted(self._stands))
        return [(f, getattr(element, kind)) for _, f, element in stands if element.WhichOneof("type") == kind]

    async def _ask(self, fragment: str, clock: bool = False) -> None:
        ask = BackMsg()
        run = ask.rerun_script
        run.query_string, run.page_name, run.context_info.url = self.link, self.page, f"{self.address}/{self.page}"
        run.fragment_id, run.is_auto_rerun = fragment, clock
        run.page_script_hash = self._page_hash if fragment else ""  # a fragment may ask for its whole page
        run.widget_states.widgets.extend(self._state.values())
        run.cached_message_hashes.extend(name for name, kept in self._kept.items() if self._runs - kept[1] <= AGE)
        with suppress(ConnectionClosed):
            await self._socket.send(ask.SerializeToString())

    async def _read(self) -> None:
        with suppress(ConnectionClosed):
            async for raw in self._socket:
                message = ForwardMsg()
                message.ParseFromString(raw)
                self._take(message)

    def _take(self, message: ForwardMsg) -> None:
        place, kind = tuple(message.metadata.delta_path), message.WhichOneof("type")
        if kind == "ref_hash":
            message = self._kept[message.ref_hash][0]
            kind = message.WhichOneof("type")
        if message.metadata.cacheable:
            self._kept[message.hash] = message, self._runs
        if self._turning and (kind != "new_session" or message.metadata.run.fragment_ids):
            return
        if kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            self._stands[place] = self._now, message.delta.fragment_id, element
            part = getattr(element, element.WhichOneof("type"))
            if element.WhichOneof("type") == "bidi_component" and part.component_name == PLAYER:
                self._ask_for_film(part.bytes)
            elif element.WhichOneof("type") == "exception":
                self.errors.append(f"{part.type}: {part.message}")
            elif element.WhichOneof("type") in CONTROLS:
                if part.id not in self._state or part.set_value:
                    self._state[part.id] = value_of(element, part.set_value)
                if part.query_param_key:
                    self._bound[part.id] = part.query_param_key, written(value_of(element, False))
        elif kind == "new_session":
            self._turning = False
            self.session = message.new_session.initialize.session_id or self.session
            self._now = message.metadata.run.script_run_id
            self._begun |= self._waits_for in message.metadata.run.fragment_ids
            if not message.metadata.run.fragment_ids:  # of the whole page: what runs by itself says so again
                self._stop_clocks()
        elif kind == "navigation":
            self._page_hash = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            self._stop_clocks([message.auto_rerun.fragment_id])
            clock = self._clock(message.auto_rerun.fragment_id, message.auto_rerun.interval)
            self._clocks[message.auto_rerun.fragment_id] = asyncio.create_task(clock)
        elif kind == "stop_auto_rerun":
            self._stop_clocks(message.stop_auto_rerun.fragment_ids)
        elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self._end(set(message.metadata.run.fragment_ids))

    def _ask_for_film(self, message: bytes) -> None:
        """Ask for the film of a player's message, unless it has come before or the message holds it."""
        size = int.from_bytes(message[:4], "little")
        head, film = json.loads(message[4 : 4 + size]), message[4 + size :]
        question = head["question"]  # None of a game, whose films have no address
        address = question and f"{self.address}/film/{question['lesson']}?{urlencode(dict(question['query']))}"
        name = head["revision"] if film else address
        if name not in self._films:
            loop = asyncio.get_running_loop()
            self._films[name] = loop.run_in_executor(FETCHES, lambda: words_of(film or fetched(address, self.patience)))
        self._film = self._films[name]

    def _end(self, fragments: set[str]) -> None:
        """Drop what a run, or its part, did not send again, and messages that the server no longer refers to."""
        old = [p for p, (run, f, _) in self._stands.items() if run != self._now and (not fragments or f in fragments)]
        for place in old:
            del self._stands[place]
        # Streamlit drops the end of a run where the next one, of a clock, begins at the same moment.
        if not fragments or self._waits_for in fragments or self._begun:
            self._runs += 1
            self._kept = {name: kept for name, kept in self._kept.items() if self._runs - kept[1] <= AGE + SPARE}
            self._finished.set()

    async def _clock(self, fragment: str, interval: float) -> None:
        while True:
            await asyncio.sleep(interval)
            await self._ask(fragment, clock=True)

    def _stop_clocks(self, names=()) -> None:
        for name in list(names) or list(self._clocks):
            if name in self._clocks:
                self._clocks.pop(name).cancel()


def fetched(address: str, patience: float) -> bytes:
    """Return the film of an address, compressed; it is asked for again while the server has no place.

    Raises:
        HTTPError: another answer than a film.   TimeoutError: none in time.   OSError: the server is gone.
    """
    request, start = Request(address, headers={"Accept-Encoding": "gzip"}), perf_counter()
    while True:
        try:
            with urlopen(request, timeout=patience) as answer:
                if answer.status != 200:
                    raise HTTPError(address, answer.status, "no film", answer.headers, None)
                return answer.read()
        except HTTPError as problem:
            if problem.code != 503 or perf_counter() - start > patience:
                raise
        sleep(AGAIN)


def words_of(film: bytes) -> list[str]:
    """Return the labels and sentences of a compressed film."""
    raw = gzip.decompress(film)
    head = json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])
    return [*head["labels"], *head["sentences"]]


def key_of(name: str) -> str:
    """Return the key that a page gave to a control, from its id; empty when it has none."""
    found = KEY.search(name)
    return found[1] if found else ""


def stops(slider: Slider) -> list[float | str]:
    """Return the values that a slider with one thumb can stand at."""
    if slider.type == Slider.SELECT_SLIDER:
        return list(slider.options)
    steps = round((slider.max - slider.min) / slider.step) if slider.step else 0
    return [slider.min + i * slider.step for i in range(steps + 1)]


def value_of(element, anew: bool) -> WidgetState:
    """Return the value of a control: the one that the page has just set (`anew`), or its default."""
    kind = element.WhichOneof("type")
    part = getattr(element, kind)
    state = WidgetState(id=part.id)
    if kind == "slider" and part.type == Slider.SELECT_SLIDER:
        state.string_array_value.data.extend(part.raw_value if anew else [part.options[int(i)] for i in part.default])
    elif kind == "slider":
        state.double_array_value.data.extend(part.value if anew else part.default)
    elif kind == "button_group":
        values = part.raw_values if anew else [part.options[i].content for i in part.default]
        state.string_array_value.data.extend(values)
    elif kind == "selectbox":
        if anew or (part.options and part.HasField("default")):
            state.string_value = part.raw_value if anew else part.options[part.default]
    else:
        setattr(state, "bool_value" if kind == "checkbox" else "double_value", part.value if anew else part.default)
    return state


def written(state: WidgetState) -> str:
    """Return a value as the browser writes it into the address."""
    kind = state.WhichOneof("value")
    value = getattr(state, kind) if kind else ""
    values = value.data if kind in ("string_array_value", "double_array_value") else [value]
    return ",".join(
        f"{v:.12g}" if isinstance(v, float) else str(v).lower() if v in (True, False) else v for v in values
    )
