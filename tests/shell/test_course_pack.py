"""A course as a folder: its pages in the course's order, a question without its answer, one button through all."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from pathlib import Path

import pytest

from lessons import BY_KEY, LESSONS, __main__
from shell.course.courses import COURSES, Course, Stop
from shell.export import course_pack, lecture_pack
from shell.runs import Runs
from tests.shell.test_lecture_pack import contents, files

SHORT = Course("short", "Two stops", "A question, and a film.", (Stop("chase"), Stop("race", "jumps", plays=True)))


@pytest.mark.parametrize("course", COURSES.values(), ids=COURSES)
def test_every_stop_is_a_page_and_a_question_is_two(course: Course) -> None:
    found = course_pack.entries(course, LESSONS)
    wanted = [
        (at, stop.lesson, place)
        for at, stop in enumerate(course.stops, start=1)
        for place in ((1, 2) if stop.asks else (1,))
    ]
    assert [(entry.place[0], entry.lesson.key, entry.place[1]) for entry in found] == wanted
    assert len({entry.file for entry in found}) == len(found) == len({entry.name for entry in found})
    assert sorted(entry.file for entry in found) == [entry.file for entry in found]  # a folder lists them in order
    shown = lecture_pack.jobs(found, walks=True)
    ways = [dict(job.links) for job in shown]
    assert [way["n"] for way in ways] == [*(job.entry.file for job in shown[1:]), "index.html"]
    assert all(job.walks for job in shown)


def test_a_question_of_a_pack_holds_nothing_of_its_answer_and_the_next_page_plays_on_from_there() -> None:
    question, truth, film = (zlib.decompress(job.perform()).decode() for job in lecture_pack.jobs(_short(), walks=True))
    bet = BY_KEY["chase"].bet
    told = BY_KEY["chase"].truth(BY_KEY["chase"].settings(bet.values), bet)
    assert bet.question in question and all(said in question for said in bet.options.values())
    assert told.sentence in truth and told.sentence not in question
    assert not any(number in question.partition("lab-message")[0] for number in told.numbers.values())
    asked, answered, played = map(contents, (question, truth, film))
    assert asked["end"] is None and 0 < answered["said"]["start"] < answered["end"]
    assert played["said"]["start"] == 0 < played["end"] and played["walks"]
    assert "Page Down does the next thing" in question


def _short() -> list[lecture_pack.PackEntry]:
    return course_pack.entries(SHORT, LESSONS)


def test_the_index_is_the_title_and_tells_no_answer() -> None:
    wanted = _short()
    results = dict.fromkeys(lecture_pack.jobs(wanted, walks=True), zlib.compress(b"a page"))
    text = files(lecture_pack.archive(wanted, results, SHORT))["index.html"]
    assert f"<h1>{SHORT.title}</h1>" in text and SHORT.promise in text and not re.search("@[A-Z]+@", text)
    assert "What happened" in text and BY_KEY["chase"].bet.why not in text


def test_the_command_line_writes_a_course_and_names_those_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(__main__, "RUNS", Runs(1))  # it closes them at its end
    monkeypatch.setitem(__main__.COURSES, "short", SHORT)
    out = tmp_path / "course.zip"
    assert __main__.main(["--course", "short", "--out", str(out)]) == 0
    assert "3 of 3 moments" in capsys.readouterr().out
    with zipfile.ZipFile(io.BytesIO(out.read_bytes())) as box:
        assert [name for name in box.namelist() if name.endswith(".html")] == [
            "index.html",
            *(entry.file for entry in _short()),
        ]
    with pytest.raises(SystemExit):
        __main__.main(["--course", "gone"])
    assert "twenty" in capsys.readouterr().err
