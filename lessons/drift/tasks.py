"""Task of the page about drift."""

from __future__ import annotations

from common.formats import number, plural
from lessons.drift.knobs import DRIFT_WORLD
from lessons.record import Values
from lessons.task import Facts, Task, TaskVerdict

TIMES, MOST = 10, 0.5  # of the jump's drift; reward units, the largest mean change
JUMP = DRIFT_WORLD.budget or 0.0  # reward units, the least drift of the world on the right


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return whether small changes on the left drift ten times as far as the jumping world."""
    totals = [float(fact or 0.0) for name, fact in facts.items() if name.endswith(" V_T")]
    steps = [int(fact or 0) for name, fact in facts.items() if name.endswith(" steps")]
    if len(totals) < 2 or values["pair"] != "jumps" or totals[1] < JUMP:
        return TaskVerdict(False, f"no world on the right jumps by $V_T$ of at least {JUMP:g}")
    mean = totals[0] / max(steps[0], 1)
    return TaskVerdict(
        totals[0] >= TIMES * totals[1] and mean < MOST,
        f"$V_T$ is {number(totals[0])} on the left and {number(totals[1])} on the right",
        f"$V_T$ adds up every change, there and back: on the left {plural(steps[0], 'change')} of {number(mean)} on "
        "average.",
    )


TASKS = (
    Task(
        key="small",
        goal=f"Find a left world that drifts {TIMES} times as far as the right one jumps, with changes below {MOST:g} "
        "on average.",
        judge=_judge,
        solved_by={"kind": "markov"},
        looks=("view",),
    ),
)
