"""Task of the page about R-PERP."""

from __future__ import annotations

from common.formats import percent, two_decimals
from lessons.record import Values
from lessons.rperp.knobs import FIVE, FOLLOWER
from lessons.task import Facts, Task, TaskVerdict

SHARE = 0.8  # of the known order's error


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return which share of the known order's error the median shuffle keeps, against the adversary."""
    if values["kind"] != FOLLOWER or values["order"] != "both":
        return TaskVerdict(False, "this is not the adversary with both orders")
    known, median = facts["known order"], facts["their median"]
    assert known is not None and median is not None
    share = median / abs(known)
    return TaskVerdict(
        share > SHARE,
        f"half of the random orders keep over {percent(share)} of the known order's error",
        f"A batch has {facts['queries']} queries, too few for errors of both signs to cancel: {two_decimals(median)} "
        f"of {two_decimals(abs(known))} is left.",
    )


TASKS = (
    Task(
        key="short",
        goal="Restart so often that shuffling hardly helps: half of the orders keep over "
        f"{percent(SHARE)} of the known order's error.",
        judge=_judge,
        solved_by=FIVE,
    ),
)
