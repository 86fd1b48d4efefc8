"""Task of the page of reproductions."""

from __future__ import annotations

from common.formats import plural, two_decimals
from lessons.record import Values
from lessons.reproductions.model import within
from lessons.task import Facts, Task, TaskVerdict

ENTRIES = 30  # of Flynn & Reeb's Table 1


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return how many entries of the printed table lie within the tolerance."""
    gap, inside = facts.get("largest gap"), facts.get(within(int(values["within"])))
    if facts.get("printed entries") != ENTRIES or gap is None or inside is None:
        return TaskVerdict(False, f"this is not the table of {ENTRIES} printed entries")
    return TaskVerdict(
        inside == ENTRIES,
        f"{inside:.0f} of {ENTRIES} entries are within {plural(int(values['within']), 'standard error')}",
        "Both numbers are means over ten runs, so chance alone moves them apart. The largest gap is "
        f"{two_decimals(gap)} standard errors.",
    )


TASKS = (
    Task(
        key="all",
        goal="Find the least tolerance within which all thirty printed entries agree with ours.",
        judge=_judge,
        solved_by={"within": "3"},
    ),
)
