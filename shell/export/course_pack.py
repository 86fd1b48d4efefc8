"""Courses as packs: a folder that opens from a stick, without a network, and is walked with the one button.

A stop that asks is two pages: the question, whose file holds nothing of its answer, and what happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from lessons.record import Lesson, Moment
from shell.course.courses import BET, Course, Stop
from shell.export.lecture_pack import PackEntry

QUESTION, TRUTH = "A question", "What happened"  # titles of the two pages


def entries(course: Course, lessons: Sequence[Lesson]) -> list[PackEntry]:
    """Return the pages of a course in their order."""
    numbered = {lesson.key: (number, lesson) for number, lesson in enumerate(lessons)}
    found: list[PackEntry] = []
    for at, stop in enumerate(course.stops, start=1):
        number, lesson = numbered[stop.lesson]
        found += _asked(lesson, number, at) if stop.asks else [_shown(lesson, number, at, stop)]
    return found


def _shown(lesson: Lesson, number: int, at: int, stop: Stop) -> PackEntry:
    return PackEntry(lesson, lesson.moment(stop.moment), (at, 1), number, begins=stop.begins if stop.plays else None)


def _asked(lesson: Lesson, number: int, at: int) -> list[PackEntry]:
    """Return the question of a bet and its answer."""
    bet = lesson.bet
    assert bet is not None
    answers = " · ".join(f"{i} {said}" for i, said in enumerate(bet.options.values(), start=1))
    question = Moment(BET, QUESTION, f"{bet.question.replace('$', '')} {answers}", bet.opens, bet.opens_with)
    truth = Moment("truth", TRUTH, "", bet.t, bet.values)
    return [
        PackEntry(lesson, question, (at, 1), number, of_bet=True),
        PackEntry(lesson, truth, (at, 2), number, of_bet=True, begins=bet.opens, told=partial(_told, lesson)),
    ]


def _told(lesson: Lesson) -> str:
    """Return what was measured, and why."""
    bet = lesson.bet
    return f"{lesson.truth(lesson.settings(bet.values), bet).whole} {bet.why}"
