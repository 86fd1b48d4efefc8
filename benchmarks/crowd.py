"""A class in front of the lab: each student opens a lesson, moves a slider every few seconds, turns pages, races.

A share of the students has seeds of their own, the others follow the lecturer's link; everybody moves sliders of
their own. Whatever comes back is checked: an exception, or a sentence that names another seed or horizon than the
student's, is written down.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

from benchmarks.visitor import Dropped, Late, Visitor, link
from lessons import LESSONS
from shell.page import PAGES

PAUSE = (4.0, 5.0)  # seconds between two moves of a student
TURN, REST = 0.08, 0.12  # share of the moves that turn a page, and that run it again with nothing changed
SEED = re.compile(r"\bseeds? (\d+)")
HORIZON = re.compile(r"\bT = (\d+)\b(?=[^;·]*seed)")
RACE = 4  # number of the lesson that races
RUNS, MOST = (4, 6, 7), 30  # lessons that show runs of several seeds while they come in, and how many at most
SEEDS = 100  # the seed knob goes from 0 to 99


@dataclass
class Notes:
    """What was measured and seen, by lesson.

    Attributes:
        slides, rests, opens: seconds from sending to the finished script.   errors, mixed: sentences.
        dropped: connections that ended.   late: moves without an answer in time.   queued: sentences about the queue.
    """

    slides: dict[int, list[float]] = field(default_factory=dict)
    rests: dict[int, list[float]] = field(default_factory=dict)
    opens: dict[int, list[float]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    mixed: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    queued: set[str] = field(default_factory=set)
    races: int = 0
    checked: int = 0

    @property
    def moves(self) -> int:
        return sum(map(len, (*self.slides.values(), *self.rests.values(), *self.opens.values())))


def path(lesson: int) -> str:
    """The lesson's name in the address bar."""
    return PAGES[lesson][0].removesuffix(".py").split("/")[-1].split("_", 1)[1]


NUMBERS = tuple(lesson.number for lesson in LESSONS)
BY_NUMBER = {lesson.number: lesson for lesson in LESSONS}


class Student:
    """One visitor and what belongs to it.

    Args:
        seed: of its own, None for the one that the page opens with.   races: whether it starts races all the time.
    """

    def __init__(self, address: str, name: int, seed: int | None, races: bool, chance: random.Random, notes: Notes,
                 patience: float = 60.0) -> None:  # fmt: skip
        self.tab = Visitor(address, patience)
        self.name, self.seed, self.races = name, seed, races
        self.chance, self.notes = chance, notes
        self.lesson, self.horizon = 0, None

    async def open(self, lesson: int) -> None:
        """Open a lesson by its link."""
        self.lesson, self.horizon = lesson, None
        knobs = BY_NUMBER[lesson].knobs  # the seed is always in the link: the menu would carry the last page's along
        values = {"seed": knobs["seed"].default if self.seed is None else self.seed} if "seed" in knobs else {}
        await self._timed(self.notes.opens, self.tab.open(path(lesson), link(values)))

    async def slide(self) -> None:
        """Move one of the sliders that are on the page to one of its stops."""
        if not self.tab.seen.sliders:
            return await self.rest()
        key = self.chance.choice(sorted(self.tab.seen.sliders))
        value = self.chance.choice(self.tab.seen.sliders[key][1])
        if key == "T" and isinstance(value, float):
            self.horizon = int(value)
        await self._timed(self.notes.slides, self.tab.move(key, value))

    async def rest(self) -> None:
        """Run the page again with nothing changed, as a pause of the player does."""
        await self._timed(self.notes.rests, self.tab.again())

    async def race(self) -> None:
        """Start a race that nobody else has started."""
        await self.leave()  # another link to the same page is another session
        self.seed = self.chance.randrange(SEEDS)
        await self.open(RACE)
        if "race_start" in self.tab.seen.buttons:
            await self._timed(self.notes.rests, self.tab.press("race_start"))
        self.notes.races += 1

    async def live(self, until: float, lessons: Callable[[], int], pause: tuple[float, float] = PAUSE) -> None:
        """Do what a student does until that time; a lost connection is opened again."""
        while perf_counter() < until:
            try:
                if not self.lesson:
                    await self.open(RACE if self.races else lessons())
                await self._act(lessons)
            except Dropped as lost:
                book = self.notes.late if isinstance(lost, Late) else self.notes.dropped
                book.append(f"student {self.name}: {lost}")
                await self.leave()
                self.lesson = 0
            await asyncio.sleep(min(self.chance.uniform(*pause), max(until - perf_counter(), 0.0)))
        if self.lesson:
            self.look()

    async def _act(self, lessons: Callable[[], int]) -> None:
        if self.races and self.chance.random() < 0.25:
            return await self.race()
        dice = self.chance.random()
        if dice < TURN and not self.races:
            await self.open(lessons())
        elif dice < TURN + REST:
            await self.rest()
        else:
            await self.slide()

    async def leave(self) -> None:
        """Close the tab."""
        await self.tab.close()

    async def _timed(self, book: dict[int, list[float]], doing) -> None:
        book.setdefault(self.lesson, []).append(await doing)
        self.look()

    def look(self) -> None:
        """Check that what is on screen is this student's."""
        seen, notes = self.tab.seen, self.notes
        notes.errors += [f"lesson {self.lesson}, ?{self.tab.query}: {e}" for e in seen.errors]
        seen.errors.clear()
        notes.queued |= {text for text in seen.texts if "queue" in text}
        knobs = BY_NUMBER[self.lesson].knobs
        if "seed" in knobs:
            own = knobs["seed"].default if self.seed is None else self.seed
            named = {int(n) for n in SEED.findall(seen.words)}
            notes.checked += len(named)
            # A race may show later seeds first: those that are stored already.
            if named - set(range(own, own + (MOST if self.lesson in RUNS else 1))):
                notes.mixed.append(f"lesson {self.lesson}: seed {own} was shown seeds {sorted(named)}")
        if self.horizon is not None and self.lesson == 1:
            notes.checked += 1
            shown = set(map(int, HORIZON.findall(seen.words)))
            if shown and shown != {self.horizon}:
                notes.mixed.append(f"lesson {self.lesson}: T = {self.horizon} was shown T = {sorted(shown)}")
