"""A site without a server: the server's films to the byte, nothing of an answer, builds that go on, others' folders."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest

from figures.theme import Theme
from lessons import LESSONS, __main__
from lessons.record import Lesson
from shell.runs.runs import Runs
from shell.stage import films
from shell.static.build import NotOurs, build
from shell.static.view import ASKED, BELOW, LOOKS, TOLD, View, views
from tests import answers
from tests.lessons.game.games import TELLING

SHOWN = [lesson for lesson in LESSONS if lesson.scene]
ADDRESSED = [lesson for lesson in SHOWN if lesson.is_instant]
BETTING = [lesson for lesson in SHOWN if lesson.bet]
GAME = next(lesson for lesson in LESSONS if lesson.key == "game")
# A small lesson of the lab, so that a whole site takes a second.
SMALL = next(replace(one, moments=one.moments[:1], leads=("V",)) for one in LESSONS if one.key == "rperp")


def told(view: View, look: str = "light") -> dict:
    """Return what a view's file hands over, of the stage."""
    return view.contents(look)[f"{view.file}.{look}"]


def head(film: bytes) -> dict:
    """Return the text of a film that is not compressed."""
    return json.loads(film[4 : 4 + int.from_bytes(film[:4], "little")])


def of(lesson: Lesson) -> dict[str, View]:
    return dict(views(lesson, LESSONS.index(lesson)))


def few(lessons: list[Lesson], first: str) -> list:
    """Return lessons as cases, of which the first ring runs one."""
    return [pytest.param(one, marks=() if one.key == first else pytest.mark.slow, id=one.key) for one in lessons]


# Films ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", few(ADDRESSED, "drift"))
def test_stop_is_the_servers_film(lesson: Lesson) -> None:
    dice = random.Random(lesson.key)
    found = [file for view in of(lesson).values() if view.until is None for file in view.files()]
    file = dice.choice([one for one in found if not one.pictured and lesson.is_instant(one.values)])
    look, paper = dice.choice(list(LOOKS)), dice.choice(["ours", "iwazaki", "deng"])
    asked = films.question(lesson, file.values, dark=LOOKS[look], lecture=False, paper=paper)
    served = films.body(lesson, films.read(lesson, parse_qsl(urlencode(asked["query"])), "film"))
    assert served and base64.b64decode(told(replace(file, paper=paper), look)["film"]) == served


@pytest.mark.slow
def test_every_view_names_its_files() -> None:
    for lesson in SHOWN:
        for key, view in of(lesson).items():
            assert next(view.files()) is view, (lesson.key, key)
            assert all(one.file.startswith(f"{lesson.key}/") for one in view.files()), (lesson.key, key)


@pytest.mark.parametrize("lesson", few(BETTING, "drift"))
def test_file_of_a_question_holds_no_answer(lesson: Lesson) -> None:
    asked = of(lesson)[ASKED]
    said = told(asked)
    assert set(said) == {"film", "times", "alt", "wager"}
    assert len(asked.contents("light")) == 1  # no drawers
    bars = head(gzip.decompress(base64.b64decode(said["wager"])))
    assert answers.in_words(lesson, [json.dumps(bars)]) == set()
    question = films.question(lesson, asked.values, dark=False, lecture=False, paper="ours", until=lesson.bet.opens)
    if lesson.is_instant and lesson.is_instant(asked.values):  # others have no film by an address
        served = films.body(lesson, films.read(lesson, parse_qsl(urlencode(question["query"])), "film"))
        assert base64.b64decode(said["film"]) == served
    assert len(said["times"]) == lesson.question_scene(asked.values, lesson.bet.opens, Theme()).frames
    assert answers.in_words(lesson, [said["alt"]]) == set()


@pytest.mark.parametrize("lesson", few(BETTING, "drift"))
def test_file_of_a_reveal_judges_each_answer(lesson: Lesson) -> None:
    said, bet = told(of(lesson)[TOLD]), lesson.bet
    right = lesson.truth(lesson.settings(bet.values), bet).right
    good = {".".join(right)} if bet.ranks else set(right)
    hits = {guess for guess, words in said["verdicts"].items() if "so it is" in words or "all four places" in words}
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
    assert stages <= there and there - stages <= below and there - stages
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
        with pytest.raises(NotOurs, match="none was touched: name a folder that is new, empty, or a site"):
            build(tmp_path / "theirs", [SMALL], runs)
        assert contents(tmp_path / "theirs") == before
    with pytest.raises(NotOurs, match="is a file: name a folder"):
        build(tmp_path / "theirs" / "index.html", [SMALL], runs)


def test_command_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(__main__.RUNS, "close", lambda: None)
    assert __main__.main(["site", str(tmp_path / "out"), "--live", "lab.example.org"]) == 2
    assert capsys.readouterr().err.count("\n") == 1 and not (tmp_path / "out").exists()
    (tmp_path / "file").write_text("mine")
    assert __main__.main(["site", str(tmp_path / "file")]) == 2
    assert "is a file" in capsys.readouterr().err


# Pages ---------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_page_says_what_is_frozen(tmp_path: Path, runs: Runs) -> None:
    build(tmp_path, [LESSONS[1], SMALL], runs, "https://lab.example.org/", "iwazaki")
    page = (tmp_path / "rperp.html").read_text(encoding="utf-8")
    assert "films that were computed once" in page and 'href="https://lab.example.org/R_PERP"' in page
    assert SMALL.bet.why not in page and answers.in_words(SMALL, [page]) == set()
    every = {path.name for path in tmp_path.iterdir()}
    for name in ("index.html", "glossary.html", "rperp.html", "game.html"):
        local = re.findall(r'(?:href|src)="([^"#:]+)"', (tmp_path / name).read_text(encoding="utf-8"))
        assert local and {one.partition("?")[0] for one in local} <= every


@pytest.mark.slow
def test_page_of_the_game_tells_nothing(tmp_path: Path, runs: Runs) -> None:
    build(tmp_path, [GAME], runs, "https://lab.example.org/", "iwazaki")
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert "other worlds of the game" in page and 'href="https://lab.example.org/You_against_the_bandits"' in page
    assert not TELLING.search(page.split("<main>")[1].split("</main>")[0])
    scripts = re.findall(r'<script[^>]* src="([^"]+)"', page)
    found = [f"game-{key}.js" for key in ("opening", "still", "glide", "secret", "jumps")]
    assert scripts == [*found, "game.js", "site.js"]  # those that wait for the page come behind the last one
    kept = re.search(r'FIRST = "([^"]+)"', (tmp_path / "worker.js").read_text(encoding="utf-8")).group(1).split()
    assert {*scripts, "game.html", "game.css"} <= set(kept)
    for name in found:
        (said,) = re.fullmatch(r"lab\.site\.worlds\.push\((.*)\);\n", (tmp_path / name).read_text("utf-8")).groups()
        assert not re.search(r"[$*]", "".join(text for text in json.loads(said).values() if isinstance(text, str)))
