"""A small class in front of a real server, that of `--quick`: no error, no dropped session, no mixed results."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import numpy as np
import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks import drive
from benchmarks.load import (
    COMMAND,
    DROPPED,
    ERROR,
    LESSONS,
    MIXED,
    QUICK,
    Notes,
    Student,
    lessons,
    promises,
    quiet,
    server_on,
    slope,
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


@pytest.mark.wide
def test_server_that_ends_is_told(tmp_path: Path):
    async def attend(address: str) -> tuple[Notes, float]:
        asyncio.get_running_loop().call_later(4.0, server_on(address).kill)
        notes, _ = await together([address], SEEDED, 2, 8.0, 3, QUICK.pause)
        return notes, await quiet([address], 2.0)

    with drive.server(COMMAND, tmp_path / "server.log") as address:
        notes, rest = asyncio.run(attend(address))
    assert sum(told.startswith("a server ended after") for told in notes.wrong[ERROR]) == 1
    assert notes.wrong[DROPPED] and rest <= 2.0


@pytest.mark.wide
def test_visitor_asks_for_a_film_once(tmp_path: Path):
    async def visit(address: str) -> tuple[list[str], list[int]]:
        tab = Visitor(address)
        await tab.open("Drifting_rewards")
        texts, films = tab.texts, [len(tab._films)]
        for value in (9.0, 5.0, 9.0):
            await tab.move("V", value)
            films.append(len(tab._films))
        await tab.close()
        return [*texts, *tab.errors], films

    with drive.server(COMMAND, tmp_path / "server.log") as address:
        texts, films = asyncio.run(visit(address))
    assert [text for text in texts if text.startswith("t = ")][-1] == "t = 200 of 200"
    assert films == [1, 2, 3, 3]


def told(tab: Visitor, text: str, kind: str = "text") -> None:
    """Let the server say something to a tab."""
    message = ForwardMsg()
    element = message.delta.new_element
    if kind == "exception":
        element.exception.type, element.exception.message = "ValueError", text
    else:
        element.text.body = text
    tab._take(message)


def test_last_page_changes_no_link(monkeypatch: pytest.MonkeyPatch):
    tab = Visitor("http://nowhere")

    async def answered() -> float:
        late, begins, new = ForwardMsg(), ForwardMsg(), ForwardMsg()
        late.page_info_changed.query_string, new.page_info_changed.query_string = "seed=81", "seed=3&kind=jumps"
        begins.new_session.page_script_hash = "of the next page"
        for message in (late, begins, new):
            tab._take(message)
            links.append(tab.link)
        return 0.0

    links = []
    monkeypatch.setattr(tab, "connect", lambda: asyncio.sleep(0))
    monkeypatch.setattr(tab, "again", answered)
    asyncio.run(tab.open("Theorems", "seed=3"))
    assert links == ["seed=3", "seed=3", "seed=3&kind=jumps"]


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


def test_growth_is_that_of_the_last_minutes():
    grown = [[m, 300 + 20 * min(m, 10) + 3 * max(m - 10, 0), 500.0] for m in np.arange(0, 20.01, 0.1)]
    assert slope(grown) == pytest.approx(3.0)
    assert slope(grown[:150]) is None


def test_a_target_that_is_missed_is_said():
    single = Notes(
        moves={"a": [0.1] * 5, "b": [0.1] * 5, "c": [0.1] * 5, "d": [0.1]}, processor=dict.fromkeys("abcd", 0.02)
    )
    crowd = Notes(moves={"a": [0.15] * 50, "b": [0.1] * 40 + [1.6] * 9, "c": [0.3] * 9})
    assert [row[-1] for row in lessons(single, crowd)[1:]] == ["yes", "NO", "NO", "-"]
    good = promises(single, crowd, 0.005, [[0.0, 500.0, 600.0]], 3.0)
    assert [row[-1] for row in good[1:]] == ["yes"] * 9
    crowd.wrong[MIXED].append("somewhere")
    single.processor = dict.fromkeys("abcd", 0.03)
    bad = promises(single, crowd, 0.005, [[0.0, 500.0, 1100.0]], 11.0)
    assert [row[-1] for row in bad[1:]] == ["NO", "yes", "yes", "yes", "yes", "NO", "NO", "yes", "NO"]
