"""Task of the page about side queries."""

from __future__ import annotations

from common.formats import amount, plural
from lessons.record import Values
from lessons.side_queries.knobs import QUERIES_WORLD
from lessons.task import Facts, Task, TaskVerdict

FEW, ROUNDS = 100, QUERIES_WORLD.horizon  # side queries; the least horizon


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return W-SparQ's side queries, and its regret beside that of WGP-UCB, which makes none."""
    if values["T"] < ROUNDS or values["view"] == "picks":
        return TaskVerdict(False, f"these are not the totals of at least {ROUNDS} rounds")
    mine, others = facts["W-SparQ: regret"], facts["WGP-UCB: regret"]
    many, every = facts["W-SparQ: side queries"], facts["SparQ: side queries"]
    assert mine is not None and others is not None and many is not None and every is not None
    return TaskVerdict(
        many < FEW and mine < others,
        f"{plural(int(many), 'side query', 'side queries')} and regret {amount(mine)}; WGP-UCB has {amount(others)}",
        f"W-SparQ makes side queries only when a window starts: {many:.0f} here, where SparQ, which makes some in "
        f"every round, makes {every:,.0f}.",
    )


TASKS = (
    Task(
        key="few",
        goal=f"Let W-SparQ make fewer than {FEW} side queries in {ROUNDS} rounds, with less regret than WGP-UCB.",
        judge=_judge,
        solved_by={"alpha": 0.34},
    ),
)
