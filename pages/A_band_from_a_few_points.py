"""A band from a few points: how do a few noisy observations become an estimate and a band?"""

from lessons import LESSONS
from lessons.points.lesson import LESSON
from shell.page.lesson_page import lesson_page

lesson_page(LESSON, LESSONS)
