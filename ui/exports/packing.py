"""A lecture pack in the making: `python -m ui.pack` in a process of its own, one at a time for the whole server.

It tells how far it is, can be stopped, and ends by itself when its reader has gone or the server has ended.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from shell.engines import ONE_THREAD

ROOT = Path(__file__).resolve().parents[2]
FAILED = "The lecture pack could not be made; try fewer moments, or make it with `python -m ui.pack` in a shell."
BUSY = "Another lecture pack is being made on this server; try again in a minute."
STOPPED = "The lecture pack was stopped; nothing was kept."
FORGOTTEN = 90.0  # seconds without a look after which its page counts as closed


class Packing:
    """One order of a pack. Read `done`, `total`, `name`, `problem` and `result` at any time.

    Attributes:
        total: moments ordered.   done: how many are through.   name: of the one being opened now.
        result: the zip, once it is there.   problem: the sentence that says why there is none.
    """

    def __init__(self, names: Sequence[str], gate: threading.Lock, command: Sequence[str] = ("-m", "ui.pack")) -> None:
        self.total, self.done, self.name = len(names), 0, ""
        self.result: bytes | None = None
        self.problem: str | None = None
        self._seen, self._gate = monotonic(), gate
        self._folder = tempfile.TemporaryDirectory(prefix="lecture-pack-")
        self._file = Path(self._folder.name) / "lecture.zip"
        self._process = subprocess.Popen(
            [sys.executable, *command, "--app", "--moments", *names, "--out", str(self._file)], cwd=ROOT,
            env={**os.environ, **ONE_THREAD}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, encoding="utf-8",
        )  # fmt: skip
        for work in (self._listen, self._watch):
            threading.Thread(target=work, daemon=True).start()

    @property
    def over(self) -> bool:
        return self.result is not None or self.problem is not None

    def look(self) -> None:
        """Its reader is still there."""
        self._seen = monotonic()

    def cancel(self) -> None:
        """Stop it; nothing is kept."""
        if not self.over:
            self.problem = STOPPED
            self._process.kill()

    def _listen(self) -> None:
        """The lines of the process, then its zip; whatever happens, the next order may start."""
        try:
            for line in self._process.stdout:
                with suppress(ValueError):  # a stray print of a library
                    self.done, self.total, self.name = json.loads(line)
            code = self._process.wait()
            if code == 0 and self.problem is None:
                self.done, self.result = self.total, self._file.read_bytes()
            else:
                self.problem = self.problem or FAILED
        except OSError:
            self.problem = self.problem or FAILED
        finally:
            self._process.stdout.close()
            with suppress(OSError):
                self._process.stdin.close()
            self._folder.cleanup()
            self._gate.release()

    def _watch(self) -> None:
        """Nobody looks any more: stop."""
        while not self.over:
            if monotonic() - self._seen > FORGOTTEN:
                self.cancel()
            sleep(0.5)


class Packer:
    """The server's one place for a lecture pack in the making."""

    def __init__(self) -> None:
        self._gate = threading.Lock()

    def order(self, names: Sequence[str]) -> Packing | None:
        """Start a pack; None while another one is being made."""
        if not self._gate.acquire(blocking=False):
            return None
        try:
            return Packing(names, self._gate)
        except OSError:
            self._gate.release()
            raise
