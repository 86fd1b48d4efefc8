"""Drifting rewards: how much has a drifting reward changed in total?"""

from lessons import LESSONS
from lessons.drift import words
from lessons.drift.lesson import LESSON
from shell.notation.translate import caption
from shell.page.lesson_page import Tables, draw_lesson, lesson_page
from shell.page.page import LessonPage


def body(page: LessonPage) -> Tables:
    """Draw the lesson; where the drift budget cannot be set, its slider says why."""
    return draw_lesson(page, lambda: None if page.acting(("V",)) else caption(words.no_budget(page.values)))


lesson_page(LESSON, LESSONS, body)
