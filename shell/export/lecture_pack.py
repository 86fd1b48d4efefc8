"""The lecture pack: chosen moments of the lessons as pages that play offline, in one zip with an index.

Each moment is opened by the app itself, in Streamlit's own test driver, so that a page in the pack is what the
app draws. From a shell: `python -m shell.export.lecture_pack --moments 1.1 2.3 --out lecture.zip` (or `--moments all`).
"""

from __future__ import annotations

import argparse
import html
import io
import json
import logging
import os
import re
import sys
import threading
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from lessons import LESSONS
from lessons.record import Lesson
from lessons.record import Moment as Scene
from shell.export import captions
from shell.export import offline_page as offline
from shell.export.snapshot import KEEP, SPOT, Shelf
from shell.page import ROOT

PATIENCE = 90.0  # seconds that one moment may take, runs in the background included
BEAT = 0.4  # seconds between two looks at a page whose runs are not done


@dataclass(frozen=True)
class Spot:
    """A moment of a lesson: its place in the lecture, and its words."""

    lesson: Lesson
    number: int

    @property
    def name(self) -> str:
        """ "2.3": lesson and moment."""
        return f"{self.lesson.number}.{self.number}"

    @property
    def scene(self) -> Scene:
        return self.lesson.moments[self.number - 1]

    @property
    def title(self) -> str:
        return f"{self.name} · {self.scene.title}"

    @property
    def file(self) -> str:
        """Of its page in the pack; the number makes it unique."""
        words = re.sub(r"[^a-z0-9]+", "-", self.scene.title.lower()).strip("-")
        return f"{self.lesson.number:02d}-{self.number}-{words}.html"


@dataclass(frozen=True)
class Take:
    """A moment as it was found: what stood on the page, and a sentence where something is missing."""

    spot: Spot
    shelf: Shelf | None
    note: str = ""


def spots() -> dict[str, Spot]:
    """Every moment of every lesson by its name, in the order of the lecture."""
    found = [Spot(lesson, k) for lesson in LESSONS for k in range(1, len(lesson.moments) + 1)]
    return {spot.name: spot for spot in found}


def chosen(names: Iterable[str]) -> list[Spot]:
    """The moments of these names, each once and in the order of the lecture; "all" means all of them.

    Raises:
        ValueError: no name was given, or one that no lesson has.
    """
    known, wanted = spots(), set(names)
    if "all" in wanted:
        return list(known.values())
    wrong = sorted(wanted - set(known))
    if wrong or not wanted:
        said = f"There is no moment {', '.join(wrong)}" if wrong else "No moment was chosen"
        raise ValueError(f"{said}; the moments are {', '.join(known)}, or all.")
    return [spot for name, spot in known.items() if name in wanted]


def take(spot: Spot, patience: float = PATIENCE) -> Take:
    """Open a moment in lecture type and wait until nothing of it is being played; never raises."""
    from streamlit.testing.v1 import AppTest

    until = monotonic() + patience
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=patience)
    at.session_state[KEEP] = True
    at.switch_page(spot.lesson.file)
    at.query_params.update(moment=str(spot.number), lecture="true")
    try:
        at.run()
        while at.get("progress") and monotonic() < until:
            sleep(BEAT)
            at.run()
    except RuntimeError:  # the driver's own limit
        return Take(spot, None, f"This moment was not ready within {patience:.0f} s and is left out.")
    if at.exception:
        return Take(spot, None, "The app could not draw this moment; it is left out.")
    if SPOT not in at.session_state or not at.session_state[SPOT].charts:
        said = " ".join(captions.plain(info.value) for info in at.info)
        return Take(spot, None, f"This moment shows no figure before it is played; open it in the app. {said}".strip())
    shelf = at.session_state[SPOT]
    shelf.settings = captions.chosen(spot.lesson.knobs, at.session_state)
    late = (
        f"Its runs were not done within {patience:.0f} s: the figure shows those that were."
        if at.get("progress")
        else ""
    )
    return Take(spot, shelf, " ".join([late, *(captions.plain(info.value) for info in at.info)]).strip())


def archive(takes: Sequence[Take]) -> bytes:
    """The zip: an index, a page a moment, and beside them plotly.js and the typeface, once."""
    shown = [t for t in takes if t.shelf is not None]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as box:
        box.writestr("index.html", index(takes))
        for number, found in enumerate(shown):
            ways = {"i": "index.html"}
            if number > 0:
                ways["p"] = shown[number - 1].spot.file
            if number + 1 < len(shown):
                ways["n"] = shown[number + 1].spot.file
            heading = f"{found.spot.title}: “{found.spot.scene.script}”"
            box.writestr(found.spot.file, offline.page(found.shelf, offline.Place(heading, ways)))
        if shown:
            box.writestr(offline.PLOTLY, offline.plotly_script())
        if offline.font():
            box.writestr(offline.FONT, offline.font())
    return out.getvalue()


def index(takes: Sequence[Take]) -> str:
    """The first page of a pack: each lesson's question, each moment with the line to say over it."""
    parts, last = [], None
    for found in takes:
        spot = found.spot
        if spot.lesson.number != last:
            parts += ["</ol>" if last is not None else "", f"<h2>{html.escape(spot.lesson.question)}</h2>",
                      '<ol class="lecture">']  # fmt: skip
            last = spot.lesson.number
        title = html.escape(spot.scene.title)
        link = title if found.shelf is None else f'<a href="{spot.file}">{title}</a>'
        note = f'<span class="note">{html.escape(found.note)}</span>' if found.note else ""
        parts.append(f"<li><b>{spot.name}</b>{link}: “{html.escape(spot.scene.script)}”{note}</li>")
    first = next((t.spot.file for t in takes if t.shelf is not None), None)
    keys = "N goes to the first moment, and from each to the next; P back, I here. " if first else ""
    words = {
        "POLICY": offline.POLICY.format("'self' file:", "'self' file:"),
        "STYLE": offline.style(beside=True),
        "LIST": "\n".join([*parts, "</ol>" if parts else ""]),
        "KEYS": f"{keys}{offline.KEYS}.",
        "VERSION": html.escape(captions.VERSION),
        "FIRST": json.dumps(first),
    }
    return offline.fill((offline.ASSETS / "export" / "index.html").read_text(encoding="utf-8"), words)


def make(
    wanted: Sequence[Spot], tell: Callable[[int, Spot], None], patience: float = PATIENCE
) -> tuple[bytes, list[Take]]:
    """The zip of these moments and how each went; `tell` hears the number and name of each before it is opened."""
    takes = []
    for number, spot in enumerate(wanted):
        tell(number, spot)
        takes.append(take(spot, patience))
    return archive(takes), takes


def _until_input_ends() -> None:
    """A pack that the app asked for ends with the app, however that ends."""

    def listen() -> None:
        while os.read(0, 1024):  # not sys.stdin, whose lock would be held when Python ends
            pass
        os._exit(1)

    threading.Thread(target=listen, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(10)  # whoever moves a slider comes first


def main(words: Sequence[str] | None = None) -> int:
    """Write a lecture pack; returns the exit code."""
    parser = argparse.ArgumentParser(
        "python -m shell.export.lecture_pack", description="Chosen moments as offline pages in one zip."
    )
    parser.add_argument("--moments", nargs="+", default=["all"], metavar="N.K", help="lesson.moment, as 2.3, or all")
    parser.add_argument("--out", type=Path, default=Path("lecture.zip"), help="the zip to write")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds that one moment may take")
    parser.add_argument("--app", action="store_true", help=argparse.SUPPRESS)  # lines for a program, not a person
    asked = parser.parse_args(words)
    if asked.app:
        _until_input_ends()
    try:
        wanted = chosen(asked.moments)
    except ValueError as problem:
        parser.error(str(problem))
    count = len(wanted)

    def tell(number: int, spot: Spot) -> None:
        text = json.dumps([number, count, spot.title]) if asked.app else f"{number + 1} of {count}: {spot.title}"
        print(text, flush=True)

    packed, takes = make(wanted, tell, asked.patience)
    asked.out.write_bytes(packed)
    if not asked.app:
        for found in takes:
            if found.note:
                print(f"{found.spot.title}: {found.note}")
        print(f"{asked.out}: {sum(t.shelf is not None for t in takes)} of {count} moments, {len(packed) / 1e6:.1f} MB")
    return 0 if any(t.shelf is not None for t in takes) else 1


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # Streamlit says at every page that nobody looks at it
    from shell.export import lecture_pack as pack

    sys.exit(pack.main())
