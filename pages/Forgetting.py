"""Forgetting: how much of the past should a learner keep?"""

from lessons import LESSONS
from lessons.forgetting.lesson import LESSON
from shell.page.lesson_page import lesson_page

lesson_page(LESSON, LESSONS)
