"""Play the runs anew that ship with the lesson: `python -m lessons.forgetting.store`, after a policy has changed."""

from __future__ import annotations

from lessons.forgetting import model
from lessons.forgetting.lesson import LESSON
from lessons.shared import stored_runs
from tvbo_core.jobs import PlayJob


def opened() -> list[PlayJob]:
    """Return every run of the page as it opens and of its moments."""
    settings = [model.chosen({**LESSON.defaults, **moment.values})[1] for moment in LESSON.moments]
    runs = dict.fromkeys(job for setting in settings for job in model.jobs(setting))
    return sorted(runs, key=lambda job: (repr(job.world), job.name))


if __name__ == "__main__":
    stored_runs.play_and_store(opened(), model.FILE)
