"""Rooms in a database: which question is asked, which phones are there, and what each of them has answered.

Of a room it holds the code, digests of random tokens, the questions and one choice a phone and question. All of it goes
after 24 hours, or when the room is closed. SQLite in a file of its own, PostgreSQL where TVBO_DATABASE_URL names one.
"""

from __future__ import annotations

import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, Connection, Engine, make_url

VERSION = 1  # of the tables
SECONDS = 24 * 3600  # that a room lasts
MAX_PHONES, MAX_ROOMS = 2_000, 500  # of a room, and of a database at the same time
SIGNS, LENGTH = "23456789ABCDEFGHJKMNPQRSTUVWXYZ", 5  # of a code, without signs that look like others
OPEN, SHUT, TOLD = "open", "shut", "told"  # states of a question: phones answer; its film runs; its truth is told
LATE = "The answers are closed. Look at the wall."
FULL = f"This room is full: it holds {MAX_PHONES:,} phones. Answer with a neighbour.".replace(",", " ")
NO_ROOM = "There is no such room: it has been closed, or a sign of its code is another one. Compare it with the wall."
IN_MEMORY = (
    "Rooms are kept in memory, until this server ends, because no file can be written for them: name a database in "
    "TVBO_DATABASE_URL (docs/serving.md)."
)

_META = sa.MetaData()
_ROOM_CODE = "tvbo_room.code"
SCHEMA = sa.Table("tvbo_schema", _META, sa.Column("version", sa.Integer, primary_key=True))
ROOM = sa.Table(
    "tvbo_room",
    _META,
    sa.Column("code", sa.String(LENGTH), primary_key=True),
    sa.Column("control", sa.String(64), nullable=False, unique=True),  # digest of the browser that opened it
    sa.Column("ends", sa.Float, nullable=False),
    sa.Column("current", sa.Integer),  # id of the question on screen
)
PHONE = sa.Table(
    "tvbo_phone",
    _META,
    sa.Column("code", sa.ForeignKey(_ROOM_CODE, ondelete="CASCADE"), primary_key=True),
    sa.Column("phone", sa.String(64), primary_key=True),  # digest of its token
)
QUESTION = sa.Table(
    "tvbo_question",
    _META,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("code", sa.ForeignKey(_ROOM_CODE, ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("lesson", sa.String(40), nullable=False),
    sa.Column("state", sa.String(5), nullable=False),
    sa.Column("content", sa.JSON, nullable=False),
    sa.Column("truth", sa.JSON(none_as_null=True)),
)
ANSWER = sa.Table(
    "tvbo_answer",
    _META,
    sa.Column("question", sa.ForeignKey("tvbo_question.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("phone", sa.String(64), primary_key=True),
    sa.Column("choice", sa.Integer, nullable=False),
)


class RoomError(ValueError):
    """A request that a room refuses, in a sentence for its reader."""


@dataclass(frozen=True)
class Question:
    """A question of a room.

    Attributes:
        lesson: key of the one whose bet it is.   state: `OPEN`, `SHUT` or `TOLD`.
        content: "question", "options" and "ranks", as phones show them.
        truth: "right" (numbers of options) and "sentence"; None until the reveal.
    """

    id: int
    lesson: str
    state: str
    content: Mapping[str, Any]
    truth: Mapping[str, Any] | None


@dataclass(frozen=True)
class View:
    """A room as it is now.

    Attributes:
        control: digest of the browser that opened it.   question: on screen, None for none.
        phones, answered: how many are in the room, and have answered that question.
        counts: answers to each of its options.
    """

    code: str
    control: str
    question: Question | None
    phones: int
    counts: tuple[int, ...] = ()

    @property
    def answered(self) -> int:
        return sum(self.counts)


def read_url(text: str) -> URL | None:
    """Return the database that TVBO_DATABASE_URL names, None where it names none.

    Raises:
        ValueError: it is no address of a database that the lab speaks to.
    """
    if not text:
        return None
    try:
        found = make_url(text)
    except sa.exc.ArgumentError:
        found = None
    kind = found.get_backend_name() if found else ""
    if found is None or kind not in ("postgresql", "postgres", "sqlite"):
        raise ValueError(
            "TVBO_DATABASE_URL must be the address of a database, postgresql://user:password@host/name or "
            "sqlite:////folder/rooms.db."
        )
    return found if kind == "sqlite" else found.set(drivername="postgresql+pg8000")


def own_file() -> Path:
    """Return the file of rooms that is used without TVBO_DATABASE_URL."""
    states = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return Path(states) / "tvbo-lab" / "rooms.db"


class Rooms:
    """The rooms of a database. It is opened at the first room; until then nothing is written.

    Args:
        url: of the database, "" for the file of its own.   clock: seconds since 1970.
    """

    def __init__(self, url: str = "", clock: Callable[[], float] = time.time) -> None:
        self.url, self.clock = read_url(url), clock
        self.in_memory = False
        self._engine: Engine | None = None
        self._lock = threading.RLock()

    # ------------------------------------------------------------------ the database
    @property
    def _file(self) -> Path | None:
        if self.url is None:
            return own_file()
        return Path(self.url.database) if self.url.get_backend_name() == "sqlite" and self.url.database else None

    @property
    def is_there(self) -> bool:
        """Return whether there may be a room: the file of a database that nobody has used does not exist."""
        return self._engine is not None or self._file is None or self._file.exists()

    def _opened(self) -> Engine:
        with self._lock:
            if self._engine is None:
                if self._file is None:
                    self._engine = _prepared(sa.create_engine(self.url, pool_pre_ping=True))
                else:
                    self._engine = self._in_file(self._file)
            return self._engine

    def _in_file(self, file: Path) -> Engine:
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
            file.chmod(0o600)
            return _prepared(_sqlite(str(file)))
        except (OSError, sa.exc.OperationalError):
            self.in_memory = True
            print(IN_MEMORY, file=sys.stderr)
            return _prepared(_sqlite(":memory:"))

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        """Begin a transaction; with SQLite one at a time, on the one connection.

        Raises:
            RoomError: the database does not answer.
        """
        try:
            engine = self._opened()
            if engine.dialect.name != "sqlite":
                with engine.begin() as connection:
                    yield connection
                return
            with self._lock, engine.begin() as connection:
                yield connection
        except sa.exc.SQLAlchemyError as problem:
            said = type(getattr(problem, "orig", None) or problem).__name__
            raise RoomError(
                f"The database of rooms does not answer ({said}): try again, and see that the one in TVBO_DATABASE_URL "
                "runs (docs/serving.md)."
            ) from None

    # ------------------------------------------------------------------ rooms
    def open(self, control: str) -> str:
        """Open a room and return its code; the browser's own where it has one.

        Args:
            control: digest of the browser.

        Raises:
            RoomError: there are as many rooms as may be.
        """
        if code := self.of(control):
            return code
        with self._begin() as db:
            _sweep(db, self.clock())
            if db.scalar(sa.select(sa.func.count()).select_from(ROOM)) >= MAX_ROOMS:
                raise RoomError("No more rooms can be opened on this server today: close one that is not needed.")
            while True:
                code = "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
                if db.scalar(sa.select(ROOM.c.code).where(ROOM.c.code == code)) is None:
                    break
            db.execute(sa.insert(ROOM).values(code=code, control=control, ends=self.clock() + SECONDS))
        return code

    def of(self, control: str) -> str | None:
        """Return the code of the room that a browser has opened; None for none."""
        if not self.is_there:
            return None
        with self._begin() as db:
            asked = sa.select(ROOM.c.code).where(ROOM.c.control == control, ROOM.c.ends > self.clock())
            return db.scalar(asked)

    def close(self, code: str) -> None:
        """Delete a room and all in it."""
        with self._begin() as db:
            db.execute(sa.delete(ROOM).where(ROOM.c.code == code))

    def sweep(self) -> None:
        """Delete the rooms whose time is over."""
        if self.is_there:
            with self._begin() as db:
                _sweep(db, self.clock())

    def view(self, code: str) -> View | None:
        """Return a room as it is now; None where there is none."""
        if not self.is_there:
            return None
        with self._begin() as db:
            room = db.execute(sa.select(ROOM).where(ROOM.c.code == code, ROOM.c.ends > self.clock())).first()
            if room is None:
                return None
            phones = db.scalar(sa.select(sa.func.count()).select_from(PHONE).where(PHONE.c.code == code))
            question = _question(db, QUESTION.c.id == room.current, hold=False) if room.current else None
            counts = _counts(db, question) if question else ()
        return View(code, room.control, question, phones, counts)

    def join(self, code: str, phone: str) -> None:
        """Let a phone into a room, where it may be already.

        Raises:
            RoomError: there is no such room, or it is full.
        """
        with self._begin() as db:
            # The room's row is held, so that of two phones for one place one is told that the room is full.
            if db.scalar(sa.select(ROOM.c.code).where(ROOM.c.code == code).with_for_update()) is None:
                raise RoomError(NO_ROOM)
            here = PHONE.c.code == code
            if db.scalar(sa.select(PHONE.c.phone).where(here, PHONE.c.phone == phone)):
                return
            if db.scalar(sa.select(sa.func.count()).select_from(PHONE).where(here)) >= MAX_PHONES:
                raise RoomError(FULL)
            db.execute(sa.insert(PHONE).values(code=code, phone=phone))

    # ------------------------------------------------------------------ questions
    def ask(self, code: str, lesson: str, content: Mapping[str, Any]) -> None:
        """Put a bet on the phones; asked again after its reveal it is another question."""
        with self._begin() as db:
            last = _question(db, QUESTION.c.code == code)
            if last is None or last.lesson != lesson or last.state != OPEN:
                if db.scalar(sa.select(ROOM.c.code).where(ROOM.c.code == code)) is None:
                    return
                row = {"code": code, "lesson": lesson, "state": OPEN, "content": dict(content)}
                made = db.execute(sa.insert(QUESTION).values(row)).inserted_primary_key[0]
            else:
                made = last.id
            db.execute(sa.update(ROOM).where(ROOM.c.code == code).values(current=made))

    def shut(self, code: str, lesson: str) -> tuple[int, ...]:
        """End the answers to a lesson's bet; return how many there are for each option, () where it was not asked."""
        with self._begin() as db:
            found = _question(db, QUESTION.c.code == code, QUESTION.c.lesson == lesson)
            if found is None:
                return ()
            _set(db, found, OPEN, state=SHUT)
            return _counts(db, found)

    def keep_truth(self, code: str, lesson: str, truth: Mapping[str, Any]) -> None:
        """Keep the truth of a lesson's bet whose answers have ended: phones get it once its film is over."""
        with self._begin() as db:
            if found := _question(db, QUESTION.c.code == code, QUESTION.c.lesson == lesson):
                _set(db, found, SHUT, truth=dict(truth))

    def tell(self, code: str) -> None:
        """Tell the phones the truth of the question on screen."""
        with self._begin() as db:
            current = sa.select(ROOM.c.current).where(ROOM.c.code == code).scalar_subquery()
            found = _question(db, QUESTION.c.id == current)
            if found and found.truth:
                _set(db, found, SHUT, state=TOLD)

    def rest(self, code: str) -> None:
        """Take the question from the phones: no bet is on screen."""
        with self._begin() as db:
            current = db.scalar(sa.select(ROOM.c.current).where(ROOM.c.code == code))
            if current:
                _set(db, _question(db, QUESTION.c.id == current), OPEN, state=SHUT)
                db.execute(sa.update(ROOM).where(ROOM.c.code == code).values(current=None))

    def answer(self, code: str, question: int, phone: str, choice: int) -> None:
        """Keep a phone's answer in place of the one before.

        Args:
            choice: number of the option, from 0.

        Raises:
            RoomError: the question is no longer open, or has no such option.
        """
        with self._begin() as db:
            # The question's row is held, so that an answer is counted at the reveal or refused.
            row = sa.select(QUESTION).where(QUESTION.c.id == question, QUESTION.c.code == code)
            found = db.execute(row.with_for_update(read=True)).first()
            if found is None or found.state != OPEN:
                raise RoomError(LATE)
            if not 0 <= choice < len(found.content["options"]):
                raise RoomError("This question has no such answer: load the page again.")
            insert = (postgresql if db.dialect.name == "postgresql" else sqlite).insert(ANSWER)
            new = insert.values(question=question, phone=phone, choice=choice)
            keys = [ANSWER.c.question, ANSWER.c.phone]
            db.execute(new.on_conflict_do_update(index_elements=keys, set_={"choice": choice}))

    def choice(self, question: int, phone: str) -> int | None:
        """Return what a phone has answered to a question; None for nothing."""
        with self._begin() as db:
            asked = sa.select(ANSWER.c.choice).where(ANSWER.c.question == question, ANSWER.c.phone == phone)
            return db.scalar(asked)

    def askings(self, code: str, lesson: str = "") -> list[tuple[Question, tuple[int, ...]]]:
        """Return the questions of a room with the number of answers to each option, in their order.

        Args:
            lesson: whose bets alone are wanted, "" for all.
        """
        with self._begin() as db:
            wanted = [QUESTION.c.code == code, *([QUESTION.c.lesson == lesson] if lesson else [])]
            rows = db.execute(sa.select(QUESTION).where(*wanted).order_by(QUESTION.c.id)).all()
            found = [_as_question(row) for row in rows]
            return [(one, _counts(db, one)) for one in found]


def _sqlite(file: str) -> Engine:
    """Return an engine of SQLite with one connection, whose transactions take their lock at once."""
    engine = sa.create_engine(
        f"sqlite+pysqlite:///{file}",
        poolclass=sa.pool.StaticPool,
        connect_args={"check_same_thread": False, "timeout": 10, "isolation_level": None},
    )

    @sa.event.listens_for(engine, "connect")
    def connect(connection: Any, _: object) -> None:
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON", "secure_delete = ON"):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _prepared(engine: Engine) -> Engine:
    """Make the tables where they are missing; those of an older lab, whose rooms are over, are replaced.

    Raises:
        RoomError: they are of a newer lab.
    """
    with engine.begin() as db:
        if db.dialect.name == "postgresql":
            db.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": 0x7662_6F})  # one server makes them
        SCHEMA.create(db, checkfirst=True)
        version = db.scalar(sa.select(SCHEMA.c.version))
        if version is not None and version > VERSION:
            raise RoomError(
                f"The database holds rooms of a newer lab (version {version}, this one writes {VERSION}): start that "
                "lab, or name another database in TVBO_DATABASE_URL."
            )
        if version is not None and version < VERSION:
            _META.drop_all(db)
        if version != VERSION:
            _META.create_all(db)
            db.execute(sa.insert(SCHEMA).values(version=VERSION))
    return engine


def _sweep(db: Connection, now: float) -> None:
    db.execute(sa.delete(ROOM).where(ROOM.c.ends <= now))


def _question(db: Connection, *wanted: Any, hold: bool = True) -> Question | None:
    """Return the latest question like this; None for none.

    Args:
        hold: its row until the transaction ends, as for a change.
    """
    asked = sa.select(QUESTION).where(*wanted).order_by(QUESTION.c.id.desc()).limit(1)
    found = db.execute(asked.with_for_update() if hold else asked).first()
    return _as_question(found) if found else None


def _as_question(row: Any) -> Question:
    return Question(row.id, row.lesson, row.state, row.content, row.truth)


def _set(db: Connection, question: Question | None, where: str, **values: Any) -> None:
    """Set columns of a question whose state is `where`; nothing in another one."""
    if question:
        db.execute(sa.update(QUESTION).where(QUESTION.c.id == question.id, QUESTION.c.state == where).values(values))


def _counts(db: Connection, question: Question) -> tuple[int, ...]:
    """Return how many phones chose each option."""
    asked = sa.select(ANSWER.c.choice, sa.func.count()).where(ANSWER.c.question == question.id).group_by("choice")
    found = dict(db.execute(asked).all())
    return tuple(found.get(choice, 0) for choice in range(len(question.content["options"])))
