"""Films and frames over plain HTTP: one address, one answer; a door no wider than a link's; each computed once."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from shutil import copyfile, copytree, ignore_patterns
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.types import ASGIApp

from answers import address as addresses
from answers.address import READ, VERSION, question, read, release
from answers.ask import ask as answered
from answers.film import film, headline
from answers.state import BET, TRUTH, State
from figures.film import Film, PackedFigure
from figures.theme import Theme
from lessons import BY_KEY, LESSONS
from lessons.drift.lesson import LESSON
from lessons.record import ROOT, Lesson, Picture, Scene
from shell.server.headers import SecurityHeaders, security_headers
from shell.stage import films
from shell.stage.films import AT_ONCE, Films
from tests.asgi import Answer, call
from tests.lessons.shown import decode
from tests.shared import few, unmarked
from tests.standins import within_reach

FOLLOWING = [lesson for lesson in LESSONS if lesson.frame]
BOTH = ("film", "frame")
OK, EMPTY, SAME, REFUSED, BUSY = 200, 204, 304, 400, 503
MAX_WAITING, OF_ADDRESS = films.MAX_WAITING["frame"], films.OF_ADDRESS["frame"]


def served(lessons: list[Lesson]) -> tuple[Films, ASGIApp]:
    """The routes behind the middleware of the app."""
    found = Films(lessons)
    return found, Starlette(routes=found.routes(), middleware=[Middleware(SecurityHeaders, headers=security_headers())])


def ask(path: str, method: str = "GET", lessons: list[Lesson] = FOLLOWING, **headers: str) -> Answer:
    return asyncio.run(call(served(lessons)[1], path, method, {k.replace("_", "-"): v for k, v in headers.items()}))


def decoded(path: str, lessons: list[Lesson] = LESSONS) -> dict:
    return decode(ask(path, lessons=lessons).content)


def address(lesson: str = "drift", kind: str = "frame", **words: object) -> str:
    return f"/{kind}/{lesson}?{urlencode({'r': release(), 'v': VERSION, **words})}"


def at_time(t: int) -> Scene:
    stage = Film(PackedFigure([{"type": "scatter", "x": [0.0], "y": [float(t)]}], {}))
    films = {"main": Picture(lambda at: stage, "")}
    return Scene((), (t,), films, "", lambda at: "said")


class Slow:
    """A lesson whose frames wait until they are let go; it counts how many are made, and how many at once."""

    def __init__(self) -> None:
        self.go, self.lock = threading.Event(), threading.Lock()
        self.made: list[object] = []
        self.inside = self.most = 0

    def scene(self, values: dict, theme: object) -> Scene:
        self.wait(values, LESSON.t)
        return at_time(LESSON.t)

    def frame(self, values: dict, t: int, theme: object) -> Scene:
        self.wait(values, t)
        return at_time(t)

    def wait(self, values: dict, t: int) -> None:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.made.append((values["V"], t))
        self.go.wait(10)
        with self.lock:
            self.inside -= 1

    @property
    def lesson(self) -> Lesson:
        return replace(LESSON, frame=self.frame, scene=self.scene)


async def together(slow: Slow, paths: list[str], who: Sequence[str] = ("1.2.3.4",)) -> list[Answer]:
    """The answers to requests that are all under way before the first frame is done, of these addresses in turn."""
    _, app = served([slow.lesson])
    asked = [asyncio.create_task(call(app, path, who=one)) for path, one in zip(paths, cycle(who), strict=False)]
    while len(slow.made) < min(AT_ONCE, len(set(paths)), len(who)):
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.05)
    slow.go.set()
    return await asyncio.gather(*asked)


# What an address answers -------------------------------------------------------------------------------------------


def test_answer_keeps_what_only_runs_can_tell() -> None:
    """Numbers of frames are compared in tests/lessons/test_frames.py and tests/shell/test_film_format.py."""
    found, frame = decoded(address(V=2, t=30)), LESSON.at_time(LESSON.defaults | {"V": 2.0}, 30, Theme())
    assert found["charts"][0]["key"] == "main" and found["kept"] == []
    assert unmarked(found["said"]) == headline(frame.says(0), "ours") and "by\u00a00.29" in found["said"]
    waits = BY_KEY["forgetting"]
    kept = waits.at_time(waits.defaults | {"V": 4.0}, 30, Theme()).stage.unknown
    assert kept and decoded(address("forgetting", V=4, t=30))["kept"] == sorted(kept)


@pytest.mark.parametrize(
    ("said", "whole"), [("in 90 % of", "in 90~% of"), ("<b>90</b> %", "<b>90</b>~%"), ("T = 300 to", "T~=~300 to")]
)
def test_headline_breaks_no_number_from_its_sign(said: str, whole: str) -> None:
    assert headline(said, "ours") == whole.replace("~", "\N{NO-BREAK SPACE}")


@pytest.mark.parametrize("lesson", few([one for one in LESSONS if one.bet and one.bet.scene], "drift", "bands"))
def test_film_until_a_bet_is_the_question(lesson: Lesson) -> None:
    bet = lesson.bet
    states = ((BET, bet.opens, bet.opens_with), (TRUTH, bet.t, bet.values))
    for view, until, values in (one for one in states if lesson.has_address(lesson.settings(one[2]))):
        whole = lesson.settings(values)
        words = question(State(lesson, whole, lesson.t, view, Theme(lecture=True)))["query"]
        assert ("until", str(until)) in words
        answer = ask(f"/film/{lesson.key}?{urlencode(words)}", lessons=LESSONS)
        scene = lesson.bet.scene(whole, until, Theme(lecture=True))
        assert answer.status_code == OK and answer.content == film(scene, scene.frames - 1, "ours", marked=True)
    for wrong in (bet.opens + 1 if bet.opens + 1 != bet.t else bet.opens + 2, -1, "007", ""):
        assert ask(address(lesson.key, "film", until=wrong), lessons=LESSONS).status_code == REFUSED
    assert ask(address(lesson.key, "frame", until=bet.opens), lessons=LESSONS).status_code == REFUSED


def test_what_cannot_or_takes_long_is_empty() -> None:
    def impossible(*asked: object) -> Scene:
        raise ValueError("a world that cannot be")

    made = []
    for kind, lesson in (
        ("film", replace(LESSON, scene=impossible)),
        ("film", replace(LESSON, scene=lambda *asked: made.append(asked), waits=lambda values: True)),
        ("frame", replace(LESSON, frame=impossible)),
        ("frame", replace(LESSON, frame=lambda *asked: None)),
    ):
        answer = ask(address(kind=kind), lessons=[lesson])
        assert answer.status_code == EMPTY and not answer.content and not made
    assert not BY_KEY["race"].frame and ask(address("race", m=50), lessons=LESSONS).status_code == EMPTY
    assert ask(address(kind="film", charts="weights")).status_code == EMPTY  # it moves no such chart
    assert ask(address("race", "film", seed=77), lessons=LESSONS).status_code == EMPTY  # its runs are not stored
    assert ask(address("real_data", "film", seed=77), lessons=LESSONS).status_code == EMPTY  # its page alone has it


def test_answer_may_be_kept_for_good() -> None:
    for kind in BOTH:
        one, two = ask(address(kind=kind, V=3)), ask(address(kind=kind, V=3))
        assert one.content == two.content and one.headers["etag"] == two.headers["etag"]
        assert one.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert one.headers["etag"] != ask(address(kind=kind, V=3.5)).headers["etag"]
        same = ask(address(kind=kind, V=3), If_None_Match=one.headers["etag"])
        assert same.status_code == SAME and not same.content and same.headers["etag"] == one.headers["etag"]
    asked = read(LESSON, [("r", release()), ("v", str(VERSION))])
    assert answered(asked, "frame") == ask(address()).raw  # what is kept is compressed


def test_answer_loads_nothing_and_knows_nobody() -> None:
    for kind in BOTH:
        plain = ask(address(kind=kind, V=2))
        for answer in (plain, ask(f"/{kind}/drift"), ask(address(kind=kind, V=2), Cookie="a=b")):
            assert answer.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
            assert answer.headers["x-content-type-options"] == "nosniff" and "set-cookie" not in answer.headers
        assert ask(address(kind=kind, V=2), Cookie="a=b").content == plain.content
        unpacked = ask(address(kind=kind, V=2), Accept_Encoding="identity")
        assert "content-encoding" not in unpacked.headers and unpacked.raw == plain.content
        head = ask(address(kind=kind), "HEAD")
        assert head.status_code == OK and int(head.headers["content-length"]) > 0
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            assert ask(address(kind=kind), method).status_code == 405


STRANGE = (
    {"V": "4.1"},  # beside the slider's own
    {"V": "4.0"},  # another text for 4
    {"V": "nan"},
    {"V": "<script>"},
    {"nonsense": "1"},
    {"symbols": "nobody"},
    {"t": "007"},
    {"t": "٣"},
    {"v": f"{VERSION + 1}"},
    {"charts": "weights,weights"},
    {"until": "7"},
    {"r": "0" * 12},
)


def test_strange_address_is_refused_without_repeating_it() -> None:
    for kind in BOTH:
        whole = address(kind=kind)
        twice = (f"{whole}&V=2&V=2", f"/{kind}/drift", f"/{kind}/drift?r={release()}", f"{whole}&V={'1' * 5000}")
        for path in (*(address(kind=kind, **words) for words in STRANGE), *twice):
            answer = ask(path)
            assert (answer.status_code, answer.text) == (REFUSED, films.REFUSED), path[:200]
            assert answer.headers["cache-control"] == "no-store"


def test_page_from_before_an_update_learns_the_release() -> None:
    for kind in BOTH:
        old = ask(address(kind=kind).replace(release(), "0123456789ab"))
        assert (old.status_code, old.headers["lab-release"]) == (REFUSED, release())
        assert ask(address(kind=kind).replace(release(), old.headers["lab-release"])).status_code == OK
        assert "lab-release" not in ask(f"{address(kind=kind)}&V=nonsense").headers


# Many at once --------------------------------------------------------------------------------------------------------


def test_what_many_ask_for_is_computed_once() -> None:
    for kind, t in (("film", LESSON.t), ("frame", 200)):
        slow = Slow()
        answers = asyncio.run(together(slow, [address(kind=kind, V=2)] * 40))
        assert slow.made == [(2.0, t)], kind
        assert {answer.status_code for answer in answers} == {OK} and len({answer.content for answer in answers}) == 1


def test_few_wait_and_further_ones_are_busy() -> None:
    """Of films more may wait; nothing else is otherwise."""
    for who, room in ((["1.2.3.4"], OF_ADDRESS), ([f"1.2.3.{i}" for i in range(12)], AT_ONCE + MAX_WAITING)):
        slow = Slow()
        answers = asyncio.run(together(slow, [address(t=t) for t in range(room + 3)], who))
        codes = [answer.status_code for answer in answers]
        assert (codes.count(OK), codes.count(BUSY)) == (room, 3) and slow.most <= AT_ONCE
        busy = next(answer for answer in answers if answer.status_code == BUSY)
        assert busy.headers["retry-after"] == "1" and busy.headers["cache-control"] == "no-store"


def test_greedy_address_leaves_places_to_others() -> None:
    slow, one = Slow(), ["1.2.3.4"] * 20

    async def drive() -> tuple[list[Answer], list[Answer]]:
        _, app = served([slow.lesson])
        asked = [asyncio.create_task(call(app, address(t=t), who=who)) for t, who in enumerate(one)]
        while not slow.made:
            await asyncio.sleep(0.005)
        others = [asyncio.create_task(call(app, address(t=50 + i), who=f"5.6.7.{i}")) for i in range(6)]
        while len(slow.made) < 2:
            await asyncio.sleep(0.005)
        assert slow.made[1] == (LESSON.defaults["V"], 50)  # at once: of two that are computed at a time
        slow.go.set()
        return await asyncio.gather(*asked), await asyncio.gather(*others)

    mine, theirs = asyncio.run(drive())
    assert [answer.status_code for answer in mine].count(OK) == OF_ADDRESS
    assert {answer.status_code for answer in theirs} == {OK} and slow.most == AT_ONCE


def test_failed_computation_leaves_no_place_taken() -> None:
    calls = []

    def broken(values: dict, t: int, theme: object) -> Scene:
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


def test_kept_film_does_not_keep_its_scene() -> None:
    """Kept films are counted by their bytes: a scene that hung on one would be memory that nobody counts."""

    async def drive() -> tuple[Films, list[Scene]]:
        found, app = served(FOLLOWING)
        for lesson in FOLLOWING:
            for kind in BOTH:
                await call(app, address(lesson.key, kind))
        return found, [thing for thing in within_reach(found.cache) if isinstance(thing, Scene)]

    found, scenes = asyncio.run(drive())
    assert len(found.cache) > len(FOLLOWING) and scenes == []


# The release ---------------------------------------------------------------------------------------------------------


# One file of each kind that a film is made from.
MADE_FROM = (
    "tvbo_core/worlds/__init__.py",
    "lessons/drift/scene.py",
    "assets/races.npz",
    "assets/reproductions/deng-figure-2.json",
)


def test_release_changes_with_any_file_of_films(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("tvbo_core", "common", "figures", "lessons", "answers", "shell", "assets"):
        copytree(ROOT / folder, tmp_path / folder, ignore=ignore_patterns("__pycache__"))
    copyfile(ROOT / "requirements.txt", tmp_path / "requirements.txt")
    monkeypatch.setattr(addresses, "ROOT", tmp_path)
    now = release.__wrapped__()
    assert now == release()
    for path in MADE_FROM:
        file = tmp_path / path
        whole = file.read_bytes()
        file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        assert release.__wrapped__() != now, path
        file.write_bytes(whole)
    assert release.__wrapped__() == now


# Print what a fresh process opens and imports while it answers for every lesson, for one in the letters of every paper.
READS = """
import json, sys
opened = set()
sys.addaudithook(lambda event, given: event == "open" and isinstance(given[0], str) and opened.add(given[0]))
from lessons import BY_KEY, LESSONS
from answers.address import question, read
from answers.ask import ask
from answers.quantities import PAPERS
from answers.state import State
for lesson in LESSONS:
    for kind, has in (("film", lesson.scene), ("frame", lesson.frame)):
        for paper in (PAPERS if lesson is LESSONS[1] else [*PAPERS][:1]) if has else ():
            said = question(State(lesson, lesson.defaults, lesson.t, paper=paper))
            ask(read(lesson, [tuple(one) for one in said["query"]], kind), kind)
modules = [file for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))]
print(json.dumps(sorted({*opened, *modules})))
"""


@pytest.mark.slow
def test_release_holds_every_file_of_films() -> None:
    done = subprocess.run([sys.executable, "-c", READS], cwd=ROOT, check=True, capture_output=True, text=True)
    found = [Path(name) for name in json.loads(done.stdout) if "__pycache__" not in name]
    own = {path.relative_to(ROOT) for path in found if path.is_relative_to(ROOT) and path.is_file()}
    own = {path for path in own if not path.parts[0].startswith(".")}  # a folder of packages
    held = {Path("requirements.txt")}
    for folder, endings in READ.items():
        held |= {path.relative_to(ROOT) for ending in endings for path in (ROOT / folder).rglob(f"*{ending}")}
    assert {Path("assets/races.npz"), Path("assets/odds.json"), Path("lessons/drift/scene.py")} <= own
    assert own <= held
