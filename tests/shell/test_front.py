"""The front page is lesson 0 and a path: every lesson with its question and a moving picture, and the courses."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from streamlit.testing.v1 import AppTest

from lessons import BY_KEY, LESSONS
from lessons.record import GROUPS, label_of
from shell import pictures
from shell.course.courses import COURSES
from tests.shared import ROOT

HOME, *PATH = LESSONS
ROWS = {group: tuple(lesson.key for lesson in PATH if lesson.group == group) for group in GROUPS}


def test_pictures_keep_to_known_colours() -> None:
    known = set(re.findall(r"--[\w-]+(?=:)", (ROOT / "assets/colours.css").read_text("utf-8")))
    for file in pictures.FOLDER.rglob("*.svg"):
        inks = re.findall(r'(?:fill|stroke)="([^"]+)"', file.read_text("utf-8"))
        assert {*inks} - {"none"} <= {f"var({name})" for name in known}, file.name


def test_thumbnails_move_and_one_frame_rests() -> None:
    own = {file.stem for file in (pictures.FOLDER / "lessons").iterdir()} - {"plain"}
    assert own <= BY_KEY.keys()
    for key in own:
        picture = ElementTree.fromstring(pictures.thumbnail(key, 'A & "B"'))
        assert (picture.get("role"), picture.get("aria-label")) == ("img", 'Thumbnail of A & "B"')
        frames = [part for part in picture if "frame" in part.get("class", "")]
        assert [part.get("style") for part in frames] == [f"--i:{i}" for i in range(12)], key
        assert sum("rest" in part.get("class") for part in frames) == 1, key


def test_lesson_without_picture_gets_the_plain_one() -> None:
    assert pictures.thumbnail("unheard_of", "Some") == pictures.svg(pictures.PLAIN, "Thumbnail of Some")


def opened(**words: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    at.query_params.update(words)
    assert not at.run().exception
    return at


def beginnings(at: AppTest) -> list:
    return [e.proto for e in at.get("page_link") if e.proto.label.startswith("Start here")]


def test_path_holds_every_lesson_once() -> None:
    assert (HOME.key, HOME.file, HOME.group) == ("chase", "home.py", "")
    assert sorted(key for keys in ROWS.values() for key in keys) == sorted(lesson.key for lesson in PATH)
    assert list(ROWS) == ["See it", "Understand it", "Check it"]
    at, order = opened(), [BY_KEY[key] for keys in ROWS.values() for key in keys]
    words = [m.value for m in at.markdown]
    assert [word for word in words if word in {lesson.question for lesson in PATH}] == [one.question for one in order]
    labels = [e.proto.label for e in at.get("page_link")]
    assert [label for label in labels if label.startswith("**")] == [f"**{label_of(one, LESSONS)}**" for one in order]
    links = [e.proto for e in at.get("page_link") if "stop=0" in e.proto.query_string]
    assert [link.query_string.split("&")[:2] for link in links] == [[f"course={key}", "stop=0"] for key in COURSES]
    assert all(one.title.split(":")[0] in link.label for one, link in zip(COURSES.values(), links, strict=True))
    (one,) = beginnings(at)  # of a newcomer: the game of the beginners' course
    assert COURSES["hour"].stops[0].lesson == "game"
    assert (BY_KEY["game"].knobs["rounds"].default, one.label) == (12, "Start here: play twelve rounds")
    assert one.page == "You_against_the_bandits" and one.query_string.split("&")[:2] == ["course=hour", "stop=1"]
    at.session_state["menu"] = True
    labels = [e.proto.label for e in at.run().get("page_link")][1:]  # after the beginning, which is the page's
    assert labels[: len(LESSONS)] == [label_of(one, LESSONS) for one in (HOME, *order)]
    assert [c.value for c in at.caption if c.value in ROWS] == list(ROWS)


def test_who_walks_or_bets_has_begun() -> None:
    for words in ({"course": "twenty", "stop": "3"}, {"course": "twenty", "stop": "2", "guess": "open"}):
        assert not beginnings(opened(**words)), words
    assert not beginnings(opened(guess="open"))


@pytest.mark.slow
def test_every_page_ends_with_its_neighbours() -> None:
    at = opened()
    for n, lesson in enumerate(LESSONS):
        at.switch_page(lesson.file).run(timeout=120)
        assert not at.exception
        labels = [e.proto.label for e in at.get("page_link") if e.proto.label.startswith(("Before: ", "Next: "))]
        beside = [*(("Before", one) for one in LESSONS[:n][-1:]), *(("Next", one) for one in LESSONS[n + 1 :][:1])]
        assert labels == [f"{word}: {label_of(one, LESSONS)}" for word, one in beside], lesson.key
