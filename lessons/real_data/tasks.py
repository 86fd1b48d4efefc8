"""Task of the page of real data."""

from __future__ import annotations

from common.formats import number
from lessons.real_data.knobs import USUAL
from lessons.real_data.model import FIXED, loss_of
from lessons.record import Values
from lessons.task import Facts, Task, TaskVerdict

SLACK = 1e-9  # in units of the table: a method that plays the best single arm throughout sums in another order
TABLE = "stocks"


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return the least regret of all methods beside that of the best single arm, on the table of the opening."""
    if values["table"] != TABLE:
        return TaskVerdict(False, "this is another table")
    if not {*USUAL} <= {*values["algos"]}:
        return TaskVerdict(False, "methods of the opening are left out")
    losses = {name: float(fact) for name, fact in facts.items() if name.endswith(loss_of("")) and fact is not None}
    fixed = losses.pop(loss_of(FIXED))
    best = min(losses, key=losses.__getitem__)
    return TaskVerdict(
        losses[best] >= fixed - SLACK,
        f"per round {best.removesuffix(loss_of(''))} misses {number(losses[best])}, the best single arm "
        f"{number(fixed)}",
        _why(values, facts),
    )


def _why(values: Values, facts: Facts) -> str:
    if not values["mixed"]:
        return f"The best single arm is known only after all {facts['t']} rounds, and a method chooses while it plays."
    changes = f"the best arm changes {facts['changes of the best arm']} times in {facts['t']} rounds"
    return f"In a random order {changes}, and the past tells only which arms are good on average."


TASKS = (
    Task(
        key="order",
        goal="With the four stocks, let no method have less regret than the best single arm.",
        judge=_judge,
        solved_by={"mixed": True},
        looks=("pin1", "pin2"),
    ),
)
