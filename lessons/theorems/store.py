"""Play the runs anew that ship with the lesson: `python -m lessons.theorems.store`, after a policy has changed."""

from __future__ import annotations

from lessons.shared import stored_runs
from lessons.theorems import bound_vs_regret
from lessons.theorems.knobs import RUNS
from lessons.theorems.lesson import THEOREMS_LESSON
from tvbo_core.jobs import Job


def opened() -> list[Job]:
    """Return every run of the page as it opens and of its moments."""
    states = [THEOREMS_LESSON.settings(moment.values) for moment in THEOREMS_LESSON.moments]
    settings = [bound_vs_regret.chosen(values) for values in states if values["view"] == RUNS]
    runs = dict.fromkeys(job for setting in settings for _, job in bound_vs_regret.jobs(setting))
    return sorted(runs, key=lambda job: (repr(job.world), job.name))


if __name__ == "__main__":
    stored_runs.play_and_store(opened(), bound_vs_regret.FILE)
