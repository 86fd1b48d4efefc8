"""Sites, packs and animations: the server's films, nothing of an answer, builds that go on, what is left out."""

from __future__ import annotations

import base64
import gzip
import io
import json
import random
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import parse_qsl, urlencode

import pytest
from streamlit.testing.v1 import AppTest

from answers import captions, link
from answers.address import question, read
from answers.ask import ask
from answers.browser import Desk
from answers.state import BET, State
from figures.theme import Theme
from lessons import BY_KEY, LESSONS, __main__
from lessons.race.lesson import LESSON
from lessons.record import Lesson, Scene, Values
from shell.hall.course.courses import Course, Stop
from shell.runs import run_panel
from shell.runs.jobs import Failure, outcome
from shell.runs.runs import Runs
from shell.server.scripts import plotly_script
from shell.static import build as building
from shell.static import template
from shell.static.build import build
from shell.static.view import ASKED, BELOW, LOOKS, TOLD, View, views
from tests import answers
from tests.lessons.game.games import TELLING
from tests.lessons.shown import opened
from tests.shared import ROOT, few, session_of

SHOWN = [lesson for lesson in LESSONS if lesson.scene]
ADDRESSED = [lesson for lesson in SHOWN if lesson.has_address(lesson.defaults)]
BETTING = [lesson for lesson in SHOWN if lesson.bet]
GAME = next(lesson for lesson in LESSONS if lesson.key == "game")
# A small lesson of the lab, so that a whole site takes a second.
SMALL = next(replace(one, moments=one.moments[:1], leads=("V",)) for one in LESSONS if one.key == "rperp")


def file_contents(view: View, look: str = "light") -> dict:
    """Return what a view's file hands over, of the stage."""
    return view.contents(look)[f"{view.file}.{look}"]


def head(film: bytes) -> dict:
    """Return the text of a film that is not compressed."""
    return json.loads(film[4 : 4 + int.from_bytes(film[:4], "little")])


def of(lesson: Lesson) -> dict[str, View]:
    return dict(views(lesson, LESSONS.index(lesson)))


def test_styles_of_a_site_use_known_variables() -> None:
    """An unknown variable is no error: what it colours has its parent's colour, or none."""
    assets = [path for path in (ROOT / "assets").rglob("*.*") if "vendor" not in path.parts]
    scripts = "".join(path.read_text("utf-8") for path in assets if path.suffix in (".js", ".html"))
    styles = template.style(None) + "".join(path.read_text("utf-8") for path in assets if path.name == "site.css")
    known, used = re.findall(r"(--[\w-]+)\s*:", styles), re.findall(r"var\((--[\w-]+)\)", styles)
    assert [name for name in sorted({*used} - {*known}) if name not in scripts] == []


# Films ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", few(ADDRESSED, "drift"))
def test_view_is_the_servers_film(lesson: Lesson) -> None:
    dice = random.Random(lesson.key)
    file = dice.choice([one for one in of(lesson).values() if one.until is None and not one.waits])
    look, paper = dice.choice(list(LOOKS)), dice.choice(["ours", "iwazaki", "deng"])
    asked = question(State(lesson, file.values, lesson.t, theme=Theme(LOOKS[look]), paper=paper))
    served = ask(read(lesson, parse_qsl(urlencode(asked["query"])), "film"), "film")
    said = file_contents(replace(file, paper=paper), look)
    assert served and base64.b64decode(said["film"]) == served
    assert said["page"]["film"]["query"] == asked["query"]  # by which the page's Python knows it


@pytest.mark.parametrize("lesson", few(ADDRESSED, "drift", rest=pytest.mark.wide))
def test_file_and_engine_say_the_same(lesson: Lesson) -> None:
    desk = Desk([(lesson, LESSONS.index(lesson))])
    for key, view in of(lesson).items():
        said = json.loads(desk.say("page", f"{lesson.key}?{urlencode(link.words(view))}"))
        assert said.pop("wrong") == [] and said == json.loads(json.dumps(file_contents(view)["page"])), key


@pytest.mark.parametrize("lesson", few(BETTING, "drift"))
def test_file_of_a_question_holds_no_answer(lesson: Lesson) -> None:
    asked = of(lesson)[ASKED]
    said = file_contents(asked)
    assert set(said) == {"film", "page", "wager"}
    assert len(asked.contents("light")) == 1  # no drawers
    assert bool(said["wager"]) == bool(lesson.bet.places)  # bars stand where answers are numbers
    if said["wager"]:
        bars = head(gzip.decompress(base64.b64decode(said["wager"])))
        assert answers.in_words(lesson, [json.dumps(bars)]) == set()
    words = question(State(lesson, asked.values, lesson.t, BET))["query"]
    if lesson.has_address(asked.values):  # others have no film by an address
        served = ask(read(lesson, parse_qsl(urlencode(words)), "film"), "film")
        assert base64.b64decode(said["film"]) == served
    assert len(said["page"]["scene"]["times"]) == lesson.bet.scene(asked.values, lesson.bet.opens, Theme()).frames
    assert answers.in_words(lesson, [json.dumps(said["page"])]) == set()


@pytest.mark.parametrize("lesson", few(BETTING, "drift", rest=pytest.mark.wide))
def test_file_of_a_reveal_judges_each_answer(lesson: Lesson) -> None:
    said, bet = file_contents(of(lesson)[TOLD]), lesson.bet
    right = lesson.bet.truth(lesson.settings(bet.values), bet).right
    good = {".".join(right)} if bet.ranks else set(right)
    hits = {guess for guess, words in said["verdicts"].items() if ": correct." in words or "all four places" in words}
    assert hits == good and said["truth"]
    assert said["wagers"].keys() == {"", *said["verdicts"]} and len(set(said["wagers"].values())) > len(good)


# Folders -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runs() -> Iterator[Runs]:
    one = Runs(workers=1)
    yield one
    one.close()


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_site_built_twice_is_the_same(tmp_path: Path, runs: Runs) -> None:
    assert build(tmp_path / "one", [GAME, SMALL], runs) == []
    first = contents(tmp_path / "one")
    assert build(tmp_path / "two", [GAME, SMALL], runs) == [] and contents(tmp_path / "two") == first
    page = first["rperp.html"].decode()
    named = set(re.findall(r"rperp/[0-9a-f]{12}", page))
    folder = json.loads(first["site.json"])["films"]
    there = {name for name in first if name.startswith("films-")}
    stages = {f"{folder}/{name}.{look}.js" for name in named for look in LOOKS}
    below = {name.replace(".js", f"{BELOW}.js") for name in stages}
    assert stages <= there and there - stages <= below
    assert not [name for name in first if name.endswith(".half")]
    gone, kept = sorted((tmp_path / "one" / folder / "rperp").glob("*.light.js"))[:2]
    gone.unlink()
    for name in ("rperp.html", "game.html", "game-opening.js"):
        (tmp_path / "one" / name).unlink()
    before = {path: path.stat().st_mtime_ns for path in kept.parent.iterdir() if path.name[:12] != gone.name[:12]}
    lines: list[str] = []
    build(tmp_path / "one", [GAME, SMALL], runs, tell=lines.append)
    assert lines[-1] == "1 of 1 films are written" and contents(tmp_path / "one") == first
    assert before and all(path.stat().st_mtime_ns == time for path, time in before.items())


def test_folder_of_others_is_refused_and_untouched(tmp_path: Path, runs: Runs) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "index.html").write_text("mine")
    for marked in (None, "", "{}", '{"site of": "something else"}', "[1]"):
        if marked is not None:
            (tmp_path / "theirs" / "site.json").write_text(marked)
        before = contents(tmp_path / "theirs")
        with pytest.raises(ValueError, match="none was touched: name a folder that is new, empty, or a site"):
            build(tmp_path / "theirs", [SMALL], runs)
        assert contents(tmp_path / "theirs") == before
    with pytest.raises(ValueError, match="is a file: name a folder"):
        build(tmp_path / "theirs" / "index.html", [SMALL], runs)


# Pages ---------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_page_of_the_game_tells_nothing(tmp_path: Path, runs: Runs) -> None:
    build(tmp_path, [GAME], runs, "https://lab.example.org/", "iwazaki")
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert "other worlds of the game" in page and 'href="https://lab.example.org/You_against_the_bandits"' in page
    assert not TELLING.search(page.split("<main>")[1].split("</main>")[0])
    scripts = re.findall(r'<script[^>]* src="([^"]+)"', page)
    found = [f"game-{key}.js" for key in ("opening", "still", "glide", "travel", "secret", "jumps")]
    assert scripts == [*found, "game.js", "site.js"]  # those that wait for the page come behind the last one
    kept = re.search(r'FIRST = "([^"]+)"', (tmp_path / "worker.js").read_text(encoding="utf-8")).group(1).split()
    assert {*scripts, "game.html", "game.css", "exports.js", "sheet.js"} <= set(kept)
    for name in found:
        (said,) = re.fullmatch(r"lab\.site\.worlds\.push\((.*)\);\n", (tmp_path / name).read_text("utf-8")).groups()
        assert not re.search(r"[$*]", "".join(text for text in json.loads(said).values() if isinstance(text, str)))


MOMENTS = [f"race.{moment.key}" for moment in LESSON.moments]
SHORT = Course("short", "Two stops", "A question, and a film.", (Stop("drift", ""), Stop("race", "jumps", plays=True)))
PATIENCE = 300.0  # seconds that a busy machine may take to start workers


@cache
def pack_files() -> dict[str, str]:
    """Return the files of a pack of the race's moments, asked for in the wrong order."""
    course = building.course_of_moments(MOMENTS[::-1], LESSONS)
    packed, missing = building.archive(
        course, LESSONS, {view: view.perform() for view in building.packed(course, LESSONS)}
    )
    assert missing == []
    return files(packed)


def files(packed: bytes) -> dict[str, str]:
    """Return the files of a pack by name."""
    with zipfile.ZipFile(io.BytesIO(packed)) as box:
        assert box.testzip() is None
        return {name: box.read(name).decode() for name in box.namelist()}


def read_by_script(page: str) -> dict:
    """Return what the script of a page reads."""
    return json.loads(re.search(r'<script type="application/json" id="lab-page">(.*?)</script>', page, re.DOTALL)[1])


# A pack --------------------------------------------------------------------------------------------------------------


def test_pack_is_walked_in_order_without_network() -> None:
    texts = pack_files()
    keys = [moment.key for moment in LESSON.moments]
    steps = [{"file": "race.html", "view": key, "plays": False, "begins": 0} for key in keys]
    for name in ("index.html", "race.html", "seen.html"):
        assert read_by_script(texts[name])["walks"][""] == [{"file": "index.html"}, *steps, {"file": "seen.html"}]
        assert captions.VERSION in texts[name] and not re.search("@[A-Z]+@", texts[name])
    listed = re.findall(r'href="(race\.html#moment=\w+)"', texts["index.html"])
    assert listed == [f"race.html#moment={key}" for key in keys]
    said = read_by_script(texts["race.html"])
    assert [(view["key"], view["line"]) for view in said["views"]] == [(one.key, one.script) for one in LESSON.moments]
    films = {f"films/{view['file']}.{look}.js" for view in said["views"] for look in LOOKS}
    assert films == {name for name in texts if name.startswith("films/") and ".below" not in name}
    assert texts[template.PLOTLY] == plotly_script()
    for name in (one for one in texts if one.endswith(".html")):  # nothing comes from a network
        local = re.findall(r'<(?:script|link)[^>]* (?:src|href)="([^"]*)"', texts[name])
        assert all(one in texts or one.startswith("data:") for one in local)
        elsewhere = r"""((src|href)\s*=|url\(|@import)\s*["']?(https?:)?//"""
        assert not re.search(elsewhere, texts[name])
        assert "default-src 'none'" in texts[name] and "connect-src" not in texts[name]


def test_course_asks_before_it_tells() -> None:
    lesson, bet = BY_KEY["drift"], BY_KEY["drift"].bet
    every = building.packed(SHORT, LESSONS)
    assert [view.key for view in every] == [ASKED, TOLD, "jumps"]
    packed, missing = building.archive(
        SHORT, LESSONS, {view: {f"{view.file}.{look}": "x" for look in LOOKS} for view in every}
    )
    texts = files(packed)
    keys = [
        (step["file"], step.get("view"), step.get("plays")) for step in read_by_script(texts["index.html"])["walks"][""]
    ]
    asked = [("drift.html", ASKED, False), ("drift.html", TOLD, False), ("race.html", "jumps", True)]
    assert missing == [] and keys == [("index.html", None, None), *asked, ("seen.html", None, None)]
    assert f"<h1>{SHORT.title}</h1>" in texts["index.html"] and SHORT.promise in texts["index.html"]
    assert read_by_script(texts["drift.html"])["bet"]["options"] == dict(bet.options)
    for name in ("index.html", "drift.html"):
        assert bet.why not in texts[name] and answers.in_words(lesson, [texts[name]]) == set()
    assert escape(bet.why) in texts["seen.html"]


def test_refused_moment_is_named_and_left_out() -> None:
    def refused(values: Values, theme: Theme) -> Scene:
        raise ValueError("Nothing was <played>.")

    lessons = [replace(one, scene=refused) if one.key == "race" else one for one in LESSONS]
    course = building.course_of_moments(["drift.budget", "race.jumps"], lessons)
    budget, jumps = building.packed(course, lessons)
    results = {budget: {f"{budget.file}.{look}": "x" for look in LOOKS}, jumps: outcome(jumps)}
    packed, (said,) = building.archive(course, lessons, results)
    texts = files(packed)
    assert "The race, Static against jumps, is left out: Nothing was <played>." in said
    assert escape(said) in texts["index.html"] and "race.html" not in texts
    assert [step["file"] for step in read_by_script(texts["index.html"])["walks"][""]] == [
        "index.html",
        "drift.html",
        "seen.html",
    ]
    _, (said,) = building.archive(course, lessons, results | {jumps: Failure("KeyError")})
    assert "could not be drawn" in said and "KeyError" not in said


# Workers, the drawer and the command line ----------------------------------------------------------------------------


@pytest.fixture
def one_worker(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> Runs:
    """The worker of these tests as that of the server and of the command line, which closes its own at the end."""
    monkeypatch.setattr(run_panel, "RUNS", runs)
    monkeypatch.setattr(__main__, "RUNS", runs)
    monkeypatch.setattr(runs, "close", lambda: None)
    return runs


def saved(at: AppTest) -> bool:
    return any(b.proto.id.endswith("pack_save") for b in at.get("download_button"))


@pytest.mark.slow
def test_drawer_makes_a_pack_or_cancels_it(one_worker: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    at = opened(LESSON.file)
    at.session_state["drawer_export"] = True
    at.run()
    assert at.multiselect(key="pack_moments").value == MOMENTS
    assert any("A pack leaves out what only the app can do" in one.value for one in at.caption)
    at.multiselect(key="pack_moments").set_value(["race.deng", "race.jumps"]).run()
    with monkeypatch.context() as patch:
        patch.setattr(one_worker, "poll", lambda order: {})  # nothing is submitted, so the order cannot be over before
        at.button(key="pack_make").click().run()
        assert not at.exception and not saved(at)
        at.button(key="pack_cancel").click().run()
    assert not at.exception and not saved(at) and at.button(key="pack_make")
    assert any("was stopped; nothing was kept" in info.value for info in at.info)
    at.button(key="pack_make").click().run()
    start = monotonic()
    while not saved(at):
        assert not at.exception and monotonic() - start < PATIENCE
        sleep(0.2)  # the worker's
        at.run()
    name, packed, missing = session_of(at).pack.made
    assert name == "race.jumps-race.deng.zip" and missing == []
    assert [view["key"] for view in read_by_script(files(packed)["race.html"])["views"]] == ["jumps", "deng"]
    assert not session_of(at).runs.sets["pack"].results  # the zip holds them
