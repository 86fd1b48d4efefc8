"""Tasks of the page about forgetting."""

from __future__ import annotations

from common.formats import amount, number
from lessons.forgetting import experiment, model
from lessons.forgetting.knobs import MEMORY, MEMORY_STEPS
from lessons.record import Values
from lessons.shared.knobs import METHODS
from lessons.shared.problems import problem
from lessons.task import Facts, Task, TaskVerdict

SLACK = 1e-9  # reward units


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return what never forgetting costs at the end, beside the memory that costs least, in the world on the stage."""
    past, setting = experiment.settings_from(values)
    if values["view"] != MEMORY:
        return TaskVerdict(False, "the view “Memory” shows it")
    if setting.front not in experiment.WITH_LIMIT:
        return TaskVerdict(False, f"{METHODS[setting.front]} has no limit without forgetting; choose another algorithm")
    if problem(past.world).sup_variation <= 0:
        return TaskVerdict(False, "this world does not move")
    seeds = facts.get("seeds")
    if seeds != setting.seeds:
        return TaskVerdict(False, f"{seeds or 0} of {setting.seeds} worlds have been played")
    pays, never = {m: facts[model.regret_name(m)] for m in MEMORY_STEPS}, facts[model.regret_name()]
    best = facts["best m"]
    least = pays[best]
    assert never is not None and least is not None
    if never <= least + SLACK:
        drift = number(problem(past.world).sup_variation)
        why = f"This world drifts by $V_T$ = {drift} in {past.world.horizon} rounds, and what a shorter memory forgets "
        why += "would still have helped."
        return TaskVerdict(True, f"never forgetting has regret {amount(never)}, the lowest median", why)
    return TaskVerdict(False, f"never forgetting has regret {amount(never)}, m = {best} has {amount(least)}")


TASKS = (
    Task(
        key="nothing",
        goal="Find a world that moves and in which never forgetting has the lowest median regret.",
        judge=_judge,
        solved_by={"V": 0.5},
    ),
)
