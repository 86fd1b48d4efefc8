"""One visitor's uploads and sessions have limits, and the server's measurements are for this machine."""

from __future__ import annotations

import asyncio

import pytest
from starlette.responses import PlainTextResponse

from shell import limits
from shell.limits import MetricsGuard, SessionLimit, UploadQuota


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def status(app, path: str, method: str = "GET", client: object = ("192.0.2.1", 5), **headers: str) -> int:
    """The status that a request gets."""
    sent: list[dict] = []

    async def receive() -> dict:
        return {"type": "http.request"}

    async def send(message: dict) -> None:
        sent.append(message)

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    asyncio.run(app({"type": "http", "method": method, "path": path, "headers": raw, "client": client}, receive, send))
    return sent[0]["status"]


def put(app, session: str, file: str, size: int = 1000, address: str = "192.0.2.1", **headers: str) -> int:
    path = f"/_stcore/upload_file/{session}/{file}"
    return status(app, path, "PUT", (address, 5), content_length=str(size), **headers)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def quota(clock: Clock, code: int = 204) -> UploadQuota:
    return UploadQuota(PlainTextResponse("", code), clock)


def test_sixty_files_of_ten_megabytes_from_one_session_are_two(clock: Clock) -> None:
    app = quota(clock)
    assert [put(app, "a", str(i), 10_000_000) for i in range(60)].count(204) == 2
    assert put(app, "b", "0") == 204  # another session is not touched


def test_a_session_holds_twenty_megabytes_and_a_deleted_file_makes_room(clock: Clock) -> None:
    app = quota(clock)
    assert put(app, "a", "1", 15_000_000) == 204 and put(app, "a", "2", 6_000_000) == 429
    assert status(app, "/_stcore/upload_file/a/1", "DELETE") == 204
    assert put(app, "a", "2", 6_000_000) == 204


def test_a_delete_that_is_refused_makes_no_room(clock: Clock) -> None:
    app = quota(clock)
    assert [put(app, "a", str(i)) for i in range(2)] == [204, 204]
    app.app = PlainTextResponse("", 403)
    assert status(app, "/_stcore/upload_file/a/1", "DELETE") == 403
    app.app = PlainTextResponse("", 204)
    assert put(app, "a", "3") == 429


def test_an_upload_that_failed_is_not_held_and_still_counts(clock: Clock) -> None:
    app = quota(clock, 400)
    assert [put(app, "a", str(i)) for i in range(12)] == [400] * 10 + [429] * 2
    clock.now = 61
    assert put(app, "a", "x") == 400


def test_the_same_file_again_takes_its_own_place(clock: Clock) -> None:
    app = quota(clock)
    assert [put(app, "a", file, 10_000_000) for file in ("1", "2", "3")] == [204, 204, 429]
    assert put(app, "a", "1", 9_000_000) == 204
    assert put(app, "a", "3", 1000) == 429  # and two are still held


def test_the_last_minute_moves_with_the_clock(clock: Clock) -> None:
    """Five uploads now and five after 50 s: in the 70th second the first five are longer ago than a minute."""
    app = quota(clock)
    for clock.now in (0, 50):
        assert [put(app, "a", "1") for _ in range(5)] == [204] * 5
    clock.now = 59.9
    assert put(app, "a", "1") == 429
    clock.now = 70
    assert [put(app, "a", "1") for _ in range(6)] == [204] * 5 + [429]


def test_a_file_without_a_length_counts_as_half_of_what_a_session_may_hold(clock: Clock) -> None:
    app = quota(clock)
    for file, wanted in (("1", 204), ("2", 204), ("3", 429)):
        assert status(app, f"/_stcore/upload_file/a/{file}", "PUT") == wanted


def test_an_address_with_a_hundred_sessions_uploads_sixty_times_a_minute(clock: Clock) -> None:
    app = quota(clock)
    assert [put(app, str(i), "1") for i in range(100)].count(204) == limits.ADDRESS_UPLOADS
    assert put(app, "z", "1", address="192.0.2.2") == 204
    clock.now = 61
    assert put(app, "new", "1") == 204


def test_a_forged_address_evades_nothing_where_no_proxy_is_named(clock: Clock, monkeypatch) -> None:
    """As it comes to the app from this machine: the server has already taken the header for the address."""
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    app, forged = quota(clock), [f"203.0.113.{i}" for i in range(100)]
    found = [put(app, str(i), "1", address=it, x_forwarded_for=it) for i, it in enumerate(forged)]
    assert found.count(204) == limits.ADDRESS_UPLOADS
    assert put(app, "z", "1", address="127.0.0.1") == 204  # who sends no such header is not touched


def test_behind_a_proxy_that_is_named_each_address_has_its_own_quota(clock: Clock, monkeypatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    app, addresses = quota(clock), [f"203.0.113.{i}" for i in range(100)]
    assert {put(app, str(i), "1", address=it, x_forwarded_for=it) for i, it in enumerate(addresses)} == {204}


def test_what_is_counted_is_bounded(clock: Clock) -> None:
    app = quota(clock)
    for i in range(limits.MAX_COUNTED + 200):
        app._held[str(i)] = {"1": 1}
        app._within(("address", str(i)), 60)
    assert len(app._held) <= limits.MAX_COUNTED and len(app._recent) <= limits.MAX_COUNTED


async def full(limit: SessionLimit, others: int) -> tuple[list[dict], int]:
    """Open so many sessions and one more; return what the last one is sent, and the pages' status meanwhile."""
    end, sent, page = asyncio.Event(), [], []

    async def receive() -> dict:
        await end.wait()
        return {"type": "websocket.disconnect"}

    async def drop(message: dict) -> None: ...

    async def send(message: dict) -> None:
        sent.append(message)

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
    return sent, page[0]["status"]


async def _session(scope: dict, receive, send) -> None:
    """Stand for Streamlit: a session lasts until its WebSocket is closed."""
    if scope["type"] == "http":
        return await PlainTextResponse("ok")(scope, receive, send)
    await send({"type": "websocket.accept"})
    await receive()


def test_a_visitor_beyond_the_limit_gets_a_polite_page_and_no_session() -> None:
    limit = SessionLimit(_session, 3)
    sent, page = asyncio.run(full(limit, 3))
    assert [m["type"] for m in sent] == ["websocket.close"] and page == 503
    assert limit.open == 0  # whoever leaves makes room
    sent, page = asyncio.run(full(limit, 2))
    assert [m["type"] for m in sent] == ["websocket.accept"] and page == 200


def test_one_process_has_room_for_a_hall_of_four_hundred_and_its_lecturer() -> None:
    limit = SessionLimit(_session)
    sent, page = asyncio.run(full(limit, 400))
    assert [m["type"] for m in sent] == ["websocket.accept"] and page == 200


def test_a_session_that_fails_gives_its_place_back() -> None:
    async def fails(scope: dict, receive, send) -> None:
        raise RuntimeError("broken")

    limit = SessionLimit(fails, 1)
    for _ in range(3):
        with pytest.raises(RuntimeError, match="broken"):
            asyncio.run(limit({"type": "websocket", "path": "/", "headers": []}, None, None))
    assert limit.open == 0


def test_the_page_of_a_full_lab_asks_nobody_and_tries_again() -> None:
    assert "<script" not in limits.FULL and "http://" not in limits.FULL and "http-equiv" in limits.FULL


def test_the_limit_of_sessions_is_a_number_above_zero() -> None:
    with pytest.raises(ValueError, match="MAX_SESSIONS must be at least 1"):
        SessionLimit(_session, 0)


@pytest.mark.parametrize(
    ("client", "headers", "wanted"),
    [
        (("127.0.0.1", 1), {}, 200),
        (("::1", 1), {}, 200),
        (("192.0.2.1", 1), {}, 404),
        (None, {}, 404),
        (("127.0.0.1", 1), {"x_forwarded_for": "127.0.0.1"}, 404),
        (("192.0.2.1", 1), {"authorization": "Bearer secret"}, 200),
        (("192.0.2.1", 1), {"authorization": "Bearer "}, 404),
        (("192.0.2.1", 1), {"authorization": "Bearer sécret"}, 404),
    ],
)
def test_measurements_are_for_this_machine_or_the_token(client: object, headers: dict, wanted: int) -> None:
    app = MetricsGuard(PlainTextResponse("numbers"), "secret")
    assert status(app, "/_stcore/metrics", client=client, **headers) == wanted
    assert status(app, "/_stcore/health", client=client, **headers) == 200


def test_without_a_token_no_word_opens_the_measurements() -> None:
    app = MetricsGuard(PlainTextResponse("numbers"))
    assert status(app, "/lab/_stcore/metrics/", authorization="Bearer ") == 404
