"""Play the runs anew that ship with the lesson: `python -m lessons.theorems.store`, after a policy has changed."""

from __future__ import annotations

from lessons.shared import stored_runs
from lessons.theorems.knobs import RUNS
from lessons.theorems.lesson import LESSON
from lessons.theorems.runs import model
from tvbo_core.jobs import PlayJob


def opened() -> list[PlayJob]:
    """Return every run of the page as it opens and of its moments."""
    states = [LESSON.settings(moment.values) for moment in LESSON.moments]
    settings = [model.chosen(values) for values in states if values["view"] == RUNS]
    runs = dict.fromkeys(job for setting in settings for _, job in model.jobs(setting))
    return sorted(runs, key=lambda job: (repr(job.world), job.name))


if __name__ == "__main__":
    stored_runs.play_and_store(opened(), model.FILE)
