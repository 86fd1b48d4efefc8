"""Routes of a room for phones: below /r/CODE, without a session of Streamlit.

`GET /r/CODE` is the page, the same for every room.
`GET /r/CODE/now?v=VERSION` is what is on screen. While that still has this version, the request is held for three
seconds, and then answered with 204.
`POST /r/CODE/answer?question=...&choice=...` stores an answer.
`POST /r/CODE/play?question=...&round=...&choice=...` stores a query of a game and returns the rewards so far.

Three more need the cookie of the browser that opened the room (control.py): `GET /r/CODE/wall` counts the answers,
`GET /r/CODE/speaker` has what only the lecturer may see, and `POST /r/CODE/told` reveals the truth once its film is
over. No request's body is read, and no text that a phone sends is stored.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import secrets
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
from shell.server.limits import PerMinute, address_of
from shell.server.scripts import asset, script

PATH = "r"  # The rooms are below this path.
COOKIE = "tvbo_phone"
TOKEN = re.compile("[0-9a-f]{32}")
FRESH_SECONDS = 0.15  # A room is read from the database at most this often, however many phones ask.
# A request of a phone is held at most this long while nothing changes, and looks for changes this often.
HOLD_SECONDS, LOOK_SECONDS = 3.0, 0.2
# Milliseconds until a phone sends its next request. Each phone above 400 adds to them, in steps, so that the load on a
# server does not grow with the number of phones.
MIN_WAIT_MS, WAIT_MS_PER_PHONE, WAIT_STEP_MS, PHONES_AT_MIN_WAIT = 100, 2, 300, 400
# Limits in a minute: requests of a phone, new phones of an address, wrong codes of an address. All phones of a lecture
# hall may have one address.
MAX_REQUESTS, MAX_JOINS, MAX_WRONG_CODES = 300, MAX_PHONES, 120
TOO_MANY = "Too many requests: wait a minute."
NO_COOKIE = "This browser keeps no cookie for the room, so its answer cannot be counted once: allow it and load again."


@cache
def page() -> str:
    """Return the page of a phone."""
    html, css = (asset(f"room/phone.{part}") for part in ("html", "css"))
    return html.replace("STYLE", css).replace("SCRIPT", script("room/phone.js"))


@dataclass(frozen=True)
class Snapshot:
    """A room at the time at which it was read.

    Attributes:
        read_at: that time, in seconds.   content: what every phone may see of it.   version: hash of the content.
    """

    read_at: float
    view: View
    content: dict[str, Any]
    version: str


class Hall:
    """The routes of the rooms. Requests that come at the same time share one reading of the room.

    Args:
        lessons: all of them.
    """

    def __init__(self, rooms: Rooms, lessons: Sequence[Lesson]) -> None:
        self.rooms: Phones = rooms
        self.lessons, self.quota = lessons, PerMinute()
        self.control = Control(rooms, lessons, self.view)
        self.snapshots: cachetools.TTLCache[str, Snapshot] = cachetools.TTLCache(1000, 60)
        self.joined: cachetools.TTLCache[tuple[str, str], bool] = cachetools.TTLCache(50_000, 3600)
        self.known: cachetools.TTLCache[str, bool] = cachetools.TTLCache(1000, SECONDS)  # codes that were rooms lately
        self.lock = asyncio.Lock()  # held while a room is read

    def routes(self, base: str = "") -> list[Route]:
        """Return the routes of all rooms.

        Args:
            base: path below which the lab is served.
        """
        room = below(base, f"{PATH}/{{code}}")
        gets = {"now": self.now, "wall": self.control.wall, "speaker": self.control.speaker}
        posts = {"answer": self.answer, "play": self.play, "told": self.control.told}
        return [
            Route(room, self.page),
            *(Route(f"{room}/{name}", self._with_refusals(act)) for name, act in gets.items()),
            *(Route(f"{room}/{name}", self._with_refusals(act), methods=["POST"]) for name, act in posts.items()),
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
        """Return what is on screen, and the answer or the play of this phone."""
        phone, room = await self._enter(request)
        end = monotonic() + HOLD_SECONDS
        while request.query_params.get("v") == room.version:
            if monotonic() > end:
                return Response(status_code=204)
            await asyncio.sleep(LOOK_SECONDS)
            room = await self.snapshot(room.view.code, address_of(request.scope))
        found = {**room.content, "v": room.version, "mine": None}
        if question := room.view.question:
            found |= await self._own(question, phone, room.view.answered > 0)
        return JSONResponse(found)

    async def _own(self, question: Question, phone: str, answered: bool) -> dict[str, Any]:
        """Return the answer or the play of a phone.

        Args:
            answered: whether any phone has answered. Otherwise nothing is looked up: all phones load a new bet at once.
        """
        if question.world is not None:
            return await run_in_threadpool(self._own_play, question, phone)
        mine = await run_in_threadpool(self.rooms.choices, question.id, phone) if answered else ()
        return {"mine": mine[0] if mine else None}

    def _own_play(self, question: Question, phone: str) -> dict[str, Any]:
        """Return a phone's queries and rewards in a game; after the reveal also its result."""
        game, mine = lesson_of(question.lesson, self.lessons).together, self.rooms.choices(question.id, phone)
        found = {"mine": mine, "rewards": game.rewards(question.world, mine)}
        if question.state == TOLD and mine:
            found["result"] = game.result(question.world, mine)
        return found

    async def answer(self, request: Request) -> Response:
        """Store an answer, and return 204."""
        phone, room = await self._enter(request)
        question, choice = _numbers(request, "question", "choice")
        await run_in_threadpool(self.rooms.answer, room.view.code, question, phone, choice)
        return Response(status_code=204)

    async def play(self, request: Request) -> Response:
        """Store a query of a game's round, and return the phone's rewards so far."""
        phone, room = await self._enter(request)
        question, number, place = _numbers(request, "question", "round", "choice")
        await run_in_threadpool(self.rooms.play, room.view.code, question, phone, number, place)
        shown = room.view.question
        if shown is None or shown.id != question:
            return Response(status_code=204)  # Another question is on screen: the phone gets it by `now`.
        return JSONResponse(await run_in_threadpool(self._own_play, shown, phone))

    async def _enter(self, request: Request) -> tuple[str, Snapshot]:
        """Return the digest of a phone and the room that it is in; a new phone joins the room.

        Raises:
            RoomError: the phone has no token or asks too often, or the room is full or does not exist.
        """
        phone, address, code = digest(_token(request)), address_of(request.scope), _code(request)
        if not _token(request):
            raise RoomError(NO_COOKIE)
        if not self.quota.within("phone", phone, MAX_REQUESTS):
            raise RoomError(TOO_MANY)
        room = await self.snapshot(code, address)
        if (code, phone) not in self.joined:
            if not self.quota.within("join", address, MAX_JOINS):
                raise RoomError(TOO_MANY)
            await run_in_threadpool(self.rooms.join, code, phone)
            self.joined[code, phone] = True
        return phone, room

    async def view(self, request: Request) -> View:
        """Return the room that a request names."""
        return (await self.snapshot(_code(request), address_of(request.scope))).view

    async def snapshot(self, code: str, address: str) -> Snapshot:
        """Return a room as it is now, or was at most `FRESH_SECONDS` ago.

        Args:
            address: of the request; its wrong codes are limited.

        Raises:
            RoomError: no room has this code, or the address has sent too many wrong ones.
        """
        found = self.snapshots.get(code)
        if found is None or monotonic() - found.read_at > FRESH_SECONDS:
            async with self.lock:
                found = self.snapshots.get(code)  # Another request may have read it meanwhile.
                if found is None or monotonic() - found.read_at > FRESH_SECONDS:
                    found = await self._read(code, address)
        return found

    async def _read(self, code: str, address: str) -> Snapshot:
        self.snapshots.pop(code, None)
        # A known code is no guess: phones of a room go on asking after its end, behind the address of the next room.
        guessed = code not in self.known
        if guessed and not self.quota.within("wrong", address, MAX_WRONG_CODES):
            raise RoomError(TOO_MANY)
        view = await run_in_threadpool(self.rooms.view, code) if set(code) <= set(SIGNS) else None
        if view is None:
            raise RoomError(NO_ROOM)
        self.quota.counts["wrong", address] -= guessed  # A right code does not count.
        self.known[code] = True
        content = _public(view)
        version = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:8]
        self.snapshots[code] = found = Snapshot(monotonic(), view, content, version)
        return found

    def _with_refusals(self, act: Callable) -> Callable:
        """Return a route that answers with the status and the sentence of a RoomError where `act` raises one."""

        async def route(request: Request) -> Response:
            try:
                found = await act(request)
            except RoomError as problem:
                found = PlainTextResponse(str(problem), problem.status)
            found.headers["Cache-Control"] = "no-store"
            return found

        return route


def _public(view: View) -> dict[str, Any]:
    """Return what every phone may see of a room: the truth and the counts only after the reveal."""
    extra = max(0, view.phones - PHONES_AT_MIN_WAIT) * WAIT_MS_PER_PHONE
    wait = MIN_WAIT_MS + extra // WAIT_STEP_MS * WAIT_STEP_MS
    question = view.question
    if question is None:
        return {"state": "waiting", "wait": wait}
    revealed: dict[str, Any] = {}
    if question.state == TOLD and question.truth:
        revealed = {**question.truth, "counts": view.counts}
    return {"state": question.state, "wait": wait, "id": question.id, **question.content, **revealed}


def _numbers(request: Request, *names: str) -> list[int]:
    """Return numbers from the query of a request's address.

    Raises:
        RoomError: one is missing, or is not a whole number.
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
