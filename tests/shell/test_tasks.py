"""A task on its page: offered by one button, judged in one line, carried by the link, ended by whatever else begins."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from figures.theme import Theme
from lessons import LESSONS
from lessons.record import beside, label_of
from lessons.task import NO_TASK
from tests.lessons.shown import opened, until
from tests.lessons.test_pages import faults
from tests.shared import few

TRIED = {lesson.key: lesson for lesson in LESSONS if lesson.tasks}
OTHER = {
    "chase": ("memory", "5"),
    "points": ("noise", "0.2"),
    "plane": ("m", "60"),
    "forgetting": ("m", "80"),
    "bands": ("V", "1"),
    "online": ("V", "1"),
    "drift": ("V", "1"),
    "race": ("m", "10"),
    "theorems": ("growth", "0.2"),
    "rperp": ("shuffle", "3"),
    "side_queries": ("view", "schedule"),
    "real_data": ("pin2", "sw"),
    "reproductions": ("within", "1"),
    "microscope": ("fade", "0.5"),
}  # a setting that costs nothing
every_task = pytest.mark.parametrize("key", few(TRIED, "plane", rest=pytest.mark.wide))


def line(at: AppTest, key: str) -> str:
    """Return the line of the lesson's task, "" without one."""
    goal = TRIED[key].tasks[0].goal
    return next((text.value for text in at.markdown if goal in text.value), "")


def keys(at: AppTest) -> set[str]:
    return {button.key for button in at.button}


def solved(key: str) -> dict[str, str]:
    """Return the words of a link to a state that solves the task, played short where runs are to come."""
    lesson, short = TRIED[key], {"seeds": 1} if key == "forgetting" else {}
    values = dict(lesson.tasks[0].solved_by) | short
    return {name: lesson.knobs[name].text(value) for name, value in values.items()}


@every_task
def test_page_offers_its_task_and_bets_end_it(key: str) -> None:
    lesson, (name, text) = TRIED[key], OTHER[key]
    at = opened(lesson.file, **{name: text})
    assert "task_next" in keys(at) and not line(at, key) and "task" not in at.query_params
    at.button(key="task_next").click().run()
    assert faults(at) == [] and "Not yet:" in line(at, key) and "Done" not in line(at, key)
    assert at.query_params["task"] in (lesson.tasks[0].key, [lesson.tasks[0].key])
    # It begins where the page opens.
    opening = {name: knob for name, knob in lesson.knobs.items() if name != "task"}
    assert all(knob.text(at.session_state[name]) == knob.text(knob.default) for name, knob in opening.items())
    at.button_group(key="moment").set_value(lesson.moments[0].key).run()
    assert faults(at) == [] and not line(at, key) and at.session_state["task"] == NO_TASK
    assert "task_next" not in keys(at)  # the moment's line to say stands in its place
    at.button_group(key="moment").set_value(None).run()
    at.button(key="task_next").click().run()
    assert line(at, key)
    at.button(key="bet_open").click().run()
    assert faults(at) == [] and not line(at, key) and "task_next" not in keys(at)
    assert at.session_state["task"] == NO_TASK


@every_task
def test_link_opens_a_task_that_ends(key: str) -> None:
    at = opened(TRIED[key].file, task=TRIED[key].tasks[-1].key, lecture="true", **solved(key))
    until(lambda: "Done" in line(at.run() if at.get("progress") else at, key))
    assert faults(at) == [] and not at.toast
    changed = len(solved(key))
    assert f"Done, with {changed} setting{'s' * (changed > 1)} changed:" in line(at, key)
    for after in beside(TRIED[key], LESSONS)[1]:
        assert f"Next: {label_of(after, LESSONS)}" in {link.label for link in at.get("page_link")}
    at.toggle(key="lecture").set_value(False).run()
    assert "Done" in line(at, key) and at.button(key="task_next").label == "End the task"
    at.button(key="task_next").click().run()
    assert faults(at) == [] and not line(at, key) and "task" not in at.query_params
    assert at.session_state["task"] == NO_TASK
    for name, text in solved(key).items():
        assert TRIED[key].knobs[name].text(at.session_state[name]) == text


def test_task_is_judged_at_its_end_wherever_paused() -> None:
    """In the first rounds a long memory has cost nothing yet."""
    lesson = TRIED["forgetting"]
    scene = lesson.scene(lesson.defaults, Theme())
    early, late = (lesson.tasks[0].judge(lesson.defaults, scene.facts(frame)) for frame in (1, scene.frames - 1))
    assert early.done and not late.done
    said = line(opened(lesson.file, task=lesson.tasks[0].key, t="1"), "forgetting")
    assert "Not yet:" in said and late.measurement in said
