"""Tasks of the first page."""

from __future__ import annotations

from common.formats import number
from lessons.chase.knobs import BY_HAND, CHASE
from lessons.chase.model import ROUNDS, STEPS
from lessons.record import Values
from lessons.task import Facts, Task, TaskVerdict

DRIFT, PAYS = 4.0, 20.0  # the least V_T; the most regret, reward units
PAID = "paid so far"


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return what the reader's learner, of two the first, has paid after the last round."""
    paid, drift = next(fact for name, fact in facts.items() if name.endswith(PAID)), float(values["drift"])
    by_hand = any(values[key] != CHASE[key].default for key in BY_HAND)
    assert paid is not None
    said = f"by round {ROUNDS} it pays {number(paid)}, and $V_T$ is {number(drift)}"
    said += ", but with changes by hand" * by_hand
    return TaskVerdict(paid < PAYS and drift >= DRIFT and not by_hand, said)


TASKS = (
    Task(
        key="faster",
        goal=f"Let the hill travel as far as $V_T$ = {DRIFT:g}, and find a memory that pays less than {PAYS:g} in "
        f"{ROUNDS} rounds.",
        judge=_judge,
        solved_by={"drift": 4.0, "memory": "5"},
        looks=("beside", "unseen"),
        t=ROUNDS * len(STEPS) - 1,  # the round whose total is judged
    ),
)
