"""Every page in a Firefox: `python -m pytest -m wide tests/servers/test_firefox.py`.

Debian's Firefox speaks WebDriver BiDi by itself: a few JSON messages over one WebSocket, without a driver.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import shutil
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic
from typing import TypeVar

import pytest
from websockets.asyncio.client import ClientConnection, connect

from benchmarks import drive
from benchmarks.load import COMMAND

T = TypeVar("T")
pytestmark = pytest.mark.wide
PAGES = ["", *(re.sub(r"^\d+_", "", path.stem) for path in sorted(drive.ROOT.glob("pages/*.py")))]
SECONDS = 90  # for one page
STANDS = """(() => { const app = document.querySelector(".stApp");
  return app?.dataset.testConnectionState === "CONNECTED" && app.dataset.testScriptState === "notRunning"
    && !!document.querySelector("h1") && !document.querySelector('[data-testid="stSkeleton"]'); })()"""


class Firefox:
    """A tab of a Firefox.

    Attributes:
        errors: what no script has caught, and what the browser itself complained of, since `open`.
    """

    def __init__(self, wire: ClientConnection) -> None:
        self._wire, self._numbers, self.errors = wire, itertools.count(), []

    async def ask(self, method: str, **params: object) -> dict:
        """Return the result of a command; events that come before it are heard.

        Raises:
            RuntimeError: Firefox refuses it.
        """
        number = next(self._numbers)
        await self._wire.send(json.dumps({"id": number, "method": method, "params": params}))
        while (said := json.loads(await asyncio.wait_for(self._wire.recv(), SECONDS))).get("id") != number:
            heard = said.get("params", {})
            if said.get("method") == "log.entryAdded" and heard["type"] == "javascript" and heard["level"] == "error":
                self.errors.append(heard["text"])
        if said["type"] != "success":
            raise RuntimeError(f"{method}: {said}")
        return said["result"]

    async def start(self) -> None:
        await self.ask("session.new", capabilities={})
        await self.ask("session.subscribe", events=["log.entryAdded"])
        self._tab = (await self.ask("browsingContext.getTree"))["contexts"][0]["context"]

    async def open(self, address: str, stands: str = STANDS) -> None:
        """Open a page and wait until it stands: until a claim about it holds.

        Raises:
            TimeoutError: it does not.
        """
        self.errors.clear()
        await self.ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")
        until = monotonic() + SECONDS
        while not await self.true(stands):
            if monotonic() > until:
                raise TimeoutError(address)
            await asyncio.sleep(0.2)
        await asyncio.sleep(1)  # what its charts complain of
        await self.true("true")

    async def true(self, claim: str) -> bool:
        target = {"context": self._tab}
        said = await self.ask("script.evaluate", expression=claim, target=target, awaitPromise=False)
        return said.get("result", {}).get("value") is True


async def reached(port: int) -> ClientConnection:
    """The line to a Firefox that has just been started."""
    for _ in range(120):
        try:
            return await connect(f"ws://{drive.HOST}:{port}/session", max_size=None, ping_interval=None)
        except OSError:
            await asyncio.sleep(0.5)
    raise TimeoutError("Firefox does not answer")


def visited(profile: Path, visit: Callable[[Firefox], Awaitable[T]]) -> T:
    """Return what a visit with a Firefox of its own brings."""
    found = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
    assert found, "install Firefox for this test (Debian: apt-get install firefox-esr)"
    port = drive.free_port()
    profile.mkdir()
    command = [found, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", str(port)]

    async def go() -> T:
        async with await reached(port) as wire:
            tab = Firefox(wire)
            await tab.start()
            return await visit(tab)

    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return asyncio.run(go())
    finally:
        running.terminate()
        running.wait(30)


def test_every_page_opens_in_firefox(tmp_path: Path) -> None:
    async def visit(tab: Firefox) -> dict[str, list[str]]:
        complaints = {}
        for page in PAGES:
            await tab.open(f"{address}/{page}")
            complaints[page] = list(tab.errors)
        await tab.true("void setTimeout(() => { throw Error('heard') })")
        await asyncio.sleep(1)
        await tab.true("true")
        # The silence before is one that would be heard.
        assert tab.errors[len(complaints[page]) :] == ["Error: heard"]
        return complaints

    with drive.server(COMMAND, tmp_path / "lab.log") as address:
        complaints = visited(tmp_path / "profile", visit)
    assert len(complaints) == 13
    assert {page: said for page, said in complaints.items() if said} == {}
