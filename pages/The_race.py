"""The race: which algorithm wins if the reward may move?"""

from lessons import LESSONS
from lessons.race.lesson import LESSON
from shell.page.lesson_page import lesson_page

lesson_page(LESSON, LESSONS)
