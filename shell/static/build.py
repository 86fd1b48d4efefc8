"""Writing a site into a folder, and a pack into a zip: films by worker processes, then the pages around them.

A build that was stopped goes on: a film's file is there whole or not at all. The folder of films has the release in its
name, so that no page ever meets a film of another one.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from answers.address import release
from common.formats import plural
from lessons.record import Lesson, lesson_of
from shell.hall.course.courses import BET, COURSES, Course, Stop
from shell.runs.jobs import Failure
from shell.runs.runs import Runs
from shell.static import engine, pages
from shell.static.template import Site
from shell.static.view import LOOKS, View, every_view, view_keys

MARK, KIND = "site.json", "drifting rewards lab"  # file that says whose folder it is
FILM_SECONDS = 0.3  # about how long a film takes in one look
PAUSE = 0.5  # seconds between two looks at what is done
TITLE = "Chosen moments"  # of a pack that is no course
NAMED = 3  # moments that the name of a pack's file lists


@dataclass(frozen=True)
class Written:
    """The files that are written into a folder."""

    folder: Path

    def path(self, name: str) -> Path:
        """Return the path of a file, by its name with the theme (`LOOKS`)."""
        return self.folder / f"{name}.js"

    def has(self, view: View) -> bool:
        """Return whether a view's file is there in every look."""
        return all(self.path(f"{view.file}.{look}").exists() for look in LOOKS)

    def take(self, scripts: Mapping[str, str]) -> None:
        """Write what a view's job returned."""
        for name, script in scripts.items():
            write(self.path(name), script.encode())


# Sites ---------------------------------------------------------------------------------------------------------------


def build(
    out: Path,
    lessons: Sequence[Lesson],
    runs: Runs,
    live: str = "",
    paper: str = "ours",
    python: Path | None = None,
    scorm: str = "",
    tell: Callable[[str], None] = lambda line: None,
) -> list[str]:
    """Write the site, and return why what is missing is missing, a sentence each.

    Args:
        out: folder; made where there is none, continued where a site is in it.   runs: the workers.
        live: address of a live lab, "" for none.   paper: in whose letters.   tell: hears how far it is.
        python: folder of a Pyodide that is copied into the site; None for the published one.
        scorm: key of a course of which a learning platform keeps the score, "" for none.

    Raises:
        ValueError: the folder holds other files than a site of the lab, or `python` no whole Pyodide.
        OSError: it cannot be written.
    """
    pyodide = engine.copied(python) if python else engine.published()
    site = Site(_open(out, paper), lessons, every_view(lessons, paper), COURSES, live, paper, pyodide, scorm)
    written = Written(out / site.folder)
    every = (view for some in site.views.values() for view in some.values())
    missing = _films(written, [one for one in dict.fromkeys(every) if not written.has(one)], runs, tell)
    _write_python(out / engine.FOLDER, python, pyodide)
    for name, made in pages.files(site, written).items():
        write(out / name, made)
    return missing


def _write_python(folder: Path, python: Path | None, pyodide: engine.Engine) -> None:
    """Write the archives of the lab, and Pyodide where it is copied; what is left of other builds goes."""
    made = engine.archives()
    copied = list(pyodide.files) if python else []
    for old in folder.glob("*"):
        if old.name not in (*made, *copied):
            old.unlink()
    for name, content in made.items():
        write(folder / name, content)
    for name in copied:
        if not (folder / name).exists() or (folder / name).stat().st_size != (python / name).stat().st_size:
            write(folder / name, (python / name).read_bytes())


def _open(out: Path, paper: str) -> str:
    """Return the name of the folder of films, in a folder that is ours now; films of other releases go."""
    if out.exists() and not out.is_dir():
        raise ValueError(f"“{out}” is a file: name a folder that is new, empty, or a site of this lab.")
    if out.exists() and any(out.iterdir()) and not _is_ours(out):
        raise ValueError(
            f"“{out}” holds other files, and none was touched: name a folder that is new, empty, or a site."
        )
    folder = f"films-{release()}-{paper}"
    (out / folder).mkdir(parents=True, exist_ok=True)
    write(out / MARK, json.dumps({"site of": KIND, "films": folder}).encode())
    for old in out.glob("films-*"):
        if old.name != folder and not old.is_symlink():
            shutil.rmtree(old)
    return folder


def _is_ours(out: Path) -> bool:
    try:
        return json.loads((out / MARK).read_text(encoding="utf-8"))["site of"] == KIND
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _films(written: Written, wanted: Sequence[View], runs: Runs, tell: Callable[[str], None]) -> list[str]:
    """Write these files, and return why some are missing."""
    order = runs.order(wanted, lambda view: FILM_SECONDS)
    over, done, missing = not wanted, set(), []
    while not over:
        over, before = runs.wait(order, PAUSE), len(done)
        for view, result in list(order.results.items()):
            if view in done:
                continue
            done.add(view)
            if isinstance(result, Failure):
                missing.append(f"{view.name}: {result}")
                continue
            written.take(result)
            order.results[view] = None  # written: the memory is for those to come
        if len(done) > before:
            tell(f"{len(done)} of {len(wanted)} films are written")
    return missing


def write(path: Path, content: bytes) -> None:
    """Write a file whole: a build that is stopped leaves none that is cut."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f"{path.name}.half")
    half.write_bytes(content)
    os.replace(half, path)


# Packs ---------------------------------------------------------------------------------------------------------------


def course_of_moments(names: Iterable[str], lessons: Sequence[Lesson]) -> Course:
    """Return the course of the moments of these names ("bands.empty") or numbers ("2.3"), each once and in the order of
    the lessons; "all" means all.

    Raises:
        ValueError: no name was given, or one that no lesson has.
    """
    numbered = [
        (f"{n}.{k}", Stop(lesson.key, one.key))
        for n, lesson in enumerate(lessons)
        for k, one in enumerate(lesson.moments, start=1)
    ]
    wanted, known = set(names), {word for number, stop in numbered for word in (number, stop.name)}
    if "all" in wanted:
        return Course("", "All moments", "", tuple(stop for _, stop in numbered))
    wrong = sorted(wanted - known)
    if wrong or not wanted:
        problem = f"There is no moment {', '.join(wrong)}" if wrong else "No moment was chosen"
        raise ValueError(f"{problem}; the moments are {', '.join(stop.name for _, stop in numbered)}, or all.")
    return Course("", TITLE, "", tuple(stop for number, stop in numbered if wanted & {number, stop.name}))


def file_name(course: Course) -> str:
    """Return the name of a pack's file, made of its content."""
    if course.key or any(stop.asks or stop.kept for stop in course.stops):
        return f"course-{course.key or 'own'}.zip"
    if course.title != TITLE:
        return "all-moments.zip"
    names = [stop.name for stop in course.stops]
    more = [f"and-{len(names) - NAMED}-more"] if len(names) > NAMED else []
    return f"{'-'.join(names[:NAMED] + more)}.zip"


def packed(course: Course, lessons: Sequence[Lesson], paper: str = "ours") -> list[View]:
    """Return the views of a pack: the jobs that write its films."""
    every = every_view(lessons, paper, course.stops)
    keys = [(stop.lesson, key) for stop in course.stops for key in view_keys(stop)]
    return list(dict.fromkeys(every[lesson][key] for lesson, key in keys if key in every[lesson]))


def left_out(course: Course, lessons: Sequence[Lesson]) -> str:
    """Return what a pack of these moments leaves out, in sentences."""
    gone = [stop.name for stop in course.stops if not pages.can_show(stop, lesson_of(stop.lesson, lessons))]
    asks = f" No votes are counted in its {plural(sum(one.asks for one in course.stops), BET)}." if course.key else ""
    names = f" It has no page for {', '.join(gone)}: only the app can show that." if gone else ""
    return (
        "A pack leaves out what only the app can do: other settings, tables of your own, asking by hand, data tables "
        f"and help texts.{asks}{names}"
    )


def archive(
    course: Course, lessons: Sequence[Lesson], results: Mapping[View, object], paper: str = "ours"
) -> tuple[bytes, list[str]]:
    """Return the zip of a pack, a site of these views alone that one button walks through, and why views are missing.

    Args:
        results: view -> what its job returned, or the failure that says why there is no film.
    """
    stops = [(stop, lesson_of(stop.lesson, lessons)) for stop in course.stops]
    listed = {lesson.key: lesson for stop, lesson in stops if pages.can_show(stop, lesson)}
    some = packed(course, lessons, paper)
    films = {key: {one.key: one for one in some if one.lesson.key == key} for key in listed}
    site = Site("films", list(listed.values()), films, {"": course}, "", paper)
    out = io.BytesIO()
    with TemporaryDirectory() as folder:
        written = Written(Path(folder) / site.folder)
        missing = []
        for view in some:
            made = results.get(view)
            if isinstance(made, Mapping):
                written.take(made)
            else:
                why = made if isinstance(made, Failure) and made.refused else "it could not be drawn."
                missing.append(f"{view.lesson.title}, {view.title}, is left out: {why}")
        for name, content in pages.files(site, written, missing).items():
            write(Path(folder) / name, content)
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as box:
            for path in sorted(path for path in Path(folder).rglob("*") if path.is_file()):
                box.write(path, path.relative_to(folder))
    return out.getvalue(), missing
