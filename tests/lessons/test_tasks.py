"""A task is not done where its page opens, is done where its record says so, and is judged by the numbers on screen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from common.formats import amount, number
from figures.theme import Theme
from lessons import BY_KEY, LESSONS
from lessons.bands import model as bands
from lessons.chase import model as chase
from lessons.forgetting import model as forgetting
from lessons.record import APART, TASK, Lesson, Values
from lessons.shared.stored_runs import played
from lessons.task import NO_TASK, Facts, Task, Verdict
from tvbo_core.bands import ALL as bands_all

TASKS = [pytest.param(lesson, task, id=f"{lesson.key}-{task.key}") for lesson in LESSONS for task in lesson.tasks]
FRESH = range(1000, 1010)  # seeds that nobody has looked at


def facts_of(lesson: Lesson, values: Values) -> Facts:
    """Return the facts of the last frame.

    Of Forgetting, those of the method on the stage in the chosen world: a task asks for no others, which take long.
    """
    if lesson.key != "forgetting":
        scene = lesson.scene(values, lesson.t, Theme())
        return scene.facts(scene.frames - 1)
    past, family = forgetting.chosen(values)
    setting = family.bowl(past.world)
    runs = played(forgetting.jobs(setting), forgetting.FILE)
    return forgetting.facts(forgetting.gather(setting, runs, (past.world.horizon - 1,)), np.zeros(1), 0)


def judged(key: str, **values: Any) -> Verdict:
    """Return the verdict of a lesson's first task with these knobs."""
    lesson = BY_KEY[key]
    whole = lesson.defaults | values
    return lesson.tasks[0].judge(whole, facts_of(lesson, whole))


def test_three_lessons_have_a_task_and_none_more_than_two() -> None:
    assert {lesson.key for lesson in LESSONS if lesson.tasks} == {"chase", "forgetting", "bands"}
    assert all(len(lesson.tasks) <= 2 for lesson in LESSONS)


@pytest.mark.parametrize(("lesson", "task"), TASKS)
def test_a_task_is_one_sentence_and_a_knob_of_the_link(lesson: Lesson, task: Task) -> None:
    assert 20 <= len(task.goal) <= 120 and task.goal.endswith(".") and task.goal.count(". ") == 0
    assert lesson.knobs[TASK].options == (NO_TASK, *(one.key for one in lesson.tasks))
    assert lesson.knobs[TASK].default == NO_TASK
    assert {*task.solved_by, *task.looks} <= lesson.knobs.keys() - APART
    assert not set(task.solved_by) & set(task.looks)
    for key, value in task.solved_by.items():  # a state in which its slider can stand
        assert lesson.knobs[key].read(lesson.knobs[key].text(value)) == value != lesson.knobs[key].default


@pytest.mark.parametrize(("lesson", "task"), TASKS)
def test_a_task_is_not_done_where_the_page_opens_and_is_done_where_its_record_says(lesson: Lesson, task: Task) -> None:
    for values, done in (({}, False), (task.solved_by, True)):
        whole = lesson.defaults | dict(values)
        verdict = task.judge(whole, facts_of(lesson, whole))
        assert verdict.done == done and verdict.said and verdict.said[-1] not in ".:"


@pytest.mark.parametrize(("lesson", "task"), TASKS)
def test_settings_are_counted_against_the_opening_of_the_page_and_what_is_looked_at_is_none(
    lesson: Lesson, task: Task
) -> None:
    opening = lesson.defaults
    assert task.changed(lesson.knobs, opening) == 0
    assert task.changed(lesson.knobs, opening | {TASK: task.key, "guess": "open"}) == 0
    assert task.changed(lesson.knobs, opening | dict(task.solved_by)) == len(task.solved_by)
    for key in task.looks:
        assert task.changed(lesson.knobs, opening | {key: object()}) == 0


def test_the_bands_are_judged_by_the_first_miss_of_the_tightest() -> None:
    values = BY_KEY["bands"].defaults
    run = bands.bands_over_time(bands.chosen(values))
    assert min(run.films, key=lambda name: run.films[name].half_width[-1]) == "CMM"
    assert judged("bands").said == (
        f"it misses at t\u00a0=\u00a0{run.first_miss['CMM']}, and $V_T$ is {number(run.problem.sup_variation)}"
    )
    assert "never misses" in judged("bands", V=0.0).said


@pytest.mark.parametrize(
    ("values", "done"),
    [
        ({"V": 1.0, "sigma": 0.05, "kind": "jumps"}, True),  # the whole drift at once
        ({"V": 1.0}, False),
        ({"V": 1.25, "sigma": 0.01}, False),  # soon enough, by too much drift
        ({"V": 1.0, "Bhat": 0.75}, False),  # a promise that nobody has made
        ({"V": 1.0, "kind": "markov"}, False),  # this world's drift is not what the idle slider says
        ({"V": 0.0, "sigma": 0.01}, False),
    ],
)
def test_a_band_has_to_miss_early_with_little_drift_and_true_assumptions(values: dict, done: bool) -> None:
    assert judged("bands", **values).done == done


@pytest.mark.parametrize(("first", "done"), [(29.0, True), (30.0, False), (None, False)])
def test_a_miss_at_the_time_itself_is_not_before_it(first: float | None, done: bool) -> None:
    facts: dict[str, float | None] = {"V_T": 1.0}
    for name in bands_all:
        facts |= {f"{name} mean half-width": 1.0, f"{name} first miss": first}
    (task,) = BY_KEY["bands"].tasks
    assert task.judge(BY_KEY["bands"].defaults, facts).done == done


def test_the_chase_is_judged_by_what_the_readers_learner_has_paid() -> None:
    film = chase.chase(chase.setting(BY_KEY["chase"].defaults))
    paid = float(film.learners[0].history.regret.sum())
    drift = number(film.problem.sup_variation)
    assert judged("chase").said == f"by round {chase.ROUNDS} it pays {number(paid)}, and $V_T$ is {drift}"


@pytest.mark.parametrize(
    ("values", "done"),
    [
        ({"drift": 4.0, "memory": "5", "beside": False}, True),
        ({"drift": 4.0, "memory": "all"}, False),
        ({"drift": 4.0, "memory": "1"}, False),
        ({"drift": 3.8, "memory": "5"}, False),
        ({"drift": 4.0, "memory": "5", "end": "40_40_40_40_40_40"}, False),  # lifted, which asks for no memory
        ({"drift": 4.0, "memory": "5", "asked": "3-70"}, False),
    ],
)
def test_the_learner_has_to_pay_little_on_a_long_way(values: dict, done: bool) -> None:
    assert judged("chase", **values).done == done


def test_forgetting_is_judged_by_the_facts_of_its_scene() -> None:
    lesson = BY_KEY["forgetting"]
    scene = lesson.scene(lesson.defaults, lesson.t, Theme())
    facts = scene.facts(scene.frames - 1)
    pays = [facts[forgetting.regret_name("jumps", m)] for m in forgetting.MEMORY_STEPS]
    never, best = facts[forgetting.regret_name("jumps")], facts["jumps: best m"]
    said = f"never forgetting costs {amount(never)}, a memory of {best} steps {amount(min(pays))}"
    assert lesson.tasks[0].judge(lesson.defaults, facts) == Verdict(False, said)
    assert judged("forgetting").said == said


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"kind": "still"}, "does not move"),
        ({"bowl": "rperp"}, "shuffles"),
    ],
)
def test_a_world_that_stands_still_and_a_method_that_shuffles_are_no_answer(values: dict, said: str) -> None:
    verdict = judged("forgetting", **values)
    assert not verdict.done and said in verdict.said


def test_a_verdict_waits_for_the_runs_that_are_still_to_come() -> None:
    lesson, task = BY_KEY["forgetting"], BY_KEY["forgetting"].tasks[0]
    whole = lesson.defaults
    facts = dict(facts_of(lesson, whole))
    few = facts | {"jumps: seeds": 3, forgetting.regret_name("jumps"): 0.0}
    assert task.judge(whole, few) == Verdict(False, "3 of 10 worlds have been played")
    assert task.judge(whole, {"t": 300}) == Verdict(False, "0 of 10 worlds have been played")
    assert task.judge(whole, few | {"jumps: seeds": 10}).done


@pytest.mark.parametrize(("key", "seed"), [("chase", "hill"), ("bands", "seed"), ("forgetting", "seed")])
def test_what_solves_a_task_does_so_in_most_fresh_worlds(key: str, seed: str) -> None:
    """Of Forgetting single worlds, where its page shows the median of ten, which is steadier."""
    single = {"seeds": 1} if key == "forgetting" else {}
    done = [judged(key, **(dict(BY_KEY[key].tasks[0].solved_by) | single | {seed: one})).done for one in FRESH]
    assert sum(done) >= 8
