"""Task of the page of real data."""

from __future__ import annotations

from common.formats import number
from lessons.real_data.model import FIXED, loss_of
from lessons.record import Values
from lessons.task import Facts, Task, TaskVerdict

SLACK = 1e-9  # in units of the table: a method that plays the best single arm throughout sums in another order
TABLE = "stocks"


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return the least regret of all methods beside that of the best single arm, on the table of the opening."""
    if values["table"] != TABLE:
        return TaskVerdict(False, "this is another table")
    losses = {name: float(fact) for name, fact in facts.items() if name.endswith(loss_of("")) and fact is not None}
    fixed = losses.pop(loss_of(FIXED))
    best = min(losses, key=losses.__getitem__)
    return TaskVerdict(
        losses[best] >= fixed - SLACK,
        f"per round {best.removesuffix(loss_of(''))} misses {number(losses[best])}, the best single arm "
        f"{number(fixed)}",
        f"The best arm changes {facts['changes of the best arm']} times in {facts['t']} rounds, so what was observed "
        "says little about the next round.",
    )


TASKS = (
    Task(
        key="order",
        goal="With the four stocks, let no method have less regret than the best single arm.",
        judge=_judge,
        solved_by={"mixed": True},
        looks=("pin1", "pin2"),
    ),
)
