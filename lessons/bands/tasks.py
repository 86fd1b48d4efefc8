"""Tasks of the page of the bands."""

from __future__ import annotations

from common.formats import number
from lessons.record import Values
from lessons.task import Facts, Task, TaskVerdict
from tvbo_core.bands import ALL

BEFORE, DRIFT = 30, 1.0  # time of the miss; the most V_T
DIGITS = 6  # of a sum of changes that a slider has set


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return when the band that ends as the tightest misses; an empty set, which has no width, is the tightest."""
    tightest = min(ALL, key=lambda name: facts[f"{name} mean half-width"] or 0.0)
    first, drift, small = facts[f"{tightest} first miss"], facts["V_T"], float(values["Bhat"]) < 1
    assert drift is not None
    when = "it never misses" if first is None else f"it misses at t\u00a0=\u00a0{first}"
    state = f"{when}, and $V_T$ is {number(drift)}" + ", but the assumed norm is too small" * small
    half, widest = max((facts[f"{name} mean half-width"] or 0.0, name) for name in ALL)
    then = facts[f"{widest} first miss"]
    why = "Old observations bias the estimate, and the tightest band has the least room for that: the widest, "
    why += f"{widest} at ±{number(half)}, {'never misses' if then is None else f'first misses at t = {then}'}."
    done = first is not None and first < BEFORE and round(drift, DIGITS) <= DRIFT and not small
    return TaskVerdict(done, state, why)


TASKS = (
    Task(
        key="early",
        goal=f"Make the tightest band miss before t\u00a0=\u00a0{BEFORE}, with $V_T$ at most {DRIFT:g} and $\\hat B/B$ "
        "at least 1.",
        judge=_judge,
        solved_by={"V": 1.0, "sigma": 0.02},
        looks=("place",),
    ),
)
