"""Animations of films as GIF, WebM or MP4, from a shell: a browser without a window draws them as the drawer does.

The browser gets one page from this process, on this machine, with the film, Plotly and the scripts of assets/export;
it sends the file back the same way.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType

from answers import captions
from answers.film import compressed, film
from figures.theme import Theme
from lessons.record import LECTURE, Knob, Lesson
from shell.server import modules
from shell.server.scripts import PLOTLY
from shell.static.template import ENCODERS, style
from shell.static.view import ASKED, OPENING, View, views, with_words

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
FLAGS = ("--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking")
THEME = Knob("theme", "Theme", "", "light", options=("light", "dark"))
LOOK = {"theme": THEME, "lecture": LECTURE}
SILENCE_SECONDS = 60  # of a browser: then it has failed


class NoAnimation(RuntimeError):
    """Reason why there is no animation, in one sentence."""


def browser(named: str | None = None) -> str:
    """Return the browser that draws: the one that is named, or the first known one on the path.

    Raises:
        NoAnimation: there is none.
    """
    for name in (named,) if named else BROWSERS:
        if found := shutil.which(name):
            return found
    raise NoAnimation(
        f"An animation is drawn by Chromium or Chrome, and {f'“{named}” is none' if named else 'none is found here'}: "
        "install one, or name its program with --browser; the Export drawer of a page makes the same file."
    )


def view_of(
    lesson_key: str, moment: str | None, lessons: Sequence[Lesson], words: Mapping[str, str] = MappingProxyType({})
) -> View:
    """Return the view of a moment or a bet, in lecture type.

    Args:
        moment: key or number of a moment, "bet" for the question of the lesson's bet, None for the page as it opens.
        words: settings on top of the moment's, `theme` and `lecture`, as links write them.

    Raises:
        ValueError: there is no such lesson, moment, bet or setting, or the lesson has no film.
    """
    by_key = {lesson.key: (number, lesson) for number, lesson in enumerate(lessons)}
    filmed = ", ".join(key for key, (_, lesson) in by_key.items() if lesson.scene)
    if lesson_key not in by_key or by_key[lesson_key][1].scene is None:
        raise ValueError(f"There is no film of a lesson “{lesson_key}”; those with one are {filmed}.")
    number, lesson = by_key[lesson_key]
    numbered = {str(place): one.key for place, one in enumerate(lesson.moments, start=1)}
    allowed = {*numbered.values(), ASKED}
    found = views(lesson, number)
    key = OPENING if moment is None else numbered.get(moment, moment)
    if key not in found or (moment is not None and key not in allowed):
        keys = ", ".join(f"{place} {one}" for place, one in numbered.items())
        raise ValueError(f"The lesson “{lesson_key}” has no moment “{moment}”; its moments are {keys}.")
    values = with_words(lesson, {**found[key].values, "theme": "light", "lecture": True}, words, LOOK)
    theme = Theme(values.pop("theme") == "dark", values.pop("lecture"))
    return replace(found[key], values=values, theme=theme)


def film_file(
    view: View,
    program: str,
    progress: Callable[[int], object] = lambda percent: None,
    kind: str = "gif",
    span: tuple[int, int] | None = None,
) -> bytes:
    """Return the film of a view's stage as a file.

    Args:
        kind: of the file, one of `ENCODERS`.   program: browser that draws.   progress: called with the percent done.
        span: its first and last time; None for all of it.

    Raises:
        NoAnimation: the browser ended or fell silent, or the stage stands still.
    """
    frames = (0, view.scene.frames - 1) if span is None else tuple(map(view.scene.at_time, span))
    if frames[0] >= frames[1]:
        what = "This stage does not move" if span is None else f"Nothing moves from t = {span[0]} to {span[1]}"
        raise NoAnimation(f"{what}: name a longer span, or save a picture from the Export drawer.")
    messages: queue.SimpleQueue = queue.SimpleQueue()
    with _served(_files(view, kind, frames), messages) as address, _opened(program, address) as process:
        while (answer := _next(messages, process))[0] == "told":
            progress(int(answer[1]))
    if answer[0] == "made":
        return answer[1]
    raise NoAnimation(f"{program} could not draw the animation: {answer[1].decode()}")


def _next(messages: queue.SimpleQueue, process: subprocess.Popen) -> tuple[str, bytes]:
    """Return what the page sends next."""
    for _ in range(SILENCE_SECONDS):
        with suppress(queue.Empty):
            return messages.get(timeout=1.0)
        if process.poll() is not None:
            raise NoAnimation(
                f"The browser {process.args[0]} ended before the animation was made; start it by hand once."
            )
    raise NoAnimation(f"The browser {process.args[0]} drew nothing for {SILENCE_SECONDS} seconds; try again.")


def _files(view: View, kind: str, span: Sequence[int]) -> dict[str, tuple[str, bytes]]:
    """Return address -> media type and content of all that the browser asks for."""
    scripts = {modules.address(name): name for name in (PLOTLY, "export/alone.js", ENCODERS[kind])}
    plotly, alone, encoder = scripts
    scene, key = view.scene, next(iter(view.scene.films))
    request = {
        "key": key,
        "kind": kind,
        "headed": True,
        "span": span,
        "caption": captions.stage_caption(view),
        "hall": view.theme.lecture,
        "height": view.figure_of(key).spec["layout"].get("height"),
        "encoder": f"/{encoder}",
    }
    played = compressed(film(scene.showing(()), view.frame, view.paper))
    data = json.dumps(request).replace("<", "\\u003c")  # it cannot end its script
    html = (
        f'<!DOCTYPE html><html lang="en" translate="no"><meta charset="utf-8"><style>{style(None)}</style>'
        f'<script src="/{plotly}"></script>'
        f'<script type="module">import {{ make }} from "/{alone}"; make({data});</script>'
    )
    found = {f"/{where}": ("text/javascript", modules.content(name)) for where, name in scripts.items()}
    return found | {
        "/": ("text/html", html.encode()),
        "/film": ("application/octet-stream", played),
    }


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, files: dict[str, tuple[str, bytes]], messages: queue.SimpleQueue, *more: object) -> None:
        self.files, self.said = files, messages
        super().__init__(*more)

    def do_GET(self) -> None:
        kind, content = self.files.get(self.path, ("text/plain", b""))
        self.send_response(200 if self.path in self.files else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        if self.path == "/film":
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()
        self.said.put((self.path.strip("/"), body))

    def log_message(self, *words: object) -> None:
        """Log no request."""


@contextmanager
def _served(files: dict[str, tuple[str, bytes]], messages: queue.SimpleQueue) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, files, messages))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def _opened(program: str, address: str) -> Iterator[subprocess.Popen]:
    """Open an address in a browser with a profile of its own, and close it at the end."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0  # Chromium has no sandbox for root, as in a container
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = (*FLAGS, *(("--no-sandbox",) if root else ()), f"--user-data-dir={profile}")
        with subprocess.Popen([program, *flags, address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as made:
            try:
                yield made
            finally:
                made.terminate()
