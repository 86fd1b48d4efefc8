"""Writing a site into a folder: films that are not there yet by worker processes, then pages and courses.

A build that was stopped goes on: a film's file is there whole or not at all. The folder of films has the release in its
name, so that no page ever meets a film of another one.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from lessons.record import Lesson
from shell.export import course_pack, lecture_pack
from shell.hall.course.courses import COURSES
from shell.runs.jobs import Failure
from shell.runs.runs import Runs
from shell.site import pages
from shell.site.films import FileJob, FilmFile, PictureFile, Written, views
from shell.stage.films import release

MARK, KIND = "site.json", "drifting rewards lab"  # file that says whose folder it is
FILM_SECONDS = 0.3  # about how long most films take
PAUSE = 0.5  # seconds between two looks at what is done


class NotOurs(ValueError):
    """A folder that holds something else than a site of the lab."""


def build(
    out: Path,
    lessons: Sequence[Lesson],
    runs: Runs,
    live: str = "",
    paper: str = "ours",
    tell: Callable[[str], None] = lambda line: None,
) -> list[str]:
    """Write the site, and return why what is missing is missing, a sentence each.

    Args:
        out: folder; made where there is none, continued where a site is in it.   runs: the workers.
        live: address of a live lab, "" for none.   paper: in whose letters.   tell: hears how far it is.

    Raises:
        NotOurs: the folder holds other files.
        OSError: it cannot be written.
    """
    folder = _open(out, paper)
    written = Written(out / folder)
    found = (file for number, one in enumerate(lessons) for view in views(one, number) for file in view.files())
    wanted = {file.name: file for file in found}.values()
    missing = _films(written, [file for file in wanted if not written.has(file)], paper, runs, tell)
    for name, made in pages.files(lessons, pages.Site(folder, live, paper), written).items():
        write(out / name, made)
    for key, course in COURSES.items():
        entries = course_pack.entries(course, lessons)
        order = runs.order(lecture_pack.jobs(entries, True, "../"), lambda page: lecture_pack.PAGE_SECONDS)
        while not runs.wait(order, PAUSE):
            pass
        for name, page in lecture_pack.pages(entries, order.results, course, "../").items():
            write(out / key / name, page.encode() if isinstance(page, str) else page)
        tell(f"The course “{course.title}” is written.")
    return missing


def _open(out: Path, paper: str) -> str:
    """Return the name of the folder of films, in a folder that is ours now; films of other releases go."""
    if out.exists() and not out.is_dir():
        raise NotOurs(f"“{out}” is a file: name a folder that is new, empty, or a site of this lab.")
    if out.exists() and any(out.iterdir()) and not _is_ours(out):
        raise NotOurs(f"“{out}” holds other files, and none was touched: name a folder that is new, empty, or a site.")
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


def _films(
    written: Written,
    wanted: Sequence[FilmFile | PictureFile],
    paper: str,
    runs: Runs,
    tell: Callable[[str], None],
) -> list[str]:
    """Write these files, and return why some are missing."""
    order = runs.order((FileJob(file, paper) for file in wanted), lambda job: FILM_SECONDS)
    over, done, missing = not wanted, set(), []
    while not over:
        over, before = runs.wait(order, PAUSE), len(done)
        for job, result in list(order.results.items()):
            if job in done:
                continue
            done.add(job)
            if isinstance(result, Failure):
                missing.append(f"{job.name}: {result}")
                continue
            for name, script in result.items():
                write(written.path(name), script.encode())
            order.results[job] = None  # written: the memory is for those to come
        if len(done) > before:
            tell(f"{len(done)} of {len(wanted)} films are written")
    return missing


def write(path: Path, content: bytes) -> None:
    """Write a file whole: a build that is stopped leaves none that is cut."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f"{path.name}.half")
    half.write_bytes(content)
    os.replace(half, path)
