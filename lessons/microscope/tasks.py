"""Task of the page of statements under the microscope."""

from __future__ import annotations

from common.formats import percent
from lessons.record import Values
from lessons.task import Facts, Task, TaskVerdict


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return in which share of the runs the first statement's interval misses at least once, beside what it states."""
    ever, stated = facts.get("missed at least once"), facts.get("stated δ")
    if ever is None or stated is None:
        return TaskVerdict(False, "this is another statement")
    always = values["fade"] == 1  # else a longer run misses, even where none of these has
    later = "" if always or ever > stated else ", but with γ below 1 longer runs do"
    return TaskVerdict(
        ever <= stated and always,
        f"{percent(ever)} of the runs miss at least once, {percent(stated)} are stated{later}",
        f"With γ = {values['fade']:g} the regulariser stays as it is, so one proof holds at all times together: "
        f"{percent(ever)} of the runs have missed by T = {facts['sweep at']:,.0f}.",
    )


TASKS = (
    Task(
        key="always",
        goal="Find a discount γ with which the interval holds at all times together, as it is stated.",
        judge=_judge,
        solved_by={"fade": 1.0},
    ),
)
