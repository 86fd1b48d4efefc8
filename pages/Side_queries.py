"""Side queries: if I may re-ask old questions, how few re-asks are enough?"""

from lessons import LESSONS
from lessons.side_queries.lesson import LESSON
from shell.page.lesson_page import lesson_page

lesson_page(LESSON, LESSONS)
