"""Play the runs anew that ship with the lesson: `python -m lessons.race.store`, after a policy has changed."""

from __future__ import annotations

from lessons.race import model
from lessons.race.lesson import LESSON
from lessons.shared import stored_runs
from tvbo_core.jobs import PlayJob


def opened() -> list[PlayJob]:
    """Return every run of the page as it opens and of its moments."""
    settings = [model.chosen({**LESSON.defaults, **moment.values}) for moment in LESSON.moments]
    return list(dict.fromkeys(job for setting in settings for job in model.jobs(setting)))


if __name__ == "__main__":
    stored_runs.play_and_store(opened(), stored_runs.FILE)
