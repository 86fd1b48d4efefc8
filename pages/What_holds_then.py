"""The page of What holds then?: which band keeps its promise while the reward moves?"""

from lessons import LESSONS
from lessons.online.lesson import LESSON
from shell.page.lesson_page import lesson_page

lesson_page(LESSON, LESSONS)
