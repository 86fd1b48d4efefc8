"""The front page is lesson 0 and a path: every lesson with its question and a moving picture, and the courses."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from figures.theme import Theme
from lessons import BY_KEY, LESSONS
from lessons.record import Sketch
from lessons.shared.sketch import FRAMES
from shell import thumbnail, thumbnails
from tests.shared import ROOT


def test_thumbnail_moves_inside_its_frame() -> None:
    for lesson in LESSONS[1:]:
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


def test_who_walks_or_bets_has_begun() -> None:
    for words in ({"course": "twenty", "stop": "3"}, {"course": "twenty", "stop": "2", "guess": "open"}):
        assert not beginnings(opened(**words)), words
    assert not beginnings(opened(guess="open"))
