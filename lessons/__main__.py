"""Lecture packs from a shell: `python -m lessons --moments drift.budget bands.empty --out lecture.zip`, or `all`.

`--course twenty` makes the pack of a course;
`python -m lessons animation bands --moment 2 V=3 --span 20 80 --out bands.webm` makes an animation;
`python -m lessons site OUT` writes the lab as plain files.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Sequence
from pathlib import Path

from answers.quantities import PAPERS
from lessons import LESSONS
from shell.hall.course.courses import COURSES, Course
from shell.hall.course.own import load_course
from shell.runs.runs import RUNS
from shell.static import animation, build
from shell.static.pages import ENCODERS


def main(words: Sequence[str] | None = None) -> int:
    """Write a lecture pack, an animation or a site; return the exit code."""
    parser = argparse.ArgumentParser("python -m lessons", description="Chosen moments as offline pages in one zip.")
    others = parser.add_subparsers(metavar="animation | site")
    films = others.add_parser(
        "animation", help="the film of a lesson's stage as GIF, WebM or MP4 of 1280 x 720, drawn by Chromium"
    )
    films.add_argument("lesson", help="its key, as bands")
    listed = "settings as links have them, and theme=dark or lecture=false: V=3 seed=6"
    films.add_argument("words", nargs="*", metavar="NAME=VALUE", help=listed)
    films.add_argument("--span", nargs=2, type=int, metavar=("FROM", "TO"), help="first and last time, as 20 80")
    films.add_argument("--moment", help="key or number of a moment, or bet for its question; without it the opening")
    films.add_argument(
        "--out", type=Path, default=Path("animation.gif"), help="the file to write, *.gif, *.webm or *.mp4"
    )
    films.add_argument("--browser", help="program of Chromium or Chrome; without it the first one on the path")
    films.set_defaults(run=_animation)
    site = others.add_parser("site", help="the lab as plain files, for any web host or a stick")
    site.add_argument("folder", type=Path, metavar="OUT", help="folder to write: new, empty, or a site to go on with")
    site.add_argument("--live", default="", metavar="URL", help="address of a live lab, to which every page links")
    site.add_argument("--symbols", default="ours", choices=PAPERS, help="a paper whose letters are written")
    site.add_argument(
        "--python", type=Path, metavar="FOLDER", help="a Pyodide to copy into the site, which then needs no other host"
    )
    package = "the site as a SCORM 1.2 package, whose course and score a learning platform keeps: zip the folder"
    site.add_argument("--scorm", default="", choices=COURSES, metavar="COURSE", help=package)
    site.set_defaults(run=_site)
    parser.add_argument(
        "--moments", nargs="+", default=["all"], metavar="LESSON.MOMENT", help="as bands.empty or 2.3, or all"
    )
    listed = f"a whole course instead: {', '.join(COURSES)}, or a file of your own that ends with .toml"
    parser.add_argument("--course", help=listed)
    parser.add_argument("--out", type=Path, help="the zip to write; without it, its name says what is in it")
    arguments = parser.parse_args(words)
    return arguments.run(arguments) if "run" in arguments else _pack(parser, arguments)


def _animation(arguments: argparse.Namespace) -> int:
    """Write the film of a lesson's stage."""
    try:
        kind = arguments.out.suffix.lower().removeprefix(".")
        if kind not in ENCODERS:
            raise ValueError(f"“{arguments.out}” is no animation: name a file that ends in .gif, .webm or .mp4.")
        if wrong := [word for word in arguments.words if "=" not in word]:
            raise ValueError(f"“{wrong[0]}” is no setting: write NAME=VALUE, as V=3.")
        words = dict(word.split("=", 1) for word in arguments.words)
        wanted = animation.view_of(arguments.lesson, arguments.moment, LESSONS, words)
        program = animation.browser(arguments.browser)  # before a long computation
        made = animation.film_file(wanted, program, _tell, kind, arguments.span)
    except (ValueError, animation.NoAnimation) as problem:
        print(problem, file=sys.stderr)
        return 2
    arguments.out.write_bytes(made)
    print(f"{arguments.out}: {len(made) / 1e6:.1f} MB")
    return 0


def _site(arguments: argparse.Namespace) -> int:
    """Write a site."""
    try:
        if arguments.live and not arguments.live.startswith(("http://", "https://")):
            raise ValueError(
                f"“{arguments.live}” is no address: --live takes one that begins with https:// or http://."
            )
        wanted = (arguments.folder, LESSONS, RUNS, arguments.live, arguments.symbols, arguments.python, arguments.scorm)
        missing = build.build(*wanted, tell=lambda line: print(line, flush=True))
    except (ValueError, OSError) as problem:
        print(problem, file=sys.stderr)
        return 2
    finally:
        RUNS.close()
    print("\n".join(missing), end="\n" if missing else "")
    written = [path.read_bytes() for path in arguments.folder.rglob("*") if path.is_file()]
    whole, sent = sum(map(len, written)), sum(len(gzip.compress(made, 6)) for made in written)
    print(f"{arguments.folder}: {len(written)} files, {whole / 1e6:.1f} MB, as sent (gzip) {sent / 1e6:.1f} MB")
    return 0


def _tell(percent: int) -> None:
    """Print every tenth percent."""
    if percent % 10 == 0:
        print(f"{percent} %", flush=True)


def _pack(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> int:
    """Write the pack of a course or of chosen moments."""
    try:
        course = _course(arguments.course) if arguments.course else build.course_of_moments(arguments.moments, LESSONS)
    except ValueError as problem:
        parser.error(str(problem))
    print(build.left_out(course, LESSONS), flush=True)
    order = RUNS.order(build.packed(course, LESSONS), lambda view: build.FILM_SECONDS)
    while not RUNS.wait(order, 1.0):
        print(f"{len(order.results)} of {len(order.jobs)} films are written", flush=True)
    RUNS.close()
    packed, missing = build.archive(course, LESSONS, order.results)
    out = arguments.out or Path(build.file_name(course))
    out.write_bytes(packed)
    print("\n".join(missing), end="\n" if missing else "")
    print(f"{out}: {len(order.jobs) - len(missing)} of {len(order.jobs)} films, {len(packed) / 1e6:.1f} MB")
    return 1 if missing and len(missing) == len(order.jobs) else 0


def _course(name: str) -> Course:
    """Return the course of a name or of a file; raise ValueError in one sentence where there is none."""
    if name.endswith(".toml"):
        course, wrong = load_course(Path(name), LESSONS)
        print(*(f"left out: {one}" for one in wrong), sep="\n", end="\n" if wrong else "", file=sys.stderr)
        return course
    if name not in COURSES:
        raise ValueError(f"There is no course “{name}”; the courses are {', '.join(COURSES)}, or a file *.toml.")
    return COURSES[name]


if __name__ == "__main__":
    sys.exit(main())
