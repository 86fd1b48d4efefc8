"""Packs of a lecture and of a course: entries and order, pages as on the screen, moments or workers that fail."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path
from time import monotonic

import pytest
from streamlit.testing.v1 import AppTest

from common.markup import plain_markdown
from figures.theme import Theme
from lessons import BY_KEY, LESSONS, __main__
from lessons.race.lesson import LESSON
from lessons.record import Scene, Values, number_of
from shell.export import captions, course_pack, lecture_pack, offline_page
from shell.export.snapshot import of_scene, written
from shell.hall.course.courses import Course, Stop
from shell.runs import run_panel
from shell.runs.jobs import Failure, outcome
from shell.runs.runs import Runs
from shell.server.scripts import plotly_script
from tests.lessons.shown import drawn, opened
from tests.lessons.shown import of_scene as of_page
from tests.shared import ROOT, open_closers, session_of

RACE_PAGE = LESSON.file
MOMENTS = [f"race.{moment.key}" for moment in LESSON.moments]
SHORT = Course("short", "Two stops", "A question, and a film.", (Stop("chase"), Stop("race", "jumps", plays=True)))
PATIENCE = 300.0  # seconds that a busy machine may take to start workers


@cache
def made() -> tuple[bytes, list[lecture_pack.PackEntry]]:
    """Return the pack of the race's moments, asked for in the wrong order, and its entries."""
    wanted = lecture_pack.chosen(MOMENTS[::-1], LESSONS)
    return lecture_pack.archive(wanted, {job: job.perform() for job in lecture_pack.jobs(wanted)}), wanted


def files(packed: bytes) -> dict[str, str]:
    """Return the pages of a pack by name."""
    with zipfile.ZipFile(io.BytesIO(packed)) as box:
        assert box.testzip() is None
        return {name: box.read(name).decode() for name in box.namelist() if name.endswith(".html")}


def contents(page: str) -> dict:
    """Return the data of an offline page: charts, sentences, links."""
    return json.loads(re.search(r'<script type="application/json" id="lab-page">(.*?)</script>', page, re.DOTALL)[1])


# Entries -------------------------------------------------------------------------------------------------------------


def test_missing_moment_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for names, said in ((["99.1"], "no moment 99.1"), (["race"], "no moment race"), ([], "No moment was")):
        with pytest.raises(ValueError, match=said) as refused:
            lecture_pack.chosen(names, LESSONS)
        assert "drift.budget" in str(refused.value) and "\n" not in str(refused.value)
    for words, said in ((["--moments", "chase.gone"], "no moment chase.gone"), (["--course", "gone"], "twenty")):
        with pytest.raises(SystemExit):
            __main__.main(words)
        assert said in capsys.readouterr().err


# A pack --------------------------------------------------------------------------------------------------------------


def test_pack_holds_index_and_moments_in_order() -> None:
    packed, wanted = made()
    texts, names = files(packed), [entry.file for entry in wanted]
    with zipfile.ZipFile(io.BytesIO(packed)) as box:
        assert box.namelist() == ["index.html", *names, offline_page.PLOTLY, offline_page.FONT]
        assert box.read(offline_page.PLOTLY) == plotly_script().encode()
    index = texts["index.html"]
    assert re.findall(r'href="(.*?)"', index) == names and captions.VERSION in index and LESSON.question in index
    places = [index.index(escape(entry.moment.script)) for entry in wanted]
    assert places == sorted(places)
    for number, (entry, name) in enumerate(zip(wanted, names, strict=True)):
        links = {"i": "index.html", **({"p": names[number - 1]} if number else {})}
        links |= {"n": names[number + 1]} if number + 1 < len(names) else {}
        assert contents(texts[name])["ways"] == links
        assert all(f'href="{file}"' in texts[name] for file in links.values())
        assert escape(entry.title) in texts[name] and escape(entry.moment.script) in texts[name]
    for text in texts.values():  # nothing comes from a network
        assert set(re.findall(r'<script[^>]* src="(.*?)"', text)) <= {offline_page.PLOTLY}
        elsewhere = r"""((src|href)\s*=|url\(|@import)\s*["']?(https?:)?//"""
        assert not re.search(elsewhere, text)
        assert "default-src 'none'" in text and "connect-src" not in text


def test_packed_moment_is_the_apps() -> None:
    moment = LESSON.moment("jumps")
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    session_of(at).keeps_snapshot = True
    open_closers(at).switch_page(RACE_PAGE)
    at.query_params.update(moment=moment.key, lecture="true", theme="light")
    shown = session_of(at.run()).snapshot
    assert not at.exception and not at.toast and at.session_state["moment"] == moment.key
    values = LESSON.settings(moment.values)
    scene = LESSON.scene(values, moment.t, Theme(lecture=True))
    packed = of_scene(LESSON, number_of(LESSON, LESSONS), scene, values, dark=False, lecture=True)
    assert list(packed.charts) == list(shown.charts) and drawn(at) == of_page(scene)
    assert [chart.alt for chart in packed.charts.values()] == [chart.alt for chart in shown.charts.values()]
    assert packed.reel.frame == shown.reel.frame and packed.reel.scene is scene
    assert packed.said == shown.said and packed.lecture and not packed.dark
    assert plain_markdown(packed.caption) == plain_markdown(shown.caption)
    assert packed.settings == written(LESSON.knobs, at.session_state)
    page = files(made()[0])[made()[1][LESSON.moments.index(moment)].file]
    assert contents(page)["charts"] == list(shown.charts)


def test_packed_question_holds_nothing_of_its_answer() -> None:
    wanted = course_pack.entries(SHORT, LESSONS)
    jobs = lecture_pack.jobs(wanted, walks=True)
    question, truth, film = (zlib.decompress(job.perform()).decode() for job in jobs)
    bet = BY_KEY["chase"].bet
    told = BY_KEY["chase"].truth(BY_KEY["chase"].settings(bet.values), bet)
    assert bet.question in question and all(said in question for said in bet.options.values())
    assert told.sentence in truth and told.sentence not in question
    assert not any(number in question.partition("lab-message")[0] for number in told.numbers.values())
    asked, answered, played = map(contents, (question, truth, film))
    assert asked["end"] is None and 0 < answered["said"]["start"] < answered["end"]
    assert played["said"]["start"] == 0 < played["end"] and played["walks"]
    text = files(lecture_pack.archive(wanted, dict.fromkeys(jobs, zlib.compress(b"a page")), SHORT))["index.html"]
    assert f"<h1>{SHORT.title}</h1>" in text and SHORT.promise in text and not re.search("@[A-Z]+@", text)
    assert "What happened" in text and bet.why not in text


# Moments without a page ----------------------------------------------------------------------------------------------


def test_refused_moment_has_a_page_that_says_so() -> None:
    def refused(values: Values, t: int, theme: Theme) -> Scene:
        raise ValueError("Nothing was <played>.")

    wanted = lecture_pack.chosen(["all"], [replace(LESSON, scene=refused)])
    results = {job: outcome(job) for job in lecture_pack.jobs(wanted)}
    assert all(isinstance(result, Failure) and result.refused for result in results.values())
    results[next(iter(results))] = zlib.compress(b"a page")
    texts = files(lecture_pack.archive(wanted, results))
    first, second = wanted[:2]
    assert set(texts) == {"index.html", *(entry.file for entry in wanted)}  # neighbours link to each of them
    assert re.findall(r'href="(.*?)"', texts["index.html"]) == [first.file]
    for text in (texts["index.html"], texts[second.file]):
        assert "shows no figure before it is played" in text and "Nothing was &lt;played&gt;." in text
    assert 'href="index.html"' in texts[second.file]
    failed = lecture_pack.archive(wanted[:1], dict.fromkeys(lecture_pack.jobs(wanted[:1]), Failure("KeyError")))
    for text in files(failed).values():
        assert "could not be drawn" in text and "KeyError" not in text


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
def test_worker_that_writes_pages_imports_no_streamlit() -> None:
    script = "import sys\nfrom shell.export import captions, course_pack, csv, lecture_pack\n"
    script += "from shell import film_message, jobs\nprint('streamlit' in sys.modules)"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stdout + done.stderr[-2000:]


def saved(at: AppTest) -> bool:
    return any(b.proto.id.endswith("pack_save") for b in at.get("download_button"))


@pytest.mark.slow
def test_drawer_makes_a_pack_or_cancels_it(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    at = opened(RACE_PAGE)
    at.session_state["drawer_export"] = True
    at.run()
    assert at.multiselect(key="pack_moments").value == MOMENTS
    at.multiselect(key="pack_moments").set_value(["race.deng", "race.jumps"]).run()
    with monkeypatch.context() as patch:
        patch.setattr(runs, "look", lambda order: {})  # nothing is submitted, so the order cannot be over before
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
    wanted = lecture_pack.chosen(["race.jumps", "race.deng"], LESSONS)
    assert list(files(session_of(at).pack)) == ["index.html", *(entry.file for entry in wanted)]
    assert not session_of(at).run_sets["pack"].results  # the zip holds them


@pytest.mark.slow
def test_command_writes_a_lecture_or_course(
    runs: Runs, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__main__.COURSES, "short", SHORT)
    monkeypatch.setattr(runs, "close", lambda: None)
    out, course = tmp_path / "lecture.zip", [entry.file for entry in course_pack.entries(SHORT, LESSONS)]
    for words, count, pages in ((["--moments", "race.jumps"], 1, None), (["--course", "short"], 3, course)):
        assert __main__.main([*words, "--out", str(out)]) == 0
        assert f"{count} of {count} moments" in capsys.readouterr().out
        names = [name for name in files(out.read_bytes()) if name != "index.html"]
        assert len(names) == count and names == (pages or names)
