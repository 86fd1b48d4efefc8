"""Strangers' files are read by a process with limits; the server keeps its memory whatever they hold."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from lessons.real_data.reading import isolated
from lessons.real_data.tables import TableError, read
from lessons.record import ROOT
from tests.house.test_rooms import ROOMS

EXAMPLE = (ROOT / "assets" / "example_table.csv").read_bytes()


def test_reading_process_imports_the_reader_alone() -> None:
    asked = json.dumps(["a.csv", ""]).encode() + b"\n" + EXAMPLE
    command = [sys.executable, "-X", "importtime", "-m", "lessons.real_data.reading.isolated"]
    told = subprocess.run(command, input=asked, cwd=ROOT, capture_output=True, check=True)
    assert isolated._table(told.stdout).joined == read(EXAMPLE).joined  # it has read the table
    loaded = {line.rpartition("|")[2].strip() for line in told.stderr.decode().splitlines() if "import time:" in line}
    ours = {name for name in loaded if name.split(".")[0] in ROOMS}
    folder = "lessons.real_data.reading"
    modules = {f"{folder}.{name}" for name in ("limits", "reader")}
    assert ours == {"lessons", "lessons.real_data", folder, *modules}
    assert not {"numpy", "pandas", "scipy", "plotly", "streamlit", "joblib"} & loaded


def test_another_process_reads_what_this_one_reads() -> None:
    many = b"t,a,word\n" + b"\n".join(b"%d,%d,w%d" % (i, i * 7 % 11, i) for i in range(6_000))
    for raw in (EXAMPLE, many):
        here, there = (of(raw, "a.csv") for of in (read, isolated.read_isolated))
        assert vars(here) == vars(there)


READ = "sys.stdin.buffer.read()\n"
REPLACED = (
    "from lessons.real_data.reading import isolated\ndef broken(*_): raise {}\nisolated.read = broken\nisolated.main()"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("while True: pass", isolated.STOPPED),  # and reads nothing
        (READ + "resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass", isolated.STOPPED),
        (READ + "sys.stdout.buffer.write(bytes(100_000_000))", isolated.FAILED),
        (REPLACED.format("MemoryError()"), isolated.STOPPED),
        (REPLACED.format("TypeError('boolean value of NA is ambiguous')"), isolated.FAILED),
    ],
)
def test_process_that_ends_costs_one_sentence(monkeypatch: pytest.MonkeyPatch, body: str, sentence: str) -> None:
    """Whatever the reading process does, its caller gets a sentence."""
    monkeypatch.setattr(isolated, "WALL_SECONDS", 3 if "isolated" not in body else 30)
    source = "import os, sys, resource\nresource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n" + body
    start = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda command, **rest: start([sys.executable, "-c", source], **rest))
    with pytest.raises(TableError) as caught:
        isolated.read_isolated(EXAMPLE + b" " * 1_000_000)  # more than a pipe holds
    assert str(caught.value) == sentence
