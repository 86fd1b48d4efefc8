"""Theorems: is this already as good as possible, or is there room to improve?"""

from lessons import LESSONS
from lessons.theorems.lesson import LESSON
from shell.page.lesson_page import lesson_page

lesson_page(LESSON, LESSONS)
