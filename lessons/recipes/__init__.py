"""This figure as Python: for every lesson and every setting a short script on tvbo_core that prints its numbers.

A script writes out what the visitor chose, so it depends on no default of a page, and it imports nothing of the
screen. tests/test_recipes.py runs every one and lays its numbers beside those that the page shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shell.page import Lesson
from lessons.recipes import exact, first, races, stepped, tables
from lessons import LESSONS

Values = dict[str, object]
RECIPES: Mapping[int, Callable[[Values, int], str | None]] = {
    1: first.drift,
    2: first.bands,
    3: stepped.rperp,
    4: races.race,
    5: exact.theorems,
    6: races.forgets,
    7: races.questions,
    8: tables.real_data,
    9: tables.reproductions,
    10: exact.microscope,
    11: races.game,
}


def script(number: int, state: Mapping[str, object]) -> str | None:
    """The script of a lesson's figure at these settings.

    Args:
        number: of the lesson.
        state: key of a knob -> its value, and "t", the time shown; what is missing is the lesson's default.
    Returns:
        at most `code.MOST` lines; None where there is nothing to run (no such lesson, or nobody can race there).
    """
    lesson = next((one for one in LESSONS if one.number == number), None)
    if lesson is None or number not in RECIPES:
        return None
    t = state.get("t")
    return RECIPES[number](settings(lesson, state), int(lesson.t if t is None else t))


def settings(lesson: Lesson, state: Mapping[str, object]) -> Values:
    """Every knob's value: the visitor's, or the lesson's default where the visitor has none."""
    values = {}
    for key, knob in lesson.knobs.items():
        value = state.get(key)
        value = tuple(value) if isinstance(value, list) else value
        values[key] = knob.default if value is None or value == () else value
    return values
