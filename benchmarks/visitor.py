"""A visitor without a browser: one websocket that speaks Streamlit's protocol as its front end does.

It keeps the messages that the server may refer to and what stands on the page when a run does not send it again, sends
the values of the controls it has moved, lets fragments run again when their time has come, and writes down every
exception, sentence and control that it is shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from urllib.parse import parse_qsl, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from benchmarks import widgets

SIZE = 60_000_000  # bytes of the largest message that is taken
DONE = ForwardMsg.FINISHED_SUCCESSFULLY


class Dropped(ConnectionError):
    """The server closed the connection."""


class Late(Dropped):
    """The server did not finish a run in time."""


@dataclass
class Seen:
    """What the run under way has shown.

    Attributes:
        texts: sentences and captions.   errors: exceptions, as type and message.   sliders: key -> (id, values).
        buttons: key -> id.
    """

    texts: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    sliders: dict[str, tuple[str, tuple[float | str, ...]]] = field(default_factory=dict)
    buttons: dict[str, str] = field(default_factory=dict)

    def add(self, element) -> None:
        """Take an element of a page."""
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.errors.append(f"{element.exception.type}: {element.exception.message}")
        elif kind in ("markdown", "alert", "text", "heading"):
            self.texts.append(getattr(element, kind).body)
        elif kind == "progress":
            self.texts.append(element.progress.text)
        elif kind == "bidi_component" and element.bidi_component.component_name.endswith("tvbo_live"):
            self.texts.append(element.bidi_component.json or element.bidi_component.mixed.json)
        elif kind == "slider" and not element.slider.disabled and len(element.slider.default) == 1:
            s = element.slider
            self.sliders[widgets.key_of(s.id)] = s.id, widgets.stops(s)
        elif kind == "button" and not element.button.disabled:
            self.buttons[widgets.key_of(element.button.id)] = element.button.id

    @property
    def words(self) -> str:
        """All sentences and captions, one a line."""
        return "\n".join(self.texts)


class Visitor:
    """One tab. `await open(...)`, then `await move(...)`; both wait until the script is through.

    Args:
        address: of the server, http://HOST:PORT.   patience: seconds for one run.
    """

    def __init__(self, address: str, patience: float = 60.0) -> None:
        self.address, self.patience = address, patience
        self.page, self.query, self.session = "", "", ""
        self.seen, self.received = Seen(), 0
        self.state: dict[str, WidgetState] = {}
        self._bound: dict[str, tuple[str, str]] = {}  # id of a control -> its name and default in the address
        self._kept: dict[str, tuple[ForwardMsg, int]] = {}
        self._stands: dict[tuple[int, ...], tuple[str, object]] = {}  # place -> the run that sent it, the element
        self._now, self._told = "", set()  # the run under way, and the places that it has sent
        self._runs = 0
        self._age = 2  # script runs for which a message can be referred to; the server tells it at each start
        self._socket: ClientConnection | None = None
        self._finished = asyncio.Event()
        self._clocks: dict[str, asyncio.Task] = {}
        self._reader: asyncio.Task | None = None

    async def connect(self, session: str = "") -> None:
        """Open the websocket; with the name of a session that the server still keeps, go on with it."""
        told = ["streamlit", "none", session] if session else ["streamlit"]
        url = self.address.replace("http", "ws", 1) + "/_stcore/stream"
        try:
            self._socket = await connect(url, subprotocols=told, max_size=SIZE, compression=None, origin=self.address,
                                         ping_interval=None, open_timeout=self.patience)  # fmt: skip
        except (OSError, TimeoutError, WebSocketException) as problem:
            raise Dropped(f"{self.page or 'start'}: no connection ({type(problem).__name__})") from problem
        self._reader = asyncio.create_task(self._read())

    async def open(self, page: str, query: str = "") -> float:
        """Open a page by its name in the address bar; seconds until it stands."""
        if self._socket is None:
            await self.connect()
        self.page, self.query, self.seen = page, query, Seen()
        self.state.clear()
        self._bound.clear()
        return await self._run()

    async def move(self, key: str, value: float | str) -> float:
        """Let a slider go at a value; seconds until the script is through."""
        name, _ = self.seen.sliders[key]
        self.state[name] = widgets.moved(name, value)
        return await self._run()

    async def press(self, key: str) -> float:
        """Press a button."""
        return await self._run(WidgetState(id=self.seen.buttons[key], trigger_value=True))

    async def again(self) -> float:
        """Run the page again with nothing changed, as the browser does for a pause of the player."""
        return await self._run()

    async def close(self) -> None:
        """Close the tab."""
        self._stop_clocks()
        for task in [self._reader] if self._reader else []:
            task.cancel()
            with suppress(asyncio.CancelledError, Dropped):
                await task
        if self._socket is not None:
            await self._socket.close()
        self._socket = self._reader = None

    @property
    def link(self) -> str:
        """The query string in the address bar: what the page has written, and the controls that are bound to it."""
        said = dict(parse_qsl(self.query))
        for name, (key, default) in self._bound.items():
            if key:
                text = widgets.written(self.state[name])
                said.pop(key, None)
                said |= {key: text} if text != default else {}
        return link(said)

    async def _run(self, pressed: WidgetState | None = None) -> float:
        self._finished.clear()
        self.seen = Seen(sliders=self.seen.sliders)
        start = perf_counter()
        await self._ask(pressed=pressed)
        waiting = asyncio.create_task(self._finished.wait())
        await asyncio.wait({waiting, self._reader}, timeout=self.patience, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            waiting.cancel()
            if self._reader.done():
                raise Dropped(f"{self.page or 'start'}: closed by the server")
            raise Late(f"{self.page or 'start'}: no answer in {self.patience:.0f} s")
        return perf_counter() - start

    async def _ask(self, fragment: str = "", pressed: WidgetState | None = None) -> None:
        ask = BackMsg()
        run = ask.rerun_script
        run.query_string, run.page_name = self.link, self.page
        run.fragment_id, run.is_auto_rerun = fragment, bool(fragment)
        run.widget_states.widgets.extend([*self.state.values(), *([pressed] if pressed else [])])
        run.cached_message_hashes.extend(self._kept)
        run.context_info.url = f"{self.address}/{self.page}"
        with suppress(ConnectionClosed):
            await self._socket.send(ask.SerializeToString())

    async def _read(self) -> None:
        with suppress(ConnectionClosed):
            async for raw in self._socket:
                self.received += len(raw)
                message = ForwardMsg()
                message.ParseFromString(raw)
                self._take(message)

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        place = tuple(message.metadata.delta_path)
        if kind == "ref_hash":
            message = self._kept[message.ref_hash][0]
            self._kept[message.hash] = message, self._runs
            kind = message.WhichOneof("type")
        elif message.metadata.cacheable:
            self._kept[message.hash] = message, self._runs
        if kind == "delta":
            if message.delta.WhichOneof("type") == "new_element":
                element = message.delta.new_element
                self.seen.add(element)
                self._told.add(place)
                self._stands[place] = self._now, element
                state = widgets.value_of(element)
                if state is not None:
                    self._bound[state.id] = widgets.bound(element)
                    if state.id not in self.state or widgets.was_set(element):
                        self.state[state.id] = state
        elif kind == "new_session":
            self.session = message.new_session.initialize.session_id or self.session
            self._age = message.new_session.config.max_cached_message_age or self._age
            self._now, self._told = message.metadata.run.script_run_id, set()
            self._stop_clocks()  # a run of the whole page: what still runs by itself says so again
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            self._clock(message.auto_rerun.fragment_id, message.auto_rerun.interval)
        elif kind == "stop_auto_rerun":
            self._stop_clocks(message.stop_auto_rerun.fragment_ids)
        elif kind == "script_finished" and message.script_finished == DONE:
            self._stands = {place: part for place, part in self._stands.items() if part[0] == self._now}
            for _, element in (part for place, part in self._stands.items() if place not in self._told):
                self.seen.add(element)
            self._runs += 1
            self._kept = {h: m for h, m in self._kept.items() if self._runs - m[1] <= self._age}
            self._finished.set()

    def _clock(self, fragment: str, interval: float) -> None:
        async def tick() -> None:
            while True:
                await asyncio.sleep(interval)
                await self._ask(fragment)

        if fragment in self._clocks:
            self._clocks.pop(fragment).cancel()
        self._clocks[fragment] = asyncio.create_task(tick())

    def _stop_clocks(self, names=()) -> None:
        for name in list(names) or list(self._clocks):
            if name in self._clocks:
                self._clocks.pop(name).cancel()


def link(values: Mapping[str, object]) -> str:
    """A query string."""
    return urlencode({k: str(v) for k, v in values.items()})
