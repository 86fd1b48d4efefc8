"""A task is not done where its page opens, is done where its record says so, and is judged by the numbers on screen."""

from __future__ import annotations

from typing import Any

import pytest

from figures.theme import Theme
from lessons import BY_KEY, LESSONS
from lessons.forgetting import experiment
from lessons.forgetting import model as forgetting
from lessons.record import APART, TASK, Lesson, Values
from lessons.shared.stored_runs import played
from lessons.task import NO_TASK, Facts, Task, TaskVerdict
from tvbo_core.bands import ALL as bands_all

TASKS = [(lesson, task) for lesson in LESSONS for task in lesson.tasks]
FRESH = range(1000, 1010)  # seeds that nobody has looked at


def facts_of(lesson: Lesson, values: Values) -> Facts:
    """Return the facts of the last frame.

    Of Forgetting, those of the method on the stage in the chosen world: a task asks for no others, which take long.
    """
    if lesson.key != "forgetting":
        scene = lesson.scene(values, Theme())
        return scene.facts(scene.frames - 1)
    past, setting = experiment.settings_from(values)
    runs = played(experiment.jobs(setting), experiment.FILE)
    return forgetting.facts(forgetting.gather(setting, runs), past.world.horizon - 1, 0.0)


def judged(key: str, **values: Any) -> TaskVerdict:
    """Return the verdict of a lesson's first task with these knobs."""
    lesson = BY_KEY[key]
    whole = lesson.defaults | values
    return lesson.tasks[0].judge(whole, facts_of(lesson, whole))


def test_tasks_are_knobs_with_one_sentence() -> None:
    for lesson, task in TASKS:
        assert len(lesson.tasks) <= 2
        assert 20 <= len(task.goal) <= 120 and task.goal.endswith(".") and task.goal.count(". ") == 0
        assert lesson.knobs[TASK].options == (NO_TASK, *(one.key for one in lesson.tasks))
        assert lesson.knobs[TASK].default == NO_TASK
        assert {*task.solved_by, *task.looks} <= lesson.knobs.keys() - APART
        assert not set(task.solved_by) & set(task.looks)
        for key, value in task.solved_by.items():  # a state in which its slider can stand
            assert lesson.knobs[key].read(lesson.knobs[key].text(value)) == value != lesson.knobs[key].default
        opening = lesson.defaults
        assert task.changed(lesson.knobs, opening | {TASK: task.key, "guess": "open"}) == 0
        assert task.changed(lesson.knobs, opening | dict(task.solved_by)) == len(task.solved_by)
        assert not any(task.changed(lesson.knobs, opening | {key: object()}) for key in task.looks)


@pytest.mark.parametrize(("lesson", "task"), TASKS, ids=lambda one: one.key)
def test_a_task_is_done_where_it_says(lesson: Lesson, task: Task) -> None:
    for values, done in (({}, False), (task.solved_by, True)):
        whole = lesson.defaults | dict(values)
        verdict = task.judge(whole, facts_of(lesson, whole))
        assert verdict.done == done and verdict.measurement and verdict.measurement[-1] not in ".:"
        assert not done or (verdict.why.endswith(".") and any(map(str.isdigit, verdict.why)))


EARLY = {"V": 1.0, "sigma": 0.05, "kind": "jumps"}  # the whole drift at once
LONG = {"drift": 4.0, "memory": "5"}


@pytest.mark.parametrize(
    ("key", "values", "done"),
    [
        ("bands", EARLY, True),
        ("bands", {"V": 1.25, "sigma": 0.01}, False),  # soon enough, by too much drift
        ("bands", {"V": 1.0, "Bhat": 0.75}, False),  # a promise that nobody has made
        ("bands", {"V": 1.0, "kind": "markov"}, False),  # this world's drift is not what the idle slider says
        ("bands", {"V": 0.0, "sigma": 0.01}, False),
        ("chase", LONG | {"beside": False}, True),
        ("chase", LONG | {"memory": "1"}, False),
        ("chase", LONG | {"drift": 3.8}, False),
        ("chase", LONG | {"end": "40_40_40_40_40_40"}, False),  # lifted, which asks for no memory
        ("chase", LONG | {"asked": "3-70"}, False),
        ("drift", {"kind": "markov", "V": 0.5}, False),  # no jump to be beside
        ("drift", {"kind": "markov", "pair": "still"}, False),
        ("theorems", {"measure": "alpha", "atil": 0.5}, False),  # fewer side queries, by more regret
        ("rperp", {"ell": 0.1}, False),  # without a restart
        ("rperp", {"H": 25, "V": 0.0}, False),  # no order errs more than another
        ("microscope", {"fade": 0.99, "delta": 0.001}, False),  # in a longer run it misses
        ("microscope", {"fade": 0.99}, False),
        ("forgetting", {"kind": "still"}, False),
        ("forgetting", {"bowl": "rperp"}, False),  # it shuffles
        ("plane", {"nu": "1/2"}, False),  # a rougher reward, at the drift of the opening
        ("plane", {"V": 0.5, "m": 5}, False),  # too short a memory
        ("points", {"noise": 0.01, "guessed": 0.2}, False),  # of the learner's own queries
        ("real_data", {"algos": ("rnd",)}, False),  # without those that do better
    ],
)
def test_tasks_have_no_short_cut(key: str, values: dict, done: bool) -> None:
    """Beside the verdicts of each knob that is moved alone, which are approved in tests/baseline."""
    assert judged(key, **values).done == done


def test_a_miss_at_the_time_is_late() -> None:
    facts: dict[str, float | None] = {"V_T": 1.0} | {f"{name} mean half-width": 1.0 for name in bands_all}
    (task,) = BY_KEY["bands"].tasks
    for first, done in ((29.0, True), (30.0, False), (None, False)):
        misses = {f"{name} first miss": first for name in bands_all}
        assert task.judge(BY_KEY["bands"].defaults, facts | misses).done == done


def test_a_verdict_waits_for_its_runs() -> None:
    lesson, task = BY_KEY["forgetting"], BY_KEY["forgetting"].tasks[0]
    whole = lesson.defaults
    facts = dict(facts_of(lesson, whole))
    few = facts | {"seeds": 3, forgetting.regret_name(): 0.0}
    assert task.judge(whole, few) == TaskVerdict(False, "3 of 10 worlds have been played")
    assert task.judge(whole, {"t": 300}) == TaskVerdict(False, "0 of 10 worlds have been played")
    assert task.judge(whole, few | {"seeds": 10}).done


SOLVED = [pytest.param(key, "seed", marks=pytest.mark.slow) for key in ("bands", "forgetting")]


@pytest.mark.parametrize(("key", "seed"), [("chase", "hill"), *SOLVED])
def test_tasks_are_solved_in_most_fresh_worlds(key: str, seed: str) -> None:
    """Of Forgetting single worlds, where its page shows the median of ten, which is steadier."""
    single = {"seeds": 1} if key == "forgetting" else {}
    done = [judged(key, **(dict(BY_KEY[key].tasks[0].solved_by) | single | {seed: one})).done for one in FRESH]
    assert sum(done) >= 8
