"""The race: who should I bet on if the world might move?"""

from lessons import LESSONS
from lessons.race.lesson import LESSON
from shell.page.lesson_page import lesson_page

lesson_page(LESSON, LESSONS)
