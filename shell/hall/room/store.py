"""Rooms as the lecturer's browser handles them: it opens and closes them, asks and reveals bets, and runs a game."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shell.hall.room.database import ANSWER, LENGTH, QUESTION, ROOM, SECONDS, RoomError
from shell.hall.room.phones import OPEN, SHUT, TOLD, Phones, Question, as_question, counts_of, latest

MAX_ROOMS = 500  # of a database at the same time
SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # of a code, without signs that look like others


class Rooms(Phones):
    """All rooms of a database.

    Attributes:
        changes: how many rooms were opened and closed by this process.
    """

    changes = 0

    def open(self, control: str) -> str:
        """Open a room and return its code; the browser's own where it has one.

        Args:
            control: digest of the browser.

        Raises:
            RoomError: there are as many rooms as may be.
        """
        if code := self.of(control):
            return code
        with self.begin() as db:
            _sweep(db, self.clock())
            if db.scalar(sa.select(sa.func.count()).select_from(ROOM)) >= MAX_ROOMS:
                raise RoomError("No more rooms can be opened on this server today: close one that is not needed.")
            while True:
                code = "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
                if db.scalar(sa.select(ROOM.c.code).where(ROOM.c.code == code)) is None:
                    break
            db.execute(sa.insert(ROOM).values(code=code, control=control, ends=self.clock() + SECONDS))
        self.changes += 1
        return code

    def of(self, control: str) -> str | None:
        """Return the code of the room that a browser has opened; None for none."""
        if not self.is_there:
            return None
        with self.begin() as db:
            asked = sa.select(ROOM.c.code).where(ROOM.c.control == control, ROOM.c.ends > self.clock())
            return db.scalar(asked)

    def close(self, code: str) -> None:
        """Delete a room and all in it."""
        with self.begin() as db:
            db.execute(sa.delete(ROOM).where(ROOM.c.code == code))
        self.changes += 1

    def sweep(self) -> None:
        """Delete the rooms whose time is over."""
        if self.is_there:
            with self.begin() as db:
                _sweep(db, self.clock())

    # ------------------------------------------------------------------ bets
    def ask(self, code: str, lesson: str, content: Mapping[str, Any]) -> int | None:
        """Put a bet on the phones and return its number, None without the room; after its reveal it is another one."""
        with self.begin() as db:
            last = latest(db, QUESTION.c.code == code)
            again = last is None or last.lesson != lesson or last.state != OPEN
            question = _new(db, code, lesson, content) if again else last.id
            _show(db, code, question)
            return question

    def shut(self, code: str, lesson: str) -> tuple[int, ...]:
        """End the answers to a lesson's bet; return how many there are for each option, () where it was not asked."""
        with self.begin() as db:
            found = latest(db, QUESTION.c.code == code, QUESTION.c.lesson == lesson)
            if found is None:
                return ()
            _set(db, found, OPEN, state=SHUT)
            return counts_of(db, found)

    def keep_truth(self, code: str, lesson: str, truth: Mapping[str, Any]) -> None:
        """Keep the truth of a lesson's bet whose answers have ended: phones get it once its film is over."""
        with self.begin() as db:
            if found := latest(db, QUESTION.c.code == code, QUESTION.c.lesson == lesson):
                _set(db, found, SHUT, truth=dict(truth))

    def tell(self, code: str) -> None:
        """Tell the phones the truth of the question on screen."""
        with self.begin() as db:
            current = sa.select(ROOM.c.current).where(ROOM.c.code == code).scalar_subquery()
            found = latest(db, QUESTION.c.id == current)
            if found and found.truth:
                _set(db, found, SHUT, state=TOLD)

    def rest(self, code: str, question: int) -> None:
        """Take a bet from the phones: it is no longer asked, nor on screen. Another one that is on screen stays."""
        with self.begin() as db:
            if found := latest(db, QUESTION.c.id == question, QUESTION.c.code == code):
                _set(db, found, OPEN, state=SHUT)
            here = (ROOM.c.code == code, ROOM.c.current == question)
            db.execute(sa.update(ROOM).where(*here).values(current=None))

    def askings(self, code: str, lesson: str = "") -> list[tuple[Question, tuple[int, ...]]]:
        """Return the bets of a room with the number of answers to each option, in their order.

        Args:
            lesson: whose bets alone are wanted, "" for all.
        """
        with self.begin() as db:
            wanted = [QUESTION.c.code == code, QUESTION.c.world.is_(None)]
            wanted += [QUESTION.c.lesson == lesson] if lesson else []
            rows = db.execute(sa.select(QUESTION).where(*wanted).order_by(QUESTION.c.id)).all()
            found = [as_question(row) for row in rows]
            return [(one, counts_of(db, one)) for one in found]

    # ------------------------------------------------------------------ the game
    def begin_game(self, code: str, lesson: str, content: Mapping[str, Any], world: str) -> None:
        """Put a new game on the phones.

        Args:
            world: code of its hidden world.
        """
        with self.begin() as db:
            _show(db, code, _new(db, code, lesson, content, world))

    def game(self, code: str, lesson: str) -> Question | None:
        """Return a lesson's latest game, shut or not, and put it on screen unless it is shut; None without one."""
        with self.begin() as db:
            found = latest(db, QUESTION.c.code == code, QUESTION.c.lesson == lesson, QUESTION.c.world.is_not(None))
            if found and found.state != SHUT:
                _show(db, code, found.id)
            return found

    def end_game(self, code: str, question: int, state: str) -> None:
        """End the rounds of a game: its hidden world is `TOLD`, or it is left (`SHUT`)."""
        with self.begin() as db:
            here = (QUESTION.c.id == question, QUESTION.c.code == code)
            db.execute(sa.update(QUESTION).where(*here).values(state=state))
            if state == SHUT:
                _show(db, code, None)

    def queries(self, question: int) -> list[tuple[int, ...]]:
        """Return the queries of every phone in a game, round by round; whose they are is not told."""
        with self.begin() as db:
            asked = sa.select(ANSWER.c.phone, ANSWER.c.choice).where(ANSWER.c.question == question)
            found: dict[str, list[int]] = {}
            for phone, choice in db.execute(asked.order_by(ANSWER.c.phone, ANSWER.c.round)):
                found.setdefault(phone, []).append(choice)
        return [tuple(one) for one in found.values()]


def _new(db: Connection, code: str, lesson: str, content: Mapping[str, Any], world: str | None = None) -> int | None:
    """Write a question and return its number; None where its room is gone."""
    if db.scalar(sa.select(ROOM.c.code).where(ROOM.c.code == code)) is None:
        return None
    row = {"code": code, "lesson": lesson, "state": OPEN, "content": dict(content), "world": world}
    return db.execute(sa.insert(QUESTION).values(row)).inserted_primary_key[0]


def _show(db: Connection, code: str, question: int | None) -> None:
    """Put a question on screen; None for none."""
    db.execute(sa.update(ROOM).where(ROOM.c.code == code).values(current=question))


def _set(db: Connection, question: Question, where: str, **values: Any) -> None:
    """Set columns of a question whose state is `where`; nothing in another one."""
    db.execute(sa.update(QUESTION).where(QUESTION.c.id == question.id, QUESTION.c.state == where).values(values))


def _sweep(db: Connection, now: float) -> None:
    db.execute(sa.delete(ROOM).where(ROOM.c.ends <= now))
