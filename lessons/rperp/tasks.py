"""Task of the page about R-PERP."""

from __future__ import annotations

from common.formats import percent, two_decimals
from lessons.record import Values
from lessons.rperp.knobs import FIVE, FOLLOWER
from lessons.rperp.model import is_moving, paired_runs, setting_from
from lessons.task import Facts, Task, TaskVerdict

SHARE = 0.8  # of the known order's error


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return which share of the known order's error the median shuffle keeps, against the adversary."""
    if values["kind"] != FOLLOWER or values["order"] != "both":
        return TaskVerdict(False, "this is not the adversary of the order with both orders")
    known, median = facts["known order"], facts["their median"]
    assert known is not None and median is not None
    if not is_moving(paired_runs(setting_from(values)).pulls(0)):
        return TaskVerdict(False, "the reward does not move during this batch, so no order biases the estimate")
    share, restarts = median / abs(known), (facts["H"] or 0.0) < values["T"]
    without = "" if restarts or share <= SHARE else ", without a restart"
    return TaskVerdict(
        share > SHARE and restarts,
        f"half of the random orders keep over {percent(share)} of the known order's error{without}",
        f"With H = {facts['H']} the first batch has {facts['queries']} queries: few errors of either sign to cancel, "
        f"and {two_decimals(median)} of {two_decimals(abs(known))} is left.",
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
