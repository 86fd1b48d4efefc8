"""The time player and the sentences that follow it: a film goes to the browser once and plays there.

The player is a small v2 component. It steps every chart of the page together on the charts that Streamlit has
already drawn, so playing asks nothing of Python and sends no byte to the server; a pause tells Python the time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import streamlit as st

from figures.film import Drawn
from lessons.record import Pick as Pick
from shell.export import recorder
from shell.film_message import fingerprint as fingerprint
from shell.film_message import indexed, message
from shell.film_message import pack as pack
from shell.notation import translate as symbols

ASSETS = Path(__file__).resolve().parent.parent / "assets" / "player"


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
    recorder.add_film(head, packed, frame)
    return frame


def moves_charts() -> bool:
    """Return whether the browser's player can move the charts; it says so when it finds that it cannot."""
    return "_plain" not in st.session_state


def standing(key: str, figure: Drawn, visit: object, frame: int | None) -> Drawn:
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
    unique, index = indexed(sentences)
    data = {"sentences": unique, "index": index, "start": opened(reset, start), "reset": reset, "dark": dark,
            "hall": hall}  # fmt: skip
    mount(key=key, data=data)
    recorder.add_sentences(unique, index, dark, hall)
