"""Courses: a lecture as a list of stops that one button walks through, from its title to its last page."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from answers.address import VERSION
from lessons.record import OPEN, ROOT, Lesson, Moment, text_of

BET = "bet"  # stands for the moment of a stop that asks
OWN_TITLE = "A course of your own"  # of a link without a title


@dataclass(frozen=True)
class Stop:
    """One stop of a course.

    Attributes:
        lesson: its key.   moment: key of the moment that is shown; "" for the lesson's bet, asked and revealed.
        kept: a moment of one's own that is shown instead.
        minutes: to spend there.   plays: the film runs from `begins` to the moment's time.
        begins: time at which a film that plays opens: late enough to make its point.
        spare: it is the stop to leave out when late.
        seen: what it has shown, in one sentence that holds for other settings too; "" where the line of its moment
            says that, and for a bet, whose `why` does.
    """

    lesson: str
    moment: str = ""
    minutes: int = 2
    plays: bool = False
    begins: int = 0
    spare: bool = False
    seen: str = ""
    kept: Moment | None = None

    @property
    def asks(self) -> bool:
        """Return whether it is the lesson's bet."""
        return not self.moment and self.kept is None

    @property
    def key(self) -> str:
        """Return the key of what it shows: of a moment, or `BET`."""
        return self.kept.key if self.kept else self.moment or BET

    @property
    def name(self) -> str:
        """Return lesson and key of what it shows, as a link lists them."""
        return f"{self.lesson}.{self.key}"

    def moment_of(self, lesson: Lesson) -> Moment:
        """Return the moment that it shows, of a bet the state in which it is revealed."""
        if self.asks:
            return Moment(BET, "a bet", lesson.bet.question, lesson.bet.t, lesson.bet.values)
        return self.kept or lesson.moment(self.moment)

    def finding(self, lesson: Lesson) -> str:
        """Return what it has shown, in one sentence."""
        return self.seen or (lesson.bet.why if self.asks else self.moment_of(lesson).script)

    def words(self) -> dict[str, object]:
        """Return the settings of a stop as a link or a file has them, without its lesson and without defaults."""
        plain = Stop(self.lesson)
        timing = {key: getattr(self, key) for key in ("minutes", "plays", "begins", "spare")}
        found: dict[str, object] = {key: value for key, value in timing.items() if value != getattr(plain, key)}
        if one := self.kept:
            settings = {key: text_of(value) for key, value in one.values.items()}
            return found | {"title": one.title, "line": one.script, "t": one.t, "settings": settings}
        return {"moment": self.key} | found

    def query(self, over: bool = False) -> dict[str, str]:
        """Return the words of the address under which its page opens.

        Args:
            over: whether the film of a stop that plays has come to its end, as for who goes back to see it again.
        """
        if self.asks:
            return {"guess": OPEN}
        begins = {"t": str(self.begins)} if self.plays and not over else {}
        if one := self.kept:
            settings = {key: text_of(value) for key, value in one.values.items()}
            return {"v": str(VERSION), "t": str(one.t)} | settings | begins
        return {"moment": self.moment} | begins


@dataclass(frozen=True)
class Course:
    """A way through the lessons: its key, its title, what it is good for, and its stops in their order."""

    key: str
    title: str
    promise: str
    stops: tuple[Stop, ...]

    @property
    def minutes(self) -> int:
        return sum(stop.minutes for stop in self.stops)

    @property
    def last(self) -> int:
        """Return the number of the last page; the title is number 0, the stops are 1, 2, ..."""
        return len(self.stops) + 1

    def words(self) -> dict[str, str]:
        """Return the word of the address that names it."""
        if self.key:
            return {"course": self.key}
        title = {"title": self.title} if self.title != OWN_TITLE else {}
        return {"stops": ",".join(map(_linked, self.stops))} | title


def _linked(stop: Stop) -> str:
    """Return a stop as a link lists it: `race.jumps`, or `race?title=...&V=2`."""
    words = stop.words()
    place = f"{stop.lesson}.{words.pop('moment')}" if "moment" in words else stop.lesson
    flat = words | words.pop("settings", {})
    return f"{place}?{urlencode({key: text_of(value) for key, value in flat.items()})}" if flat else place


def listed(file: Path) -> Course:
    """Return a course of the lab's own, from a file in the form in which a reader's is saved (own.py)."""
    found = tomllib.loads(file.read_text(encoding="utf-8"))
    stops = [Stop(**one | {"moment": "" if one["moment"] == BET else one["moment"]}) for one in found["stop"]]
    return Course(file.stem, found["title"], found["promise"], tuple(stops))


FILES = (ROOT / "assets/courses").glob("*.toml")
COURSES = {one.key: one for one in sorted(map(listed, FILES), key=lambda one: one.minutes)}  # then a reader's (own.py)
SHORT = {course.key: re.split(": | for ", course.title)[0] for course in COURSES.values()}  # names on the front page
SEEN = {stop.name: stop.seen for course in COURSES.values() for stop in course.stops}
