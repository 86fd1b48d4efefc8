"""Forgetting: how much of the past should a learner keep?"""

from answers.state import State
from lessons import LESSONS
from lessons.forgetting.lesson import LESSON
from lessons.forgetting.scene import RUNS, STAGE_RUNS
from shell.page.lesson_page import draw_lesson, lesson_page
from shell.page.page import LessonPage


def body(page: LessonPage) -> State:
    """Draw the lesson; other methods and worlds are played once their drawer shows them."""
    return draw_lesson(page, plan=RUNS if page.is_open("every") else STAGE_RUNS)


lesson_page(LESSON, LESSONS, body)
