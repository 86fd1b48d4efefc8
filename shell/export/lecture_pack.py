"""Lecture packs: chosen moments of the lessons as pages that play offline, in one zip with an index.

Each page is a job (shell/runs/jobs.py), written from the lesson's scene: model, figures and words.
"""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from figures.theme import Theme
from lessons.record import Lesson, Moment, Scene
from shell.export import captions, offline_page
from shell.export.snapshot import PageSnapshot, of_scene
from shell.hall.course.courses import Course
from shell.runs.jobs import Failure
from shell.server.scripts import plotly_script

TITLE = "When the best action keeps moving"
PAGE_SECONDS = 0.6  # about how long a page takes


@dataclass(frozen=True, eq=False)
class PackEntry:
    """A moment of a lesson as an entry of a pack.

    Attributes:
        lesson: that has it.   moment: the moment itself.   place: in the order of the pack, and among its neighbours.
        lesson_number: of the lesson in the lab.   of_bet: it is a bet's stage, with nothing of what is not told yet.
        begins: time from which the film runs to the moment's, None where the page opens at the moment's.
        told: returns what is said beside the moment's line, measured when the page is written.
    """

    lesson: Lesson
    moment: Moment
    place: tuple[int, int]
    lesson_number: int
    of_bet: bool = False
    begins: int | None = None
    told: Callable[[], str] | None = None

    @property
    def name(self) -> str:
        """Keys of lesson and moment, as "bands.empty"."""
        return f"{self.lesson.key}.{self.moment.key}"

    @property
    def number(self) -> str:
        """Its place as the reader sees it, "2.3"."""
        return "{}.{}".format(*self.place)

    @property
    def title(self) -> str:
        """Number and title of the moment."""
        return f"{self.number} · {self.moment.title}"

    def scene(self) -> Scene:
        """Return what it shows, in lecture type.

        Raises:
            ValueError: it shows no figure before it is played.
        """
        shown = self.lesson.question_scene if self.of_bet else self.lesson.scene
        return shown(self.lesson.settings(self.moment.values), self.moment.t, Theme(dark=False, lecture=True))

    def page(self, scene: Scene) -> PageSnapshot:
        """Return the snapshot of a page that shows its scene."""
        values = self.lesson.settings(self.moment.values)
        return of_scene(self.lesson, self.lesson_number, scene, values, dark=False, lecture=True)

    @property
    def file(self) -> str:
        """File name of its page, by which a folder lists the pack in the order of the lecture."""
        words = re.sub(r"[^a-z0-9]+", "-", self.moment.title.lower()).strip("-")
        return "{:02d}-{}-{}.html".format(*self.place, words)


@dataclass(frozen=True, eq=False)
class PackPageJob:
    """The job of writing one page of a pack.

    Attributes:
        entry: the moment.   links: key ("n", "p", "i") -> file to go to.   walks: one button walks through the pack.
        shared: folder of plotly.js and the typeface, from the page: "" beside it.
    """

    entry: PackEntry
    links: tuple[tuple[str, str], ...]
    walks: bool = False
    shared: str = ""

    @property
    def key(self) -> tuple:
        """Name and links, which decide the page."""
        return self.entry.name, self.links, self.walks, self.shared

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PackPageJob) and self.key == other.key

    @property
    def name(self) -> str:
        """Name of the job in sentences."""
        return f"The page of moment {self.entry.number}"

    def perform(self) -> bytes:
        """Return the page in lecture type, as compressed HTML.

        Raises:
            ValueError: the moment shows no figure before it is played.
        """
        entry, moment = self.entry, self.entry.moment
        scene, end = entry.scene(), None
        if entry.begins is not None:
            end, scene = scene.start, replace(scene, start=min(scene.at_time(entry.begins), scene.start))
        page = entry.page(scene)
        said = entry.told() if entry.told else f"“{moment.script}”"
        neighbours = offline_page.PackLinks(f"{entry.title}: {said}", dict(self.links), self.walks, end, self.shared)
        return zlib.compress(offline_page.html_page(page, neighbours).encode())


def entries(lessons: Sequence[Lesson]) -> dict[str, PackEntry]:
    """Return every moment of these lessons by its name, in the order of the lecture."""
    found = [
        PackEntry(lesson, moment, (n, k), n)
        for n, lesson in enumerate(lessons)
        for k, moment in enumerate(lesson.moments, start=1)
    ]
    return {entry.name: entry for entry in found}


def chosen(names: Iterable[str], lessons: Sequence[Lesson]) -> list[PackEntry]:
    """Return the moments of these names or numbers, each once and in the order of the lecture; "all" means all.

    Raises:
        ValueError: no name was given, or one that no lesson has.
    """
    known, wanted = entries(lessons), set(names)
    if "all" in wanted:
        return list(known.values())
    wrong = sorted(wanted - set(known) - {entry.number for entry in known.values()})
    if wrong or not wanted:
        problem = f"There is no moment {', '.join(wrong)}" if wrong else "No moment was chosen"
        raise ValueError(f"{problem}; the moments are {', '.join(known)}, or all.")
    return [entry for name, entry in known.items() if wanted & {name, entry.number}]


def jobs(wanted: Sequence[PackEntry], walks: bool = False, shared: str = "") -> tuple[PackPageJob, ...]:
    """Return the pages of a pack; a lesson without a scene has none, and the index says so.

    Args:
        walks: whether one button walks through it, and from its last page to the index.
        shared: folder of plotly.js and the typeface, from the pages: "" beside them.
    """
    shown = [entry for entry in wanted if entry.lesson.scene is not None]
    found = []
    for number, entry in enumerate(shown):
        links = {"i": "index.html"}
        links |= {"p": shown[number - 1].file} if number > 0 else {}
        if number + 1 < len(shown):
            links["n"] = shown[number + 1].file
        elif walks:
            links["n"] = "index.html"
        found.append(PackPageJob(entry, tuple(links.items()), walks, shared))
    return tuple(found)


def archive(wanted: Sequence[PackEntry], results: Mapping[PackPageJob, object], course: Course | None = None) -> bytes:
    """Return the zip: an index, one page a moment, plotly.js and the typeface.

    Args:
        results: job -> compressed page, or the failure that says why there is none.
        course: whose pages they are; None for moments of one's choice.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as box:
        for name, page in pages(wanted, results, course).items():
            box.writestr(name, page)
        if any(isinstance(page, bytes) for page in results.values()):
            box.writestr(offline_page.PLOTLY, plotly_script())
        if offline_page.font():
            box.writestr(offline_page.FONT, offline_page.typeface())
    return out.getvalue()


def pages(
    wanted: Sequence[PackEntry], results: Mapping[PackPageJob, object], course: Course | None = None, shared: str = ""
) -> dict[str, str | bytes]:
    """Return name -> page: an index, and one a moment.

    Args:
        results, course: as for `archive`.   shared: folder of the typeface, from the index.
    """
    by_name = {job.entry.name: result for job, result in results.items()}
    found: dict[str, str | bytes] = {"index.html": index(wanted, by_name, course, shared)}
    for entry in wanted:
        page = by_name.get(entry.name)
        if isinstance(page, bytes):
            found[entry.file] = zlib.decompress(page)
        elif page is not None:  # its neighbours link to it
            found[entry.file] = _missing_page(entry, page)
    return found


def index(
    wanted: Sequence[PackEntry], by_name: Mapping[str, object], course: Course | None = None, shared: str = ""
) -> str:
    """Return the index page: each lesson's question, each moment with its script.

    Args:
        by_name: name of a moment -> compressed page, or the failure that says why there is none.
        course: whose title and promise stand above.   shared: folder of the typeface, from the index.
    """
    title, promise = (course.title, course.promise) if course else (TITLE, "")
    parts, last = [], None
    for entry in wanted:
        if entry.lesson.key != last:
            parts += [
                "</ol>" if last is not None else "",
                f"<h2>{html.escape(entry.lesson.question)}</h2>",
                '<ol class="lecture">',
            ]
            last = entry.lesson.key
        page = by_name.get(entry.name)
        name, why = html.escape(entry.moment.title), html.escape(note(entry, page))
        link = f'<a href="{entry.file}">{name}</a>' if isinstance(page, bytes) else name
        words = f'<span class="note">{why}</span>' if why else ""
        line = f": “{html.escape(entry.moment.script)}”" if entry.moment.script else ""
        parts.append(f"<li><b>{entry.number}</b>{link}{line}{words}</li>")
    first = next((entry.file for entry in wanted if isinstance(by_name.get(entry.name), bytes)), None)
    keys = "N or Page Down goes to the first, and N from each to the next; P back, I here. " if first else ""
    filled = {
        "POLICY": offline_page.POLICY.format("'self' file:", "'self' file:"),
        "STYLE": offline_page.style(shared),
        "TITLE": html.escape(title),
        "PROMISE": f"<p>{html.escape(promise)}</p>" if promise else "",
        "LIST": "\n".join([*parts, "</ol>" if parts else ""]),
        "KEYS": f"{keys}{offline_page.KEYS.format(offline_page.STEPS)}.",
        "VERSION": html.escape(captions.VERSION),
        "FIRST": json.dumps(first),
    }
    return offline_page.fill((offline_page.ASSETS / "export" / "index.html").read_text(encoding="utf-8"), filled)


def note(entry: PackEntry, page: object) -> str:
    """Return the reason why a moment has no page, empty where it has one.

    Args:
        page: compressed page, the failure, or None where the lesson has no scene.
    """
    if isinstance(page, bytes):
        return ""
    if isinstance(page, Failure) and not page.refused:
        return "This moment could not be drawn; it is left out."
    why = f" {page}" if isinstance(page, Failure) else ""
    return f"This moment shows no figure before it is played; open it in the app.{why}"


def _missing_page(entry: PackEntry, failure: object) -> str:
    """Return the page of a moment without a figure."""
    words = f"{entry.title}: {note(entry, failure)}"
    head = '<!doctype html><html lang="en" translate="no"><meta charset="utf-8">'
    return f'{head}<p>{html.escape(words)}</p><p><a href="index.html">Index</a></p>\n'
