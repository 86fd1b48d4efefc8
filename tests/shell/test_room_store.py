"""Rooms in a database: one answer a phone and question, nothing before the reveal, nothing after a day.

The same claims hold for SQLite in a file, for SQLite in memory, and (slow) for Debian's PostgreSQL.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from benchmarks.drive import free_port
from shell.hall.room import database, phones
from shell.hall.room.database import SECONDS, RoomError
from shell.hall.room.phones import OPEN, SHUT, TOLD
from shell.hall.room.store import SIGNS, Rooms
from tests.lessons.shown import until

BET = {"question": "Which?", "options": ["One", "Two", "Three"], "about": ["", "", ""], "ranks": False}
GAME = {"question": "Find it.", "options": [], "about": [], "rounds": 3, "places": 11}
TRUTH = {"right": [1], "sentence": "It is two."}


class Clock:
    """A clock that stands until it is set."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL of its own, as Debian has it; it does not run as root."""
    (binaries, *_) = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    folder, port = tempfile.mkdtemp(), free_port()
    as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    if as_user:
        shutil.chown(folder, "postgres")
    run = [*as_user, str(binaries / "initdb"), "-D", f"{folder}/data", "-U", "lab", "-A", "trust"]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL, cwd=folder)
    serve = [str(binaries / "postgres"), "-D", f"{folder}/data", "-p", str(port), "-k", folder, "-h", "127.0.0.1"]
    server = subprocess.Popen([*as_user, *serve], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        ready = [str(binaries / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port), "-t", "1"]
        until(lambda: subprocess.run(ready).returncode == 0)  # where nothing listens yet it answers at once
        yield f"postgresql://lab@127.0.0.1:{port}/postgres"
    finally:
        server.terminate()
        server.wait(timeout=20)
        shutil.rmtree(folder)


@pytest.fixture(params=["file", "memory", pytest.param("postgres", marks=pytest.mark.slow)])
def rooms(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Rooms]:
    """Rooms of an empty database."""
    if request.param == "file":
        made = Rooms(f"sqlite:///{tmp_path}/state/rooms.db", Clock())
    elif request.param == "memory":
        made = Rooms("sqlite:////proc/nowhere/rooms.db", Clock())
    else:
        made = Rooms(request.getfixturevalue("postgres"), Clock())
    yield made
    if request.param == "postgres":
        with made.begin() as db:
            database._META.drop_all(db)
    if made._engine is not None:
        made._engine.dispose()


def asked(rooms: Rooms, phones: int = 2) -> tuple[str, int]:
    """Return the code of a room with phones p0, p1, ... and the number of its open question."""
    code = rooms.open("lecturer")
    for i in range(phones):
        rooms.join(code, f"p{i}")
    rooms.ask(code, "bands", BET)
    return code, rooms.view(code).question.id


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(RoomError) as found:
        act()
    return str(found.value)


def test_browser_has_one_room(rooms: Rooms) -> None:
    code = rooms.open("lecturer")
    assert len(code) == 5 and set(code) <= set(SIGNS) and not {*"01OIL"} & set(SIGNS)
    assert rooms.open("lecturer") == code == rooms.of("lecturer")
    assert rooms.open("another") != code and rooms.of("nobody") is None


def test_last_answer_of_a_phone_counts(rooms: Rooms) -> None:
    code, question = asked(rooms)
    for phone, choice in (("p0", 0), ("p1", 2), ("p0", 1), ("p0", 1)):
        rooms.answer(code, question, phone, choice)
    assert rooms.view(code).counts == (0, 1, 1) and rooms.view(code).answered == 2
    assert rooms.choices(question, "p0") == (1,) and rooms.choices(question, "p9") == ()


def test_answers_end_at_the_reveal(rooms: Rooms) -> None:
    code, question = asked(rooms)
    rooms.answer(code, question, "p0", 1)
    assert rooms.shut(code, "bands") == (0, 1, 0) and rooms.view(code).question.state == SHUT
    assert refused(lambda: rooms.answer(code, question, "p0", 0)) == phones.LATE
    assert rooms.view(code).counts == (0, 1, 0)


def test_truth_is_told_after_its_film(rooms: Rooms) -> None:
    code, _ = asked(rooms)
    rooms.tell(code)
    assert rooms.view(code).question.state == OPEN  # nothing is revealed yet
    rooms.shut(code, "bands")
    rooms.tell(code)
    assert rooms.view(code).question.state == SHUT  # no truth is known yet
    rooms.keep_truth(code, "bands", TRUTH)
    rooms.tell(code)
    told = rooms.view(code).question
    assert told.state == TOLD and told.truth == TRUTH


def test_bet_asked_again_is_another_question(rooms: Rooms) -> None:
    code, first = asked(rooms)
    rooms.ask(code, "bands", BET)
    assert rooms.view(code).question.id == first  # the page was drawn again
    rooms.answer(code, first, "p0", 0)
    rooms.shut(code, "bands")
    rooms.ask(code, "bands", BET)
    again = rooms.view(code).question.id
    rooms.answer(code, again, "p0", 1)
    assert again != first and [counts for _, counts in rooms.askings(code, "bands")] == [(1, 0, 0), (0, 1, 0)]
    assert rooms.shut(code, "race") == ()


def test_left_bet_takes_no_answers(rooms: Rooms) -> None:
    code, question = asked(rooms)
    other = rooms.ask(code, "race", BET)  # in another tab
    rooms.rest(code, question)
    assert refused(lambda: rooms.answer(code, question, "p0", 0)) == phones.LATE
    assert (rooms.view(code).question.id, rooms.view(code).question.state) == (other, OPEN)
    rooms.rest(code, other)
    assert rooms.view(code).question is None


def test_answer_to_another_room_is_refused(rooms: Rooms) -> None:
    code, question = asked(rooms)
    other = rooms.open("another")
    assert refused(lambda: rooms.answer(other, question, "p0", 0)) == phones.LATE
    for choice in (-1, 3):
        assert "no such answer" in refused(lambda choice=choice: rooms.answer(code, question, "p0", choice))


def test_full_room_says_so(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phones, "MAX_PHONES", 2)
    code, _ = asked(rooms)
    assert refused(lambda: rooms.join(code, "p2")) == phones.FULL
    rooms.join(code, "p1")  # who is in stays in
    assert rooms.view(code).phones == 2
    assert refused(lambda: rooms.join("ZZZZZ", "p2")) == phones.NO_ROOM


def test_room_ends_after_a_day(rooms: Rooms) -> None:
    code, question = asked(rooms)
    rooms.answer(code, question, "p0", 1)
    rooms.clock.now += SECONDS - 1
    assert rooms.view(code) is not None
    rooms.clock.now += 1
    assert rooms.view(code) is None and rooms.of("lecturer") is None
    rooms.sweep()
    assert rows(rooms) == 0


def test_closed_room_leaves_nothing(rooms: Rooms) -> None:
    code, question = asked(rooms)
    rooms.answer(code, question, "p0", 1)
    assert rows(rooms) == 5  # a room, two phones, a question and an answer
    rooms.close(code)
    assert rooms.view(code) is None and rows(rooms) == 0


def rows(rooms: Rooms) -> int:
    """Return how many rows all tables but that of the version hold."""
    with rooms.begin() as db:
        tables = [one for one in database._META.tables.values() if one is not database.SCHEMA]
        return sum(db.scalar(sa.select(sa.func.count()).select_from(one)) for one in tables)


def played(rooms: Rooms) -> tuple[str, int]:
    """Return the code of a room and the number of its game, in which p0 has played all and p1 one round."""
    code, _ = asked(rooms)
    rooms.begin_game(code, "game", GAME, "world")
    game = rooms.view(code).question.id
    for phone, turn, place in (("p0", 0, 5), ("p0", 1, 6), ("p1", 0, 2), ("p0", 2, 10)):
        rooms.play(code, game, phone, turn, place)
    return code, game


def test_each_round_of_a_game_counts_once(rooms: Rooms) -> None:
    code, game = played(rooms)
    for turn in (0, 2, 5):  # sent again, skipped, beyond the end
        rooms.play(code, game, "p1", turn, 9)
    assert rooms.choices(game, "p1") == (2,) and sorted(rooms.queries(game)) == [(2,), (5, 6, 10)]
    rooms.play(code, game, "p0", 3, 1)
    assert rooms.choices(game, "p0") == (5, 6, 10) and rooms.view(code).answered == 1
    assert "no such action" in refused(lambda: rooms.play(code, game, "p1", 1, 11))


def test_game_waits_while_another_page_asks(rooms: Rooms) -> None:
    code, game = played(rooms)
    rooms.rest(code, rooms.askings(code)[0][0].id)
    assert rooms.view(code).question.id == game  # a page without a bet leaves it on the phones
    rooms.ask(code, "bands", BET)
    assert rooms.view(code).question.lesson == "bands"
    assert rooms.game(code, "game").id == game == rooms.view(code).question.id
    assert [one.lesson for one, _ in rooms.askings(code)] == ["bands", "bands"]


def test_ended_game_takes_no_query(rooms: Rooms) -> None:
    code, game = played(rooms)
    rooms.end_game(code, game, TOLD)
    assert refused(lambda: rooms.play(code, game, "p1", 1, 3)) == phones.LATE
    assert rooms.game(code, "game").state == TOLD
    rooms.end_game(code, game, SHUT)
    assert rooms.view(code).question is None and rooms.game(code, "game").state == SHUT
    assert rooms.view(code).question is None  # one that was left does not come back


def test_answers_at_once_are_counted_once(rooms: Rooms) -> None:
    code, question = asked(rooms, 0)

    def act(i: int) -> None:
        rooms.join(code, f"p{i % 20}")
        rooms.answer(code, question, f"p{i % 20}", i % 3)

    with ThreadPoolExecutor(8) as many:
        list(many.map(act, range(100)))
    assert rooms.view(code).phones == rooms.view(code).answered == 20


def test_newer_tables_are_refused_older_replaced(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms.open("lecturer")
    monkeypatch.setattr(database, "VERSION", 3)
    database._prepared(rooms._engine)
    assert rows(rooms) == 0
    monkeypatch.setattr(database, "VERSION", 2)
    assert "newer lab (version 3" in refused(lambda: database._prepared(rooms._engine))


def test_unused_database_writes_nothing(tmp_path: Path) -> None:
    found = Rooms(f"sqlite:///{tmp_path}/state/rooms.db")
    found.sweep()
    assert found.of("lecturer") is None and found.view("ABCDE") is None and not (tmp_path / "state").exists()


def test_file_is_its_owners_alone(tmp_path: Path) -> None:
    found = Rooms(f"sqlite:///{tmp_path}/state/rooms.db")
    found.open("lecturer")
    files = sorted((tmp_path / "state").iterdir())
    assert [one.suffix for one in files] == [".db", ".db-shm", ".db-wal"]
    assert {stat.S_IMODE(one.stat().st_mode) for one in files} == {0o600}
    found._engine.dispose()


def test_rooms_without_a_file_say_so_once(capsys: pytest.CaptureFixture[str]) -> None:
    found = Rooms("sqlite:////proc/nowhere/rooms.db")
    code = found.open("lecturer")
    assert found.in_memory and found.of("lecturer") == code
    assert capsys.readouterr().err == f"{database.IN_MEMORY}\n"
    found._engine.dispose()


def test_other_addresses_of_databases_are_refused() -> None:
    for wrong in ("mysql://host/name", "rooms.db", "postgresql+psycopg2//x"):
        with pytest.raises(ValueError, match="TVBO_DATABASE_URL must be"):
            Rooms(wrong)
    assert Rooms("postgres://u:p@h/n").url.drivername == "postgresql+pg8000"


def test_database_that_is_away_is_said() -> None:
    found = Rooms(f"postgresql://lab@127.0.0.1:{free_port()}/rooms")
    assert "does not answer" in refused(lambda: found.open("lecturer"))
