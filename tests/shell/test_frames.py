"""Frames over plain HTTP: one address, one frame; a door no wider than a link's; each computed once, two at a time."""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
from dataclasses import dataclass, replace
from urllib.parse import urlencode, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.types import ASGIApp

from figures.film import Drawn
from lessons import LESSONS
from lessons.drift.lesson import DRIFT
from lessons.record import Frame, Lesson
from shell import frames
from shell.frames import AT_ONCE, MAX_WAITING, Frames, read, release
from shell.headers import SecurityHeaders, security_headers
from shell.links import VERSION
from shell.notation.table import PAPERS
from shell.notation.translate import translate
from tests.shared import unmarked

FOLLOWING = [lesson for lesson in LESSONS if lesson.frame]
FRAMED = {5: {"view": "rates"}, 10: {"statement": "flynn-12"}}  # where a fresh page has no frame
OK, EMPTY, SAME, REFUSED, BUSY = 200, 204, 304, 400, 503


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status_code: int
    headers: dict[str, str]
    raw: bytes

    @property
    def content(self) -> bytes:
        return gzip.decompress(self.raw) if self.headers.get("content-encoding") == "gzip" else self.raw

    @property
    def text(self) -> str:
        return self.content.decode()

    def json(self) -> dict:
        return json.loads(self.content)


def served(lessons: list[Lesson]) -> tuple[Frames, ASGIApp]:
    """The routes behind the middleware of the app."""
    found = Frames(lessons)
    return found, Starlette(routes=found.routes(), middleware=[Middleware(SecurityHeaders, headers=security_headers())])


async def call(app: ASGIApp, path: str, method: str = "GET", headers: dict[str, str] | None = None) -> Answer:
    """One request, as a server hands it over."""
    parts, sent = urlsplit(path), []
    given = {"accept-encoding": "gzip", "host": "lab", **{k.lower(): v for k, v in (headers or {}).items()}}

    async def receive() -> dict:
        return {"type": "http.request"}

    async def send(message: dict) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": method, "path": parts.path, "raw_path": parts.path.encode(), "root_path": "",
        "query_string": parts.query.encode(), "scheme": "http", "server": ("lab", 80), "client": ("1.2.3.4", 5),
        "headers": [(k.encode(), v.encode()) for k, v in given.items()],
    }  # fmt: skip
    await app(scope, receive, send)
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    assert len(found) == len(sent[0]["headers"])  # each header once
    return Answer(sent[0]["status"], found, b"".join(part.get("body", b"") for part in sent[1:]))


def ask(path: str, method: str = "GET", lessons: list[Lesson] = FOLLOWING, **headers: str) -> Answer:
    return asyncio.run(call(served(lessons)[1], path, method, {k.replace("_", "-"): v for k, v in headers.items()}))


def address(number: int = 1, **words: object) -> str:
    return f"/frame/{number}?{urlencode({'r': release(), 'v': VERSION, **words})}"


class Slow:
    """A lesson whose frames wait until they are let go; it counts how many are made, and how many at once."""

    def __init__(self) -> None:
        self.go, self.lock = threading.Event(), threading.Lock()
        self.made: list[object] = []
        self.inside = self.most = 0

    def frame(self, values: dict, t: int, theme: object) -> Frame:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.made.append((values["V"], t))
        self.go.wait(10)
        with self.lock:
            self.inside -= 1
        return Frame({"main": Drawn([{"type": "scatter", "x": [0.0], "y": [float(t)]}], {})}, "said")

    @property
    def lesson(self) -> Lesson:
        return replace(DRIFT, frame=self.frame)


async def together(slow: Slow, paths: list[str]) -> list[Answer]:
    """The answers to requests that are all under way before the first frame is done."""
    _, app = served([slow.lesson])
    asked = [asyncio.create_task(call(app, path)) for path in paths]
    while len(slow.made) < min(AT_ONCE, len(set(paths))):
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.05)
    slow.go.set()
    return await asyncio.gather(*asked)


def test_the_numbers_of_an_answer_are_those_of_the_frame() -> None:
    answer = ask(address(V=2, t=30))
    found = json.loads(answer.text)
    values = DRIFT.defaults | {"V": 2.0}
    frame = DRIFT.frame(values, 30, frames.Theme(False, False))
    spec = json.loads(json.dumps(frame.figures["main"].to_dict()))
    assert answer.status_code == OK and unmarked(found["said"]) == frame.sentence and "30" in found["said"]
    for sent, drawn in zip(found["charts"]["main"]["data"], spec["data"], strict=True):
        if sent.get("mode") != "none":  # points for the mouse
            assert {key: drawn[key] for key in sent} == sent and set(drawn) - set(sent) <= set(frames.HOVER_ONLY)
    assert found["charts"]["main"]["layout"] == {key: part for key, part in spec["layout"].items() if key != "meta"}


def test_an_address_says_the_whole_answer_and_may_be_kept_for_good() -> None:
    one, two = ask(address(V=3)), ask(address(V=3))
    assert one.content == two.content and one.headers["etag"] == two.headers["etag"]
    assert one.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert one.headers["etag"] != ask(address(V=3.5)).headers["etag"]
    same = ask(address(V=3), If_None_Match=one.headers["etag"])
    assert same.status_code == SAME and not same.content and same.headers["etag"] == one.headers["etag"]


def test_an_answer_is_plain_data_that_may_load_nothing_and_knows_nobody() -> None:
    for answer in (ask(address()), ask("/frame/1"), ask(address(V=2), Cookie="a=b")):
        assert answer.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert answer.headers["x-content-type-options"] == "nosniff" and "set-cookie" not in answer.headers
    assert ask(address(V=2), Cookie="a=b").content == ask(address(V=2)).content


def test_who_reads_no_gzip_gets_the_same_text() -> None:
    plain = ask(address(), Accept_Encoding="identity")
    assert "content-encoding" not in plain.headers and plain.json() == ask(address()).json()


def test_only_get_and_head_are_answered() -> None:
    head = ask(address(), "HEAD")
    assert head.status_code == OK and int(head.headers["content-length"]) > 0
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        assert ask(address(), method).status_code == 405


@pytest.mark.parametrize(
    "words",
    [
        {"V": "4.1"},  # beside the slider's own
        {"V": "4.0"},  # another text for 4
        {"V": "17"},
        {"V": "nan"},
        {"V": ""},
        {"V": "<script>"},
        {"T": "1e2"},
        {"nu": "7"},
        {"nonsense": "1"},
        {"moment": "1"},
        {"hide": "V"},
        {"theme": "blue"},
        {"symbols": "nobody"},
        {"lecture": "1"},
        {"t": "-1"},
        {"t": "007"},
        {"t": "99999"},
        {"t": "٣"},
        {"v": f"{VERSION + 1}"},
        {"v": "0"},
        {"r": "0" * 12},
    ],
)
def test_what_no_link_of_this_release_would_write_is_refused_with_one_sentence_that_repeats_nothing(words) -> None:
    answer = ask(address(**words))
    assert (answer.status_code, answer.text) == (REFUSED, frames.REFUSED)
    assert answer.headers["cache-control"] == "no-store"


def test_a_name_that_comes_twice_or_is_missing_or_is_too_long_is_refused() -> None:
    for path in (f"{address(V=2)}&V=2", "/frame/1", f"/frame/1?r={release()}", f"{address()}&V={'1' * 5000}"):
        assert ask(path).status_code == REFUSED


@pytest.mark.parametrize("number", ["11", "12", "-1", "1.0", "01", "x"])
def test_a_lesson_without_frames_has_none_and_the_game_is_one_of_them(number: str) -> None:
    assert ask(f"/frame/{number}?r={release()}&v={VERSION}").status_code == REFUSED
    assert "11" not in {str(lesson.number) for lesson in FOLLOWING}


def test_a_world_that_cannot_be_or_is_too_dear_has_no_frame_and_is_no_error() -> None:
    def impossible(values: dict, t: int, theme: object) -> Frame:
        raise ValueError("a world that cannot be")

    for frame in (impossible, lambda values, t, theme: None):
        answer = ask(address(), lessons=[replace(DRIFT, frame=frame)])
        assert answer.status_code == EMPTY and not answer.content


def test_a_frame_that_many_ask_for_is_computed_once() -> None:
    slow = Slow()
    answers = asyncio.run(together(slow, [address(V=2)] * 40))
    assert slow.made == [(2.0, 119)]
    assert {answer.status_code for answer in answers} == {OK} and len({answer.content for answer in answers}) == 1


def test_two_frames_are_computed_at_a_time_a_few_wait_and_further_ones_are_sent_away() -> None:
    slow, many = Slow(), AT_ONCE + MAX_WAITING
    answers = asyncio.run(together(slow, [address(t=t) for t in range(many + 5)]))
    codes = [answer.status_code for answer in answers]
    assert codes.count(OK) == many and codes.count(BUSY) == 5 and slow.most == AT_ONCE
    busy = next(answer for answer in answers if answer.status_code == BUSY)
    assert busy.headers["retry-after"] == "1" and busy.headers["cache-control"] == "no-store"


def test_the_cache_holds_so_many_bytes_and_forgets_what_was_not_asked_for_longest(monkeypatch) -> None:
    monkeypatch.setattr(frames, "CACHE_BYTES", 4_000)
    slow = Slow()
    slow.go.set()

    async def drive() -> None:
        found, app = served([slow.lesson])
        for t in (0, 1, 2, 3, 4, 5, 5, 0):
            await call(app, address(t=t))
        assert found.cache.currsize <= 4_000 and not found.running

    asyncio.run(drive())
    assert [t for _, t in slow.made] == [0, 1, 2, 3, 4, 5, 0]


def test_a_computation_that_fails_leaves_no_place_taken() -> None:
    calls = []

    def broken(values: dict, t: int, theme: object) -> Frame:
        calls.append(t)
        raise RuntimeError("broken")

    async def drive() -> None:
        found, app = served([replace(DRIFT, frame=broken)])
        for _ in range(AT_ONCE + MAX_WAITING + 3):
            with pytest.raises(RuntimeError):
                await call(app, address())
        assert not found.running

    asyncio.run(drive())
    assert len(calls) == AT_ONCE + MAX_WAITING + 3


@pytest.mark.parametrize("lesson", FOLLOWING, ids=lambda lesson: str(lesson.number))
def test_every_stop_of_a_slider_has_an_address_that_the_door_reads_as_that_value(lesson: Lesson) -> None:
    values = {**lesson.defaults}
    said = frames.question(lesson, values, dark=True, lecture=False, paper="ours")
    assert said["path"] == f"frame/{lesson.number}" and set(said["knobs"]) == set(lesson.follows)
    for key, stops in said["knobs"].items():
        for text in dict.fromkeys((stops[0], stops[len(stops) // 2], stops[-1])):
            query = [(name, text if name == key else value) for name, value in said["query"]]
            asked = read(lesson, [*query, ("t", "3")])
            assert dict(asked.values) == values | {key: lesson.knobs[key].read(text)}
            assert (asked.t, asked.dark, asked.lecture, asked.paper) == (3, True, False, "ours")


@pytest.mark.parametrize("lesson", FOLLOWING, ids=lambda lesson: str(lesson.number))
def test_the_first_frame_of_a_drag_is_small(lesson: Lesson) -> None:
    for lecture in ("true", "false"):
        words = FRAMED.get(lesson.number, {})
        answer = ask(address(lesson.number, lecture=lecture, theme="dark", **words))
        sent = int(answer.headers["content-length"])
        assert answer.status_code == OK and 500 < sent <= 30_000, (lesson.number, sent)


def test_texts_come_in_the_letters_of_the_paper_that_is_asked_for() -> None:
    ours, changed = ask(address(5, view="rates", measure="alpha")).json(), set()
    for paper in PAPERS:
        found = ask(address(5, view="rates", measure="alpha", symbols=paper)).json()
        assert found["said"] == translate(ours["said"], paper, "html")
        if found["charts"] != ours["charts"]:
            changed.add(paper)
    assert changed and "ours" not in changed


def test_the_release_changes_with_any_module(tmp_path, monkeypatch) -> None:
    (tmp_path / "lessons").mkdir()
    monkeypatch.setattr(frames, "ROOT", tmp_path)

    def now() -> str:
        release.cache_clear()
        return release()

    try:
        (tmp_path / "lessons" / "a.py").write_text("1")
        first = now()
        (tmp_path / "lessons" / "a.py").write_text("2")
        assert now() != first
    finally:
        release.cache_clear()


def test_what_is_kept_is_the_compressed_text() -> None:
    asked = read(DRIFT, [("r", release()), ("v", str(VERSION))])
    assert frames.body(DRIFT, asked) == ask(address()).raw
