"""R-PERP, step by step: why would anyone shuffle the order of their experiments?"""

from answers.state import State
from lessons import LESSONS
from lessons.rperp.lesson import LESSON
from shell.page.lesson_page import draw_lesson, lesson_page
from shell.page.page import LessonPage
from shell.stage.player import screens


def body(page: LessonPage) -> State:
    """Draw the lesson and return the state that is shown; its stage has many words in either view."""
    screens(1, many=True)
    return draw_lesson(page)


lesson_page(LESSON, LESSONS, body)
