"""Routes of the browser that opened a room: how many have answered, an open bet's truth, the queries of a game."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from answers.ask import TRUTH as TRUTH_OF
from answers.ask import ask
from answers.state import TRUTH, State
from lessons.record import Bet, Lesson, lesson_of
from shell.hall.room.database import RoomError, digest
from shell.hall.room.phones import OPEN, View
from shell.hall.room.store import Rooms
from shell.server.browsers import COOKIE as BROWSER


class Control:
    """The routes of the lecturer's browser.

    Args:
        lessons: all of them.   view: returns the room that a request names, as it is now.
    """

    def __init__(self, rooms: Rooms, lessons: Sequence[Lesson], view: Callable[[Request], Awaitable[View]]) -> None:
        self.rooms, self.lessons, self.view = rooms, lessons, view

    async def wall(self, request: Request) -> Response:
        """Return how many phones there are and have answered; no share of an answer. Of a game that is played the
        queries of all, without their rewards.
        """
        view = await self._control(request)
        question = view.question
        found = {"phones": view.phones, "answered": view.answered, "asks": question is not None}
        if question and question.world is not None and question.state == OPEN:
            found["queries"] = await run_in_threadpool(self.rooms.queries, question.id)
        return JSONResponse(found)

    async def speaker(self, request: Request) -> Response:
        """Return what the speaker's window shows of an open bet: its truth, and how many chose each answer."""
        view = await self._control(request)
        question = view.question
        if question is None or question.world is not None:
            return JSONResponse({"phones": view.phones, "asks": False})
        lesson = lesson_of(question.lesson, self.lessons)
        right = await run_in_threadpool(right_of, lesson)
        names = question.content["options"]
        return JSONResponse(
            {
                "phones": view.phones,
                "answered": view.answered,
                "asks": True,
                "truth": " or ".join(names[one] for one in right),
                "counts": [[name, count] for name, count in zip(names, view.counts, strict=True)],
                "line": line(names, view.counts, right),
            }
        )

    async def told(self, request: Request) -> Response:
        """Tell the phones the truth: its film is over on the wall."""
        view = await self._control(request)
        await run_in_threadpool(self.rooms.tell, view.code)
        return Response(status_code=204)

    async def _control(self, request: Request) -> View:
        """Return the room of the browser that opened it.

        Raises:
            RoomError: it is another browser.
        """
        view = await self.view(request)
        if not hmac.compare_digest(view.control, digest(request.cookies.get(BROWSER, ""))):
            raise RoomError("Only the browser that opened this room may do that.")
        return view


def right_of(lesson: Lesson) -> list[int]:
    """Return the numbers of the true options of a lesson's bet, of an order that of the first one."""
    state = State(lesson, lesson.settings(lesson.bet.values), lesson.bet.t, TRUTH)
    return numbers(lesson.bet, ask(state, TRUTH_OF)["right"])


def numbers(bet: Bet, right: Sequence[str]) -> list[int]:
    """Return the numbers of the options that a phone may call true.

    Args:
        right: words of the true options, of an order all of them, best first: a phone says the first.
    """
    return [list(bet.options).index(word) for word in (right[:1] if bet.ranks else right)]


def line(names: Sequence[str], counts: Sequence[int], right: Sequence[int]) -> str:
    """Return a line to say over the answers so far, without the truth.

    Args:
        names: of the options.   counts: of each.   right: numbers of the true ones.
    """
    total, most = sum(counts), max(counts, default=0)
    if not total:
        return "Nobody has answered yet."
    if most == total:
        return "All of you say the same. Are you sure?"
    leads = [name for name, count in zip(names, counts, strict=True) if count == most]
    if len(leads) > 1:
        return f"You are divided: {' and '.join(leads)} have {most} of {total} each."
    if 2 * most > total and list(counts).index(most) in right:
        return "Most of you agree. Who can say why?"
    return "Tell your neighbour why you chose your answer, and answer again."
