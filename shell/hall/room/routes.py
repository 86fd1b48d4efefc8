"""Pages and answers of a room for phones: below /r/CODE, without a session of Streamlit.

`GET /r/CODE` is the page, the same for every room; `GET /r/CODE/now?v=...` what is on screen, held for three seconds
while that is the same as in `v` (then 204); `POST /r/CODE/answer?question=...&choice=...` keeps an answer, and
`POST /r/CODE/play?question=...&round=...&choice=...` a query of a game, whose reward it returns. With the cookie of the
browser that opened the room (control.py), `GET /r/CODE/wall` counts, `GET /r/CODE/speaker` says what the lecturer alone
may know, and `POST /r/CODE/told` tells the truth once its film is over. Nothing is read from a body, and no text of a
phone is kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from time import monotonic
from typing import Any

import cachetools
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from lessons.record import Lesson, lesson_of
from shell.hall.room.control import Control
from shell.hall.room.database import SECONDS, RoomError, digest
from shell.hall.room.phones import MAX_PHONES, NO_ROOM, TOLD, Phones, Question, View
from shell.hall.room.store import SIGNS, Rooms
from shell.server.headers import below
from shell.server.limits import address_of
from shell.server.scripts import asset, script

PATH = "r"  # of rooms, beside the lessons
COOKIE = "tvbo_phone"
TOKEN = re.compile("[0-9a-f]{32}")
FRESH_SECONDS = 0.15  # for which a room is not read again, whoever asks
# A request of a phone is held while nothing changes: seconds at most, and from one look to the next.
HOLD_SECONDS, LOOK_SECONDS = 3.0, 0.2
# Milliseconds until a phone asks again. Above 400 phones it is longer, so that a server has as much to answer.
LEAST_WAIT, WAIT_OF_PHONE, WAIT_STEP, FREE_PHONES = 100, 2, 300, 400
# A minute: requests of a phone, new phones and wrong codes of an address. A hall may stand behind one address.
ASKS, JOINS, WRONG = 300, MAX_PHONES, 120
TOO_MANY = "Too many requests: wait a minute."
NO_COOKIE = "This browser keeps no cookie for the room, so its answer cannot be counted once: allow it and load again."


@cache
def page() -> str:
    """Return the page of a phone."""
    html, css = (asset(f"room/phone.{part}") for part in ("html", "css"))
    return html.replace("STYLE", css).replace("SCRIPT", script("room/phone.js"))


class PerMinute:
    """Counts of requests by name, for a minute."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock, self.began, self.counts = clock, clock(), Counter[tuple[str, str]]()

    def within(self, kind: str, name: str, most: int) -> bool:
        """Count a request; return whether there were at most so many of its kind and name in this minute."""
        if self.clock() - self.began >= 60:
            self.began, self.counts = self.clock(), Counter()
        self.counts[kind, name] += 1
        return self.counts[kind, name] <= most


@dataclass(frozen=True)
class Seen:
    """A room as it was read.

    Attributes:
        at: time of that.   text: what every phone gets of it.   version: of the text.
    """

    at: float
    view: View
    text: dict[str, Any]
    version: str


class Hall:
    """The routes of rooms; what is asked by many is read once.

    Args:
        lessons: all of them.
    """

    def __init__(self, rooms: Rooms, lessons: Sequence[Lesson]) -> None:
        self.rooms: Phones = rooms
        self.lessons, self.quota = lessons, PerMinute()
        self.control = Control(rooms, lessons, self.view)
        self.seen: cachetools.TTLCache[str, Seen] = cachetools.TTLCache(1000, 60)
        self.inside: cachetools.TTLCache[tuple[str, str], bool] = cachetools.TTLCache(50_000, 3600)
        self.reading = asyncio.Lock()

    def routes(self, base: str = "") -> list[Route]:
        """Return the routes.

        Args:
            base: path that the pages lie under.
        """
        room = below(base, f"{PATH}/{{code}}")
        asks = {"now": self.now, "wall": self.control.wall, "speaker": self.control.speaker}
        acts = {"answer": self.answer, "play": self.play, "told": self.control.told}
        return [
            Route(room, self.page),
            *(Route(f"{room}/{name}", self._said(act)) for name, act in asks.items()),
            *(Route(f"{room}/{name}", self._said(act), methods=["POST"]) for name, act in acts.items()),
        ]

    async def page(self, request: Request) -> Response:
        """Return the page, with a token for a browser that has none."""
        made = HTMLResponse(page(), headers={"Cache-Control": "no-store"})
        if not _token(request):
            path, secure = request.url.path.rstrip("/"), request.url.scheme == "https"
            token = secrets.token_hex(16)
            made.set_cookie(COOKIE, token, SECONDS, path=path, secure=secure, httponly=True, samesite="lax")
        return made

    async def now(self, request: Request) -> Response:
        """Return what is on screen, and what this phone has answered."""
        phone, seen = await self._enter(request)
        end = monotonic() + HOLD_SECONDS
        while request.query_params.get("v") == seen.version:
            if monotonic() > end:
                return Response(status_code=204)
            await asyncio.sleep(LOOK_SECONDS)
            seen = await self.look(seen.view.code)
        found = {**seen.text, "v": seen.version, "mine": None}
        if question := seen.view.question:
            found |= await self._own(question, phone, seen.view.answered > 0)
        return JSONResponse(found)

    async def _own(self, question: Question, phone: str, answered: bool) -> dict[str, Any]:
        """Return what a phone has answered or played.

        Args:
            answered: whether any phone has: a bet that opens comes to all at once, and nobody's answer is looked up.
        """
        if question.world is not None:
            return await run_in_threadpool(self._played, question, phone)
        mine = await run_in_threadpool(self.rooms.choices, question.id, phone) if answered else ()
        return {"mine": mine[0] if mine else None}

    def _played(self, question: Question, phone: str) -> dict[str, Any]:
        """Return a phone's queries and rewards; once the hidden world is told, how it did there."""
        game, mine = lesson_of(question.lesson, self.lessons).together, self.rooms.choices(question.id, phone)
        found = {"mine": mine, "rewards": game.rewards(question.world, mine)}
        if question.state == TOLD and mine:
            found["result"] = game.result(question.world, mine)
        return found

    async def answer(self, request: Request) -> Response:
        """Keep an answer: 204 once it is kept."""
        phone, seen = await self._enter(request)
        question, choice = _numbers(request, "question", "choice")
        await run_in_threadpool(self.rooms.answer, seen.view.code, question, phone, choice)
        return Response(status_code=204)

    async def play(self, request: Request) -> Response:
        """Keep a query of a game's round, and return the phone's rewards so far."""
        phone, seen = await self._enter(request)
        question, turn, place = _numbers(request, "question", "round", "choice")
        await run_in_threadpool(self.rooms.play, seen.view.code, question, phone, turn, place)
        shown = seen.view.question
        if shown is None or shown.id != question:
            return Response(status_code=204)  # another question has come: `now` has it
        return JSONResponse(await run_in_threadpool(self._played, shown, phone))

    async def _enter(self, request: Request) -> tuple[str, Seen]:
        """Return the digest of a phone and its room as it is now.

        Raises:
            RoomError: it has no token, asks too often, or there is no place or no room.
        """
        phone, address, code = digest(_token(request)), address_of(request.scope), _code(request)
        if not _token(request):
            raise RoomError(NO_COOKIE)
        if not self.quota.within("phone", phone, ASKS):
            raise RoomError(TOO_MANY)
        seen = await self.look(code, address)
        if (code, phone) not in self.inside:
            if not self.quota.within("join", address, JOINS):
                raise RoomError(TOO_MANY)
            await run_in_threadpool(self.rooms.join, code, phone)
            self.inside[code, phone] = True
        return phone, seen

    async def view(self, request: Request) -> View:
        """Return the room that a request names, as `look`."""
        return (await self.look(_code(request), address_of(request.scope))).view

    async def look(self, code: str, address: str = "") -> Seen:
        """Return a room as it is now, or was a moment ago.

        Args:
            address: who asks, whose wrong codes are counted.

        Raises:
            RoomError: there is none.
        """
        found = self.seen.get(code)
        if found is None or monotonic() - found.at > FRESH_SECONDS:
            async with self.reading:
                found = self.seen.get(code)
                if found is None or monotonic() - found.at > FRESH_SECONDS:
                    found = await self._read(code, address)
        return found

    async def _read(self, code: str, address: str) -> Seen:
        self.seen.pop(code, None)
        if not self.quota.within("wrong", address, WRONG):
            raise RoomError(TOO_MANY)
        view = await run_in_threadpool(self.rooms.view, code) if set(code) <= set(SIGNS) else None
        if view is None:
            raise RoomError(NO_ROOM)
        self.quota.counts["wrong", address] -= 1
        text = _public(view)
        self.seen[code] = seen = Seen(
            monotonic(), view, text, hashlib.sha256(json.dumps(text).encode()).hexdigest()[:8]
        )
        return seen

    def _said(self, act: Callable) -> Callable:
        """Return a route whose refusals are a sentence each, with status 409."""

        async def answer(request: Request) -> Response:
            try:
                found = await act(request)
            except RoomError as problem:
                found = PlainTextResponse(str(problem), 409)
            found.headers["Cache-Control"] = "no-store"
            return found

        return answer


def _public(view: View) -> dict[str, Any]:
    """Return what a phone may know of a room: shares and truth once they are told."""
    wait = LEAST_WAIT + max(0, view.phones - FREE_PHONES) * WAIT_OF_PHONE // WAIT_STEP * WAIT_STEP
    question = view.question
    if question is None:
        return {"state": "waiting", "wait": wait}
    told: dict[str, Any] = {}
    if question.state == TOLD and question.truth:
        told = {**question.truth, "counts": view.counts}
    return {"state": question.state, "wait": wait, "id": question.id, **question.content, **told}


def _numbers(request: Request, *names: str) -> list[int]:
    """Return numbers of the request's address.

    Raises:
        RoomError: one is missing, or is none.
    """
    try:
        return [int(request.query_params[name][:9]) for name in names]
    except (KeyError, ValueError):
        raise RoomError("An answer names a question and a choice by their numbers: load the page again.") from None


def _token(request: Request) -> str:
    word = request.cookies.get(COOKIE, "")
    return word if TOKEN.fullmatch(word) else ""


def _code(request: Request) -> str:
    return request.path_params["code"].upper()
