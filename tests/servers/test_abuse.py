"""Load and abuse tests of a started server, as a table: `python -m pytest -m slow tests/servers/test_abuse.py`.

A server of processes as for a class, a visitor who moves a slider of lesson 1 twice a second, and strangers who do
their worst one after the other. Peak memory is that of the server's own process, above what it held before the
phase; processor time is that of the server and of all that it started.
"""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from time import monotonic, sleep, time
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlencode
from urllib.request import Request, urlopen

import numpy as np
import psutil
import pytest
from websockets.asyncio.client import connect

from answers.address import VERSION, release
from benchmarks import drive
from benchmarks.load import COMMAND, processor_seconds
from benchmarks.visitor import Dropped, key_of
from lessons.real_data.reading.isolated import BUSY, STOPPED
from lessons.shared import codes, sealed
from shell.stage import skeleton
from tests.answers import unpacked
from tests.bombs import BOMBS, MOST
from tests.lessons.game.games import board_of
from tests.lessons.shown import decode, parts
from tests.strangers import Stranger
from tvbo_core.worlds import make_problem

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="measures memory as Linux does")]
SESSIONS = 40  # that this server lets in
SALT = "a salt of this test only"
# What an ordinary visitor may wait for a move while strangers are at it: the median against the median of the same
# visitor's waits in the quiet before each of them. The longest of a hundred waits is one measurement, which a busy
# machine makes alone: it is held against what a visitor takes for a page that hangs.
WAIT_RATIO, LONGEST_SECONDS = 10.0, 10.0
QUIET_SECONDS = 2.0  # of quiet before each kind of stranger
# What a phase may add to the server. A session holds 20 MB of uploads, its table's bytes (10), cells and table (65);
# the bytes of two files are once more on their way to the processes that read them.
GROWN_BYTES = {
    "files": 4 * 95e6 + 2 * 10e6,
    "messages": 450e6,
    "tables": 200e6,
    "rest": 150e6,
}
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass
class Row:
    """Cost of a phase: bytes above the memory before it, processor seconds, and the visitor's waits."""

    name: str
    bytes: float = 0.0
    seconds: float = 0.0
    lasted: float = 0.0
    waits: list[float] = field(default_factory=list)
    said: str = ""


@dataclass
class Watched:
    """A server that is watched while strangers are at it."""

    address: str
    log: Path
    server: psutil.Process
    moves: list[tuple[float, float]]
    rows: list[Row] = field(default_factory=list)
    quiet: list[float] = field(default_factory=list)

    @contextmanager
    def phase(self, name: str) -> Iterator[Row]:
        """Measure what happens in the block."""
        row, over, quiet = Row(name), threading.Event(), time()
        sleep(QUIET_SECONDS)
        self.quiet.extend(took for then, took in self.moves if then >= quiet)
        before, memory, began, clock = self._used(), self.server.memory_info().rss, time(), monotonic()
        peak = [memory]

        def sample() -> None:
            while not over.wait(0.03):
                peak[0] = max(peak[0], self.server.memory_info().rss)

        sampling = threading.Thread(target=sample)
        sampling.start()
        try:
            yield row
        finally:
            sleep(0.6)  # the visitor's last move of the phase
            over.set()
            sampling.join()
            row.bytes, row.seconds, row.lasted = peak[0] - memory, self._used() - before, monotonic() - clock
            row.waits = [took for then, took in self.moves if then >= began]
            self.rows.append(row)

    def _used(self) -> float:
        """Seconds of the server and of its children, also of those that have ended."""
        ended = sum(self.server.cpu_times()[2:4])
        return ended + processor_seconds([self.server, *self.server.children(recursive=True)])


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """The server, and the visitor in a process of its own."""
    log = tmp_path_factory.mktemp("abuse") / "lab.log"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAME_SALT", SALT)
        patch.setenv("MAX_SESSIONS", str(SESSIONS))
        with drive.server(COMMAND, log) as address:
            port = address.rpartition(":")[2]
            server = next(c for c in psutil.Process().children(recursive=True) if port in c.cmdline())
            visitor = subprocess.Popen(
                [sys.executable, "-m", "tests.strangers", address], cwd=drive.ROOT, stdout=subprocess.PIPE, text=True
            )
            moves: list[tuple[float, float]] = []
            reader = threading.Thread(target=_listen, args=(visitor, moves))
            reader.start()
            found = Watched(address, log, server, moves)
            try:
                while len(moves) < 8:  # warm
                    assert visitor.poll() is None, "the ordinary visitor has ended"
                    sleep(0.2)
                with found.phase("nobody else"):
                    sleep(4)
                yield found
            finally:
                visitor.terminate()
                visitor.wait(10)
                reader.join(10)


def _listen(visitor: subprocess.Popen, moves: list[tuple[float, float]]) -> None:
    with visitor.stdout as lines:
        for line in lines:
            moves.append(tuple(json.loads(line)))


async def crowd(address: str, strangers: int, do: Callable[[int, Stranger], Awaitable], page: str, query: str) -> None:
    """Let so many strangers open a page and do this at the same time."""

    async def one(number: int) -> None:
        tab = Stranger(address, f"{number:032x}", patience=90.0)
        await tab.open(page, query)
        await do(number, tab)
        await tab.close()

    await asyncio.gather(*map(one, range(strangers)))


@pytest.mark.parametrize(
    "made", [[*BOMBS][::2], pytest.param([*BOMBS][1::2], marks=pytest.mark.wide)], ids=["half", "rest"]
)
def test_harmful_files_cost_their_sender_a_sentence(lab: Watched, made: list[str]) -> None:
    """Files of tests/bombs.py through the uploader of four sessions, each with a browser of its own."""
    with ThreadPoolExecutor(2) as pool:
        raws = dict(zip(made, pool.map(lambda name: BOMBS[name](), made), strict=True))
    assert len(raws) > 10 and max(map(len, raws.values())) <= MOST + 1
    said: dict[str, str] = {}
    names = list(raws)

    async def attack(number: int, tab: Stranger) -> None:
        for name in names[number::4]:
            said[name] = await tab.load(raws[name], name)
            assert not tab.errors, (name, tab.errors)

    with lab.phase(f"{len(raws)} files made to harm") as row:
        asyncio.run(crowd(lab.address, 4, attack, "Real_data", "table=own"))
    stopped = sum(STOPPED[:30] in text for text in said.values())
    row.said = f"{stopped} stopped at a limit"
    assert not [name for name, text in said.items() if "upload refused" in text]  # all of them were read
    assert row.bytes < GROWN_BYTES["files"]


def test_endless_messages_hold_little(lab: Watched) -> None:
    """As many connections as are let in, each with 2.8 MB of a message; then one of 45 MB; then one too many."""

    async def attack() -> tuple[int, int]:
        url, part = lab.address.replace("http", "ws", 1) + "/_stcore/stream", bytes(700_000)
        come, refused = [], 0
        for _ in range(SESSIONS + 5):
            try:
                come.append(await connect(url, subprotocols=["streamlit"], origin=lab.address, compression=None))
            except Exception:
                refused += 1

        async def endless() -> Iterator[bytes]:
            for _ in range(4):
                yield part
            await asyncio.sleep(60)
            yield b""

        held = [asyncio.create_task(socket.send(endless())) for socket in come]
        await asyncio.sleep(3)
        full = await asyncio.to_thread(status, lab.address, "text/html")
        for task in held:
            task.cancel()
        for socket in come:
            with suppress(Exception):
                socket.transport.abort()
        return refused, full

    async def too_long() -> int:
        url = lab.address.replace("http", "ws", 1) + "/_stcore/stream"
        async with connect(url, subprotocols=["streamlit"], origin=lab.address, compression=None) as socket:
            with suppress(Exception):
                await socket.send(bytes(45_000_000))
            await socket.wait_closed()
            return socket.close_code or 0

    with lab.phase(f"{SESSIONS} messages that never end") as row:
        refused, full = asyncio.run(attack())
    row.said = f"{refused} connections refused, a page then says {full}"
    assert refused >= 5 and full == 503 and row.bytes < GROWN_BYTES["messages"]
    sleep(1)
    assert asyncio.run(asyncio.wait_for(too_long(), 20)) in (1009, 1006)
    for _ in range(50):
        if status(lab.address, "text/html") == 200:
            break
        sleep(0.2)
    assert status(lab.address, "text/html") == 200  # whoever leaves makes room


def status(address: str, accept: str = "*/*", path: str = "/") -> int:
    try:
        with urlopen(Request(address + path, headers={"Accept": accept}), timeout=20) as answer:
            return answer.status
    except HTTPError as refused:
        return refused.code


def test_twenty_greedy_connections_double_a_wait_at_most(lab: Watched) -> None:
    """Each asks, as fast as it is answered, for one frame after the other that nobody has asked for yet.

    In turns with quiet, so that what else the machine does weighs on both alike.
    """
    host, numbers, codes = lab.address.removeprefix("http://"), itertools.count(), []
    quiet: list[tuple[float, float]] = []
    loud: list[tuple[float, float]] = []

    def ask(until: float) -> None:
        with closing(HTTPConnection(host, timeout=30)) as wire:
            while time() < until:
                n = next(numbers)
                words = {"r": release(), "v": VERSION, "seed": n // 200, "t": n % 200}
                wire.request("GET", f"/frame/drift?{urlencode(words)}")
                with wire.getresponse() as said:
                    said.read()
                    codes.append(said.status)

    with lab.phase("20 connections that ask for frames") as row, ThreadPoolExecutor(20) as pool:
        for _ in range(4):
            quiet.append((time(), time() + QUIET_SECONDS))
            sleep(QUIET_SECONDS)
            loud.append((time(), time() + QUIET_SECONDS))
            list(pool.map(ask, [loud[-1][1]] * 20))
        sleep(1)
    without, beside = (
        median(took for then, took in lab.moves if any(a <= then <= b for a, b in spans)) for spans in (quiet, loud)
    )
    row.said = f"{codes.count(200)} frames, {codes.count(503)} sent away: {beside / without:.2f} times the wait"
    assert codes.count(200) > 20 and set(codes) <= {200, 204, 503}
    assert beside <= 2 * without, row.said


def test_strangers_races_leave_half_of_the_workers(lab: Watched) -> None:
    """Three tables of 199 arms and 1000 rows race; a fourth visitor's race on a shipped table is through meanwhile."""
    rng = np.random.default_rng(0)

    def table() -> bytes:
        values = rng.normal(size=(1000, 199)).cumsum(axis=0)
        values[9, 9] = np.nan  # a remark, without which it would race by itself
        head = "t," + ",".join(f"arm{j}" for j in range(199)) + "\n"
        return (head + "\n".join(f"{t}," + ",".join(f"{v:.2f}" for v in row) for t, row in enumerate(values))).encode()

    tables, took = [table() for _ in range(3)], []

    async def attack(number: int, tab: Stranger) -> None:
        if number == 3:
            await asyncio.sleep(4)
            began, other = monotonic(), Stranger(lab.address, "d" * 32, patience=90.0)
            await other.open("Real_data", "table=stocks-weekly&seed=71&seeds=4")
            took.append(monotonic() - began)
            await other.close()
            over.set()
            return
        said = await tab.load(tables[number])
        while BUSY[:20] in said:  # two files are read at a time
            said = await tab.load(tables[number])
        assert "own_run" in tab.controls(), said
        race = asyncio.create_task(tab.send("own_run", trigger_value=True))
        await asyncio.wait({race}, timeout=3)
        if "long_run" in tab.controls():
            race = asyncio.create_task(tab.send("long_run", trigger_value=True))
        await over.wait()
        race.cancel()
        with suppress(asyncio.CancelledError, Dropped):
            await race

    async def all_of_them() -> None:
        nonlocal over
        over = asyncio.Event()
        await asyncio.wait_for(crowd(lab.address, 4, attack, "Real_data", "table=own"), 120)

    over: asyncio.Event
    with lab.phase("3 races on tables of 199 x 1000") as row:
        asyncio.run(all_of_them())
    row.said = f"a fourth visitor's race on a shipped table took {took[0]:.1f} s"
    assert row.bytes < GROWN_BYTES["tables"]


FORGED = [
    {"double_array_value": [float("nan")]},
    {"double_array_value": []},
    {"string_value": "<evil>"},
    {"string_array_value": ["<evil>"]},
    {"double_value": float("nan")},
    {"bool_value": True},
    {"json_value": "{nonsense"},
    {"json_value": '{"t": {"t": "x", "reset": 5}, "x": [], "ask": 1e9}'},
    {"int_value": 2**60},
    {"bytes_value": b"\xff"},
]


def test_forged_values_cost_one_line_at_most(lab: Watched) -> None:
    async def attack(number: int, tab: Stranger) -> None:
        page = ("Drifting_rewards", "The_race", "You_against_the_bandits", "Reproductions")[number]
        await tab.open(page)
        for at, key in enumerate(list(tab.controls())):
            value = FORGED[(at + number) % len(FORGED)]
            with suppress(TypeError, KeyError):  # the visitor's own link cannot hold it; the page lost the control
                await tab.send(key, **value)
            await tab.close()
            await tab.open(page)
            problems.extend(f"{page} {key} {value}: {error}" for error in tab.errors)
            tab.errors.clear()

    problems: list[str] = []
    before = lab.log.read_text(errors="replace").count("\n")
    with lab.phase("values forged for every control") as row:
        asyncio.run(crowd(lab.address, 4, attack, "", ""))
    log = lab.log.read_text(errors="replace")
    row.said = f"{log.count(chr(10)) - before} lines of log"
    assert problems == []
    assert row.bytes < GROWN_BYTES["rest"]
    assert "Traceback" not in log and log.count("\n") - before < 60 * (2 + row.lasted / 60)


def test_control_of_another_page_sets_nothing(lab: Watched) -> None:
    """Lesson 1 has 1000 rounds, lesson 2 at most 200; 1000 of them there are 3 GB and half a minute."""

    async def attack() -> dict[str, str]:
        tab = Stranger(lab.address)
        await tab.open("Drifting_rewards")
        await tab.move("T", 1000.0)
        horizon = {name: state for name, state in tab._state.items() if key_of(name) == "T"}
        await tab.open("Confidence_bands")
        tab._state |= horizon
        await tab.move("V", 2.0)  # draws the lesson's part of the page, where T stands in a closed drawer
        link = dict(parse_qsl(tab.link))
        await tab.close()
        return link

    with lab.phase("a value of another page") as row:
        link = asyncio.run(attack())
    assert link["V"] == "2" and "T" not in link
    assert row.bytes < GROWN_BYTES["rest"]


def test_session_id_opens_nothing_in_another_browser(lab: Watched) -> None:
    async def attack() -> list[bool]:
        mine = Stranger(lab.address, "a" * 32)
        await mine.open("Real_data", "table=own")
        await mine.load(b"day,secret_arm,b\n" + b"".join(b"%d,%d,%d\n" % (i, i % 7, i % 5) for i in range(60)))
        found = []
        for browser in ("b" * 32, "", "a" * 32):
            other = Stranger(lab.address, browser)
            await other.connect(mine.session)
            await other.open("Real_data", "table=own")
            found.append(other.session == mine.session)
            await other.close()
        await mine.close()
        return found

    with lab.phase("a session's id in another browser"):
        assert asyncio.run(attack()) == [False, False, True]


def test_game_tells_nothing_before_its_end(lab: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sealed worlds of different kinds: everything that a browser receives, word for word but for what it asked."""
    monkeypatch.setattr(sealed, "SALT", SALT.encode())
    words = {}

    async def play(kind: str) -> None:
        code = sealed.new(kind)
        problem = make_problem(codes.hidden_world(sealed.plain(code), 10, 0.2))
        tab = Stranger(lab.address, "c" * 32)
        await tab.open("You_against_the_bandits", f"world={code}&rounds=10")
        for n in range(10):
            head, film = parts(tab.message("tvbo_player"))
            said = board_of(decode(gzip.decompress(film)))
            assert said["asked"] == [7 * i for i in range(n)]
            ask = {"ask": {"n": n, "t": n, "place": 7 * n, "reset": head["reset"], "tries": 1}}
            if n == 9:  # what comes after the last round is the end
                before = b"\n".join(map(unpacked, tab.heard))
            await tab.send("player", json_value=json.dumps(ask))
        assert not tab.errors
        assert sealed.plain(code).encode() not in before
        truth = np.asarray(problem.f, float)
        silent = before
        for reward in said["heard"]:  # with noise, to four digits: one of them in ten games has the digits of a truth
            silent = silent.replace(json.dumps(reward).encode(), b"")
        for number in {f"{v:.3f}" for v in truth.max(axis=1)} | {f"{v:.4f}" for v in truth[:, ::10].ravel()}:
            assert number.encode() not in silent, number
        for kinds in ("<f4", "<f8"):
            assert np.ascontiguousarray(truth[0, :3], kinds).tobytes() not in before
        text = re.sub(rb"[0-9a-f]{16,}|" + code.encode(), b"", before)
        words[kind] = {w.lower() for w in re.findall(rb"[A-Za-z]{5,}", text)}
        await tab.close()

    with lab.phase("two games in hidden worlds"):
        for kind in ("still", "jumps"):
            asyncio.run(play(kind))
    differ = {w for w in words["still"] ^ words["jumps"] if not re.fullmatch(rb"[a-f]+", w)}
    # Streamlit sends a place only as it stands when it sends: a page that is drawn at once never tells its skeletons.
    assert differ - {word.encode() for kind in (skeleton.STAGE, skeleton.SENTENCE) for word in kind.split()} == set()


def test_the_table_of_what_strangers_cost(lab: Watched, capsys: pytest.CaptureFixture[str]) -> None:
    log = lab.log.read_text(errors="replace")
    assert not ID.search(log) and status(lab.address, path="/_stcore/health") == 200
    with capsys.disabled():
        print(f"\n{'stranger':34} {'peak':>8} {'processor':>10} {'lasted':>7}  ordinary visitor: median, longest")
        for row in lab.rows:
            waits = row.waits or [float("nan")]
            print(
                f"{row.name:34} {row.bytes / 1e6:5.0f} MB {row.seconds:8.1f} s {row.lasted:5.1f} s  "
                f"{median(waits):.2f} s, {max(waits):.2f} s  {row.said}"
            )
        print(f"quiet before each of them: {median(lab.quiet):.2f} s, {max(lab.quiet):.2f} s")
        print(f"in all {lab.server.memory_info().rss / 1e6:.0f} MB at the end; load {os.getloadavg()[0]:.1f}")
    usual = median(lab.quiet)
    for row in lab.rows:
        assert median(row.waits) <= WAIT_RATIO * usual and max(row.waits) <= LONGEST_SECONDS, row.name
