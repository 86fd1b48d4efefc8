"""Every page in a Firefox: `python -m pytest -m firefox tests/servers/test_firefox.py`.

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
from pathlib import Path
from time import monotonic

import pytest
from websockets.asyncio.client import ClientConnection, connect

from benchmarks import drive
from benchmarks.load import COMMAND

pytestmark = pytest.mark.firefox
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

    async def open(self, address: str) -> None:
        """Open a page and wait until it stands.

        Raises:
            TimeoutError: it does not.
        """
        self.errors.clear()
        await self.ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")
        until = monotonic() + SECONDS
        while not await self.true(STANDS):
            if monotonic() > until:
                raise TimeoutError(address)
            await asyncio.sleep(0.2)
        await asyncio.sleep(1)  # what its charts complain of
        await self.true("true")

    async def true(self, claim: str) -> bool:
        said = await self.ask("script.evaluate", expression=claim, target={"context": self._tab}, awaitPromise=False)
        return said.get("result", {}).get("value") is True


async def reached(port: int) -> ClientConnection:
    """The line to a Firefox that has just been started."""
    for _ in range(120):
        try:
            return await connect(f"ws://{drive.HOST}:{port}/session", max_size=None, ping_interval=None)
        except OSError:
            await asyncio.sleep(0.5)
    raise TimeoutError("Firefox does not answer")


def test_every_page_opens_in_firefox_and_leaves_no_error(tmp_path: Path) -> None:
    found = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
    assert found, "install Firefox for this test (Debian: apt-get install firefox-esr)"
    port, profile = drive.free_port(), tmp_path / "profile"
    profile.mkdir()
    command = [found, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", str(port)]

    async def visit(address: str) -> dict[str, list[str]]:
        async with await reached(port) as wire:
            tab = Firefox(wire)
            await tab.start()
            complaints = {}
            for page in PAGES:
                await tab.open(f"{address}/{page}")
                complaints[page] = list(tab.errors)
            await tab.true("void setTimeout(() => { throw Error('heard') })")
            await asyncio.sleep(1)
            await tab.true("true")
            assert tab.errors[len(complaints[page]) :] == [
                "Error: heard"
            ]  # the silence before is one that would be heard
            return complaints

    with drive.server(COMMAND, tmp_path / "lab.log") as address:
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            complaints = asyncio.run(visit(address))
        finally:
            running.terminate()
            running.wait(30)
    assert len(complaints) == 13
    assert {page: said for page, said in complaints.items() if said} == {}
