"""The time player and the sentences that follow it: a film goes to the browser once and plays there.

The player is a small v2 component. It steps every chart of the page together on the charts that Streamlit has
already drawn, so playing asks nothing of Python and sends no byte to the server; a pause tells Python the time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
import streamlit as st

from ui import symbols
from ui.exports import shelf

STEPS, GAP = 65_000, -32_768  # codes run from -STEPS/2 to STEPS/2; player.js has the same two numbers
ASSETS = Path(__file__).resolve().parent.parent / "assets" / "player"


class Track(Protocol):
    trace: int
    attribute: str
    values: np.ndarray | Sequence[Sequence[str]]
    tiles: int


class Figure(Protocol):
    mark: str | None

    def to_dict(self) -> dict: ...


class Film(Protocol):
    figure: Figure | None
    tracks: Sequence[Track]


@dataclass(frozen=True)
class Pick:
    """What a click on a chart means: which coordinate of the point is the time, and which is the place."""

    time: str | None = None
    place: str | None = None


def _read(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


@cache
def _components() -> tuple:
    player = st.components.v2.component(
        "tvbo_player", html=_read("player.html"), css=_read("player.css"), js=_read("player.js")
    )
    live = st.components.v2.component(
        "tvbo_live",
        html='<div class="live" aria-live="polite"></div>',
        css=_read("live.css"),
        js=_read("live.js"),
    )
    return player, live


class Pack(dict):
    """What `pack` returns."""

    @property
    def weighs(self) -> int:
        """Bytes that are its own: figures and arrays belong to the films, which a page keeps as well."""
        return len(self["words"]) + len(self["bytes"])


def pack(films: Mapping[str, Film], redraw: Iterable[str] = (), picks: Mapping[str, Pick] | None = None) -> Pack:
    """Films for the browser: their figures, shared binary buffers, and who uses which row of them.

    An array that several tracks share (the truth in five panels) travels once. The words are written here and
    not at every run, because a page keeps what this returns.
    """
    buffers: list[dict] = []
    blob = bytearray()
    places: dict[int, int] = {}
    charts = []
    for key, film in films.items():
        tracks = []
        for track in film.tracks:
            entry: dict = {"trace": track.trace, "attribute": track.attribute, "tiles": track.tiles}
            if isinstance(track.values, np.ndarray):
                if id(track.values) not in places:
                    places[id(track.values)] = len(buffers)
                    buffers.append(_buffer(track.values, blob))
                entry["buffer"] = places[id(track.values)]
            else:
                entry["text"] = [list(row) for row in track.values]
            tracks.append(entry)
        pick = (picks or {}).get(key)
        charts.append(
            {
                "key": key,
                "mark": film.figure.mark if film.figure else None,  # a film without one moves any chart of its key
                "figure": film.figure.to_dict() if film.figure else None,
                "tracks": tracks,
                "redraw": key in set(redraw),
                "pick": {"t": pick.time, "x": pick.place} if pick else None,
            }
        )
    words = json.dumps({"buffers": buffers, "charts": charts}).encode()
    return Pack(buffers=buffers, charts=charts, words=words, bytes=bytes(blob), films=dict(films))


def _buffer(values: np.ndarray, blob: bytearray) -> dict:
    """Append an array to the blob as 16-bit steps between its smallest and largest value; say where it lies.

    Finer than any screen and half the bytes; a missing value (a gap in a line) is the lowest code.
    """
    flat = np.asarray(values, dtype=np.float64).reshape(len(values), -1)
    low, high = _ends(flat)
    step = (high - low) / STEPS or 1.0
    codes = flat - low
    codes /= step
    np.rint(codes, out=codes)
    codes -= STEPS / 2
    np.copyto(codes, GAP, where=~np.isfinite(flat))
    start = len(blob)
    blob += codes.astype(np.int16).tobytes()
    return {
        "start": start,
        "frames": flat.shape[0],
        "width": flat.shape[1],
        "low": low,
        "step": step,
    }


def _ends(flat: np.ndarray) -> tuple[float, float]:
    """The smallest and the largest number among gaps and infinities; (0, 0) without any."""
    if flat.size:
        low, high = np.fmin.reduce(flat, axis=None), np.fmax.reduce(flat, axis=None)  # gaps apart, in one go each
        if np.isfinite(low) and np.isfinite(high):
            return float(low), float(high)
    finite = flat[np.isfinite(flat)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)


def fingerprint(*values: object) -> str:
    """A short name for a state of the page, stable between reruns and servers."""
    return hashlib.sha256(repr(values).encode()).hexdigest()[:12]


def player(
    packed: dict,
    *,
    labels: Sequence[str],
    events: Sequence[int],
    start: int,
    drawn: int,
    revision: str,
    reset: str,
    times: Sequence[int] | None = None,
    on_pin: Callable[[], None] = lambda: None,
) -> int:
    """Mount the player and return the frame at which the reader last paused.

    Args:
        packed: what `pack` returned.   labels: one text a frame, shown beside the bar.
        events: frames that "next event" stops at.   start: frame to open at when `reset` changes.
        drawn: frame that the charts' own figures show.   revision: changes when the film does.
        reset: changes when time should jump to `start` (another page or moment).
        times: the time that each frame shows, for clicks on a time axis (0, 1, 2, ... when left out).
        on_pin: called when a click chose a place.
    """
    mount, _ = _components()
    packed, labels, revision = symbols.film(packed), symbols.plain(labels), symbols.revision(revision)
    stood = st.session_state.get("_stood", {})
    head = {
        "n": len(labels),
        "labels": list(labels),
        "events": [int(e) for e in events],
        "start": opened(reset, start),
        # A chart that comes further down this page will stand with the figure it has now.
        "stood": {
            c["key"]: [k[1].mark, k[2]] if (k := stood.get(c["key"])) else [c["mark"], drawn] for c in packed["charts"]
        },
        "revision": f"{revision}-{drawn}",
        "reset": reset,
        "times": list(range(len(labels)) if times is None else times),
    }
    # As bytes: Streamlit would write a film as JSON twice a run.
    result = mount(key="player", data=message(head, packed["words"], packed["bytes"]),
                   default={"t": None, "x": None, "plain": None}, on_t_change=lambda: None, on_x_change=on_pin,
                   on_plain_change=lambda: st.session_state.update(_plain=True))  # fmt: skip
    # A time that was told before the last reset belongs to another page or moment.
    told = result.t if isinstance(result.t, Mapping) and result.t.get("reset") == reset else {"t": start}
    frame = min(max(int(told["t"]), 0), len(labels) - 1)
    shelf.roll(head, packed, frame)
    return frame


def message(head: Mapping[str, object], film: bytes, numbers: bytes) -> bytes:
    """What player.js reads: two texts with their lengths (this run, the film), then the numbers."""
    words = json.dumps(head).encode()
    return b"".join((_length(words), words, _length(film), film, numbers))


def _length(part: bytes) -> bytes:
    return len(part).to_bytes(4, "little")


def moves_charts() -> bool:
    """Return whether the browser's player can move the charts; it says so when it finds that it cannot."""
    return "_plain" not in st.session_state


def standing(key: str, figure: Figure, visit: object, frame: int | None) -> Figure:
    """The figure that Streamlit is given for a film's chart: the first of the visit, for as long as its height fits.

    Streamlit throws a chart away and draws it twice over whenever its figure changes. So it keeps the first one,
    and the player draws the figure of now over it, once: its message holds every film's figure. `frame` is the
    frame that the figure shows. Where the player cannot do that, it is the figure of now.
    """
    if not moves_charts():
        return figure
    kept = st.session_state.setdefault("_stood", {})
    shape = (visit, figure.to_dict()["layout"].get("height"))
    if key not in kept or kept[key][0] != shape:
        kept[key] = (shape, figure, frame)
    return kept[key][1]


def opened(reset: str, start: int) -> int:
    """The frame at which this page or moment opened: what is sent must not change with every pause."""
    kept = st.session_state.get("_opened")
    if kept is None or kept[0] != reset:
        kept = st.session_state["_opened"] = (reset, int(start))
    return kept[1]


def live(sentences: Sequence[str], *, start: int, reset: str, key: str, dark: bool, hall: bool) -> None:
    """A sentence (HTML) that follows the player; repeated sentences travel once."""
    _, mount = _components()
    sentences = symbols.html(sentences)
    unique = list(dict.fromkeys(sentences))
    where = {text: i for i, text in enumerate(unique)}
    index = [where[text] for text in sentences]
    data = {"sentences": unique, "index": index, "start": opened(reset, start), "reset": reset, "dark": dark,
            "hall": hall}  # fmt: skip
    mount(key=key, data=data)
    shelf.say(unique, index, dark, hall)
