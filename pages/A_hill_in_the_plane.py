"""A hill in the plane: how do you follow a peak that moves in two dimensions?"""

from lessons import LESSONS
from lessons.plane.lesson import LESSON
from shell.page.lesson_page import lesson_page

lesson_page(LESSON, LESSONS)
