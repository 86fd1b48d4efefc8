"""A browser is told what has changed on its page, and nothing else.

Every run of a page sends all its parts again, most of them as they stand; Streamlit's front end takes each for a new
one, and draws the frame around a figure once more before the figure. What a run did not send it throws away, which it
knows by the run's name. So a run that leaves the structure of the page as it is goes under the name of the run that
built the page, and what stands already is not sent. As soon as a part comes, goes or becomes another one, the run gets
its own name back and everything is sent, as without this.

The record is kept where messages leave for one connection, in their order: what never left was never told, and a
browser that comes back over a new connection begins anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, wraps
from typing import Any

BOXES = ("flex_container", "column", "expandable", "popover")  # a message says all there is to know about them
FRAME = ("navigation", "page_config_changed")  # the menu's pages, the title
KINDS = 400  # contents whose kind is remembered: more than the few runs for which Streamlit refers to a content
Place = tuple[int, ...]
Kind = tuple[str | None, ...]


@dataclass(frozen=True)
class Part:
    """What stands at one place: what it is, and a fingerprint of its content."""

    kind: Kind
    content: str


@dataclass
class Told:
    """What one browser has been told of the page that it shows.

    Attributes:
        name: of the run that built the page; empty while nothing can be added to what stands.
        page: the page and the entry script.   parts: place -> what stands there.   whole: a run has gone through.
        sparing: whether the run under way leaves out what stands.   said: all it has to say so far, left out or not.
        met: places that it has named.   frame: what was told last of each word of `FRAME`.
        kinds: fingerprint -> kind, of contents that Streamlit may refer to by their fingerprint alone.
    """

    name: str = ""
    page: tuple[str, str] = ("", "")
    parts: dict[Place, Part] = field(default_factory=dict)
    whole: bool = False
    sparing: bool = False
    said: list[Any] = field(default_factory=list)
    met: set[Place] = field(default_factory=set)
    frame: dict[str, Any] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)

    def instead_of(self, message: Any) -> list[Any]:
        """What is sent for this message of Streamlit's: itself, nothing, or the run from its beginning."""
        word = message.WhichOneof("type")
        if word in ("delta", "ref_hash"):
            return self._part(message)
        if word == "new_session":
            return self._begin(message)
        if word == "script_finished":
            return self._end(message)
        if word in FRAME:
            known, self.frame[word] = self.frame.get(word), message
            return [] if self.sparing and known == message else [message]
        return [message]

    def _begin(self, message: Any) -> list[Any]:
        if message.metadata.run.fragment_ids:  # its parts will stand under a name of their own
            self._forget()
            return [message]
        page = message.new_session.page_script_hash, message.new_session.main_script_hash
        self.sparing = self.whole and page == self.page
        self.page, self.said, self.met = page, [message], set()
        if self.sparing:
            return [self._renamed(message)]
        self._rebuild(message)
        return [message]

    def _end(self, message: Any) -> list[Any]:
        if not message.metadata.run.script_run_id or message.metadata.run.fragment_ids:
            return [message]
        rest = []
        if message.script_finished == message.FINISHED_SUCCESSFULLY:
            if self.sparing and self.met != self.parts.keys():  # something is gone
                rest = self._plainly()
            self.whole = bool(self.name)
        elif message.script_finished != message.FINISHED_EARLY_FOR_RERUN:
            self.whole = False
        closing = self._renamed(message) if self.sparing else message
        self.sparing, self.said = False, []
        return [*rest, closing]

    def _part(self, message: Any) -> list[Any]:
        place, content = tuple(message.metadata.delta_path), message.hash or message.ref_hash
        kind = self._kind(message, content)
        if not self.name:
            return [message]
        if kind is None or not content:  # a spinner, or what Streamlit may yet invent
            rest = self._plainly() if self.sparing else []
            self._forget()
            return [*rest, message]
        known = self.parts.get(place)
        if not self.sparing:
            if known is not None and known.kind != kind:  # what stood in it is gone
                self.parts = {p: part for p, part in self.parts.items() if p[: len(place)] != place}
            self.parts[place] = Part(kind, content)
            return [message]
        self.said.append(message)
        if known is None or known.kind != kind:
            return self._plainly()
        self.met.add(place)
        if known.content == content and _stands(message, kind):
            return []
        self.parts[place] = Part(kind, content)
        return [message]

    def _kind(self, message: Any, content: str) -> Kind | None:
        word = message.delta.WhichOneof("type")
        if word == "new_element":
            inner = message.delta.new_element.WhichOneof("type") or ""
            kind = (word, inner, _own(getattr(getattr(message.delta.new_element, inner, None), "id", "")))
        elif word == "add_block":
            kind = (word, message.delta.add_block.WhichOneof("type"), message.delta.add_block.id)
        else:
            return self.kinds.get(content) if message.ref_hash else None
        if message.metadata.cacheable:
            self.kinds[content] = kind
        return kind

    def _plainly(self) -> list[Any]:
        """The run under way from its beginning, under its own name."""
        said, self.sparing, self.said = self.said, False, []
        self._rebuild(said[0])
        for message in said[1:]:
            self._part(message)
        return said

    def _rebuild(self, message: Any) -> None:
        self.name, self.parts, self.whole = message.metadata.run.script_run_id, {}, False
        self.kinds = dict(list(self.kinds.items())[-KINDS:])

    def _forget(self) -> None:
        self.name, self.parts, self.whole, self.sparing, self.said = "", {}, False, False, []

    def _renamed(self, message: Any) -> Any:
        copy = type(message)()
        copy.CopyFrom(message)
        copy.metadata.run.script_run_id = self.name
        return copy


def _own(identity: str) -> str:
    """What stays of a part's name when its content changes: the key that the page gave it, where it gave one."""
    key = identity.split("-", 2)[-1]
    return identity if key == "None" else key


def _stands(message: Any, kind: Kind) -> bool:
    """Whether a part does nothing when it is sent once more as it is."""
    if kind[0] == "add_block":
        return kind[1] in BOXES
    return not message.delta.new_element.has_one_shot_effect


def sparing(send: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """The same method of a connection, which leaves out what its browser knows."""

    @wraps(send)
    def write(connection: Any, message: Any) -> None:
        told = connection.__dict__.setdefault("_told", Told())
        for one in told.instead_of(message):
            send(connection, one)

    return write


@cache
def install() -> None:
    """Let Streamlit's connections use it; once for all."""
    from streamlit.web.server.starlette.starlette_websocket import StarletteSessionClient

    StarletteSessionClient.write_forward_msg = sparing(StarletteSessionClient.write_forward_msg)
