"""Recorder of the page of this run, from which the export drawer writes its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from figures.film import Drawn
from lessons.record import Scene
from shell.export.snapshot import Chart, PageSnapshot, Reel
from shell.session import session


def begin(number: int, title: str, question: str, dark: bool, lecture: bool) -> None:
    """Start the record of a page, in place of that of the last run."""
    session().snapshot = PageSnapshot(number, title, question, dark, lecture)


def current() -> PageSnapshot | None:
    """Return the record of the page that is drawn now, None where no lesson is open."""
    return session().snapshot


def clear() -> None:
    """Drop the record at the end of a run, because the films of a hundred visitors would fill the memory."""
    if not session().keeps_snapshot:
        session().snapshot = None


def add_chart(key: str, figure: Drawn | None, alt: str) -> None:
    """Record a chart; without a figure it is one of the film's."""
    if page := current():
        page.charts[key] = Chart(figure, alt)


def add_film(scene: Scene, charts: Mapping[str, str], paper: str) -> None:
    """Record a scene whose film the player plays, and those of its charts that stand on the page by now.

    Args:
        charts: key -> alternative text.   paper: in whose letters it is written.
    """
    if page := current():
        page.reel = Reel(scene, paper)
        page.charts |= {key: Chart(None, alt) for key, alt in charts.items()}


def at(frame: int) -> None:
    """Record the frame of the last pause."""
    if page := current():
        page.reel = replace(page.reel, frame=frame)


def add_look(look: Mapping[str, bool]) -> None:
    """Record that a live sentence stands on the page, and its look."""
    if page := current():
        page.said = look


def add_caption(caption: str) -> None:
    """Record the set-up below the stage."""
    if page := current():
        page.caption = caption
