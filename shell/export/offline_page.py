"""Offline pages: a page as one HTML file with the player's message, styles and scripts in it."""

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

from common.markup import plain_markdown
from lessons.record import in_drawers
from shell.export import captions
from shell.export.snapshot import PageSnapshot, whole_film
from shell.server.scripts import plain_script, plotly_script
from shell.stage.film_message import message

ASSETS = Path(__file__).resolve().parents[2] / "assets"
# The browser loads nothing but the file and, in a pack, the files beside it.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' {}; style-src 'unsafe-inline' {}; img-src data: blob:; "
    "font-src data:"
)
KEYS = (
    "Keys: Space plays and pauses, {}, Shift + → goes to the next event, Home and End to the ends, B blanks the screen"
)
STEPS = "Page Down and Page Up step"
WALKS = "Page Down does the next thing of the course, Page Up goes back, → and ← step"
RESET = "offline"  # name of the page and moment, for its player
PLOTLY, FONT = "plotly.min.js", "source-sans.css"  # file names in a pack


@dataclass(frozen=True)
class PackLinks:
    """Heading and links of a page of a lecture pack.

    Attributes:
        heading: the moment's number and title, with its script.   files: key ("n", "p", "i") -> file to go to.
        walks: Page Down, a clicker, does the next thing and then goes to the next file; Page Up goes back.
        end: frame to which the next thing plays the film, None where nothing is played.
        shared: folder of plotly.js and the typeface, from the page: "" beside it.
    """

    heading: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    walks: bool = False
    end: int | None = None
    shared: str = ""


@lru_cache(maxsize=1)
def font() -> bytes:
    """Return the typeface of the app (Source Sans, SIL Open Font License) from Streamlit's files, or nothing."""
    found = find_spec("streamlit")
    media = Path(found.origin).parent / "static" / "static" / "media"
    return next((path.read_bytes() for path in sorted(media.glob("SourceSans*-Upright*.woff2"))), b"")


@lru_cache(maxsize=8)
def asset(name: str) -> str:
    """Return a text of assets/."""
    return (ASSETS / name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def typeface() -> str:
    """Return the style sheet of the typeface, which is in it: a frame with a sandbox may load styles, but no fonts."""
    if not font():
        return ""
    source = f"data:font/woff2;base64,{base64.b64encode(font()).decode()}"
    return f'@font-face {{ font-family: "Source Sans"; src: url({source}); font-weight: 200 900; }}\n'


def style(beside: str | None) -> str:
    """Return all styles.

    Args:
        beside: folder of the typeface's style sheet, from the page; None where the typeface is in the page.
    """
    face = typeface() if beside is None or not font() else f"@import url({beside}{FONT});\n"
    sheets = ("colours.css", "export/offline.css", "stage/chart.css", "player/player.css", "player/live.css")
    return face + "".join(map(asset, sheets))


def html_page(page: PageSnapshot, pack: PackLinks | None = None) -> str:
    """Return the page as one HTML text.

    Args:
        pack: heading and links in a lecture pack, whose pages load plotly.js and the typeface from files beside them.

    Raises:
        ValueError: the page has no chart.
    """
    if not page.charts:
        raise ValueError("This page shows no figure at the moment; choose settings that draw one, then export.")
    shared = pack is not None
    links = pack or PackLinks()
    beside = "'self' file:" if shared else ""
    steps = WALKS if links.walks else STEPS
    filled = {
        "LOOK": "dark" if page.dark else "light",
        "HALL": "hall" if page.lecture else "desk",
        "POLICY": POLICY.format(beside, beside),
        "TITLE": html.escape(page.question),
        "QUESTION": html.escape(page.question),
        "NAV": _navigation(links),
        "MOMENT": f'<p class="moment">{html.escape(links.heading)}</p>' if links.heading else "",
        "STYLE": style(links.shared if shared else None),
        "CHARTS": _charts(page),
        "VERSION": html.escape(f"Lesson {page.number}, {captions.VERSION}"),
        "SETTINGS": f'<p class="quiet">Settings: {html.escape(captions.settings(page))}</p>' if page.settings else "",
        "KEYS": f'<p class="quiet">{KEYS.format(steps)}{_pack_keys(links)}.</p>' if page.reel else "",
        "PAGE": json_text(_contents(page, links)),
        "MESSAGE": base64.b64encode(_message(page)).decode(),
        "PLOTLY": f'<script src="{links.shared}{PLOTLY}"></script>'
        if shared
        else f"<script>{plotly_script()}</script>",
        "SCRIPT": plain_script("export/offline.js"),
    }
    return fill(asset("export/offline.html"), filled)


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return a template with each @NAME@ replaced in one pass, so that no replaced text is filled in turn."""
    return re.sub(r"@([A-Z]+)@", lambda found: values[found.group(1)], template)


def _navigation(links: PackLinks) -> str:
    """Return links to the neighbours in the pack and to its index."""
    anchors = "".join(
        f'<a href="{html.escape(links.files[key])}">{word}</a>'
        for key, word in (("p", "‹ P"), ("i", "Index"), ("n", "N ›"))
        if key in links.files
    )
    return f'<nav aria-label="Lecture">{anchors}</nav>' if anchors else ""


def _pack_keys(links: PackLinks) -> str:
    """Return the keys of a pack's pages in words."""
    words = {"n": "N next moment", "p": "P the one before", "i": "I index"}
    return "".join(f", {words[key]}" for key in links.files)


def _charts(page: PageSnapshot) -> str:
    """Return the stage with player and caption below it, then every other chart under its alternative text, in the
    drawers that the lab has."""
    stage, *others = page.charts
    parts = [_figure(page, stage, ' class="stage"')]
    if page.reel:
        parts.append(f'<div id="player">{asset("player/player.html")}</div>')
    parts.append(f'<p class="caption">{html.escape(captions.stage_caption(page))}</p>')
    for keys in in_drawers({key: page.charts[key].title for key in others}):
        title = html.escape(plain_markdown(page.charts[keys[0]].title))
        figures = "\n".join(
            _figure(page, key, "", f"{page.charts[key].alt}{_time_of_still(page, key)}") for key in keys
        )
        parts.append(f"<details><summary>{title}</summary>\n{figures}\n</details>" if title else figures)
    return "\n".join(parts)


def _figure(page: PageSnapshot, key: str, kind: str, caption: str = "") -> str:
    """Return the place of a chart, under its caption."""
    alt = html.escape(page.charts[key].alt, quote=True)
    above = f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""
    return (
        f'<figure{kind}>{above}<div class="st-key-{key}"><div class="chart" role="img" aria-label="{alt}"></div>'
        "</div></figure>"
    )


def _time_of_still(page: PageSnapshot, key: str) -> str:
    """Return the time of the export for a chart that the player does not move, else an empty text."""
    return "" if not page.label or page.film(key) else f" (as of {page.label})"


def _contents(page: PageSnapshot, links: PackLinks) -> dict[str, Any]:
    """Return the data that offline.js reads."""
    start = page.reel.frame if page.reel else 0
    said = {**page.said, "sentences": [""], "index": [0], "start": start, "reset": RESET} if page.said else None
    return {
        "charts": list(page.charts),
        "said": said,
        "ways": dict(links.files),
        "walks": links.walks,
        "end": links.end,
    }


def _message(page: PageSnapshot) -> bytes:
    """Return the player's message for this file, which opens at the last pause: no server, no sliders."""
    head = {"start": page.reel.frame if page.reel else 0, "reset": RESET, "question": None, "follows": False}
    return message(head, whole_film(page))


def json_text(value: object) -> str:
    """Return JSON that cannot end its script element."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
