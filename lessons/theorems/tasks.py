"""Task of the page about theorems."""

from __future__ import annotations

from common.formats import number
from lessons.record import Values
from lessons.task import Facts, Task, TaskVerdict
from lessons.theorems.knobs import RATES

POWER, ALL = 0.7, 1.0  # of T: the regret that is asked for; as many side queries as rounds


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return the powers of T of W-SparQ's regret and of its side queries, where drift is fastest."""
    if values["view"] != RATES or values["measure"] != "alpha":
        return TaskVerdict(False, "the rates are not measured by α")
    regret, asked = facts["W-SparQ"], facts["side queries of W-SparQ"]
    assert regret is not None and asked is not None
    return TaskVerdict(
        regret < POWER and asked < ALL,
        f"at α = {facts['α']:g} the power is {number(regret)} for regret and {number(asked)} for side queries",
        f"Shorter windows are queried afresh more often: side queries grow like $T^{{{number(asked)}}}$, and the bound "
        f"on regret like $T^{{{number(regret)}}}$.",
    )


TASKS = (
    Task(
        key="trade",
        goal=f"Measure drift by α: bring the power of W-SparQ's bound below {POWER:g} at α = 2, with fewer side "
        "queries than rounds.",
        judge=_judge,
        solved_by={"measure": "alpha", "atil": 0.1},
    ),
)
