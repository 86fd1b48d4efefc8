"""A class in front of the lab: `python -m benchmarks.load --visitors N --minutes M [--processes P]`.

With `--quick` six visitors for fourteen seconds: only what must never go wrong decides, not the targets of time.

Starts the app, measures a single visitor on every lesson, then lets N visitors (websockets on loopback, one process)
do what a class does: open lessons, move sliders every 4 to 5 seconds, turn pages. Before it, the same class does the
same on two pages of one slider each, the control: what Streamlit and this machine cost without the lab. Prints two
tables with their targets and ends with status 1 when one is missed. Answer time: from sending a slider's release to the
message that the script is through, the server's own thread time and ours included. Lessons, sliders and seeds are
learnt from the pages.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from urllib.parse import urlencode

import numpy as np
import psutil

from benchmarks import drive
from benchmarks.processes import ended, server_on
from benchmarks.rows import TINY, Row, parser, show
from benchmarks.visitor import Dropped, Late, Visitor
from lessons import LESSONS as RECORDS

COMMAND = ("-m", "streamlit", "run", "app.py")
ONE_SLIDER = 'import streamlit as st\n\nst.write(st.slider("x", 0, 100, key="x"))\n'
CONTROL = ("One", "Two")  # names of the control's pages
LESSONS = tuple(Path(lesson.file).stem for lesson in RECORDS[1:])  # by the names of their pages
TURN = 0.1  # share of the moves of the class that turn a page
# Targets of the answers: times that of a single visitor, or the control's ratio if that is larger; and the seconds of
# the slowest hundredth.
MEDIAN, TAIL = 2.0, 1.5
PROCESSOR, QUIET = 0.025, 10.0  # targets: seconds of the server for a move; seconds until its workers are quiet
# Targets of memory: MB, and MB a minute more than the control, in the last ten of twenty minutes.
MEMORY, SLOPE, LONG, LAST = 1000.0, 0.3, 20.0, 10.0
SEED, HORIZON = re.compile(r"\bseeds? (\d+)"), re.compile(r"\bT = (\d+)\b(?=[^;·]*seed)")
SEEDS, OTHER = 100, 61  # seeds that a link may name; one that no page opens with
WRONG = ERROR, DROPPED, LATE, MIXED = "exceptions", "dropped sessions", "moves not answered in 60 s", "mixed results"
SEVERAL, MOST = (
    ("The_race", "Forgetting", "Side_queries"),
    30,
)  # lessons whose runs of several seeds come in one by one; how many at most


@dataclass(frozen=True)
class LoadSize:
    """Size of the load.

    Attributes:
        visitors, minutes: of the class, unless the command says otherwise.
        warm, alone: moves not counted, and counted, of the single visitor on a page.
        pause: seconds between two moves of the class, least and most.
    """

    visitors: int = 100
    minutes: float = 3.0
    warm: int = 3
    alone: int = 20
    pause: tuple[float, float] = (4.0, 5.0)


FULL = LoadSize()
QUICK = LoadSize(visitors=6, minutes=14 / 60, warm=1, alone=2, pause=(0.8, 1.6))
LESSON_WIDTHS, PROMISE_WIDTHS = (6, 16, 13, 5, 17, 14, 3), (48, 22, 12, 12, 3)


@dataclass
class Notes:
    """Times by lesson, in seconds, and what went wrong: one of `WRONG` -> where and how.

    Attributes:
        seeds: lesson -> the seed that it opens with, of the lessons where the link can change it.
        processor: lesson -> what a move of the single visitor takes of the server's processor.
    """

    moves: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    seeds: dict[str, int] = field(default_factory=dict)
    processor: dict[str, float] = field(default_factory=dict)
    wrong: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    checked: int = 0


class Student:
    """One visitor and what belongs to it.

    Args:
        seed: of its own, None for the one that the page opens with.   pages: names of those that it opens.
    """

    def __init__(
        self, address: str, seed: int | None, chance: random.Random, notes: Notes, pages: Sequence[str] = LESSONS
    ) -> None:
        self.tab, self.seed, self.chance, self.notes, self.pages = Visitor(address), seed, chance, notes, pages
        self.lesson, self.horizon = "", None

    async def open(self, lesson: str) -> None:
        """Open a lesson by its link; the seed is in it, because a session remembers the last page's."""
        self.lesson, self.horizon = lesson, None
        own = self.notes.seeds.get(lesson) if self.seed is None else self.seed
        await self.tab.open(lesson, urlencode({"seed": own} if lesson in self.notes.seeds else {}))
        self.look()

    async def move(self) -> None:
        """Move one of the sliders on the page to one of its stops; without any, run the page again."""
        if sliders := self.tab.sliders:
            key = self.chance.choice(sorted(sliders))
            value = self.chance.choice(sliders[key])
            self.horizon = int(value) if key == "T" and isinstance(value, float) else self.horizon
        took = await (self.tab.move(key, value) if sliders else self.tab.again())
        self.notes.moves[self.lesson].append(took)
        self.look()

    async def live(self, until: float, first: str, pause: tuple[float, float]) -> None:
        """Do what a student does until that time; a lost connection is opened again."""
        while perf_counter() < until:
            try:
                if not self.lesson or self.chance.random() < TURN:
                    others = [n for n in self.pages if n != self.lesson]  # its own link would be another session
                    await self.open(self.chance.choice(others) if self.lesson else first)
                else:
                    await self.move()
            except Dropped as lost:
                self.notes.wrong[LATE if isinstance(lost, Late) else DROPPED].append(str(lost))
                await self.tab.close()
                self.lesson = ""
            await asyncio.sleep(min(self.chance.uniform(*pause), max(until - perf_counter(), 0.0)))

    def look(self) -> None:
        """Check that what is on screen is this student's."""
        words, notes, where = "\n".join(self.tab.texts), self.notes, f"{self.lesson}, ?{self.tab.query}"
        notes.wrong[ERROR] += [f"{where}: {error}" for error in self.tab.errors]
        self.tab.errors.clear()
        seeds = set(map(int, SEED.findall(words))) if self.lesson in notes.seeds else set()
        own = notes.seeds.get(self.lesson, 0) if self.seed is None else self.seed
        horizons = (
            set(map(int, HORIZON.findall(words))) if self.horizon and self.lesson == "Drifting_rewards" else set()
        )
        notes.checked += len(seeds | horizons)
        # Of several runs, those that are stored already come in first.
        if seeds - set(range(own, own + (MOST if self.lesson in SEVERAL else 1))) or horizons - {self.horizon}:
            notes.wrong[MIXED].append(f"{where}: seed {own}, T = {self.horizon} was shown {seeds}, T = {horizons}")


def processor_seconds(processes: Sequence[psutil.Process]) -> float:
    """Return the seconds of a processor that these have taken together, those that have ended left out."""
    total = 0.0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            total += sum(process.cpu_times()[:2])
    return total


async def alone(address: str, seed: int, size: LoadSize, pages: Sequence[str] = LESSONS) -> Notes:
    """Measure a single visitor on every page, with the class's kind of moves, one after the other."""
    notes, server = Notes(), server_on(address)
    for page in pages:
        named = []
        for query in ("", f"seed={OTHER}"):  # whether the link changes the seed that the page names
            tab = Visitor(address)
            await tab.open(page, query)
            named.append({int(seed) for seed in SEED.findall("\n".join(tab.texts))})
            await tab.close()
        if named[0] and named[1] & set(range(OTHER, OTHER + MOST)):
            notes.seeds[page] = min(named[0])
        student = Student(address, OTHER, random.Random(seed), notes, pages)
        await student.open(page)
        for _ in range(size.warm):
            await student.move()
        notes.moves[page].clear()
        notes.processor[page] = await processor(server, student.move, size.alone)
        took = 1e3 * notes.processor[page], 1e3 * statistics.median(notes.moves[page])
        print(f"{page:24} a single visitor: {took[0]:6.1f} ms of a processor, {took[1]:5.0f} ms", flush=True)
        await student.tab.close()
    return notes


async def processor(server: psutil.Process, move: Callable[[], Awaitable], moves: int) -> float:
    """Make the moves one after the other; returns the seconds of the server's processor for one of them."""
    before = processor_seconds([server])
    for _ in range(moves):
        await asyncio.sleep(0.15)
        await move()
    return (processor_seconds([server]) - before) / moves


async def together(
    addresses: Sequence[str],
    seeds: dict[str, int],
    visitors: int,
    seconds: float,
    seed: int,
    pause: tuple[float, float] = FULL.pause,
    pages: Sequence[str] = LESSONS,
) -> tuple[Notes, list[list[float]]]:
    """Let the class work; returns its notes, and [minute, MB of each server] every two seconds.

    Student i begins on page i modulo their number and stays with one of the `addresses`, as a proxy with sticky
    sessions sees to it; every second one has a seed of its own.
    """
    notes, start, memory = Notes(seeds=seeds), perf_counter(), []
    servers = [server_on(address) for address in addresses]

    async def watch() -> None:
        with suppress(psutil.Error):
            while not any(ended(server) for server in servers):
                memory.append([(perf_counter() - start) / 60, *(s.memory_info().rss / 1e6 for s in servers)])
                await asyncio.sleep(2.0)
        notes.wrong[ERROR].append(f"a server ended after {memory[-1][0]:.1f} min, at {max(memory[-1][1:]):.0f} MB")

    async def attend(i: int) -> None:
        chance = random.Random(seed * 10_007 + i)
        student = Student(addresses[i % len(addresses)], i % SEEDS if i // 2 % 2 else None, chance, notes, pages)
        await asyncio.sleep(chance.uniform(0.0, min(pause[1] * 2, seconds / 4)))
        try:
            await student.live(start + seconds, pages[i % len(pages)], pause)
        except Exception as problem:  # of the driver itself: it is told, and the others go on
            notes.wrong[ERROR].append(f"the driver's student {i}: {type(problem).__name__}: {problem}")
        finally:
            with suppress(Exception):  # what the tab had to say, it has said
                await student.tab.close()

    watching = asyncio.create_task(watch())
    await asyncio.gather(*(attend(i) for i in range(visitors)))
    watching.cancel()
    return notes, memory


async def quiet(addresses: Sequence[str], most: float = 30.0) -> float:
    """Return the seconds until no worker of the servers computes any more; `most` if that does not come."""
    start = perf_counter()
    servers = []
    for address in addresses:
        with suppress(LookupError):  # it has ended, which is told already
            servers.append(server_on(address))
    while (spent := perf_counter() - start) < most:
        workers = [worker for server in servers for worker in server.children(recursive=True)]
        before = processor_seconds(workers)
        await asyncio.sleep(1.0)
        if processor_seconds(workers) - before < 0.1:
            return spent
    return most


def slope(memory: Sequence[Sequence[float]]) -> float | None:
    """Return the MB a minute of the server that grows most, over the last ten minutes; None for a short run."""
    if memory[-1][0] < LONG - 0.1:
        return None
    minutes, *servers = zip(*(row for row in memory if row[0] >= memory[-1][0] - LAST), strict=True)
    return max(statistics.linear_regression(minutes, server).slope for server in servers)


@dataclass(frozen=True)
class Measured:
    """One server under the class: the single visitor before it, the class, and [minute, MB of each server]."""

    single: Notes
    crowd: Notes
    memory: Sequence[Sequence[float]]

    @property
    def ratio(self) -> float:
        """Median answer in the class over that of the single visitor, of all pages together."""
        alone, crowd = ([took for page in notes.moves.values() for took in page] for notes in (self.single, self.crowd))
        return statistics.median(crowd) / statistics.median(alone)

    @property
    def processor(self) -> float:
        """Seconds of the server's processor for a move of the single visitor, median of the pages."""
        return statistics.median(self.single.processor.values())


async def under_load(addresses: Sequence[str], pages: Sequence[str], chosen: argparse.Namespace) -> Measured:
    """Measure a single visitor, then the class, on these pages."""
    size, start = QUICK if chosen.quick else FULL, perf_counter()
    single = await alone(addresses[0], chosen.seed, size, pages)
    took = perf_counter() - start
    print(
        f"A single visitor took {took:.0f} s. Now {chosen.visitors} for {chosen.minutes:.3g} min "
        f"on {len(addresses)} processes.",
        flush=True,
    )
    seconds = 60 * chosen.minutes
    crowd, memory = await together(addresses, single.seeds, chosen.visitors, seconds, chosen.seed, size.pause, pages)
    return Measured(single, crowd, memory)


def lessons(single: Notes, crowd: Notes, most: float) -> list[Row]:
    """Return the table of answer times by lesson; a median may be `most` times that of the single visitor."""
    rows: list[Row] = [
        (
            "lesson",
            "processor, alone",
            "median, alone",
            "moves",
            f"median (<= {most:.2g}x)",
            f"99 % (<= {TAIL:g} s)",
            "met",
        )
    ]
    for page, base in single.moves.items():
        unit, ours = statistics.median(base), crowd.moves.get(page)
        cells = [page, f"{1e3 * single.processor[page]:.1f} ms", f"{1e3 * unit:.0f} ms"]
        if ours:
            middle, tail = statistics.median(ours), float(np.quantile(ours, 0.99, method="higher"))
            cells += [str(len(ours)), f"{1e3 * middle:.0f} ms, {middle / unit:.1f}x", f"{1e3 * tail:.0f} ms"]
            cells.append("yes" if middle <= most * unit and tail <= TAIL else "NO")
        rows.append((*cells, *["-"] * (len(rows[0]) - len(cells))))
    return rows


def promises(lab: Measured, control: Measured, rest: float) -> list[Row]:
    """Return the table of everything else: what, of the lab, of the control, target, met."""
    largest, plain = (max(max(row[1:]) for row in one.memory) for one in (lab, control))
    grown, least = slope(lab.memory), slope(control.memory)
    wrong = {kind: len(lab.single.wrong[kind] + lab.crowd.wrong[kind]) for kind in WRONG}
    processor = lab.processor, control.processor
    rows: list[tuple[str, str, str, str, bool]] = [
        (
            "processor for a move alone, median of pages",
            f"{1e3 * processor[0]:.1f} ms",
            f"{1e3 * processor[1]:.1f} ms",
            f"<= {1e3 * PROCESSOR:g} ms",
            processor[0] <= PROCESSOR,
        ),
        ("answer in the class over alone, all pages", f"{lab.ratio:.1f}x", f"{control.ratio:.1f}x", "", True),
        *(
            (k, f"{n} of {lab.crowd.checked} checked" if k == MIXED else str(n), "", "0", n == 0)
            for k, n in wrong.items()
        ),
        (
            "memory of the largest process",
            f"{largest:.0f} MB",
            f"{plain:.0f} MB",
            f"< {MEMORY:g} MB",
            largest < MEMORY,
        ),
    ]
    name, target = "  slope over the last ten minutes, MB/min", f"<= {SLOPE:g} more"
    if grown is None or least is None:
        rows.append((name, "skipped: under 20 min", "", target, True))
    else:
        rows.append((name, f"{grown:+.2f}", f"{least:+.2f}", target, grown <= least + SLOPE))
    rows.append(("workers quiet after the last tab closed", f"{rest:.0f} s", "", f"<= {QUIET:g} s", rest <= QUIET))
    head = ("what", "the lab", "the control", "target", "met")
    return [head, *((*row[:4], "yes" if row[4] else "NO") for row in rows)]


async def measure(plain: Sequence[str], addresses: Sequence[str], chosen: argparse.Namespace) -> bool:
    """Run everything, print what is measured as it comes; whether all targets are met (of a quick run: no faults)."""
    control = await under_load(plain, CONTROL, chosen)
    lab = await under_load(addresses, LESSONS, chosen)
    answers = lessons(lab.single, lab.crowd, max(MEDIAN, control.ratio))
    show(answers, LESSON_WIDTHS)
    rest = promises(lab, control, await quiet(addresses))
    print()
    show(rest, PROMISE_WIDTHS)
    print()
    for kind in WRONG:
        for line in dict.fromkeys(lab.single.wrong[kind] + lab.crowd.wrong[kind]):
            print(f"{kind}: {line[:300]}")
    if chosen.quick:
        return not any([*lab.single.wrong.values(), *lab.crowd.wrong.values()])
    return all(row[-1] != "NO" for row in (*answers, *rest))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; 0 when every target is met."""
    words = parser(__doc__)
    words.add_argument("--visitors", type=int)
    words.add_argument("--minutes", type=float)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--processes", type=int, default=1, help="servers side by side, as behind a sticky proxy")
    options = words.parse_args(arguments)
    size = QUICK if options.quick else FULL
    options.visitors, options.minutes = options.visitors or size.visitors, options.minutes or size.minutes
    if options.quick:
        print(TINY, flush=True)
    with tempfile.TemporaryDirectory() as place, ExitStack() as running:
        script, pages = Path(place) / "one_slider.py", Path(place) / "pages"
        pages.mkdir()
        for file in (script, *(pages / f"{name}.py" for name in CONTROL)):
            file.write_text(ONE_SLIDER, encoding="utf-8")
        commands = [(*COMMAND[:-1], str(script)), COMMAND]
        plain, addresses = (
            [
                running.enter_context(drive.server(command, Path(place) / f"{Path(command[-1]).stem}{i}.log"))
                for i in range(options.processes)
            ]
            for command in commands
        )
        good = asyncio.run(measure(plain, addresses, options))
        for log in Path(place).glob("*.log"):  # the page hides what went wrong, the log does not
            if hidden := log.read_text(errors="replace").split("Traceback (most recent call last):")[1:]:
                good = False
                print(f"{len(hidden)} tracebacks in the log of server {log.stem}, the last one:{hidden[-1][-1500:]}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
