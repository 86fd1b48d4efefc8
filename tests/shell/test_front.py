"""The front page is lesson 0 and a path: every lesson with its question and a moving picture, and the courses."""

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
from lessons import BY_KEY, LESSONS
from lessons.record import GROUPS, Sketch, Stroke, label_of
from lessons.shared.sketch import FRAMES
from shell import thumbnail, thumbnails
from shell.course.courses import COURSES

ROOT = Path(__file__).resolve().parents[2]
HOME, *PATH = LESSONS
ROWS = {group: tuple(lesson.key for lesson in PATH if lesson.group == group) for group in GROUPS}
every_lesson = pytest.mark.parametrize("lesson", PATH, ids=lambda lesson: lesson.key)


def strokes(sketch: Sketch) -> list[Stroke]:
    return [*sketch.still, *(stroke for frame in sketch.frames for stroke in frame)]


@every_lesson
def test_a_sketch_has_a_dozen_frames_inside_the_unit_square(lesson) -> None:
    sketch = thumbnails.sketch(lesson)
    assert len(sketch.frames) == FRAMES and 0 <= sketch.rest < FRAMES
    for stroke in strokes(sketch):
        for values in (stroke.x, stroke.y):
            held = values[np.isfinite(values)]
            assert len(held) == 0 or (held.min() >= -1e-9 and held.max() <= 1 + 1e-9)  # rounding of a ratio


@every_lesson
def test_a_sketch_moves(lesson) -> None:
    drawn = [thumbnail.svg(Sketch((), (frame,), 0), Theme(), "") for frame in thumbnails.sketch(lesson).frames]
    assert len(set(drawn)) > 5


@pytest.mark.parametrize("dark", [False, True])
@every_lesson
def test_a_thumbnail_is_well_formed_says_what_it_is_and_shows_one_frame_at_rest(lesson, dark: bool) -> None:
    picture = ElementTree.fromstring(
        thumbnail.svg(thumbnails.sketch(lesson), Theme(dark=dark), "Thumbnail of a lesson")
    )
    assert picture.get("aria-label") == "Thumbnail of a lesson" and picture.get("role") == "img"
    frames = [g.get("class").split() for g in picture.iter() if g.tag == "g"]
    assert len(frames) == FRAMES and sum("rest" in names for names in frames) == 1
    assert not re.search(r"nan|inf", ElementTree.tostring(picture, encoding="unicode"))


def test_a_sketch_of_something_missing_is_no_picture() -> None:
    assert thumbnail.svg(Sketch((), (), 0), Theme(), "nothing") == ""


def test_the_sketch_of_the_race_ends_in_the_order_of_the_race() -> None:
    last = {s.role: s.y[-1] for s in thumbnails.sketch(BY_KEY["race"]).frames[-1]}
    assert last["TV-GP-UCB"] < last["GP-UCB"]  # in the jumping world, as page 4 says
    assert max(last.values()) == pytest.approx(1.0)


def test_the_sketch_of_the_bowl_rests_at_its_bottom() -> None:
    sketch = thumbnails.sketch(BY_KEY["forgetting"])
    heights = [frame[0].y[0] for frame in sketch.frames]
    assert heights[sketch.rest] == min(heights)


def opened() -> AppTest:
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60).run()
    assert not at.exception
    return at


def test_the_front_page_is_the_first_lesson_and_the_path_holds_every_other_one_once() -> None:
    assert (HOME.key, HOME.file, HOME.group) == ("chase", "home.py", "")
    assert sorted(key for keys in ROWS.values() for key in keys) == sorted(lesson.key for lesson in PATH)
    assert list(ROWS) == ["See it", "Understand it", "Check it"]
    assert ROWS["See it"] == ("game", "drift", "forgetting", "race", "bands")
    assert ROWS["Check it"] == ("reproductions", "microscope")


def test_the_path_names_each_lesson_in_the_order_of_its_rows_with_its_question() -> None:
    at = opened()
    words = [m.value for m in at.markdown]
    order = [BY_KEY[key] for keys in ROWS.values() for key in keys]
    assert [word for word in words if word in {lesson.question for lesson in PATH}] == [one.question for one in order]
    labels = [e.proto.label for e in at.get("page_link")]
    assert [label for label in labels if label.startswith("**")] == [f"**{label_of(one, LESSONS)}**" for one in order]


def test_the_front_page_links_the_title_of_every_course() -> None:
    at = opened()
    links = [e.proto for e in at.get("page_link") if "stop=0" in e.proto.query_string]
    assert [link.query_string.split("&")[:2] for link in links] == [[f"course={key}", "stop=0"] for key in COURSES]
    assert [course.title.split(":")[0] in link.label for course, link in zip(COURSES.values(), links, strict=True)] == [
        True
    ] * 3


def beginnings(at: AppTest) -> list:
    return [e.proto for e in at.get("page_link") if e.proto.label.startswith("Start here")]


def test_a_newcomer_has_one_beginning_which_is_the_game_of_the_beginners_course() -> None:
    (one,) = beginnings(opened())
    stop = COURSES["hour"].stops[0]
    rounds = BY_KEY[stop.lesson].knobs["rounds"].default
    assert stop.lesson == "game" and "rounds" not in BY_KEY["game"].moment(stop.moment).values
    assert (rounds, one.label) == (12, "Start here: play twelve rounds")
    assert one.page == "You_against_the_bandits" and one.query_string.split("&")[:2] == ["course=hour", "stop=1"]


@pytest.mark.parametrize(
    "words", [{"course": "twenty", "stop": "3"}, {"course": "twenty", "stop": "2", "guess": "open"}, {"guess": "open"}],
    ids=str,
)  # fmt: skip
def test_who_is_in_a_course_or_at_a_bet_has_begun(words: dict[str, str]) -> None:
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    for key, value in words.items():
        at.query_params[key] = value
    at.run()
    assert not at.exception and not beginnings(at)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_every_page_ends_with_the_lesson_before_and_the_next(lesson) -> None:
    at = opened()
    if lesson is not HOME:
        at.switch_page(lesson.file).run(timeout=120)
    assert not at.exception
    labels = [e.proto.label for e in at.get("page_link") if e.proto.label.startswith(("Before: ", "Next: "))]
    n = LESSONS.index(lesson)
    beside = [*(("Before", one) for one in LESSONS[:n][-1:]), *(("Next", one) for one in LESSONS[n + 1 :][:1])]
    assert labels == [f"{word}: {label_of(one, LESSONS)}" for word, one in beside]


def test_the_open_menu_shows_the_front_page_and_the_three_groups() -> None:
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    at.run()
    at.session_state["menu"] = True
    at.run()
    assert not at.exception
    labels = [e.proto.label for e in at.get("page_link")]
    order = [HOME.key, *(key for keys in ROWS.values() for key in keys)]
    labels = labels[1:]  # after the beginning, which is the page's
    assert labels[: len(order)] == [label_of(BY_KEY[key], LESSONS) for key in order]
    assert [c.value for c in at.caption if c.value in ROWS] == list(ROWS)


@pytest.mark.wide
def test_a_fresh_process_opens_home_and_turns_to_every_page() -> None:
    script = """
from pathlib import Path
from streamlit.testing.v1 import AppTest
from lessons.chase.lesson import LESSON
at = AppTest.from_file("home.py", default_timeout=120).run()
assert not at.exception and at.title[0].value == LESSON.question, at.exception
for page in sorted(Path("pages").glob("*.py")):
    at.switch_page(f"pages/{page.name}").run()
    assert not at.exception and at.title[0].value != LESSON.question, (page, at.exception)
    print(page.name)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(done.stdout.split()) == len(PATH) + 1  # and the glossary
