"""Play the runs anew that ship with the lesson: `python -m lessons.side_queries.store`, after a policy has changed."""

from __future__ import annotations

from lessons.shared import stored_runs
from lessons.side_queries import model, pickers
from lessons.side_queries.lesson import QUERIES
from tvbo_core.jobs import Job, outcome
from tvbo_core.race_results import Run


def opened() -> list[Job]:
    """Return every run of the page as it opens and of its moments."""
    states = ({}, *(moment.values for moment in QUERIES.moments))
    settings = [model.chosen({**QUERIES.defaults, **state}) for state in states]
    # The first seeds are played on the page anyway.
    wanted = [job for s in settings for job in model.jobs(s)[len(model.COMPARED) :]]
    wanted += [job for s in settings if s.view == "picks" for job in pickers.jobs(s)[1:]]
    return list(dict.fromkeys(wanted))


def main() -> None:
    """Play them all and write the file."""
    played = [(job, run) for job in opened() if isinstance(run := outcome(job), Run)]
    stored_runs.store(played, model.FILE)
    print(f"{len(played)} runs, {model.FILE.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
