"""Every page says what a reader knows now, and asks two questions whose answers stand behind a click."""

from __future__ import annotations

import pytest

from answers.drawers import KNOW, LOOKING, MATHS, OWN, QUESTION, TITLES, help_texts
from lessons import LESSONS
from lessons.record import Lesson

MOST_WORDS = 45  # of what a reader knows now: it is read in a breath


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_page_says_what_is_known_now(lesson: Lesson) -> None:
    title, text = help_texts(lesson)[KNOW]
    assert TITLES[title] == KNOW and 8 <= len(text.split()) <= MOST_WORDS and text.strip().endswith(".")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_page_asks_two_questions(lesson: Lesson) -> None:
    texts = help_texts(lesson)
    asked = [one for key, one in texts.items() if key.startswith(QUESTION)]
    assert len(asked) == 2 and all(title.endswith("?") and text.strip().endswith(".") for title, text in asked)
    assert texts.keys() - {LOOKING, KNOW, MATHS, OWN} == {key for key in texts if key.startswith(QUESTION)}
