"""A page as one file that plays from a disk without a network: the player's own message, styles and script in it."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from shell import film_message
from shell.export import captions
from shell.export.snapshot import PageSnapshot

ASSETS = Path(__file__).resolve().parents[2] / "assets"
# Nothing but what is in the file, or lies beside it, is ever asked for.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' {}; style-src 'unsafe-inline'; img-src data: blob:; "
    "font-src data: {}"
)
KEYS = (
    "Keys: Space plays and pauses, Page Down and Page Up step, Shift + → goes to the next event, Home and End to the "
    "ends, B blanks the screen"
)
PLOTLY, FONT = "plotly.min.js", "source-sans.woff2"  # names beside the pages of a pack


@dataclass(frozen=True)
class Place:
    """Where a page stands in a lecture pack.

    Attributes:
        heading: the moment's number and title, with its script.   ways: key ("n", "p", "i") -> file to go to.
    """

    heading: str = ""
    ways: Mapping[str, str] = field(default_factory=dict)


@lru_cache(maxsize=1)
def plotly_script() -> bytes:
    """plotly.js as the installed Plotly package brings it.

    Raises:
        ValueError: the package has none.
    """
    found = find_spec("plotly")
    path = Path(found.origin).parent / "package_data" / "plotly.min.js" if found and found.origin else None
    if path is None or not path.exists():
        raise ValueError("The Plotly package here holds no plotly.min.js; install plotly anew to export animations.")
    return path.read_bytes()


@lru_cache(maxsize=1)
def font() -> bytes:
    """The typeface of the app (Source Sans, SIL Open Font License), which Streamlit brings; empty if it moved."""
    found = find_spec("streamlit")
    media = Path(found.origin).parent / "static" / "static" / "media"
    return next((path.read_bytes() for path in sorted(media.glob("SourceSans*-Upright*.woff2"))), b"")


@lru_cache(maxsize=1)
def _script() -> str:
    """The player, the sentence and what mounts them, each in a scope of its own."""
    parts = []
    for name, file in (("mountPlayer", "player/player.js"), ("mountLive", "player/live.js")):
        source = _asset(file)
        if source.count("export default function") != 1:
            raise ValueError(f"assets/{file} must export one function; then offline pages can mount it.")
        parts.append(
            f"const {name} = (() => {{\n{source.replace('export default function', 'return function')}\n}})();"
        )
    return "(() => {\n" + "\n".join(parts) + "\n" + _asset("export/offline.js") + "\n})();"


@lru_cache(maxsize=8)
def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def style(beside: bool) -> str:
    """All styles, with the typeface inside or beside the page."""
    source = f"url({FONT})" if beside else f"url(data:font/woff2;base64,{base64.b64encode(font()).decode()})"
    face = f'@font-face {{ font-family: "Source Sans"; src: {source}; font-weight: 200 900; }}\n' if font() else ""
    return face + "".join(_asset(f) for f in ("export/offline.css", "player/player.css", "player/live.css"))


def html_page(page: PageSnapshot, place: Place | None = None) -> str:
    """The page as one HTML text; with a `place` it is one of a lecture pack and shares what lies beside it.

    Raises:
        ValueError: nothing was drawn, or the Plotly package lacks its script.
    """
    if not page.charts:
        raise ValueError("This page shows no figure at the moment; choose settings that draw one, then export.")
    shared = place is not None
    where = place or Place()
    beside = "'self' file:" if shared else ""
    filled = {
        "LOOK": "dark" if page.dark else "light",
        "HALL": "hall" if page.lecture else "desk",
        "POLICY": POLICY.format(beside, beside),
        "TITLE": html.escape(page.question),
        "QUESTION": html.escape(page.question),
        "NAV": _links(where),
        "MOMENT": f'<p class="moment">{html.escape(where.heading)}</p>' if where.heading else "",
        "STYLE": style(shared),
        "CHARTS": _charts(page),
        "VERSION": html.escape(f"Lesson {page.number}, {captions.VERSION}"),
        "SETTINGS": f'<p class="quiet">Settings: {html.escape(captions.settings(page))}</p>' if page.settings else "",
        "KEYS": f'<p class="quiet">{KEYS}{_more_keys(where)}.</p>' if page.reel else "",
        "PAGE": _json(_contents(page, where)),
        "MESSAGE": base64.b64encode(_message(page)).decode() if page.reel else "",
        "PLOTLY": f'<script src="{PLOTLY}"></script>' if shared else f"<script>{plotly_script().decode()}</script>",
        "SCRIPT": _script(),
    }
    return fill(_asset("export/offline.html"), filled)


def fill(template: str, values: Mapping[str, str]) -> str:
    """A template with each @NAME@ replaced once; what is put in is not looked at again."""
    return re.sub(r"@([A-Z]+)@", lambda found: values[found.group(1)], template)


def _links(place: Place) -> str:
    """To the neighbours in the pack and to its index."""
    links = "".join(
        f'<a href="{html.escape(place.ways[key])}">{word}</a>'
        for key, word in (("p", "‹ P"), ("i", "Index"), ("n", "N ›"))
        if key in place.ways
    )
    return f'<nav aria-label="Lecture">{links}</nav>' if links else ""


def _more_keys(place: Place) -> str:
    words = {"n": "N next moment", "p": "P the one before", "i": "I index"}
    return "".join(f", {words[key]}" for key in place.ways)


def _charts(page: PageSnapshot) -> str:
    """The stage with the player and the caption below it, then every other chart under its alternative text."""
    parts = []
    for number, (key, chart) in enumerate(page.charts.items()):
        alt = html.escape(chart.alt, quote=True)
        title = "" if number == 0 else f"<figcaption>{alt}{_frozen(page, key)}</figcaption>"
        kind = ' class="stage"' if number == 0 else ""
        parts.append(
            f'<figure{kind}>{title}<div class="st-key-{key}"><div class="chart" role="img" aria-label="{alt}"></div>'
            "</div></figure>"
        )
        if number == 0 and page.reel:
            parts.append(f'<div id="player">{_asset("player/player.html")}</div>')
        if number == 0:
            parts.append(f'<p class="caption">{html.escape(captions.foot(page))}</p>')
    return "\n".join(parts)


def _frozen(page: PageSnapshot, key: str) -> str:
    """A chart that the player does not move shows the moment of the export."""
    return "" if not page.label or page.film(key) else f" (as of {html.escape(page.label)})"


def _contents(page: PageSnapshot, place: Place) -> dict[str, Any]:
    charts = [{"key": key, "figure": page.figure(key)} for key in page.charts]
    start, reset = (page.reel.frame, page.reel.head["reset"]) if page.reel else (0, "")
    said = {**page.said, "start": start, "reset": reset} if page.said else None
    return {"charts": charts, "said": said, "ways": dict(place.ways)}


def _message(page: PageSnapshot) -> bytes:
    """The player's message for this file: it opens at the time that is shown, and its figures are drawn already."""
    reel = page.reel
    charts = [{**c, "figure": None} for c in reel.packed["charts"] if c["key"] in page.charts]
    head = {**reel.head, "start": reel.frame, "stood": {c["key"]: [c["mark"], None] for c in charts}}
    film = json.dumps({"buffers": reel.packed["buffers"], "charts": charts}).encode()
    return film_message.message(head, film, reel.packed["bytes"])


def _json(value: object) -> str:
    """JSON that cannot end the script element it stands in."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
