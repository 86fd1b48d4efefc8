"""The database of rooms: its tables, and SQLite in a file of its own or what TVBO_DATABASE_URL names.

Of a room it holds the code, digests of random tokens, the questions and the choices of each phone. All of it goes after
24 hours, or when the room is closed.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine, make_url

VERSION = 2  # of the tables
SECONDS = 24 * 3600  # that a room lasts
LENGTH = 5  # of a code
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
    sa.Column("world", sa.String(40)),  # code of a game's hidden world
)
ANSWER = sa.Table(
    "tvbo_answer",
    _META,
    sa.Column("question", sa.ForeignKey("tvbo_question.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("phone", sa.String(64), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True),  # of a game, from 0; a bet has one
    sa.Column("choice", sa.Integer, nullable=False),
)


class RoomError(ValueError):
    """A request that a room refuses, in a sentence for its reader."""

    status = 409  # of the answer to a phone


class DatabaseAway(RoomError):
    """The database of rooms does not answer: the same request may be taken later."""

    status = 503


def digest(word: str) -> str:
    """Return what is kept of a random word of a browser or a phone: the word itself is not."""
    return hashlib.sha256(f"room {word}".encode()).hexdigest()


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


class Database:
    """A database of rooms. It is opened at the first room; until then nothing is written.

    Args:
        url: of the database, "" for the file of its own.   clock: seconds since 1970.
    """

    def __init__(self, url: str = "", clock: Callable[[], float] = time.time) -> None:
        self.url, self.clock = read_url(url), clock
        self.in_memory = False
        self._engine: Engine | None = None
        self._lock = threading.RLock()

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
    def begin(self) -> Iterator[Connection]:
        """Begin a transaction; with SQLite one at a time, on the one connection.

        Raises:
            DatabaseAway: it does not answer.
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
            raise DatabaseAway(
                f"The database of rooms does not answer ({said}): try again, and see that the one in TVBO_DATABASE_URL "
                "runs (docs/serving.md)."
            ) from None


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
