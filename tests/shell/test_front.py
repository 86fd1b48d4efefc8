"""The front page is a map: every lesson with its question and a picture of its own, and three ways to start."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from figures.theme import Theme
from figures.thumbnail import Sketch, Stroke, svg
from lessons import LESSONS
from lessons.shared.sketch import FRAMES
from lessons.tours import TOURS

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = [chapter.number for chapter in LESSONS]
MOMENTS = {chapter.number: len(chapter.moments) for chapter in LESSONS}


def sketch(number: int) -> Sketch:
    """Return the thumbnail of a lesson as strokes."""
    lesson = LESSONS[number - 1]
    return lesson.thumbnail(lesson.defaults)


def strokes(drawn: Sketch) -> list[Stroke]:
    return [*drawn.still, *(stroke for frame in drawn.frames for stroke in frame)]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_sketch_has_a_dozen_frames_inside_the_unit_square(number: int) -> None:
    drawn = sketch(number)
    assert len(drawn.frames) == FRAMES and 0 <= drawn.rest < FRAMES
    for stroke in strokes(drawn):
        for values in (stroke.x, stroke.y):
            held = values[np.isfinite(values)]
            assert len(held) == 0 or (held.min() >= -1e-9 and held.max() <= 1 + 1e-9)  # rounding of a ratio


@pytest.mark.parametrize("number", NUMBERS)
def test_a_sketch_moves(number: int) -> None:
    drawn = [svg(Sketch((), (frame,), 0), Theme(), "") for frame in sketch(number).frames]
    assert len(set(drawn)) > 5


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_thumbnail_is_well_formed_says_what_it_is_and_shows_one_frame_at_rest(number: int, dark: bool) -> None:
    picture = ElementTree.fromstring(svg(sketch(number), Theme(dark=dark), "Thumbnail of a lesson"))
    assert picture.get("aria-label") == "Thumbnail of a lesson" and picture.get("role") == "img"
    frames = [g.get("class").split() for g in picture.iter() if g.tag == "g"]
    assert len(frames) == FRAMES and sum("rest" in names for names in frames) == 1
    assert not re.search(r"nan|inf", ElementTree.tostring(picture, encoding="unicode"))


def test_a_sketch_of_something_missing_is_no_picture() -> None:
    assert svg(Sketch((), (), 0), Theme(), "nothing") == ""


def test_the_sketch_of_the_race_ends_in_the_order_of_the_race() -> None:
    last = {s.role: s.y[-1] for s in sketch(4).frames[-1]}
    assert last["TV-GP-UCB"] < last["GP-UCB"]  # in the jumping world, as page 4 says
    assert max(last.values()) == pytest.approx(1.0)


def test_the_sketch_of_the_bowl_rests_at_its_bottom() -> None:
    drawn = sketch(6)
    heights = [frame[0].y[0] for frame in drawn.frames]
    assert heights[drawn.rest] == min(heights)


def test_three_tours_take_the_minutes_that_they_promise() -> None:
    assert [tour.minutes for tour in TOURS] == [5, 15, 45]


def test_every_stop_of_a_tour_is_a_prepared_moment_and_comes_once() -> None:
    for tour in TOURS:
        places = [(stop.lesson, stop.moment) for stop in tour.stops]
        assert len(set(places)) == len(places)
        assert all(1 <= moment <= MOMENTS[lesson] for lesson, moment in places)


def test_the_whole_lecture_follows_the_lessons_in_their_order() -> None:
    places = [(stop.lesson, stop.moment) for stop in TOURS[-1].stops]
    assert places == sorted(places)
    assert {lesson for lesson, _ in places} >= set(range(1, 10))


def test_the_front_page_asks_every_question() -> None:
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60).run()
    assert not at.exception
    words = " ".join(m.value for m in at.markdown)
    assert all(chapter.question in words for chapter in LESSONS)
    assert TOURS[0].promise in words


def test_the_front_page_links_every_stop_of_every_tour_in_order() -> None:
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60).run()
    for tour in TOURS:
        at.session_state["minutes"] = tour.minutes
        at.run()
        assert not at.exception and tour.promise in " ".join(m.value for m in at.markdown)
        links = [e.proto.label for e in at.get("page_link") if e.proto.label.endswith(" min")]
        assert [label.split()[0].strip("*") for label in links] == [str(stop.lesson) for stop in tour.stops]
        assert [label.split()[-2] for label in links] == [str(stop.minutes) for stop in tour.stops]


def test_a_fresh_process_opens_home_and_turns_to_every_page() -> None:
    script = """
from pathlib import Path
from streamlit.testing.v1 import AppTest
at = AppTest.from_file("home.py", default_timeout=120).run()
assert not at.exception and at.title[0].value == "When the best action keeps moving", at.exception
for page in sorted(Path("pages").glob("*.py")):
    at.switch_page(f"pages/{page.name}").run()
    assert not at.exception and at.title[0].value != "When the best action keeps moving", (page, at.exception)
    print(page.name)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(done.stdout.split()) == len(LESSONS) == 11
