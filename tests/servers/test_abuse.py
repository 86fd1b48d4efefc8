"""Strangers at a started server: `python -m pytest -m slow tests/servers/test_abuse.py`.

Files that were made to harm, a session's id in another browser, and a game whose truth must not travel. Peak memory
is that of the server's own process, above what it held before.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil
import pytest

from benchmarks import drive
from benchmarks.load import COMMAND
from benchmarks.processes import server_on
from lessons.shared import codes, sealed
from shell.stage import skeleton
from tests.answers import unpacked
from tests.bombs import BOMBS, MOST
from tests.lessons.game.games import board_of
from tests.lessons.shown import decode, parts
from tests.strangers import Stranger
from tvbo_core.worlds import make_problem

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="measures memory as Linux does")]
SALT = "a salt of this test only"
# A session holds 20 MB of uploads, its table's bytes (10), cells and table (65); the bytes of two files are once more
# on their way to the processes that read them.
MOST_GROWN = 4 * 95e6 + 2 * 10e6
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True)
class Started:
    """A server, its log and its own process."""

    address: str
    log: Path
    server: psutil.Process


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    log = tmp_path_factory.mktemp("abuse") / "lab.log"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAME_SALT", SALT)
        with drive.server(COMMAND, log) as address:
            yield Started(address, log, server_on(address))


@contextmanager
def peak(server: psutil.Process) -> Iterator[list[float]]:
    """Yield a list with the largest memory of a process so far, above that at the start."""
    start, over, found = server.memory_info().rss, threading.Event(), [0.0]

    def sample() -> None:
        while not over.wait(0.03):
            found[0] = max(found[0], server.memory_info().rss - start)

    sampling = threading.Thread(target=sample)
    sampling.start()
    try:
        yield found
    finally:
        over.set()
        sampling.join()


async def crowd(address: str, strangers: int, do: Callable[[int, Stranger], Awaitable], page: str, query: str) -> None:
    """Let so many strangers open a page and do this at the same time."""

    async def one(number: int) -> None:
        tab = Stranger(address, f"{number:032x}", patience=90.0)
        await tab.open(page, query)
        await do(number, tab)
        await tab.close()

    await asyncio.gather(*map(one, range(strangers)))


def test_harmful_files_cost_their_sender_a_sentence(lab: Started) -> None:
    """Files of tests/bombs.py through the uploader of four sessions, each with a browser of its own."""
    with ThreadPoolExecutor(2) as pool:
        raws = dict(zip(BOMBS, pool.map(lambda make: make(), BOMBS.values()), strict=True))
    assert max(map(len, raws.values())) <= MOST + 1
    said: dict[str, str] = {}
    names = list(raws)

    async def attack(number: int, tab: Stranger) -> None:
        for name in names[number::4]:
            said[name] = await tab.load(raws[name], name)
            assert not tab.errors, (name, tab.errors)

    with peak(lab.server) as grown:
        asyncio.run(crowd(lab.address, 4, attack, "Real_data", "table=own"))
    assert not [name for name, text in said.items() if "upload refused" in text]  # all of them were read
    assert grown[0] < MOST_GROWN, grown


def test_session_id_opens_nothing_in_another_browser(lab: Started) -> None:
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

    assert asyncio.run(attack()) == [False, False, True]
    assert not ID.search(lab.log.read_text(errors="replace"))


def test_game_tells_nothing_before_its_end(lab: Started, monkeypatch: pytest.MonkeyPatch) -> None:
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

    for kind in ("still", "jumps"):
        asyncio.run(play(kind))
    differ = {w for w in words["still"] ^ words["jumps"] if not re.fullmatch(rb"[a-f]+", w)}
    # Streamlit sends a place only as it stands when it sends: a page that is drawn at once never tells its skeletons.
    assert differ - {word.encode() for kind in (skeleton.STAGE, skeleton.SENTENCE) for word in kind.split()} == set()
