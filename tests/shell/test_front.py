"""The front page is lesson 0 and a path: every lesson with its question and a moving picture, and the courses."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from figures.theme import Theme
from lessons import BY_KEY, LESSONS
from lessons.record import GROUPS, Sketch, label_of
from lessons.shared.sketch import FRAMES
from shell import thumbnail, thumbnails
from shell.course.courses import COURSES
from tests.shared import ROOT

HOME, *PATH = LESSONS
ROWS = {group: tuple(lesson.key for lesson in PATH if lesson.group == group) for group in GROUPS}


def test_thumbnail_moves_inside_its_frame() -> None:
    for lesson in PATH:
        sketch = thumbnails.sketch(lesson)
        assert len(sketch.frames) == FRAMES and 0 <= sketch.rest < FRAMES, lesson.key
        for stroke in (*sketch.still, *(stroke for frame in sketch.frames for stroke in frame)):
            for values in (stroke.x, stroke.y):
                held = values[np.isfinite(values)]
                assert len(held) == 0 or (held.min() >= -1e-9 and held.max() <= 1 + 1e-9)  # rounding of a ratio
        drawn = [thumbnail.svg(Sketch((), (frame,), 0), Theme(), "") for frame in sketch.frames]
        assert len(set(drawn)) > 5, lesson.key
        for dark in (False, True):
            picture = ElementTree.fromstring(thumbnail.svg(sketch, Theme(dark=dark), "Thumbnail of a lesson"))
            assert picture.get("aria-label") == "Thumbnail of a lesson" and picture.get("role") == "img"
            frames = [g.get("class").split() for g in picture.iter() if g.tag == "g"]
            assert len(frames) == FRAMES and sum("rest" in names for names in frames) == 1
            assert not re.search(r"nan|inf", ElementTree.tostring(picture, encoding="unicode"))
    assert thumbnail.svg(Sketch((), (), 0), Theme(), "nothing") == ""


def test_thumbnails_end_as_their_lessons_say() -> None:
    last = {s.role: s.y[-1] for s in thumbnails.sketch(BY_KEY["race"]).frames[-1]}
    assert last["TV-GP-UCB"] < last["GP-UCB"]  # in the jumping world
    assert max(last.values()) == pytest.approx(1.0)
    bowl = thumbnails.sketch(BY_KEY["forgetting"])
    heights = [frame[0].y[0] for frame in bowl.frames]
    assert heights[bowl.rest] == min(heights)


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
