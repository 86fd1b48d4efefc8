"""The time player and the live sentences: a film is sent to the browser once and plays there.

The player is a v2 component. It moves all charts that Streamlit has drawn on the page, without a request to the
server; a pause sends the time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import streamlit as st

from figures.film import Drawn
from shell.export import recorder
from shell.film_message import indexed, message
from shell.glossary.marks import marked_alone
from shell.notation import translate as symbols
from shell.pointers import pointed

ASSETS = Path(__file__).resolve().parent.parent / "assets" / "player"


def _read(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


SCRIPT = "".join(_read(name) for name in ("shown.js", "qr.js", "follow.js", "overlay.js", "grip.js", "player.js"))


@cache
def _components() -> tuple:
    player = st.components.v2.component("tvbo_player", html=_read("player.html"), css=_read("player.css"), js=SCRIPT)
    live = st.components.v2.component(
        "tvbo_live",
        html='<div class="live" aria-live="polite"></div>',
        css=_read("live.css"),
        js=_read("shown.js") + _read("pointers.js") + _read("live.js"),
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
    on_turn: Callable[[], None] = lambda: None,
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
        on_turn: called when the mark of a knob was dragged on a chart.
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
                   default={"t": None, "x": None, "knob": None, "plain": None}, on_t_change=lambda: None,
                   on_x_change=on_pin, on_knob_change=on_turn,
                   on_plain_change=lambda: st.session_state.update(_plain=True))  # fmt: skip
    frame = paused_at(result.t, reset, start, len(labels))
    recorder.add_film(head, packed, frame)
    return frame


def paused_at(told: object, reset: str, start: int, frames: int) -> int:
    """Return the frame of a pause, kept inside the film; `start` for anything else that a browser sent.

    A pause from before the last reset belongs to another page or moment.
    """
    t = told.get("t") if isinstance(told, Mapping) and told.get("reset") == reset else start
    number = isinstance(t, int | float) and math.isfinite(t)
    return min(max(int(t if number else start), 0), frames - 1)


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


def live(
    sentences: Sequence[str], *, start: int, reset: str, key: str, dark: bool, hall: bool,
    marks: Mapping[str, str] | None = None,
) -> None:  # fmt: skip
    """Draw a sentence (HTML) that changes with the player's frame.

    Args:
        sentences: one a frame.   start: frame to open at when `reset` changes.   key: of the component.
        dark, hall: theme and lecture type.   marks: word of the sentences -> mark of the figure that it points at.
    """
    _, mount = _components()
    unique, index = indexed(sentences)
    shown = symbols.to_html([marked_alone(pointed(one, marks or {}), "html") for one in unique])
    data = {"sentences": shown, "index": index, "start": opening_frame(reset, start), "reset": reset, "dark": dark,
            "hall": hall}  # fmt: skip
    mount(key=key, data=data)
    recorder.add_sentences(symbols.to_html(unique), index, dark, hall)
