"""The time player and the live sentences: a film is sent to the browser once and plays there.

The player is a v2 component. It moves all charts that Streamlit has drawn on the page, without a request to the
server; a pause sends the time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import streamlit as st

from figures.film import Drawn
from shell.export import recorder
from shell.film_message import indexed, message
from shell.notation import translate as symbols

ASSETS = Path(__file__).resolve().parent.parent / "assets" / "player"


def _read(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


@cache
def _components() -> tuple:
    player = st.components.v2.component(
        "tvbo_player", html=_read("player.html"), css=_read("player.css"), js=_read("follow.js") + _read("player.js")
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
    follow: Mapping[str, object] | None = None,
) -> int:
    """Draw the player and return the frame of the last pause.

    Args:
        packed: result of `film_message.pack`.   labels: one text a frame, shown beside the bar.
        events: frames that "next event" stops at.   start: frame to open at when `reset` changes.
        drawn: frame that the charts' own figures show.   revision: changes when the film does.
        reset: changes when time should jump to `start` (another page or moment).
        times: the time that each frame shows, for clicks on a time axis (0, 1, 2, ... when left out).
        on_pin: called when a click chose a place.
        follow: result of `frames.question`, so that the stage follows a slider while it is dragged.
    """
    mount, _ = _components()
    packed, labels, revision = symbols.film(packed), symbols.to_plain(labels), symbols.revision(revision)
    first = st.session_state.get("_stood", {})
    head = {
        "n": len(labels),
        "labels": list(labels),
        "events": [int(e) for e in events],
        "start": opening_frame(reset, start),
        # A chart that is drawn after the player, further down the page, gets the figure of this run.
        "stood": {
            c["key"]: [k[1].mark, k[2]] if (k := first.get(c["key"])) else [c["mark"], drawn] for c in packed["charts"]
        },
        "revision": f"{revision}-{drawn}",
        "reset": reset,
        "times": list(range(len(labels)) if times is None else times),
        "follow": follow,
    }
    # As bytes, because Streamlit serialises JSON data of a component twice a run.
    result = mount(key="player", data=message(head, packed["words"], packed["bytes"]),
                   default={"t": None, "x": None, "plain": None}, on_t_change=lambda: None, on_x_change=on_pin,
                   on_plain_change=lambda: st.session_state.update(_plain=True))  # fmt: skip
    # A pause from before the last reset belongs to another page or moment.
    pause = result.t if isinstance(result.t, Mapping) and result.t.get("reset") == reset else {"t": start}
    frame = min(max(int(pause["t"]), 0), len(labels) - 1)
    recorder.add_film(head, packed, frame)
    return frame


def moves_charts() -> bool:
    """Return whether the browser's player can move the charts; it reports when it cannot."""
    return "_plain" not in st.session_state


def first_figure(key: str, figure: Drawn, visit: object, frame: int | None) -> Drawn:
    """Return the figure that Streamlit is given for a film's chart: the first of the visit of this height.

    Streamlit removes a chart and draws it twice whenever its figure changes. So it is given the first one again, and
    the player draws the figure of this run over it, once: its message holds the figure of every film. Where the
    player cannot move charts, the figure of this run is returned.

    Args:
        visit: number of the visit.   frame: frame that the figure shows.
    """
    if not moves_charts():
        return figure
    kept = st.session_state.setdefault("_stood", {})
    shape = (visit, figure.to_dict()["layout"].get("height"))
    if key not in kept or kept[key][0] != shape:
        kept[key] = (shape, figure, frame)
    return kept[key][1]


def opening_frame(reset: str, start: int) -> int:
    """Return the frame at which this page or moment opened: the message must not change with every pause."""
    kept = st.session_state.get("_opened")
    if kept is None or kept[0] != reset:
        kept = st.session_state["_opened"] = (reset, int(start))
    return kept[1]


def live(sentences: Sequence[str], *, start: int, reset: str, key: str, dark: bool, hall: bool) -> None:
    """Draw a sentence (HTML) that changes with the player's frame.

    Args:
        sentences: one a frame.   start: frame to open at when `reset` changes.   key: of the component.
        dark, hall: theme and lecture type.
    """
    _, mount = _components()
    sentences = symbols.to_html(sentences)
    unique, index = indexed(sentences)
    data = {"sentences": unique, "index": index, "start": opening_frame(reset, start), "reset": reset, "dark": dark,
            "hall": hall}  # fmt: skip
    mount(key=key, data=data)
    recorder.add_sentences(unique, index, dark, hall)
