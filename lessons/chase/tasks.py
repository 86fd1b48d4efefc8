"""Tasks of the first page."""

from __future__ import annotations

from common.formats import number
from lessons.chase.knobs import BY_HAND, CHASE
from lessons.chase.model import STEPS
from lessons.chase.setting import ROUNDS
from lessons.record import Values
from lessons.task import Facts, Task, TaskVerdict

DRIFT, MOST = 4.0, 20.0  # the least V_T; the most regret, reward units
REGRET = "regret so far"


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return what the reader's learner, of two the first, has as regret after the last round."""
    regret, drift = next(fact for name, fact in facts.items() if name.endswith(REGRET)), float(values["drift"])
    by_hand = any(values[key] != CHASE[key].default for key in BY_HAND)
    assert regret is not None
    state = f"by round {ROUNDS} its regret is {number(regret)}, and $V_T$ is {number(drift)}"
    state += ", but with changes by hand" * by_hand
    asks = next(fact for name, fact in facts.items() if name.endswith("queried x"))
    assert asks is not None
    why = f"Old observations lose weight soon enough: in the last round the peak is at {facts['the peak is at']:.2f}, "
    why += f"and the learner queries x = {asks:.2f}."
    return TaskVerdict(regret < MOST and drift >= DRIFT and not by_hand, state, why)


TASKS = (
    Task(
        key="faster",
        goal=f"Let the hill drift by $V_T$ = {DRIFT:g}, and find a memory with regret below {MOST:g} in {ROUNDS} "
        f"rounds.",
        judge=_judge,
        solved_by={"drift": 4.0, "memory": "5"},
        looks=("beside", "unseen"),
        t=ROUNDS * len(STEPS) - 1,  # the round whose total is judged
    ),
)
