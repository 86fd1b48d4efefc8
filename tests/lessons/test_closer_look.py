"""Below the stage every chart lies in a drawer that is closed until it is wanted, and a closed drawer holds nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from figures.theme import Theme
from lessons import BY_KEY, LESSONS
from lessons.record import ROOT, Lesson
from tests.lessons.shown import charts, film, opened, raw_film, still_films
from tests.shared import CLOSERS

APART = ("chase", "game", "reproductions", "microscope")  # stages of their own; pages that referees read to the end
PAGES = [lesson for lesson in LESSONS if lesson.key not in APART]


@pytest.mark.parametrize("lesson", PAGES, ids=lambda one: one.key)
def test_a_page_opens_with_its_stage_alone_and_its_drawers_hold_every_other_chart(lesson: Lesson) -> None:
    closed = opened(lesson.file, closed=True)
    assert not closed.exception and set(still_films(closed)) == {"main"}
    every = opened(lesson.file)
    assert not every.exception
    scene = lesson.scene(lesson.defaults, lesson.t, Theme())
    assert set(charts(every)) == {*scene.films, *scene.stills}


def test_the_tests_know_every_drawer() -> None:
    named = set()
    for page in (Path(ROOT) / "pages").glob("*.py"):
        source = page.read_text(encoding="utf-8")
        named |= set(re.findall(r'visit\.closer\(scene, \("(\w+)"', source))
        named |= set(re.findall(r'visit\.drawer\([\w.]+, "(\w+)"', source))
        named |= {keys.split('"')[1] for keys in re.findall(r"for keys? in \((.*)\):", source) if '"' in keys}
    assert named - {"main"} <= set(CLOSERS) and len(named) > 12


@pytest.mark.parametrize(
    ("key", "link", "drawn"),
    [
        ("bands", {"place": "0.25"}, "glass"),
        ("race", {"pin1": "sw"}, "looks"),
        ("side_queries", {"budget": "2000"}, "plan"),
    ],
)
def test_a_link_that_sets_a_knob_of_a_drawer_opens_it(key: str, link: dict, drawn: str) -> None:
    at = opened(BY_KEY[key].file, closed=True, **link)
    assert not at.exception and drawn in still_films(at)


def test_a_link_that_hides_the_drawers_hides_these_too() -> None:
    at = opened(BY_KEY["bands"].file, hide="drawers")
    assert not at.exception and [one.label for one in at.expander] == ["More…"]
    assert set(still_films(at)) == {"main"}


def test_the_film_of_a_page_holds_what_is_open_and_no_more() -> None:
    page = BY_KEY["forgetting"].file
    closed, every = opened(page, closed=True), opened(page)
    assert [one["key"] for one in film(closed)["charts"]] == ["main"]
    assert [one["key"] for one in film(every)["charts"]] == ["main", *BY_KEY["forgetting"].charts]
    assert len(raw_film(closed)) < 0.6 * len(raw_film(every))


def test_a_moment_opens_no_drawer() -> None:
    moment = next(one for one in BY_KEY["race"].moments if "pin1" in one.values)
    assert set(still_films(opened(BY_KEY["race"].file, closed=True, moment=moment.key))) == {"main"}
