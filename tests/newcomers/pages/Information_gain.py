"""Information gain: how much can a number of answers tell?"""

from lessons.gain.lesson import LESSON

from lessons import LESSONS
from shell.page.lesson_page import lesson_page

lesson_page(LESSON, LESSONS)
