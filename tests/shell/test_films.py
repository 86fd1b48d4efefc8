"""Films and frames over plain HTTP: one address, one answer; a door no wider than a link's; each computed once."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from shutil import copyfile, copytree, ignore_patterns
from time import monotonic, sleep
from urllib.parse import urlencode, urlsplit

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.types import ASGIApp

from figures.film import Drawn, Film
from figures.theme import Theme
from lessons import BY_KEY, LESSONS
from lessons.drift.lesson import LESSON
from lessons.record import ROOT, Frame, Knob, Lesson, Scene
from shell import films
from shell.film_format import encode
from shell.film_message import film
from shell.films import AT_ONCE, Films, question, read, release
from shell.headers import SecurityHeaders, security_headers
from shell.links import VERSION
from shell.notation.table import PAPERS
from shell.notation.translate import translate
from tests.lessons.shown import decode
from tests.shared import unmarked

FOLLOWING = [lesson for lesson in LESSONS if lesson.frame]
FRAMED = {"theorems": {"view": "rates"}, "microscope": {"statement": "flynn-12"}}  # where a fresh page has no frame
OK, EMPTY, SAME, REFUSED, BUSY = 200, 204, 304, 400, 503
MAX_WAITING, OF_ADDRESS = films.MAX_WAITING["frame"], films.OF_ADDRESS["frame"]
ADDRESSED = [lesson for lesson in LESSONS if lesson.at_once]


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

    def decoded(self) -> dict:
        return decode(self.content)


def served(lessons: list[Lesson]) -> tuple[Films, ASGIApp]:
    """The routes behind the middleware of the app."""
    found = Films(lessons)
    return found, Starlette(routes=found.routes(), middleware=[Middleware(SecurityHeaders, headers=security_headers())])


async def call(
    app: ASGIApp, path: str, method: str = "GET", headers: dict[str, str] | None = None, who: str = "1.2.3.4"
) -> Answer:
    """One request, as a server hands it over."""
    parts, sent = urlsplit(path), []
    given = {"accept-encoding": "gzip", "host": "lab", **{k.lower(): v for k, v in (headers or {}).items()}}

    async def receive() -> dict:
        return {"type": "http.request"}

    async def send(message: dict) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "root_path": "",
        "query_string": parts.query.encode(),
        "scheme": "http",
        "server": ("lab", 80),
        "client": (who, 5),
        "headers": [(k.encode(), v.encode()) for k, v in given.items()],
    }
    await app(scope, receive, send)
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    assert len(found) == len(sent[0]["headers"])  # each header once
    return Answer(sent[0]["status"], found, b"".join(part.get("body", b"") for part in sent[1:]))


def ask(path: str, method: str = "GET", lessons: list[Lesson] = FOLLOWING, **headers: str) -> Answer:
    return asyncio.run(call(served(lessons)[1], path, method, {k.replace("_", "-"): v for k, v in headers.items()}))


def address(lesson: str = "drift", kind: str = "frame", **words: object) -> str:
    return f"/{kind}/{lesson}?{urlencode({'r': release(), 'v': VERSION, **words})}"


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

    def scene(self, values: dict, t: int, theme: object) -> Scene:
        self.frame(values, t, theme)
        return LESSON.scene(values, t, theme)

    @property
    def lesson(self) -> Lesson:
        return replace(LESSON, frame=self.frame, scene=self.scene, at_once=lambda values: True)


async def together(slow: Slow, paths: list[str], who: Sequence[str] = ("1.2.3.4",)) -> list[Answer]:
    """The answers to requests that are all under way before the first frame is done, of these addresses in turn."""
    _, app = served([slow.lesson])
    asked = [asyncio.create_task(call(app, path, who=one)) for path, one in zip(paths, cycle(who), strict=False)]
    while len(slow.made) < min(AT_ONCE, len(set(paths)), len(who)):
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.05)
    slow.go.set()
    return await asyncio.gather(*asked)


def read_back(spec: dict) -> dict:
    """A figure as the form of films holds it, by the tests' own decoder."""
    return decode(encode({"n": 1}, {"main": Film(Drawn(spec["data"], spec["layout"]))}))["charts"][0]["figure"]


def test_the_numbers_of_an_answer_are_those_of_the_frame() -> None:
    found = ask(address(V=2, t=30)).decoded()
    frame = LESSON.frame(LESSON.defaults | {"V": 2.0}, 30, films.Theme(False, False))
    (chart,), spec = found["charts"], frame.figures["main"].to_dict()
    assert chart["key"] == "main" and found["kept"] == [] and found["stage"] is None
    assert unmarked(found["said"]) == frame.sentence and "29\u00a0steps" in found["said"]
    drawn = read_back(spec)  # that the form holds the numbers, tests/shell/test_film_format.py says
    assert chart["figure"]["layout"] == drawn["layout"]
    for sent, whole in zip(chart["figure"]["data"], drawn["data"], strict=True):
        if sent.get("mode") != "none":  # points for the mouse
            assert set(whole) - set(sent) <= set(films.HOVER_ONLY)
            for key, part in sent.items():
                np.testing.assert_equal(part, whole[key])


def states(lesson: Lesson) -> list[dict]:
    """What differs from the defaults at the opening, at each moment and in twenty settings of chance.

    Of those, half move three sliders, as a reader does; the others move everything.
    """
    chance = []
    for seed in range(20):
        rng = random.Random(seed)
        keys = list(lesson.knobs) if seed % 2 else rng.sample(list(lesson.follows), min(3, len(lesson.follows)))
        chance.append({key: somewhere(lesson.knobs[key], rng) for key in keys})
    return [{}, *(dict(moment.values) for moment in lesson.moments), *chance]


def somewhere(knob: Knob, rng: random.Random) -> object:
    """A value that a knob can stand at."""
    if knob.widget == "toggle":
        return rng.random() < 0.5
    if knob.widget == "pills":
        return knob.tidy(rng.sample(knob.options, rng.randint(1, len(knob.options))))
    if knob.widget == "number":  # too many values to list
        return knob.snap(rng.choice((knob.low, knob.default, rng.uniform(knob.low, knob.high))))
    return rng.choice(knob.stops)


@pytest.mark.parametrize("lesson", ADDRESSED, ids=lambda lesson: lesson.key)
def test_an_address_answers_with_the_film_of_the_scene_that_the_page_draws(lesson: Lesson) -> None:
    answered, rng = 0, random.Random(lesson.key)
    for state in states(lesson):
        values = lesson.settings(state)
        charts = rng.sample(lesson.charts, rng.randint(0, len(lesson.charts)))
        query = films.question(lesson, values, dark=True, lecture=False, paper="deng", charts=charts)["query"]
        answer = ask(f"/film/{lesson.key}?{urlencode(query)}", lessons=LESSONS)
        try:
            scene = lesson.scene(values, lesson.t, films.Theme(True, False)) if lesson.at_once(values) else None
        except ValueError:  # a world that cannot be
            scene = None
        if scene is None:
            assert answer.status_code == EMPTY and not answer.content
            continue
        answered += 1
        assert answer.status_code == OK and answer.content == film(scene.showing(charts), "deng", films.marked(scene))
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answered > len(lesson.moments) / 2, "an address for the opening and most moments"


def test_a_film_holds_the_stage_and_the_charts_that_its_address_names_in_their_order() -> None:
    def of(**more: str) -> int | list[str]:
        answer = ask(address("forgetting", "film", **more), lessons=LESSONS)
        return [one["key"] for one in decode(answer.content)["charts"]] if answer.status_code == OK else REFUSED

    assert BY_KEY["forgetting"].charts == ("weights", "beliefs", "worlds")
    assert of() == ["main"] and of(charts="beliefs") == ["main", "beliefs"]
    assert of(charts="weights,worlds") == ["main", "weights", "worlds"]
    for wrong in ("", "main", "worlds,weights", "weights,weights", "nothing", "weights,"):
        assert of(charts=wrong) == REFUSED
    for kind, key in (("frame", "forgetting"), ("film", "drift")):
        assert ask(address(key, kind, charts="weights"), lessons=LESSONS).status_code == REFUSED


def test_a_film_has_no_time_in_its_address() -> None:
    assert ask(address(kind="film", V=2, t=3), lessons=LESSONS).status_code == REFUSED
    assert ask(address(kind="film", V=2), lessons=LESSONS).status_code == OK


@pytest.mark.parametrize("lesson", [one for one in LESSONS if one.bet and one.at_once], ids=lambda one: one.key)
def test_a_film_until_its_bet_opens_is_the_question_and_no_other_until_is_answered(lesson: Lesson) -> None:
    bet = lesson.bet
    states = ((bet.opens, bet.opens_with), (bet.t, bet.values))
    for until, values in (one for one in states if lesson.at_once(lesson.settings(one[1]))):
        whole = lesson.settings(values)
        words = question(lesson, whole, dark=False, lecture=True, paper="ours", until=until)["query"]
        assert ("until", str(until)) in words
        answer = ask(f"/film/{lesson.key}?{urlencode(words)}", lessons=LESSONS)
        scene = lesson.until(whole, until, Theme(lecture=True))
        assert answer.status_code == OK and answer.content == film(scene, "ours", films.marked(scene))
    for wrong in (bet.opens + 1 if bet.opens + 1 != bet.t else bet.opens + 2, -1, "007", ""):
        assert ask(address(lesson.key, "film", until=wrong), lessons=LESSONS).status_code == REFUSED


def test_a_frame_and_a_lesson_without_a_bet_have_no_until() -> None:
    bet = BY_KEY["drift"].bet
    assert ask(address("drift", "frame", until=bet.opens), lessons=LESSONS).status_code == REFUSED
    assert ask(address("drift", "film", until=bet.opens), lessons=LESSONS).status_code == OK


def test_a_film_that_needs_runs_which_are_not_stored_has_no_address() -> None:
    words = urlencode({"r": release(), "v": VERSION, "seed": 77})
    assert ask(f"/film/race?{words}", lessons=LESSONS).status_code == EMPTY
    assert ask(f"/film/real_data?{words}", lessons=LESSONS).status_code == REFUSED  # it names none at all


def test_a_film_of_no_world_or_of_one_that_takes_long_has_no_address_and_is_no_error() -> None:
    def impossible(values: dict, t: int, theme: object) -> Scene:
        raise ValueError("a world that cannot be")

    made = []
    for lesson in (
        replace(LESSON, scene=impossible),
        replace(LESSON, scene=lambda *asked: made.append(asked), at_once=lambda values: False),
    ):
        answer = ask(address(kind="film"), lessons=[lesson])
        assert answer.status_code == EMPTY and not answer.content and not made


def test_a_film_that_many_ask_for_is_computed_once() -> None:
    slow = Slow()
    answers = asyncio.run(together(slow, [address(kind="film", V=2)] * 40))
    assert slow.made == [(2.0, LESSON.t)]
    assert {answer.status_code for answer in answers} == {OK} and len({answer.content for answer in answers}) == 1


def test_a_film_for_which_there_is_no_place_can_be_had_in_a_second() -> None:
    def paths(count: int) -> list[str]:
        return [address(kind="film", seed=seed, V=V) for seed in range(60) for V in (1, 2, 3)][:count]

    places = films.OF_ADDRESS["film"]
    for who, room in ((["1.2.3.4"], places), ([f"1.2.3.{i}" for i in range(5)], AT_ONCE + films.MAX_WAITING["film"])):
        slow = Slow()
        answers = asyncio.run(together(slow, paths(room + 3), who))
        codes = [answer.status_code for answer in answers]
        assert (codes.count(OK), codes.count(BUSY)) == (room, 3) and slow.most <= AT_ONCE
        busy = next(answer for answer in answers if answer.status_code == BUSY)
        assert busy.headers["retry-after"] == "1" and busy.headers["cache-control"] == "no-store"


def test_a_class_behind_one_address_does_not_wait_between_its_films() -> None:
    inside, film_seconds, count = [], 0.1, 10
    scene = LESSON.scene(LESSON.defaults, LESSON.t, films.Theme(False, False))

    def steady(values: dict, t: int, theme: object) -> Scene:
        inside.append(values["seed"])
        sleep(film_seconds)
        return scene

    async def drive() -> float:
        _, app = served([replace(LESSON, scene=steady)])
        began = monotonic()
        answers = await asyncio.gather(*(call(app, address(kind="film", seed=seed)) for seed in range(count)))
        assert {answer.status_code for answer in answers} == {OK}
        return count * film_seconds / (monotonic() - began)

    share = asyncio.run(drive())
    # With rests of twice what a film took it would be below a third; the rest of a film is its encoding.
    assert len(inside) == count and share > 0.45, share


def test_a_class_behind_one_address_gets_each_of_its_films() -> None:
    slow = Slow()
    words = [{"V": stop} for stop in (0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4)]
    paths = [address(kind="film", **one, seed=seed) for one in words for seed in range(5)]

    async def drive() -> list[Answer]:
        _, app = served([slow.lesson])
        asked = [asyncio.create_task(call(app, path)) for path in (*paths, *paths)]  # each by two of them
        await asyncio.sleep(0.05)
        slow.go.set()
        return await asyncio.gather(*asked)

    answers = asyncio.run(drive())
    assert {answer.status_code for answer in answers} == {OK} and len(slow.made) == len(paths) == 40


@pytest.mark.parametrize("kind", ["film", "frame"])
def test_an_address_says_the_whole_answer_and_may_be_kept_for_good(kind: str) -> None:
    one, two = ask(address(kind=kind, V=3)), ask(address(kind=kind, V=3))
    assert one.content == two.content and one.headers["etag"] == two.headers["etag"]
    assert one.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert one.headers["etag"] != ask(address(kind=kind, V=3.5)).headers["etag"]
    same = ask(address(kind=kind, V=3), If_None_Match=one.headers["etag"])
    assert same.status_code == SAME and not same.content and same.headers["etag"] == one.headers["etag"]


@pytest.mark.parametrize("kind", ["film", "frame"])
def test_an_answer_is_plain_data_that_may_load_nothing_and_knows_nobody(kind: str) -> None:
    for answer in (ask(address(kind=kind)), ask(f"/{kind}/drift"), ask(address(kind=kind, V=2), Cookie="a=b")):
        assert answer.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert answer.headers["x-content-type-options"] == "nosniff" and "set-cookie" not in answer.headers
    assert ask(address(kind=kind, V=2), Cookie="a=b").content == ask(address(kind=kind, V=2)).content


@pytest.mark.parametrize("kind", ["film", "frame"])
def test_who_reads_no_gzip_gets_the_same_text(kind: str) -> None:
    plain = ask(address(kind=kind), Accept_Encoding="identity")
    assert "content-encoding" not in plain.headers and plain.content == ask(address(kind=kind)).content


@pytest.mark.parametrize("kind", ["film", "frame"])
def test_only_get_and_head_are_answered(kind: str) -> None:
    head = ask(address(kind=kind), "HEAD")
    assert head.status_code == OK and int(head.headers["content-length"]) > 0
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        assert ask(address(kind=kind), method).status_code == 405


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
    for kind in ("film", "frame"):
        answer = ask(address(kind=kind, **words))
        assert (answer.status_code, answer.text) == (REFUSED, films.REFUSED)
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("kind", ["film", "frame"])
def test_a_name_that_comes_twice_or_is_missing_or_is_too_long_is_refused(kind: str) -> None:
    whole = address(kind=kind)
    for path in (f"{whole}&V=2&V=2", f"/{kind}/drift", f"/{kind}/drift?r={release()}", f"{whole}&V={'1' * 5000}"):
        assert ask(path).status_code == REFUSED


def test_a_slider_of_a_lesson_without_frames_is_told_so_and_not_refused() -> None:
    assert not BY_KEY["race"].frame and ask(address("race", m=50), lessons=LESSONS).status_code == EMPTY


@pytest.mark.parametrize("kind", ["film", "frame"])
def test_a_page_from_before_an_update_is_told_the_new_release_and_nonsense_is_not(kind: str) -> None:
    old = ask(address(kind=kind).replace(release(), "0123456789ab"))
    assert (old.status_code, old.headers["lab-release"]) == (REFUSED, release())
    assert ask(address(kind=kind).replace(release(), old.headers["lab-release"])).status_code == OK
    assert "lab-release" not in ask(f"{address(kind=kind)}&V=nonsense").headers


@pytest.mark.parametrize("name", ["game", "11", "12", "-1", "1.0", "01", "x"])
def test_a_lesson_without_frames_has_none_and_the_game_is_one_of_them(name: str) -> None:
    assert ask(f"/frame/{name}?r={release()}&v={VERSION}").status_code == REFUSED
    assert "game" not in {lesson.key for lesson in FOLLOWING}


# Links made before lessons had keys: the numbers that addresses had then, and the lessons that they named.
NUMBERED = {
    0: "chase",
    1: "drift",
    2: "bands",
    3: "rperp",
    4: "race",
    5: "theorems",
    6: "forgetting",
    7: "side_queries",
    8: "real_data",
    9: "reproductions",
    10: "microscope",
}


@pytest.mark.parametrize("version", range(1, VERSION + 1))
@pytest.mark.parametrize("number", NUMBERED)
def test_the_address_of_a_frame_with_a_number_answers_like_the_one_with_the_key(number: int, version: int) -> None:
    words = {**FRAMED.get(NUMBERED[number], {}), "v": version, "t": 3}
    old, new = ask(address(str(number), **words)), ask(address(NUMBERED[number], **words))
    assert (old.status_code, old.raw, old.headers) == (new.status_code, new.raw, new.headers)
    assert (old.status_code != REFUSED) == (NUMBERED[number] in {lesson.key for lesson in FOLLOWING})


def test_a_world_that_cannot_be_or_is_too_dear_has_no_frame_and_is_no_error() -> None:
    def impossible(values: dict, t: int, theme: object) -> Frame:
        raise ValueError("a world that cannot be")

    for frame in (impossible, lambda values, t, theme: None):
        answer = ask(address(), lessons=[replace(LESSON, frame=frame)])
        assert answer.status_code == EMPTY and not answer.content


def test_a_frame_that_many_ask_for_is_computed_once() -> None:
    slow = Slow()
    answers = asyncio.run(together(slow, [address(V=2)] * 40))
    assert slow.made == [(2.0, 200)]
    assert {answer.status_code for answer in answers} == {OK} and len({answer.content for answer in answers}) == 1


def test_two_frames_are_computed_at_a_time_a_few_wait_and_further_ones_are_sent_away() -> None:
    slow, many = Slow(), AT_ONCE + MAX_WAITING
    answers = asyncio.run(together(slow, [address(t=t) for t in range(many + 5)], "abcdefgh"))
    codes = [answer.status_code for answer in answers]
    assert codes.count(OK) == many and codes.count(BUSY) == 5 and slow.most == AT_ONCE
    busy = next(answer for answer in answers if answer.status_code == BUSY)
    assert busy.headers["retry-after"] == "1" and busy.headers["cache-control"] == "no-store"


def test_an_address_that_asks_for_twenty_frames_has_one_computed_at_a_time_and_leaves_places_to_others() -> None:
    slow, one = Slow(), ["1.2.3.4"] * 20

    async def drive() -> tuple[list[Answer], list[Answer]]:
        _, app = served([slow.lesson])
        asked = [asyncio.create_task(call(app, address(t=t), who=who)) for t, who in enumerate(one)]
        await asyncio.sleep(0.1)
        assert len(slow.made) == 1  # of two that are computed at a time
        others = [asyncio.create_task(call(app, address(t=50 + i), who=f"5.6.7.{i}")) for i in range(6)]
        await asyncio.sleep(0.1)
        assert slow.made[1] == (LESSON.defaults["V"], 50)  # at once
        slow.go.set()
        return await asyncio.gather(*asked), await asyncio.gather(*others)

    mine, theirs = asyncio.run(drive())
    assert [answer.status_code for answer in mine].count(OK) == OF_ADDRESS
    assert {answer.status_code for answer in theirs} == {OK} and slow.most == AT_ONCE


def test_a_hall_behind_one_address_that_drags_one_slider_gets_every_frame() -> None:
    slow = Slow()
    answers = asyncio.run(together(slow, [address(t=i % OF_ADDRESS) for i in range(400)]))
    assert {answer.status_code for answer in answers} == {OK} and len(slow.made) == OF_ADDRESS


def test_an_address_that_fills_its_places_has_a_third_of_the_time_and_one_that_does_not_has_all_of_it() -> None:
    frame_seconds, shares = 0.05, {}

    def steady(values: dict, t: int, theme: object) -> Frame:
        sleep(frame_seconds)
        return Frame({}, "said")

    async def drive(connections: int) -> None:
        _, app = served([replace(LESSON, frame=steady)])
        numbers, began = iter(range(12)), monotonic()

        async def ask() -> None:
            for t in numbers:
                assert (await call(app, address(t=t))).status_code == OK

        await asyncio.gather(*(ask() for _ in range(connections)))
        shares[connections] = 12 * frame_seconds / (monotonic() - began)

    for connections in (OF_ADDRESS - 1, OF_ADDRESS):
        asyncio.run(drive(connections))
    # The last frames of the second find fewer others beside them, and do not rest.
    assert shares[OF_ADDRESS] < 0.6 * shares[OF_ADDRESS - 1], shares


def test_who_is_sent_away_waits_so_that_a_loop_of_requests_is_a_slow_one(monkeypatch) -> None:
    monkeypatch.setattr(films, "BUSY_SECONDS", 0.2)
    slow = Slow()

    async def drive() -> tuple[float, Answer]:
        _, app = served([slow.lesson])
        asked = [asyncio.create_task(call(app, address(t=t))) for t in range(OF_ADDRESS)]
        await asyncio.sleep(0.05)
        began = monotonic()
        refused = await call(app, address(t=99))
        took = monotonic() - began
        slow.go.set()
        await asyncio.gather(*asked)
        return took, refused

    took, refused = asyncio.run(drive())
    assert refused.status_code == BUSY and took >= 0.2


def test_the_cache_holds_so_many_bytes_and_forgets_what_was_not_asked_for_longest(monkeypatch) -> None:
    monkeypatch.setattr(films, "CACHE_BYTES", 4_000)
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
        found, app = served([replace(LESSON, frame=broken)])
        for _ in range(AT_ONCE + MAX_WAITING + 3):
            with pytest.raises(RuntimeError):
                await call(app, address())
        assert not found.running

    asyncio.run(drive())
    assert len(calls) == AT_ONCE + MAX_WAITING + 3


@pytest.mark.parametrize("lesson", FOLLOWING, ids=lambda lesson: lesson.key)
def test_every_stop_of_a_slider_has_an_address_that_the_door_reads_as_that_value(lesson: Lesson) -> None:
    values = {**lesson.defaults}
    said = films.question(lesson, values, dark=True, lecture=False, paper="ours")
    assert said["lesson"] == lesson.key and set(said["knobs"]) == set(lesson.follows)
    for key, stops in said["knobs"].items():
        for text in dict.fromkeys((stops[0], stops[len(stops) // 2], stops[-1])):
            query = [(name, text if name == key else value) for name, value in said["query"]]
            asked = read(lesson, [*query, ("t", "3")])
            assert dict(asked.values) == values | {key: lesson.knobs[key].read(text)}
            assert (asked.t, asked.dark, asked.lecture, asked.paper) == (3, True, False, "ours")


@pytest.mark.parametrize("lesson", FOLLOWING, ids=lambda lesson: lesson.key)
def test_the_first_frame_of_a_drag_is_small(lesson: Lesson) -> None:
    for lecture in ("true", "false"):
        words = FRAMED.get(lesson.key, {})
        answer = ask(address(lesson.key, lecture=lecture, theme="dark", **words))
        sent = int(answer.headers["content-length"])
        assert answer.status_code == OK and 500 < sent <= 30_000, (lesson.key, sent)


def test_texts_come_in_the_letters_of_the_paper_that_is_asked_for() -> None:
    ours, changed = ask(address("theorems", view="rates", measure="alpha")).decoded(), set()
    for paper in PAPERS:
        found = ask(address("theorems", view="rates", measure="alpha", symbols=paper)).decoded()
        assert found["said"] == translate(ours["said"], paper, "html")
        layouts = ([chart["figure"]["layout"] for chart in one["charts"]] for one in (found, ours))
        if len({json.dumps(one) for one in layouts}) > 1:
            changed.add(paper)
    assert changed and "ours" not in changed


def test_a_film_comes_in_the_letters_of_the_paper_that_is_asked_for() -> None:
    words, changed = {"lesson": "theorems", "kind": "film", "view": "rates", "measure": "alpha"}, set()
    ours = ask(address(**words), lessons=LESSONS).decoded()
    for paper in PAPERS:
        found = ask(address(**words, symbols=paper), lessons=LESSONS).decoded()
        assert found["sentences"] == [translate(one, paper, "html") for one in ours["sentences"]]
        assert found["labels"] == [translate(one, paper, "plain") for one in ours["labels"]]
        if found["sentences"] != ours["sentences"]:
            changed.add(paper)
    assert changed and "ours" not in changed


# One file of each kind that a film is made from.
MADE_FROM = (
    "requirements.txt",
    "tvbo_core/worlds/__init__.py",
    "common/cache.py",
    "figures/film.py",
    "lessons/record/scene.py",
    "lessons/drift/scene.py",
    "shell/film_format.py",
    "shell/notation/table.py",
    "assets/races.npz",
    "assets/theorems.npz",
    "assets/memory.npz",
    "assets/questions.npz",
    "assets/odds.json",
    "assets/links/numbers.json",
    "assets/links/v1.json",
    "assets/reproductions/deng-figure-2.json",
)


def test_the_release_changes_with_one_byte_of_any_file_that_a_film_is_made_from(tmp_path, monkeypatch) -> None:
    for folder in ("tvbo_core", "common", "figures", "lessons", "shell", "assets"):
        copytree(ROOT / folder, tmp_path / folder, ignore=ignore_patterns("__pycache__"))
    copyfile(ROOT / "requirements.txt", tmp_path / "requirements.txt")
    monkeypatch.setattr(films, "ROOT", tmp_path)
    now = release.__wrapped__()
    assert now == release()
    for path in MADE_FROM:
        file = tmp_path / path
        whole = file.read_bytes()
        file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        assert release.__wrapped__() != now, path
        file.write_bytes(whole)
    assert release.__wrapped__() == now


# Print what a fresh process opens and imports while it answers for every lesson, in the letters of every paper.
READS = """
import json, sys
opened = set()
sys.addaudithook(lambda event, given: event == "open" and isinstance(given[0], str) and opened.add(given[0]))
from lessons import BY_KEY, LESSONS
from shell import films
from shell.notation.table import PAPERS
for lesson in LESSONS:
    for kind, has in (("film", lesson.at_once), ("frame", lesson.frame)):
        for paper in PAPERS if has else ():
            said = films.question(lesson, lesson.defaults, dark=False, lecture=False, paper=paper)
            films.body(lesson, films.read(lesson, [tuple(one) for one in said["query"]], kind))
modules = [file for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))]
print(json.dumps(sorted({*opened, *modules})))
"""


@pytest.mark.wide
def test_a_film_is_made_from_no_file_of_the_lab_that_the_release_does_not_hold() -> None:
    done = subprocess.run([sys.executable, "-c", READS], cwd=ROOT, check=True, capture_output=True, text=True)
    found = [Path(name) for name in json.loads(done.stdout) if "__pycache__" not in name]
    own = {path.relative_to(ROOT) for path in found if path.is_relative_to(ROOT) and path.is_file()}
    own = {path for path in own if not path.parts[0].startswith(".")}  # a folder of packages
    held = {Path("requirements.txt")}
    for folder, endings in films.READ.items():
        held |= {path.relative_to(ROOT) for ending in endings for path in (ROOT / folder).rglob(f"*{ending}")}
    assert {Path("assets/races.npz"), Path("assets/odds.json"), Path("lessons/drift/scene.py")} <= own
    assert own <= held


def test_what_is_kept_is_the_compressed_text() -> None:
    asked = read(LESSON, [("r", release()), ("v", str(VERSION))])
    assert films.body(LESSON, asked) == ask(address()).raw
