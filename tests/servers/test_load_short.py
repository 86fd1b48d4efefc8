"""A small class in front of a real server, that of `--quick`: no error, no dropped session, no mixed results."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks import drive
from benchmarks.load import (
    COMMAND,
    ERROR,
    LESSONS,
    MIXED,
    QUICK,
    Notes,
    Student,
    quiet,
    together,
)
from benchmarks.visitor import Visitor
from lessons import LESSONS as RECORDS

MOST_REST = 120.0  # seconds until a class that has left leaves nothing to compute
SEEDED = {"Drifting_rewards": 7, "Confidence_bands": 6, "The_race": 48}  # lesson -> the seed that it opens with


@pytest.mark.wide
def test_class_of_six_sees_its_own_results(tmp_path: Path):
    async def attend(address: str) -> tuple[Notes, list[list[float]], float]:
        seconds = 2 * 60 * QUICK.minutes  # a move takes two of them on a busy machine
        notes, memory = await together([address], SEEDED, QUICK.visitors, seconds, 3, QUICK.pause)
        return notes, memory, await quiet([address], MOST_REST)

    with drive.server(COMMAND, tmp_path / "server.log") as address:
        notes, memory, rest = asyncio.run(attend(address))
    assert not any(notes.wrong.values())
    assert sum(map(len, notes.moves.values())) >= 2 * QUICK.visitors and notes.checked >= QUICK.visitors
    assert len(notes.moves) >= 4  # lessons that somebody was on
    assert rest < MOST_REST  # how little is done after a tab has closed is counted in tests/shell/test_runs.py
    assert memory and max(mb for _, mb in memory) < 1000


def told(tab: Visitor, text: str, kind: str = "text") -> None:
    """Let the server say something to a tab."""
    message = ForwardMsg()
    element = message.delta.new_element
    if kind == "exception":
        element.exception.type, element.exception.message = "ValueError", text
    else:
        element.text.body = text
    tab._take(message)


def student(seed: int | None, lesson: str, text: str, kind: str = "text") -> Notes:
    notes = Notes(seeds=SEEDED)
    one = Student("http://nowhere", seed, random.Random(0), notes)
    one.lesson, one.horizon = lesson, 200
    told(one.tab, text, kind)
    one.look()
    return notes


def test_driver_notices_exceptions_and_others_results():
    for seed, lesson, text, mixed in (
        (7, "Drifting_rewards", "SE, T = 200, 100 actions, seed 7.", 0),
        (7, "Drifting_rewards", "SE, T = 200, 100 actions, seed 8.", 1),
        (7, "Drifting_rewards", "SE, T = 300, 100 actions, seed 7.", 1),  # the slider's T is another one
        (7, "Confidence_bands", "seeds 7 to 14; seed 70", 1),
        (7, "The_race", "seeds 9 to 14, seed 7", 0),  # a race that shows later seeds of its own first
        (7, "The_race", "seeds 3 to 6", 1),
        (None, "Drifting_rewards", "seed 7", 0),  # the page's own
        (None, "Drifting_rewards", "seed 8", 1),
        (7, "Reproductions", "seeds 0 to 9", 0),  # the link has no say in it
    ):
        assert len(student(seed, lesson, text).wrong[MIXED]) == mixed, (seed, lesson, text)
    assert student(7, "The_race", "x", "exception").wrong[ERROR] == ["The_race, ?: ValueError: x"]
    assert tuple(Path(lesson.file).stem for lesson in RECORDS[1:]) == LESSONS
