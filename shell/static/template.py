"""The parts of every page without a server: settings of a site, the page's frame, styles and the typeface."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from answers import captions
from answers.letters import translate
from common.markup import html_markdown
from lessons.record import Lesson
from shell.hall.course.courses import Course
from shell.server.scripts import asset
from shell.static.engine import Engine
from shell.static.view import View

PLOTLY, FONT, STYLE, SCRIPT = "plotly.min.js", "source-sans.css", "site.css", "site.js"
SCORM, MANIFEST = "scorm.js", "imsmanifest.xml"  # of a course in a learning platform
INDEX, GLOSSARY = "index.html", "glossary.html"
GIFENC, MEDIABUNNY = "vendor/gifenc/gifenc.js", "vendor/mediabunny/mediabunny.js"
ENCODERS = {"gif": GIFENC, "webm": MEDIABUNNY, "mp4": MEDIABUNNY}  # kind of an animation -> script that writes it
BESIDE = {kind: PurePosixPath(name).name for kind, name in ENCODERS.items()}  # the same beside the pages
# The browser loads nothing but the files of the site, of a page in one file nothing at all.
POLICY = (
    "default-src 'none'; script-src {}; style-src 'unsafe-inline' {}; img-src data: blob:; font-src data:; "
    "worker-src 'self'"
)
HALL = '<label class="st-key-lecture"><input type="checkbox" role="switch">Lecture type</label>'
LOOK = '<button id="look" type="button">Dark</button>'
KEYS = (
    "Space plays and pauses, → and ← step, Shift + → goes to the next event, Home and End to the ends, "
    "B blanks the screen"
)
WALKS = f"Page Down, a clicker or N does the next thing, Page Up or P goes back, I comes here. {KEYS}."
FROZEN = (
    "This site is plain files, and its sliders run on this computer. It lacks votes, the speaker's window, "
    "workbooks as tables of your own (CSV is read), other worlds of the game, Dask, "
    "and a bet's secrecy (its answer is a file); the live lab has them"
)
PACKED = (
    "This pack is plain files: films that were computed once. Everything else (other settings, your own table, asking "
    "by hand, other worlds of the game) needs the live lab"
)


@dataclass(frozen=True)
class Site:
    """Settings of all pages of a site.

    Attributes:
        folder: of the films.   lessons: that have a page.   views: key of a lesson -> its views, by their keys.
        courses: key -> course; a pack has one alone, of the key "", and begins with its title.
        live: address of a live lab, "" for none.   paper: of the letters.
        scorm: key of the course that a learning platform keeps the score of, "" for none.
        pyodide: from where a browser has its Python; None in a pack, whose pages are what they are.
    """

    folder: str
    lessons: Sequence[Lesson]
    views: Mapping[str, Mapping[str, View]]
    courses: Mapping[str, Course]
    live: str = ""
    paper: str = "ours"
    pyodide: Engine | None = None
    scorm: str = ""

    @property
    def pack(self) -> Course | None:
        """The course of a pack, None of a site."""
        return self.courses.get("")

    def words(self, markdown: str) -> str:
        """Return a text of the lab as HTML, in the letters."""
        return html_markdown(translate(markdown, self.paper, "markdown"))


def page(
    site: Site,
    title: str,
    heading: str,
    nav: Mapping[str, str],
    body: str,
    contents: Mapping[str, object] | None = None,
    more: str = "",
    live: str | None = None,
) -> str:
    """Return a page.

    Args:
        heading, body, more: HTML.   nav: file -> words of its link.   contents: what its script reads.
        live: words and link to the live lab (HTML).
    """
    ways = {INDEX: "Index" if site.pack else "All lessons", **nav}
    anchors = "".join(f'<a data-in href="{file}">{html.escape(words)}</a>' for file, words in ways.items())
    looks = f"{HALL if contents else ''}{LOOK}"
    frozen = f"{PACKED if site.pack else FROZEN}{live_link(site) if live is None else live}"
    values = filled(title, heading, contents or {}) | {
        "POLICY": POLICY.format("'self' file:", "'self' file:"),
        "STYLE": f'<link rel="stylesheet" href="{STYLE}">',
        "NAV": f'<nav aria-label="Site">{anchors}{looks}<span id="walk"></span></nav>',
        "BODY": body,
        "FOOT": f'{more}<p class="quiet">{frozen}.</p>{version()}',
        "SCRIPT": f'<script src="{SCRIPT}"></script>{_scorm(site)}',
    }
    return fill(asset("site/page.html"), values)


def _scorm(site: Site) -> str:
    """Return the script that tells a learning platform how a course goes, where one keeps its score."""
    if not site.scorm:
        return ""
    bets = " ".join(dict.fromkeys(stop.lesson for stop in site.courses[site.scorm].stops if stop.asks))
    return f'<script src="{SCORM}" data-last="{site.scorm}-seen.html" data-bets="{bets}"></script>'


def filled(title: str, heading: str, contents: Mapping[str, object]) -> dict[str, str]:
    return {"TITLE": html.escape(title), "HEADING": heading, "PAGE": json_text(contents)}


def version(number: int | None = None) -> str:
    lesson = "" if number is None else f"Lesson {number}, "
    return f'<p class="quiet">{html.escape(lesson + captions.VERSION)}</p>'


def live_link(site: Site, lesson: Lesson | None = None) -> str:
    """Return the link to the live lab, empty where no address is known."""
    path = lesson.file.rsplit("/", 1)[-1].removesuffix(".py") if lesson and "/" in lesson.file else ""
    address = html.escape(site.live.rstrip("/"), quote=True)
    return f': <a href="{address}/{path}">open it there</a>' if address else ""


@cache
def font() -> bytes:
    """Return the typeface of the app (Source Sans, SIL Open Font License) from Streamlit's files, or nothing."""
    media = Path(find_spec("streamlit").origin).parent / "static" / "static" / "media"
    return next((path.read_bytes() for path in sorted(media.glob("SourceSans*-Upright*.woff2"))), b"")


@cache
def typeface() -> str:
    """Return the style sheet of the typeface, which is in it: a frame with a sandbox may load styles, but no fonts."""
    source = f"data:font/woff2;base64,{base64.b64encode(font()).decode()}"
    return f'@font-face {{ font-family: "Source Sans"; src: url({source}); font-weight: 200 900; }}\n' * bool(font())


def style(beside: str | None) -> str:
    """Return all styles without their comments.

    Args:
        beside: folder of the typeface's style sheet, from the page; None where the typeface is in the page.
    """
    face = typeface() if beside is None or not font() else f"@import url({beside}{FONT});\n"
    sheets = (
        "colours.css",
        "stage/chart.css",
        "player/player.css",
        "player/live.css",
        "strip/strip.css",
        "export/export.css",
    )
    fingers = () if beside is None else ("player/fingers.css",)
    text = "".join(map(asset, (*sheets, f"site/{STYLE}", *fingers, "forced.css", "print.css")))
    return face + re.sub(r"/\*.*?\*/\n?", "", text, flags=re.DOTALL)


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return a template with each @NAME@ replaced in one pass, so that no replaced text is filled in turn."""
    return re.sub(r"@([A-Z]+)@", lambda found: values[found.group(1)], template)


def json_text(value: object) -> str:
    """Return JSON that cannot end its script element."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
