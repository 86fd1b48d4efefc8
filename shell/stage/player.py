"""The stage in the browser: charts, the time player and the live sentence, as v2 components that share one script.

A film comes by its address (shell/stage/films.py) or, where it has none, in the player's message. The browser plays it
by itself, without a request to the server; a pause sends the time.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable, Hashable, Mapping
from functools import cache, partial

import streamlit as st

from shell.server import modules
from shell.server.scripts import PLOTLY, asset
from shell.session import session

STAGE = "stage/served.js"  # the script of all three


@cache
def _components() -> tuple:
    """Return the components of a chart, of the player and of a live sentence."""
    make = partial(st.components.v2.component, isolate_styles=False)  # their sheets are the page's (page_style.py)
    chart = make(
        "tvbo_chart",
        html='<div class="swipe"><div class="chart" role="img"></div></div><div class="dots"></div>',
        js=modules.loader(STAGE, "mountChart"),
    )
    player = make(
        "tvbo_player",
        html=asset("player/player.html"),
        js=modules.loader(STAGE, "mountServed"),
    )
    live = make("tvbo_live", html='<div class="live" aria-live="polite"></div>', js=modules.loader(STAGE, "mountLive"))
    return chart, player, live


def screens(abreast: int, point: int = 0, many: bool = False) -> None:
    """Set how many screens of a phone the stage takes, and which of them a page opens at (assets/stage/swipe.js).

    Args:
        many: whether it has so many words that it keeps its height on a page at twice its size, as panels abreast do.
    """
    st.html(f"<style>:root {{ --abreast: {abreast}; --point: {point}; --many: {int(many or abreast > 1)}; }}</style>")


def chart(key: str, alt: str, still: bytes | None = None) -> None:
    """Draw a chart, or for a chart of the player's film its place.

    Args:
        still: a film of one frame, in the form of answers/film_format.py, compressed (gzip).
    """
    mount, _, _ = _components()
    head = {"key": key, "alt": alt, "plotly": modules.address(PLOTLY)}
    mount(key=key, data=message(head, still), height="stretch")


def player(
    film: bytes | None,
    *,
    frames: int,
    start: int,
    reset: str,
    question: Mapping[str, object] | None,
    plays: int | None = None,
    on_pin: Callable[[], None] = lambda: None,
    on_turn: Callable[[], None] = lambda: None,
    on_ask: Callable[[], None] = lambda: None,
) -> int:
    """Draw the player and return the frame of the last pause.

    Args:
        film: in the form of answers/film_format.py, gzipped; None where the browser asks for it by `question`.
        frames: of the film.   start: frame to open at when `reset` changes.
        reset: changes when time should jump to `start` (another page or moment).
        question: result of `films.question`: the address of film and frames.
        plays: frame up to which it plays by itself when `reset` changes; None where it stands.
        on_pin: called when a click chose a place.   on_turn: when the mark of a knob was dragged on a chart.
        on_ask: when the reader asked at a place of the stage.
    """
    _, mount, _ = _components()
    question_event = st.session_state.get("player", {}).get("ask")
    head = {"start": opening_frame(reset, start), "reset": reset, "question": question, "plays": plays}
    head |= {"heard": question_event.get("n") if isinstance(question_event, Mapping) else None}
    # As bytes, because Streamlit serialises JSON data of a component twice a run.
    result = mount(
        key="player",
        data=message(head, film),
        default={"t": None, "x": None, "knob": None, "ask": None},
        on_t_change=lambda: None,
        on_x_change=on_pin,
        on_knob_change=on_turn,
        on_ask_change=on_ask,
    )
    return paused_at(result.t, reset, start, frames)


def paused_at(pause: object, reset: str, start: int, frames: int) -> int:
    """Return the frame of a pause, kept inside the film; `start` for anything else that a browser sent.

    A pause from before the last reset belongs to another page or moment.
    """
    t = pause.get("t") if isinstance(pause, Mapping) and pause.get("reset") == reset else start
    number = isinstance(t, int | float) and math.isfinite(t)
    return min(max(int(t if number else start), 0), frames - 1)


def opening_frame(reset: str, start: int) -> int:
    """Return the frame at which this page or moment opened: the message must not change with every pause."""
    kept = session().stage.film
    if kept is None or kept[0] != reset:
        kept = session().stage.film = (reset, int(start))
    return kept[1]


def film_before(name: Hashable, scene: str) -> Hashable | None:
    """Return the name of the film that stood on the stage before in this scene, None for its first; note this one."""
    before, session().stage.sweep = session().stage.sweep, (name, scene)
    return before[0] if before is not None and before[1] == scene else None


def live(sentence: str, *, start: int, reset: str, key: str, dark: bool, hall: bool) -> None:
    """Draw a sentence (HTML); a film has those of its other frames.

    Args:
        start: frame to open at when `reset` changes.   key: of the component.   dark, hall: theme and lecture type.
    """
    _, _, mount = _components()
    place = {"start": opening_frame(reset, start), "reset": reset, "dark": dark, "hall": hall}
    mount(key=key, data={"sentences": [sentence], "index": [0], **place})


def message(head: Mapping[str, object], film: bytes | None) -> bytes:
    """Return a message: length of a text (four bytes, the lowest first), the text (JSON), and a film if there is one.

    The text has a checksum of the film, "revision": None where it comes from an address.
    """
    revision = None if film is None else zlib.crc32(film)
    text = json.dumps({**head, "revision": revision}, separators=(",", ":")).encode()
    return b"".join((len(text).to_bytes(4, "little"), text, film or b""))
