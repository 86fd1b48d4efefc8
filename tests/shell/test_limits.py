"""Uploads, sessions and lines of the log are bounded, and measurements are for this machine."""

from __future__ import annotations

import asyncio
import logging

import pytest
from starlette.responses import PlainTextResponse

from lessons import LESSONS
from shell.server import limits
from shell.server.limits import MetricsGuard, SessionLimit, UploadQuota
from shell.server.logs import PublicLog
from shell.stage.player import paused_at
from tests.asgi import ask


class MovedClock:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> MovedClock:
    return MovedClock()


def quota(clock: MovedClock, code: int = 204) -> UploadQuota:
    return UploadQuota(PlainTextResponse("", code), clock)


def put(app, session: str, file: str, size: int | None = 1000, address: str = "192.0.2.1", **headers: str) -> int:
    length = {} if size is None else {"content_length": str(size)}
    return ask(app, f"/_stcore/upload_file/{session}/{file}", "PUT", address, **length, **headers).status_code


def delete(app, session: str, file: str) -> int:
    return ask(app, f"/_stcore/upload_file/{session}/{file}", "DELETE", "192.0.2.1").status_code


def test_session_holds_two_files_of_twenty_megabytes(clock: MovedClock) -> None:
    app = quota(clock)
    assert [put(app, "a", str(i), 10_000_000) for i in range(5)].count(204) == 2
    assert put(app, "b", "0", 15_000_000) == 204 and put(app, "b", "2", 6_000_000) == 429
    assert delete(app, "b", "0") == 204 and put(app, "b", "2", 6_000_000) == 204
    # Without a length a file counts as half of what a session may hold.
    assert [put(app, "c", file, None) for file in "123"] == [204, 204, 429]


def test_same_file_again_takes_its_place(clock: MovedClock) -> None:
    app = quota(clock)
    assert [put(app, "a", file, 10_000_000) for file in "123"] == [204, 204, 429]
    assert put(app, "a", "1", 9_000_000) == 204
    assert put(app, "a", "3", 1000) == 429  # and two are still held


def test_address_uploads_sixty_times_a_minute(clock: MovedClock) -> None:
    app = quota(clock)
    assert [put(app, str(i), "1") for i in range(100)].count(204) == limits.ADDRESS_UPLOADS
    assert put(app, "z", "1", address="192.0.2.2") == 204
    clock.now = 61
    assert put(app, "new", "1") == 204


def test_forged_addresses_count_unless_a_proxy_vouches(clock: MovedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it comes to the app from this machine: the server has already taken the header for the address."""
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    app, forged = quota(clock), [f"203.0.113.{i}" for i in range(100)]
    found = [put(app, str(i), "1", address=it, x_forwarded_for=it) for i, it in enumerate(forged)]
    assert found.count(204) == limits.ADDRESS_UPLOADS
    assert put(app, "z", "1", address="127.0.0.1") == 204  # who sends no such header is not touched
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    app = quota(clock)
    assert {put(app, str(i), "1", address=it, x_forwarded_for=it) for i, it in enumerate(forged)} == {204}


async def full(limit: SessionLimit, others: int) -> tuple[str, int]:
    """Open so many sessions and one more; return what the last one is sent, and a page's status meanwhile."""
    end, sent, page = asyncio.Event(), [], []

    async def receive() -> dict:
        await end.wait()
        return {"type": "websocket.disconnect"}

    async def drop(message: dict) -> None: ...

    async def send(message: dict) -> None:
        sent.append(message["type"])

    async def note(message: dict) -> None:
        page.append(message)

    scope = {"type": "websocket", "path": "/_stcore/stream", "headers": []}
    tasks = [asyncio.create_task(limit(scope, receive, drop)) for _ in range(others)]
    await asyncio.sleep(0)
    html = {"type": "http", "method": "GET", "path": "/", "headers": [(b"accept", b"text/html,*/*")]}
    await limit(html, receive, note)
    last = asyncio.create_task(limit(scope, receive, send))
    await asyncio.sleep(0)
    end.set()
    await asyncio.gather(*tasks, last)
    (said,) = sent
    return said, page[0]["status"]


async def _session(scope: dict, receive, send) -> None:
    """Stand for Streamlit: a session lasts until its WebSocket is closed."""
    if scope["type"] == "http":
        return await PlainTextResponse("ok")(scope, receive, send)
    await send({"type": "websocket.accept"})
    await receive()


def test_full_lab_is_polite_and_makes_room() -> None:
    limit = SessionLimit(_session, 3)
    assert asyncio.run(full(limit, 3)) == ("websocket.close", 503) and limit.open == 0
    assert asyncio.run(full(limit, 2)) == ("websocket.accept", 200)
    assert asyncio.run(full(SessionLimit(_session), 400)) == ("websocket.accept", 200)  # a hall and its lecturer
    assert "<script" not in limits.FULL and "http://" not in limits.FULL and "http-equiv" in limits.FULL
    with pytest.raises(ValueError, match="MAX_SESSIONS must be at least 1"):
        SessionLimit(_session, 0)


def test_failed_session_gives_its_place_back() -> None:
    async def fails(scope: dict, receive, send) -> None:
        raise RuntimeError("broken")

    limit = SessionLimit(fails, 1)
    for _ in range(3):
        with pytest.raises(RuntimeError, match="broken"):
            asyncio.run(limit({"type": "websocket", "path": "/", "headers": []}, None, None))
    assert limit.open == 0


def test_measurements_are_for_this_machine_or_token() -> None:
    app = MetricsGuard(PlainTextResponse("numbers"), "secret")
    for who, headers, wanted in (
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("192.0.2.1", {}, 404),
        (None, {}, 404),
        ("127.0.0.1", {"x_forwarded_for": "127.0.0.1"}, 404),
        ("192.0.2.1", {"authorization": "Bearer secret"}, 200),
        ("192.0.2.1", {"authorization": "Bearer "}, 404),
        ("192.0.2.1", {"authorization": "Bearer sécret"}, 404),
    ):
        assert ask(app, "/_stcore/metrics", who=who, **headers).status_code == wanted, (who, headers)
        assert ask(app, "/_stcore/health", who=who, **headers).status_code == 200
    guarded = MetricsGuard(PlainTextResponse("numbers"))
    assert ask(guarded, "/lab/_stcore/metrics/", authorization="Bearer ").status_code == 404


SESSION = "0b6f3f0c-2d5e-4a86-9d0c-0c8f3a1f4a11"


def record(message: str, *args: object, problem: BaseException | None = None) -> logging.LogRecord:
    info = (type(problem), problem, problem.__traceback__) if problem else None
    return logging.LogRecord("streamlit.x", logging.WARNING, "x.py", 1, message, args, info)


def test_log_has_no_session_id() -> None:
    log = PublicLog()
    for one in (record(f"session {SESSION} gone"), record("session %s is already connected", SESSION)):
        assert log.filter(one) and SESSION not in one.getMessage() and "(session)" in one.getMessage()


FORGED = (None, float("nan"), float("inf"), -1e300, 1e300, "<evil>", [], ["<evil>"], {"a": 1}, True, 10**40, b"x")


def test_knob_has_its_ends_and_nothing_forged() -> None:
    for knob in {k.key: k for one in LESSONS for k in one.knobs.values()}.values():
        ends = (knob.low, knob.high) if knob.low is not None else () if knob.widget == "pills" else knob.options
        assert all(map(knob.has, (knob.default, *ends))), knob.key
        for value in FORGED:
            if knob.has(value):  # a toggle can be true, and no pill can be chosen
                assert value is True if knob.widget == "toggle" else value == [], (knob.key, value)


def test_pause_is_a_frame_or_the_start() -> None:
    for told in (None, 5, "x", [], {}, {"reset": "r"}, {"reset": "other", "t": 9}):
        assert paused_at(told, "r", 4, 10) == 4, told
    for t in ("x", float("nan"), [1]):
        assert paused_at({"reset": "r", "t": t}, "r", 4, 10) == 4, t
    for t, frame in ((3, 3), (-5, 0), (99, 9), (10**30, 9), (2.0, 2)):
        assert paused_at({"reset": "r", "t": t}, "r", 4, 10) == frame, t
