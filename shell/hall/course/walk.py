"""The reader's place in a course: in the address alone, so that a reload or a second device keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from common.escape import quoted
from lessons.record import Lesson
from shell.hall.course.courses import COURSES, Course, Stop
from shell.hall.course.own import from_link
from shell.links.words import last_of

WORDS = ("course", "stops", "title", "stop")  # of an address


@dataclass(frozen=True)
class Walk:
    """A course, and the number of the page in it that is open: 0 is the title, then the stops, then the last page."""

    course: Course
    at: int

    @property
    def stop(self) -> Stop | None:
        """Return the stop; None on the title and on the last page."""
        return self.course.stops[self.at - 1] if 0 < self.at < self.course.last else None

    @property
    def before(self) -> Walk:
        """Return the walk a page earlier; itself on the title."""
        return Walk(self.course, max(self.at - 1, 0))

    @property
    def after(self) -> Walk:
        """Return the walk a page later; itself on the last page."""
        return Walk(self.course, min(self.at + 1, self.course.last))

    @property
    def stops(self) -> list[Walk]:
        """Return the walk at each stop, in their order."""
        return [Walk(self.course, at) for at in range(1, self.course.last)]

    def words(self) -> dict[str, str]:
        """Return the words of the address that say all of it."""
        return self.course.words() | {"stop": str(self.at)}


def parse(words: Mapping[str, str], lessons: Sequence[Lesson]) -> tuple[Walk | None, list[str]]:
    """Return the walk that an address names, None without one, and what was dropped, one text each.

    A number beyond the last page is the last page, and what is no number the title.
    """
    wrong: list[str] = []
    course = None
    if name := words.get("course"):
        course = COURSES.get(name)
        wrong += [] if course else [f"course = “{quoted(name)}” (allowed: {', '.join(COURSES)})"]
    elif raw := words.get("stops"):
        course, wrong = from_link(raw, words.get("title", ""), lessons)
    if course is None:
        return None, wrong
    raw = words.get("stop", "0")
    is_number = raw.isascii() and raw.isdigit() and len(raw) <= 3
    if not is_number or int(raw) > course.last:
        wrong.append(f"stop = “{quoted(raw)}” (allowed: 0 to {course.last})")
    return Walk(course, min(int(raw), course.last) if is_number else 0), wrong


def walk(lessons: Sequence[Lesson]) -> Walk | None:
    """Return the walk of this run's address; None outside a course."""
    return parse(last_of(st.query_params), lessons)[0]
