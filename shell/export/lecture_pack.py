"""The lecture pack: chosen moments of the lessons as pages that play offline, in one zip with an index.

Each page is a job of its own (shell/jobs.py), written from the lesson's scene: model, figures and words.
"""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from figures.theme import Theme
from lessons.record import Lesson, Moment
from shell.export import captions, offline_page
from shell.export.snapshot import of_scene
from shell.jobs import Failure

PAGE_SECONDS = 0.6  # about how long a page takes


@dataclass(frozen=True, eq=False)
class Spot:
    """A moment of a lesson: its place in the lecture, and its words."""

    lesson: Lesson
    number: int

    @property
    def name(self) -> str:
        """Lesson and moment, as "2.3"."""
        return f"{self.lesson.number}.{self.number}"

    @property
    def moment(self) -> Moment:
        return self.lesson.moments[self.number - 1]

    @property
    def title(self) -> str:
        return f"{self.name} · {self.moment.title}"

    @property
    def file(self) -> str:
        """Name of its page in the pack; the number makes it unique."""
        words = re.sub(r"[^a-z0-9]+", "-", self.moment.title.lower()).strip("-")
        return f"{self.lesson.number:02d}-{self.number}-{words}.html"


@dataclass(frozen=True, eq=False)
class PackPage:
    """The job of writing one page of a pack.

    Attributes:
        spot: the moment.   ways: key ("n", "p", "i") -> file to go to.
    """

    spot: Spot
    ways: tuple[tuple[str, str], ...]

    @property
    def key(self) -> tuple:
        return self.spot.name, self.ways

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PackPage) and self.key == other.key

    @property
    def name(self) -> str:
        return f"The page of moment {self.spot.name}"

    def perform(self) -> bytes:
        """Return the page in lecture type, as compressed HTML.

        Raises:
            ValueError: the moment shows no figure before it is played.
        """
        lesson, moment = self.spot.lesson, self.spot.moment
        values = lesson.settings(moment.values)
        scene = lesson.scene(values, moment.t, Theme(dark=False, lecture=True))
        page = of_scene(lesson, scene, values, dark=False, lecture=True)
        heading = f"{self.spot.title}: “{moment.script}”"
        return zlib.compress(offline_page.html_page(page, offline_page.Place(heading, dict(self.ways))).encode())


def spots(lessons: Sequence[Lesson]) -> dict[str, Spot]:
    """Return every moment of these lessons by its name, in the order of the lecture."""
    found = [Spot(lesson, k) for lesson in lessons for k in range(1, len(lesson.moments) + 1)]
    return {spot.name: spot for spot in found}


def chosen(names: Iterable[str], lessons: Sequence[Lesson]) -> list[Spot]:
    """Return the moments of these names, each once and in the order of the lecture; "all" means all of them.

    Raises:
        ValueError: no name was given, or one that no lesson has.
    """
    known, wanted = spots(lessons), set(names)
    if "all" in wanted:
        return list(known.values())
    wrong = sorted(wanted - set(known))
    if wrong or not wanted:
        said = f"There is no moment {', '.join(wrong)}" if wrong else "No moment was chosen"
        raise ValueError(f"{said}; the moments are {', '.join(known)}, or all.")
    return [spot for name, spot in known.items() if name in wanted]


def jobs(wanted: Sequence[Spot]) -> tuple[PackPage, ...]:
    """Return the pages of a pack: lessons without a figure have none, and are named in the index."""
    shown = [spot for spot in wanted if spot.lesson.scene is not None]
    found = []
    for number, spot in enumerate(shown):
        ways = {"i": "index.html"}
        ways |= {"p": shown[number - 1].file} if number > 0 else {}
        ways |= {"n": shown[number + 1].file} if number + 1 < len(shown) else {}
        found.append(PackPage(spot, tuple(ways.items())))
    return tuple(found)


def archive(wanted: Sequence[Spot], results: Mapping[PackPage, object]) -> bytes:
    """Return the zip: an index, a page a moment, and beside them plotly.js and the typeface, once.

    Args:
        results: job -> compressed page, or the failure that says why there is none.
    """
    by_name = {job.spot.name: result for job, result in results.items()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as box:
        box.writestr("index.html", index(wanted, by_name))
        for spot in wanted:
            page = by_name.get(spot.name)
            if isinstance(page, bytes):
                box.writestr(spot.file, zlib.decompress(page))
            elif page is not None:  # its neighbours lead here
                box.writestr(spot.file, _missing(spot, str(page)))
        if any(isinstance(page, bytes) for page in by_name.values()):
            box.writestr(offline_page.PLOTLY, offline_page.plotly_script())
        if offline_page.font():
            box.writestr(offline_page.FONT, offline_page.font())
    return out.getvalue()


def index(wanted: Sequence[Spot], by_name: Mapping[str, object]) -> str:
    """Return the first page of a pack: each lesson's question, each moment with the line to say over it."""
    parts, last = [], None
    for spot in wanted:
        if spot.lesson.number != last:
            parts += ["</ol>" if last is not None else "", f"<h2>{html.escape(spot.lesson.question)}</h2>",
                      '<ol class="lecture">']  # fmt: skip
            last = spot.lesson.number
        page = by_name.get(spot.name)
        title, why = html.escape(spot.moment.title), html.escape(note(spot, page))
        link = f'<a href="{spot.file}">{title}</a>' if isinstance(page, bytes) else title
        words = f'<span class="note">{why}</span>' if why else ""
        parts.append(f"<li><b>{spot.name}</b>{link}: “{html.escape(spot.moment.script)}”{words}</li>")
    first = next((spot.file for spot in wanted if isinstance(by_name.get(spot.name), bytes)), None)
    keys = "N goes to the first moment, and from each to the next; P back, I here. " if first else ""
    filled = {
        "POLICY": offline_page.POLICY.format("'self' file:", "'self' file:"),
        "STYLE": offline_page.style(beside=True),
        "LIST": "\n".join([*parts, "</ol>" if parts else ""]),
        "KEYS": f"{keys}{offline_page.KEYS}.",
        "VERSION": html.escape(captions.VERSION),
        "FIRST": json.dumps(first),
    }
    return offline_page.fill((offline_page.ASSETS / "export" / "index.html").read_text(encoding="utf-8"), filled)


def note(spot: Spot, page: object) -> str:
    """Return why a moment has no page; empty where it has one."""
    if isinstance(page, bytes):
        return ""
    if isinstance(page, Failure) and not page.refused:
        return "This moment could not be drawn; it is left out."
    why = f" {page}" if isinstance(page, Failure) else ""
    return f"This moment shows no figure before it is played; open it in the app.{why}"


def _missing(spot: Spot, why: str) -> str:
    words = f"{spot.title}: {note(spot, Failure(why, refused=True))}"
    return f'<!doctype html><meta charset="utf-8"><p>{html.escape(words)}</p><p><a href="index.html">Index</a></p>\n'
