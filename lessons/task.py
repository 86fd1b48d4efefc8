"""Something to do: a state of a page that the reader reaches with the page's own controls, as the engine judges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lessons.record import APART, TASK, Knob, Values

NO_TASK = "none"
Facts = Mapping[str, float | None]


@dataclass(frozen=True)
class TaskVerdict:
    """The engine's judgement of the state of a page.

    Attributes:
        done: whether the task is done.   measurement: what was measured, in words that go on after a colon.
        why: one sentence, with a number of the scene, that says why it is done; shown where it is.
    """

    done: bool
    measurement: str
    why: str = ""


@dataclass(frozen=True)
class Task:
    """A state of a page that the reader has to reach; it begins where the page opens.

    Attributes:
        key: a word that links keep, unique within the lesson.   goal: one sentence on screen (markdown).
        judge: returns the verdict from knob values and the facts of the last frame (`Scene.facts`); some are missing
            while runs are still to come.
        solved_by: knobs of a state that does it, where they are not the page's defaults: a test reaches it.
        looks: knobs that choose what is looked at; to move one is no step towards the goal.
        t: time at which it begins, where not at that at which the page opens.
    """

    key: str
    goal: str
    judge: Callable[[Values, Facts], TaskVerdict]
    solved_by: Values
    looks: tuple[str, ...] = ()
    t: int | None = None

    def changed(self, knobs: Mapping[str, Knob], values: Values) -> int:
        """Return how many settings stand elsewhere than where the page opens, however often each was moved."""
        counted = knobs.keys() - APART - set(self.looks)
        return sum(values[key] != knobs[key].default for key in counted)


def task_knob(tasks: Sequence[Task]) -> dict[str, Knob]:
    """Return the task in the link, by its key."""
    return {
        TASK: Knob(
            TASK,
            "Something to try",
            "The goal that is being tried on this page.",
            NO_TASK,
            options=(NO_TASK, *(task.key for task in tasks)),
            widget="select",
        )
    }
