"""A hall of phones in a room: `python -m benchmarks.hall [--phones 300]`.

Phones open the room, wait, answer a bet within twenty seconds while twenty of them load the page again, and answer it
once more while the server is killed and started anew. Beside them the lecturer moves a slider, before they come and
while they answer. Prints a table with its limits, and ends with status 1 when one is missed.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

from benchmarks import drive
from benchmarks.load import COMMAND, processor_seconds, server_on
from benchmarks.rows import TINY, Row, parser, show
from benchmarks.visitor import Visitor
from shell.hall.room.control import BROWSER
from shell.hall.room.database import digest
from shell.hall.room.store import Rooms

PAGE, SLIDER = "Drifting_rewards", "V"  # of the lecturer
SPREAD, RELOADS = 20.0, 20  # seconds within which all answer; phones that load the page again meanwhile
BET, ACKNOWLEDGED, BEHIND, SLOWER = 1000.0, 500.0, 2.0, 1.5  # limits: ms, ms, s, times
AGAIN, PATIENCE, COUNTED = 2.0, 8.0, 1.0  # as assets/room/phone.js and assets/room/wall.js wait, in seconds
QUESTION = {"question": "Which?", "options": ["One", "Two", "Three"], "about": ["", "", ""], "ranks": False}
WIDTHS = (46, 20, 12, 3)


class Browser:
    """One kept connection of a phone or of the wall, which is opened again once it is lost."""

    def __init__(self, address: str, cookie: str) -> None:
        self.parts, self.cookie = urlsplit(address), cookie
        self.reader: asyncio.StreamReader | None = None

    async def ask(self, path: str, method: str = "GET") -> tuple[int, bytes]:
        """Return status and body of an answer.

        Raises:
            OSError, EOFError: there was none in time.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._ask(path, method)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        if self.reader:
            self.writer.close()
        self.reader = None

    async def _ask(self, path: str, method: str) -> tuple[int, bytes]:
        if self.reader is None:
            self.reader, self.writer = await asyncio.open_connection(self.parts.hostname, self.parts.port)
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.parts.netloc}\r\nCookie: {self.cookie}\r\nContent-Length: 0"
        self.writer.write(f"{head}\r\n\r\n".encode())
        said = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = said.partition("content-length:")[2].split("\r\n")[0].strip()
        return int(said.split()[1]), await self.reader.readexactly(int(length or 0))


@dataclass
class Phone:
    """A phone as its script acts.

    Attributes:
        seen: question -> when it was on the phone.   kept: question -> when its answer was acknowledged.
        took: seconds from an answer to its acknowledgement.
    """

    browser: Browser
    path: str
    chance: random.Random
    seen: dict[int, float] = field(default_factory=dict)
    kept: dict[int, float] = field(default_factory=dict)
    took: list[float] = field(default_factory=list)

    async def live(self) -> None:
        """Ask again and again what is on screen; answer each question once, at some time."""
        version, wait, answers = "", AGAIN, []
        await asyncio.sleep(self.chance.uniform(0, AGAIN))
        while True:
            try:
                status, body = await self.browser.ask(f"{self.path}/now?v={version}")
                if status == 200:
                    found = json.loads(body)
                    version, wait = found["v"], found["wait"] / 1000
                    if found["state"] == "open" and found["id"] not in self.seen:
                        self.seen[found["id"]] = perf_counter()
                        answers.append(asyncio.create_task(self.answer(found["id"])))
            except (OSError, EOFError):
                wait = AGAIN
            await asyncio.sleep(wait)

    async def answer(self, question: int) -> None:
        """Send an answer until the server has kept it."""
        await asyncio.sleep(self.chance.uniform(0, SPREAD * 0.95))
        path, other = f"{self.path}/answer?question={question}&choice={self.chance.randrange(3)}", self.another()
        began = perf_counter()
        while question not in self.kept:
            try:
                if (await other.ask(path, "POST"))[0] == 204:
                    self.kept[question] = perf_counter()
                    self.took.append(self.kept[question] - began)
            except (OSError, EOFError):
                await asyncio.sleep(AGAIN)
        other.close()

    def another(self) -> Browser:
        """Return another connection of the same phone: a browser opens one beside a request that is under way."""
        return Browser(self.browser.parts.geturl(), self.browser.cookie)

    async def reload(self) -> None:
        """Load the page again, at some time."""
        await asyncio.sleep(self.chance.uniform(0, SPREAD))
        other = self.another()
        await other.ask(self.path)
        other.close()


async def wall(browser: Browser, path: str, counts: list[tuple[float, int]]) -> None:
    """Count the answers again and again, as the wall does."""
    while True:
        try:
            status, body = await browser.ask(f"{path}/wall")
            if status == 200:
                counts.append((perf_counter(), json.loads(body)["answered"]))
        except (OSError, EOFError):
            pass  # the next count comes
        await asyncio.sleep(COUNTED)


async def moves(lecturer: Visitor, seconds: float, least: int = 3) -> list[float]:
    """Return the seconds of the lecturer's moves of a slider, one every second."""
    found, end = [], perf_counter() + seconds
    stops = lecturer.sliders[SLIDER]
    while perf_counter() < end or len(found) < least:
        found.append(await lecturer.move(SLIDER, stops[len(found) % 8]))
        await asyncio.sleep(1)
    return found


def behind(kept: list[float], counts: list[tuple[float, int]]) -> float:
    """Return by how many seconds at most the wall shows an answer later than its phone was told."""
    return max(
        next((at for at, count in counts if count >= number), float("inf")) - when
        for number, when in enumerate(sorted(kept), start=1)
    )


def percentile(values: list[float], share: float = 0.99) -> float:
    """Return the value that this share of them does not exceed."""
    return sorted(values)[max(0, round(share * len(values)) - 1)] if values else float("inf")


@dataclass
class Evening:
    """A room on a server that may be killed, and its phones."""

    address: str
    port: int
    rooms: Rooms
    code: str
    phones: list[Phone]
    word: str
    stack: ExitStack
    log: Path

    def asked(self) -> tuple[int, float]:
        """Ask a bet; return its number and when."""
        self.rooms.ask(self.code, "race", QUESTION)
        return self.rooms.view(self.code).question.id, perf_counter()

    async def answered(self, question: int, most: float) -> None:
        """Wait until every phone's answer is acknowledged, or so many seconds."""
        end = perf_counter() + most
        while perf_counter() < end and not all(question in one.kept for one in self.phones):
            await asyncio.sleep(0.1)

    async def kill(self) -> None:
        """Kill the server and start another one on its port."""
        server_on(self.address).kill()
        await asyncio.to_thread(
            self.stack.enter_context, drive.server(COMMAND, self.log.with_name("second.log"), self.port)
        )


async def waiting_cost(evening: Evening) -> float:
    """Return the share of a processor that the server needs for phones that wait; its neighbours change it little."""
    server, began = [server_on(evening.address)], perf_counter()
    spent = processor_seconds(server)
    await asyncio.sleep(6)
    return (processor_seconds(server) - spent) / (perf_counter() - began)


async def held(evening: Evening, quiet: float) -> tuple[list[Row], bool]:
    """Return the table's rows, and whether every limit is met."""
    number = len(evening.phones)
    lecturer = Visitor(evening.address)
    await lecturer.open(PAGE)
    await moves(lecturer, 3)
    alone = statistics.median(await moves(lecturer, quiet))
    tasks = [asyncio.create_task(one.live()) for one in evening.phones]
    while evening.rooms.view(evening.code).phones < number:
        await asyncio.sleep(0.2)
    cost = await waiting_cost(evening)
    counts: list[tuple[float, int]] = []
    watcher = Browser(evening.address, f"{BROWSER}={evening.word}")
    path = evening.phones[0].path
    tasks.append(asyncio.create_task(wall(watcher, path, counts)))
    await asyncio.sleep(1.5)
    first, at = evening.asked()
    loads = [one.reload() for one in evening.phones[:RELOADS]]
    took, *_ = await asyncio.gather(moves(lecturer, SPREAD), *loads, evening.answered(first, 3 * SPREAD))
    end = perf_counter() + 10
    while perf_counter() < end and (not counts or counts[-1][1] < number):
        await asyncio.sleep(0.1)
    onto = [1000 * (one.seen[first] - at) for one in evening.phones if first in one.seen]
    kept = [one.kept[first] for one in evening.phones if first in one.kept]
    acknowledged = 1000 * percentile([one.took[0] for one in evening.phones if one.took])
    counted, late = sum(evening.rooms.shut(evening.code, "race")), behind(kept, counts)
    slower = statistics.median(took) / alone
    await lecturer.close()
    second, _ = evening.asked()
    await asyncio.sleep(SPREAD / 3)
    await evening.kill()
    await evening.answered(second, 3 * SPREAD)
    again = sum(second in one.kept for one in evening.phones)
    counted_again = sum(evening.rooms.shut(evening.code, "race"))
    for task in tasks:
        task.cancel()
    for one in [watcher, *(phone.browser for phone in evening.phones)]:
        one.close()
    evening.rooms.close(evening.code)
    measured = (
        ("a bet on 99 % of the phones, ms", percentile(onto), BET, f"{percentile(onto):.0f}"),
        ("99 % acknowledged within, ms", acknowledged, ACKNOWLEDGED, f"{acknowledged:.0f}"),
        ("the wall behind, s", late, BEHIND, f"{late:.2f}"),
        ("lecturer's move, times that of an empty room", slower, SLOWER, f"{slower:.2f}"),
    )
    rows: list[Row] = [("", "measured", "limit", "met")]
    rows += [(name, text, f"{limit:g}", "yes" if value <= limit else "NO") for name, value, limit, text in measured]
    for name, pair in (
        ("answers acknowledged, counted", (len(kept), counted)),
        ("server killed: acknowledged, counted", (again, counted_again)),
    ):
        rows.append((name, f"{pair[0]}, {pair[1]}", f"{number}, {number}", "yes" if pair == (number,) * 2 else "NO"))
    rows.append(("processor while all phones wait, %", f"{100 * cost:.0f}", "", ""))
    rows.append(("lecturer's move alone, with phones, ms", f"{1000 * alone:.0f}, {1000 * slower * alone:.0f}", "", ""))
    return rows, all(row[3] != "NO" for row in rows)


def evenings(number: int, folder: Path) -> Iterator[Evening]:
    """Open a server with a room and its phones."""
    url, port, word = f"sqlite:///{folder}/rooms.db", drive.free_port(), secrets.token_hex(16)
    os.environ["TVBO_DATABASE_URL"] = url
    rooms = Rooms(url)
    with ExitStack() as stack:
        address = stack.enter_context(drive.server(COMMAND, folder / "first.log", port))
        code = rooms.open(digest(word))
        path, phones = f"/r/{code}", []
        for i in range(number):
            cookie = f"tvbo_phone={secrets.token_hex(16)}"
            phones.append(Phone(Browser(address, cookie), path, random.Random(i)))
        yield Evening(address, port, rooms, code, phones, word, stack, folder / "first.log")


def main() -> int:
    """Print the table."""
    choose = parser(__doc__)
    choose.add_argument("--phones", type=int, default=300)
    chosen = choose.parse_args()
    if chosen.quick:
        print(TINY, flush=True)
    number = 6 if chosen.quick else chosen.phones
    with tempfile.TemporaryDirectory() as folder:
        for evening in evenings(number, Path(folder)):
            print(f"{number} phones, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores before", flush=True)
            rows, met = asyncio.run(held(evening, 4.0 if chosen.quick else 15.0))
            show(rows, WIDTHS)
    return 0 if met or chosen.quick else 1


if __name__ == "__main__":
    sys.exit(main())
