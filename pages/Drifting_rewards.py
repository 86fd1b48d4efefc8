"""Drifting rewards: how much has a drifting reward changed in total?"""

from lessons import LESSONS
from lessons.drift.lesson import LESSON
from shell.page.lesson_page import lesson_page

lesson_page(LESSON, LESSONS)
