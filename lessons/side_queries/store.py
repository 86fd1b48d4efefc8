"""Play the runs anew that ship with the lesson: `python -m lessons.side_queries.store`, after a policy has changed."""

from __future__ import annotations

from lessons.shared import stored_runs
from lessons.side_queries import model, pickers
from lessons.side_queries.lesson import LESSON
from tvbo_core.jobs import PlayJob


def opened() -> list[PlayJob]:
    """Return every run of the page as it opens and of its moments."""
    states = ({}, *(moment.values for moment in LESSON.moments))
    settings = [model.chosen({**LESSON.defaults, **state}) for state in states]
    # The first seeds are played on the page anyway.
    wanted = [job for s in settings for job in model.jobs(s)[len(model.COMPARED) :]]
    wanted += [job for s in settings if s.view == "picks" for job in pickers.jobs(s)[1:]]
    return list(dict.fromkeys(wanted))


if __name__ == "__main__":
    stored_runs.play_and_store(opened(), model.FILE)
