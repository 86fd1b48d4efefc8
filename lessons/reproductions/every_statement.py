"""Every theorem, proposition, corollary, named lemma, algorithm, table and figure of the five papers, a line each.

The lines stand in every_statement.csv: "lessons" has the keys of the lessons that show the statement, "reproduced" how
it was reproduced or why not, "experiments" its stored runs, and "records" its keys in `THEOREMS` (or its stem)
or the microscope's `STATEMENTS`. Named lemmas are those that have a name in their paper or that a lesson uses.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from lessons.record import Lesson, number_of

FILE = Path(__file__).with_suffix(".csv")
EVERY_STATEMENT = "Every statement of the five papers"  # title of the table
SEVERAL = ("lessons", "experiments", "records")  # columns with words that are separated by spaces


def lines() -> list[dict]:
    """Return the columns of each line, in the order of the papers' numbers; those of `SEVERAL` are lists."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return [line | {key: line[key].split() for key in SEVERAL} for line in csv.DictReader(file)]


def table(lessons: Sequence[Lesson]) -> list[dict[str, str]]:
    """Return a row a statement, paper by paper.

    Args:
        lessons: all of them, in the order of their numbers.
    """
    numbers = {lesson.key: str(number_of(lesson, lessons)) for lesson in lessons}
    return [
        {
            "paper": line["paper"],
            "statement": line["statement"],
            "about": line["about"],
            "shown on lesson": ", ".join(map(numbers.get, line["lessons"])) or "none",
            "reproduced": line["reproduced"],
            "command": ", ".join(f"python -m lessons.reproductions {name}" for name in line["experiments"]),
        }
        for line in lines()
    ]
