"""Packs of a lecture and of a course: order, questions before answers, what is left out, failures, the drawer."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path
from time import monotonic

import pytest
from streamlit.testing.v1 import AppTest

from figures.theme import Theme
from lessons import BY_KEY, LESSONS, __main__
from lessons.race.lesson import LESSON
from lessons.record import Scene, Values
from shell.hall.course.courses import COURSES, Course, Stop
from shell.runs import run_panel
from shell.runs.jobs import Failure, outcome
from shell.runs.runs import Runs
from shell.server.scripts import plotly_script
from shell.static import build, captions, pages
from shell.static.view import ASKED, LOOKS, TOLD
from tests import answers
from tests.lessons.shown import opened
from tests.shared import ROOT, session_of

MOMENTS = [f"race.{moment.key}" for moment in LESSON.moments]
SHORT = Course("short", "Two stops", "A question, and a film.", (Stop("drift", ""), Stop("race", "jumps", plays=True)))
PATIENCE = 300.0  # seconds that a busy machine may take to start workers


@cache
def made() -> dict[str, str]:
    """Return the files of a pack of the race's moments, asked for in the wrong order."""
    course = build.chosen(MOMENTS[::-1], LESSONS)
    packed, missing = build.archive(course, LESSONS, {view: view.perform() for view in build.packed(course, LESSONS)})
    assert missing == []
    return files(packed)


def files(packed: bytes) -> dict[str, str]:
    """Return the files of a pack by name."""
    with zipfile.ZipFile(io.BytesIO(packed)) as box:
        assert box.testzip() is None
        return {name: box.read(name).decode() for name in box.namelist()}


def contents(page: str) -> dict:
    """Return what the script of a page reads."""
    return json.loads(re.search(r'<script type="application/json" id="lab-page">(.*?)</script>', page, re.DOTALL)[1])


# What is chosen ------------------------------------------------------------------------------------------------------


def test_missing_moment_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for names, said in ((["99.1"], "no moment 99.1"), (["race"], "no moment race"), ([], "No moment was")):
        with pytest.raises(ValueError, match=said) as refused:
            build.chosen(names, LESSONS)
        assert "drift.budget" in str(refused.value) and "\n" not in str(refused.value)
    for words, said in ((["--moments", "chase.gone"], "no moment chase.gone"), (["--course", "gone"], "twenty")):
        with pytest.raises(SystemExit):
            __main__.main(words)
        assert said in capsys.readouterr().err


def test_name_of_a_file_says_its_contents() -> None:
    def name(*names: str) -> str:
        return build.file_name(build.chosen(names, LESSONS))

    assert name("bands.empty", "drift.budget") == "drift.budget-bands.empty.zip"
    assert name("drift.budget", *MOMENTS[:3]) == f"drift.budget-{'-'.join(MOMENTS[:2])}-and-1-more.zip"
    assert name("all") == "all-moments.zip"
    assert [build.file_name(one) for one in COURSES.values()] == [f"course-{key}.zip" for key in COURSES]


def test_pack_says_first_what_it_leaves_out() -> None:
    unseen = replace(BY_KEY["game"], offline_worlds=None)
    lost = build.left_out(COURSES["twenty"], [unseen, *(one for one in LESSONS if one.key != "game")])
    assert "no page for game.glide" in lost and "No votes are counted in its 1 bet" in lost
    for course in COURSES.values():  # the lab's own courses are whole
        assert "no page" not in build.left_out(course, LESSONS) and "tables of your own" in build.left_out(
            course, LESSONS
        )


# A pack --------------------------------------------------------------------------------------------------------------


def test_pack_is_walked_in_order_without_network() -> None:
    texts = made()
    keys = [moment.key for moment in LESSON.moments]
    steps = [{"file": "race.html", "view": key, "plays": False, "begins": 0} for key in keys]
    for name in ("index.html", "race.html", "seen.html"):
        assert contents(texts[name])["walks"][""] == [{"file": "index.html"}, *steps, {"file": "seen.html"}]
        assert captions.VERSION in texts[name] and not re.search("@[A-Z]+@", texts[name])
    listed = re.findall(r'href="(race\.html#moment=\w+)"', texts["index.html"])
    assert listed == [f"race.html#moment={key}" for key in keys]
    said = contents(texts["race.html"])
    assert [(view["key"], view["line"]) for view in said["views"]] == [(one.key, one.script) for one in LESSON.moments]
    films = {f"films/{view['file']}.{look}.js" for view in said["views"] for look in LOOKS}
    assert films == {name for name in texts if name.startswith("films/") and ".below" not in name}
    assert texts[pages.PLOTLY] == plotly_script()
    for name in (one for one in texts if one.endswith(".html")):  # nothing comes from a network
        local = re.findall(r'<(?:script|link)[^>]* (?:src|href)="([^"]*)"', texts[name])
        assert all(one in texts or one.startswith("data:") for one in local)
        elsewhere = r"""((src|href)\s*=|url\(|@import)\s*["']?(https?:)?//"""
        assert not re.search(elsewhere, texts[name])
        assert "default-src 'none'" in texts[name] and "connect-src" not in texts[name]


def test_course_asks_before_it_tells() -> None:
    lesson, bet = BY_KEY["drift"], BY_KEY["drift"].bet
    every = build.packed(SHORT, LESSONS)
    assert [view.key for view in every] == [ASKED, TOLD, "jumps"]
    packed, missing = build.archive(
        SHORT, LESSONS, {view: {f"{view.file}.{look}": "x" for look in LOOKS} for view in every}
    )
    texts = files(packed)
    keys = [(step["file"], step.get("view"), step.get("plays")) for step in contents(texts["index.html"])["walks"][""]]
    asked = [("drift.html", ASKED, False), ("drift.html", TOLD, False), ("race.html", "jumps", True)]
    assert missing == [] and keys == [("index.html", None, None), *asked, ("seen.html", None, None)]
    assert f"<h1>{SHORT.title}</h1>" in texts["index.html"] and SHORT.promise in texts["index.html"]
    assert contents(texts["drift.html"])["bet"]["options"] == dict(bet.options)
    for name in ("index.html", "drift.html"):
        assert bet.why not in texts[name] and answers.in_words(lesson, [texts[name]]) == set()
    assert escape(bet.why) in texts["seen.html"]


def test_refused_moment_is_named_and_left_out() -> None:
    def refused(values: Values, t: int, theme: Theme) -> Scene:
        raise ValueError("Nothing was <played>.")

    lessons = [replace(one, scene=refused) if one.key == "race" else one for one in LESSONS]
    course = build.chosen(["drift.budget", "race.jumps"], lessons)
    budget, jumps = build.packed(course, lessons)
    results = {budget: {f"{budget.file}.{look}": "x" for look in LOOKS}, jumps: outcome(jumps)}
    packed, (said,) = build.archive(course, lessons, results)
    texts = files(packed)
    assert "The race, Still against jumps, is left out: Nothing was <played>." in said
    assert escape(said) in texts["index.html"] and "race.html" not in texts
    assert [step["file"] for step in contents(texts["index.html"])["walks"][""]] == [
        "index.html",
        "drift.html",
        "seen.html",
    ]
    _, (said,) = build.archive(course, lessons, results | {jumps: Failure("KeyError")})
    assert "could not be drawn" in said and "KeyError" not in said


# Workers, the drawer and the command line ----------------------------------------------------------------------------


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    """Runs of a server of its own, with one worker."""
    found = Runs(1)
    monkeypatch.setattr(run_panel, "RUNS", found)
    monkeypatch.setattr(__main__, "RUNS", found)  # it closes them at its end
    yield found
    found.close()


@pytest.mark.slow
def test_worker_that_writes_films_imports_no_streamlit() -> None:
    script = "import sys\nfrom shell.static import captions, csv, view\n"
    script += "from shell.runs import jobs\nfrom shell.stage import film_message\nprint('streamlit' in sys.modules)"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stdout + done.stderr[-2000:]


def saved(at: AppTest) -> bool:
    return any(b.proto.id.endswith("pack_save") for b in at.get("download_button"))


@pytest.mark.slow
def test_drawer_makes_a_pack_or_cancels_it(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    at = opened(LESSON.file)
    at.session_state["drawer_export"] = True
    at.run()
    assert at.multiselect(key="pack_moments").value == MOMENTS
    assert any("A pack leaves out what only the app can do" in one.value for one in at.caption)
    at.multiselect(key="pack_moments").set_value(["race.deng", "race.jumps"]).run()
    with monkeypatch.context() as patch:
        patch.setattr(runs, "poll", lambda order: {})  # nothing is submitted, so the order cannot be over before
        at.button(key="pack_make").click().run()
        assert not at.exception and not saved(at)
        at.button(key="pack_cancel").click().run()
    assert not at.exception and not saved(at) and at.button(key="pack_make")
    assert any("was stopped; nothing was kept" in info.value for info in at.info)
    at.button(key="pack_make").click().run()
    start = monotonic()
    while not saved(at):
        assert not at.exception and monotonic() - start < PATIENCE
        at.run()
    name, packed, missing = session_of(at).pack
    assert name == "race.jumps-race.deng.zip" and missing == []
    assert [view["key"] for view in contents(files(packed)["race.html"])["views"]] == ["jumps", "deng"]
    assert not session_of(at).run_sets["pack"].results  # the zip holds them


@pytest.mark.slow
def test_command_writes_a_lecture_or_course(
    runs: Runs, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__main__.COURSES, "short", SHORT)
    monkeypatch.setattr(runs, "close", lambda: None)
    monkeypatch.chdir(tmp_path)
    for words, count, out in (
        (["--moments", "race.jumps", "--out", "lecture.zip"], 1, "lecture.zip"),
        (["--course", "short"], 3, "course-short.zip"),
    ):
        assert __main__.main(words) == 0
        told = capsys.readouterr().out.splitlines()
        assert told[0].startswith("A pack leaves out") and told[-1].startswith(f"{out}: {count} of {count} films")
        assert len(contents(files(Path(out).read_bytes())["index.html"])["walks"][""]) == count + 2
