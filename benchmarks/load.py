"""A class in front of the lab: `python -m benchmarks.load --visitors N --minutes M [--racing K] [--processes P]`.

Starts the app, measures a single visitor on every lesson, then lets N visitors (websockets on loopback, one process)
do what a class does: open lessons, move sliders every 4 to 5 seconds, turn pages; K of them start races all the
time. Prints one table with its targets and ends with status 1 when one is missed. Answer time: from sending a
slider's release to the message that the script is through, the server's own thread time and ours included.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

from benchmarks import drive
from benchmarks.crowd import NUMBERS, PAUSE, SEEDS, Notes, Student
from benchmarks.gauge import Gauge, caches, pace, server_on
from benchmarks.rows import show

ALONE = 14  # slider moves of the single visitor on each lesson
MEDIAN, TAIL, MEMORY, FLAT = 2.0, 8.0, 1000.0, 2.0  # targets: times, times, MB, MB a minute
COMMAND = ("-m", "streamlit", "run", "app.py")


async def alone(address: str, seed: int, moves: int) -> Notes:
    """A single visitor on every lesson, with the same kinds of moves, one after the other."""
    notes, chance = Notes(), random.Random(seed)
    for number in NUMBERS:
        student = Student(address, -1, seed % SEEDS, False, chance, notes)
        await student.open(number)
        for _ in range(moves):
            await asyncio.sleep(0.15)
            await student.slide()
        await student.leave()
    return notes


async def together(addresses: Sequence[str], visitors: int, racing: int, seconds: float, seed: int, gauge: Gauge,
                   pause: tuple[float, float] = PAUSE, own: float = 0.5) -> Notes:  # fmt: skip
    """The class: student i begins on lesson i modulo their number; a share of them has seeds of their own.

    Each stays with one of the `addresses`, as a proxy with sticky sessions sees to it.
    """
    notes, start = Notes(), perf_counter()
    watching = asyncio.create_task(gauge.watch())
    students = []

    async def attend(i: int) -> None:
        chance = random.Random(seed * 10_007 + i)
        turn = iter(range(i, 10**9))
        seeded = i < racing or (i * 0.618) % 1 < own  # evenly over the lessons
        student = Student(addresses[i % len(addresses)], i, i % SEEDS if seeded else None, i < racing, chance, notes)
        students.append(student)
        await asyncio.sleep(chance.uniform(0.0, min(pause[1] * 2, seconds / 4)))
        try:
            await student.live(start + seconds, lambda: NUMBERS[next(turn) % len(NUMBERS)], pause)
        except Exception as problem:  # of the driver itself: it is told, and the others go on
            notes.errors.append(f"the driver's student {i}: {type(problem).__name__}: {problem}")

    try:
        await asyncio.gather(*(attend(i) for i in range(visitors)))
    finally:
        watching.cancel()
        await asyncio.gather(*(student.leave() for student in students), return_exceptions=True)
    return notes


def high(times: Sequence[float], share: float = 0.99) -> float:
    """The quantile that this share of the times does not pass."""
    ranked = sorted(times)
    return ranked[min(int(share * len(ranked)), len(ranked) - 1)]


def lessons(single: Notes, crowd: Notes) -> tuple[list[tuple[str, ...]], bool]:
    """The table of answer times by lesson, and whether every lesson met its targets."""
    head = ("lesson", "alone, median", "moves", f"median (<= {MEDIAN:g}x)", f"99 % (<= {TAIL:g}x)", "opened", "met")
    rows, good = [head], True
    for number in NUMBERS:
        ours, base = crowd.slides.get(number, []), single.slides.get(number, [])
        if not ours or not base:
            continue
        unit, middle, tail = statistics.median(base), statistics.median(ours), high(ours)
        met = middle <= MEDIAN * unit and tail <= TAIL * unit
        good &= met
        opened = crowd.opens.get(number, [])
        rows.append((
            str(number), f"{1e3 * unit:.0f} ms", str(len(ours)), f"{1e3 * middle:.0f} ms, {middle / unit:.1f}x",
            f"{1e3 * tail:.0f} ms, {tail / unit:.1f}x",
            f"{1e3 * statistics.median(opened):.0f} ms" if opened else "-", "yes" if met else "NO",
        ))  # fmt: skip
    return rows, good


def report(single: Notes, crowd: Notes, gauge: Gauge, held: list, quiet: float) -> bool:
    """Print everything; whether all targets are met."""
    rows, good = lessons(single, crowd)
    show(rows)
    share, spent = gauge.cpu
    room = MEMORY * len(gauge.servers)
    facts = [
        ("moves, races", f"{crowd.moves}, {crowd.races} in {spent / 60:.1f} min", "", True),
        ("exceptions on screen", str(len(crowd.errors) + len(single.errors)), "0", not crowd.errors + single.errors),
        ("dropped sessions", str(len(crowd.dropped)), "0", not crowd.dropped),
        ("moves without an answer in 60 s", str(len(crowd.late)), "0", not crowd.late),
        ("somebody else's result", f"{len(crowd.mixed)} of {crowd.checked} checked", "0", not crowd.mixed),
        ("memory of the server", f"{gauge.memory[0]:.0f} to {max(gauge.memory):.0f} MB", f"< {room:g} MB",
         max(gauge.memory) < room),
        ("  slope after a third", f"{gauge.slope:+.2f} MB/min", f"<= {FLAT:g} over 20 min",
         gauge.slope <= FLAT or spent < 1000),
        ("memory of its workers", f"{max(gauge.workers):.0f} MB at most", "", True),
        ("threads", f"{gauge.threads[0]} to {max(gauge.threads)}", "", True),
        ("processor of the server", f"{100 * share:.0f} % of one core", "", True),
        ("the driver itself was late by", f"{1e3 * high(gauge.lag or [0.0]):.0f} ms (99 %)", "", True),
        ("workers quiet after the last tab closed", f"{quiet:.0f} s", "<= 10 s", quiet <= 10),
    ]  # fmt: skip
    print()
    show([("what", "measured", "target", "met"), *((a, b, c, "yes" if ok else "NO") for a, b, c, ok in facts)])
    print("\nFullest caches of Streamlit (entries; found, not found): "
          + "; ".join(f"{n} {e} ({h}/{m})" for n, e, h, m in held[:8]))  # fmt: skip
    for name in ("errors", "dropped", "late", "mixed"):
        for line in dict.fromkeys(getattr(single, name)[:5] + getattr(crowd, name)[:10]):
            print(f"{name}: {line[:300]}")
    for line in sorted(crowd.queued)[:3]:
        print(f"said while waiting: {line[:200]}")
    return good and all(ok for *_, ok in facts)


def accidents(log: str) -> dict[str, int]:
    """The tracebacks in a server's log by their last lines, and how often each came: the page itself hides them."""
    found: dict[str, int] = {}
    for part in log.split("Traceback (most recent call last):\n")[1:]:
        lines = part.splitlines()
        ends = next((i for i, line in enumerate(lines) if line and not line.startswith(" ")), len(lines) - 1)
        told = "\n".join(lines[max(ends - 6, 0) : ends + 1])
        found[told] = found.get(told, 0) + 1
    return found


async def _measure(addresses: Sequence[str], told: argparse.Namespace) -> bool:
    gauge = Gauge([server_on(int(address.rpartition(":")[2])) for address in addresses])
    version = ".".join(map(str, sys.version_info[:3]))
    print(f"Python {version}; a million turns of a plain loop take it {pace():.0f} ms here.")
    start = perf_counter()
    single = await alone(addresses[0], told.seed, told.alone)
    print(f"Single visitor: {single.moves} moves in {perf_counter() - start:.0f} s.")
    where = f", on {len(addresses)} servers" if len(addresses) > 1 else ""
    print(f"Now {told.visitors} visitors for {told.minutes:g} min, {told.racing} of them racing{where}.", flush=True)
    crowd = await together(addresses, told.visitors, told.racing, 60 * told.minutes, told.seed, gauge, own=told.own)
    quiet = await gauge.quiet()
    print(f"Afterwards the plain loop takes {pace():.0f} ms.\n")
    return report(single, crowd, gauge, caches(addresses[0]), quiet)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; 0 when every target is met."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--racing", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--own", type=float, default=0.5, help="share of the visitors with a seed of their own")
    parser.add_argument("--alone", type=int, default=ALONE, help="slider moves of the single visitor on each lesson")
    parser.add_argument("--processes", type=int, default=1, help="servers side by side, as behind a sticky proxy")
    told = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place, ExitStack() as running:
        servers = [drive.server(COMMAND, Path(place) / f"{i}.log") for i in range(told.processes)]
        addresses = [running.enter_context(server) for server in servers]
        good = asyncio.run(_measure(addresses, told))
        for log in Path(place).glob("*.log"):
            for said, times in accidents(log.read_text(errors="replace")).items():
                print(f"\nin the log of server {log.stem}, {times} times:\n{said}")
        return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
