"""A page opens with few words beside its picture."""

from __future__ import annotations

import pytest

from lessons import LESSONS
from lessons.record import Lesson
from tests.first_screen import first_screen, words

MOST, MOST_OF_HEADLINE = 60, 16  # words


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_first_screen_has_few_words(lesson: Lesson) -> None:
    found = first_screen(lesson)
    assert sum(found.values()) <= MOST, found
    assert 0 < found["headline"] <= MOST_OF_HEADLINE or lesson.scene is None, found


def test_numbers_and_marks_are_no_words() -> None:
    assert words("In **96 of 100** worlds: <b>the band</b> misses by $t$ = 70, ±0.2.") == 8
