"""Settings of pages are few, and a link says which of its own are gone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from answers import controls, link
from lessons import LESSONS
from lessons.record import APART, Lesson, Values

MOST = 154  # of all pages, without those of bets and tasks
BESIDE, MORE = 5, 8  # controls of a page at one time: beside its picture, and under "More…"
# Lesson -> how many controls it may have instead, and why.
SET = "a world of set size has a drift budget and a norm besides"
EXCEPTIONS = {
    "race": ({controls.BELOW: 10}, SET),
    "rperp": ({controls.BELOW: 9}, "the width, a part of Theorem 4, decides whether anything is eliminated"),
}


def states(lesson: Lesson) -> Iterator[Values]:
    """Yield the prepared states of a page, and those in which one of its choices is another one."""
    opens = lesson.defaults
    yield opens
    yield from (opens | dict(one.values) for one in lesson.moments)
    yield from (opens | dict(one.solved_by) for one in lesson.tasks)
    if lesson.bet:
        yield opens | lesson.bet.opens_with
    for key, knob in lesson.knobs.items():
        if knob.widget in ("segmented", "select", "toggle") and key not in APART:
            yield from (opens | {key: one} for one in knob.options or (True, False))


def drawn(lesson: Lesson, place: str) -> int:
    """Return how many controls a page has in a place at most."""
    return max(
        len(group["knobs"])
        for values in states(lesson)
        for group in controls.groups(lesson, values)
        if group["place"] == place
    )


def test_pages_have_few_settings() -> None:
    count = {lesson.key: len(lesson.knobs.keys() - APART) for lesson in LESSONS}
    assert sum(count.values()) <= MOST, count


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_page_draws_few_controls(lesson: Lesson) -> None:
    more, why = EXCEPTIONS.get(lesson.key, ({}, ""))
    for place, most in ({controls.BESIDE: BESIDE, controls.BELOW: MORE} | more).items():
        assert drawn(lesson, place) <= most, (place, why)
    assert all(drawn(lesson, place) == most for place, most in more.items())  # no exception that is not needed


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_no_quantity_has_two_controls(lesson: Lesson) -> None:
    for values in states(lesson):
        acting = [knob for knob in lesson.knobs.values() if knob.acts_at(values)]
        letters = Counter(letter for knob in acting for letter in re.findall(r"\$(.+?)\$", knob.words))
        assert all(count == 1 for count in letters.values()), letters


@pytest.mark.parametrize("lesson", [one for one in LESSONS if one.former], ids=lambda lesson: lesson.key)
def test_link_names_settings_that_are_gone(lesson: Lesson) -> None:
    everywhere = {key for one in LESSONS for key in one.knobs}
    assert not lesson.former & lesson.knobs.keys()
    for word in lesson.former:
        found = link.read(lesson, {word: ["3"], "seed": ["5"]}, everywhere)
        assert found.wrong == [f"“{word}” (this page no longer has it)"]
        assert word not in link.opens_with(lesson, found)[0] and found.given.get("seed", 5) == 5
