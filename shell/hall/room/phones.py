"""The part of a room that its phones read and write: the question on screen, one answer to a bet, rounds of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from shell.hall.room.database import ANSWER, PHONE, QUESTION, ROOM, Database, RoomError

MAX_PHONES = 2_000  # of a room
OPEN, SHUT, TOLD = "open", "shut", "told"  # states of a question: phones answer; its film runs; its truth is told
LATE = "The answers are closed. Look at the wall."
FULL = f"This room is full: it holds {MAX_PHONES:,} phones. Answer with a neighbour.".replace(",", " ")
NO_ROOM = "There is no such room: it has been closed, or a sign of its code is another one. Compare it with the wall."


@dataclass(frozen=True)
class Question:
    """A question of a room: a bet, or a game.

    Attributes:
        lesson: key of the one whose bet or game it is.   state: `OPEN`, `SHUT` or `TOLD`.
        content: as phones show it, of a bet "question", "options" and "ranks".
        truth: of a bet "right" (numbers of options) and "sentence"; None until the reveal.
        world: code of a game's hidden world, which no phone gets; None of a bet.
    """

    id: int
    lesson: str
    state: str
    content: Mapping[str, Any]
    truth: Mapping[str, Any] | None
    world: str | None = None


@dataclass(frozen=True)
class View:
    """A room as it is now.

    Attributes:
        control: digest of the browser that opened it.   question: on screen, None for none.
        phones, answered: how many are in the room, and have answered that question or played that game to its end.
        counts: answers to each of its options; of a game how many have played to its end.
    """

    code: str
    control: str
    question: Question | None
    phones: int
    counts: tuple[int, ...] = ()

    @property
    def answered(self) -> int:
        return sum(self.counts)


class Phones(Database):
    """Everything that is asked for phones. The lecturer's browser may do more (`store.Rooms`)."""

    def view(self, code: str) -> View | None:
        """Return a room as it is now; None where there is none."""
        if not self.is_there:
            return None
        with self.begin() as db:
            room = db.execute(sa.select(ROOM).where(ROOM.c.code == code, ROOM.c.ends > self.clock())).first()
            if room is None:
                return None
            phones = db.scalar(sa.select(sa.func.count()).select_from(PHONE).where(PHONE.c.code == code))
            question = latest(db, QUESTION.c.id == room.current, hold=False) if room.current else None
            counts = counts_of(db, question) if question else ()
        return View(code, room.control, question, phones, counts)

    def join(self, code: str, phone: str) -> None:
        """Let a phone into a room, where it may be already.

        Raises:
            RoomError: there is no such room, or it is full.
        """
        with self.begin() as db:
            # The room's row is held, so that of two phones for one place one is told that the room is full.
            if db.scalar(sa.select(ROOM.c.code).where(ROOM.c.code == code).with_for_update()) is None:
                raise RoomError(NO_ROOM)
            here = PHONE.c.code == code
            if db.scalar(sa.select(PHONE.c.phone).where(here, PHONE.c.phone == phone)):
                return
            if db.scalar(sa.select(sa.func.count()).select_from(PHONE).where(here)) >= MAX_PHONES:
                raise RoomError(FULL)
            db.execute(sa.insert(PHONE).values(code=code, phone=phone))

    def answer(self, code: str, question: int, phone: str, choice: int) -> None:
        """Keep a phone's answer in place of the one before.

        Args:
            choice: number of the option, from 0.

        Raises:
            RoomError: the question is no longer open, or has no such option.
        """
        with self.begin() as db:
            found = _open(db, code, question)
            if not 0 <= choice < len(found.content["options"]):
                raise RoomError("This question has no such answer: load the page again.")
            new = _insert(db).values(question=question, phone=phone, round=0, choice=choice)
            db.execute(new.on_conflict_do_update(index_elements=_KEYS, set_={"choice": choice}))

    def play(self, code: str, question: int, phone: str, turn: int, place: int) -> None:
        """Keep a phone's query of a round of a game; one that is not its next round changes nothing.

        Args:
            turn: the round, from 0.   place: number of the action.

        Raises:
            RoomError: the game is over, or has no such action.
        """
        with self.begin() as db:
            found = _open(db, code, question)
            if not 0 <= place < found.content["places"]:
                raise RoomError("This game has no such action: load the page again.")
            if turn == len(_choices(db, question, phone)) < found.content["rounds"]:
                new = _insert(db).values(question=question, phone=phone, round=turn, choice=place)
                db.execute(new.on_conflict_do_nothing(index_elements=_KEYS))

    def choices(self, question: int, phone: str) -> tuple[int, ...]:
        """Return what a phone has chosen: its answer to a bet, its queries of a game; () for nothing."""
        with self.begin() as db:
            return _choices(db, question, phone)


_KEYS = [ANSWER.c.question, ANSWER.c.phone, ANSWER.c.round]


def _insert(db: Connection) -> Any:
    return (postgresql if db.dialect.name == "postgresql" else sqlite).insert(ANSWER)


def _open(db: Connection, code: str, question: int) -> Any:
    """Return an open question; its row is held, so that an answer is counted at the reveal or refused.

    Raises:
        RoomError: it is no longer open.
    """
    row = sa.select(QUESTION).where(QUESTION.c.id == question, QUESTION.c.code == code)
    found = db.execute(row.with_for_update(read=True)).first()
    if found is None or found.state != OPEN:
        raise RoomError(LATE)
    return found


def _choices(db: Connection, question: int, phone: str) -> tuple[int, ...]:
    asked = sa.select(ANSWER.c.choice).where(ANSWER.c.question == question, ANSWER.c.phone == phone)
    return tuple(db.scalars(asked.order_by(ANSWER.c.round)))


def latest(db: Connection, *wanted: Any, hold: bool = True) -> Question | None:
    """Return the latest question like this; None for none.

    Args:
        hold: its row until the transaction ends, as for a change.
    """
    asked = sa.select(QUESTION).where(*wanted).order_by(QUESTION.c.id.desc()).limit(1)
    found = db.execute(asked.with_for_update() if hold else asked).first()
    return as_question(found) if found else None


def as_question(row: Any) -> Question:
    """Return a row of the table of questions as a record."""
    return Question(row.id, row.lesson, row.state, row.content, row.truth, row.world)


def counts_of(db: Connection, question: Question) -> tuple[int, ...]:
    """Return how many phones chose each option; of a game how many have played its last round."""
    if question.world is not None:
        last = (ANSWER.c.question == question.id, ANSWER.c.round == question.content["rounds"] - 1)
        return (db.scalar(sa.select(sa.func.count()).select_from(ANSWER).where(*last)) or 0,)
    asked = sa.select(ANSWER.c.choice, sa.func.count()).where(ANSWER.c.question == question.id).group_by("choice")
    found = dict(db.execute(asked).all())
    return tuple(found.get(choice, 0) for choice in range(len(question.content["options"])))
