"""Jobs for workers: they count themselves, wait, fail, or end the process that performs them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from time import sleep

import psutil

from benchmarks.processes import commands


@dataclass(frozen=True)
class Counted:
    """A job that writes a line into a file each time it is performed."""

    number: int
    file: str
    seconds: float = 0.0

    @property
    def name(self) -> str:
        return f"PlayJob {self.number}"

    def perform(self) -> int:
        with Path(self.file).open("a", encoding="utf-8") as out:
            out.write(f"{self.number}\n")
        sleep(self.seconds)
        return self.number


@dataclass(frozen=True)
class EndsItsWorker:
    """A job that ends its process, each time or, with a file to remember it by, the first time."""

    file: str = ""
    name: str = "A deadly job"

    def perform(self) -> str:
        if self.file and Path(self.file).exists():
            return "performed"
        if self.file:
            Path(self.file).touch()
        sleep(0.05)
        os._exit(1)


@dataclass(frozen=True)
class Naps:
    """A short job that keeps no processor busy."""

    number: int
    seconds: float
    name: str = "A nap"

    def perform(self) -> int:
        sleep(self.seconds)
        return self.number


def performed(file: Path) -> list[int]:
    """Return the numbers of the jobs that were performed, in order."""
    return [int(line) for line in file.read_text(encoding="utf-8").split()] if file.exists() else []


def allocate(n: int) -> int:
    """Return n, after having taken so many bytes."""
    return len(bytearray(n))


def nothing_that_travels() -> object:
    """Return what cannot be pickled."""
    return lambda: None


def answer(n: int) -> int:
    """Return the number, or refuse it."""
    if n < 0:
        raise ValueError(f"n must not be negative, got {n}")
    return 10 // n


def fails_once(file: str) -> str:
    """Return that it is done; the first time, which the file remembers, fail."""
    if Path(file).exists():
        return "done"
    Path(file).touch()
    raise RuntimeError


def end_worker(jobs: object) -> None:
    """End this process, whatever it was given."""
    os._exit(1)


def workers() -> list[psutil.Process]:
    """Return the workers of this process; loky's tracker of shared resources performs nothing."""
    return [process for process, command in commands().items() if "resource_tracker" not in command]
