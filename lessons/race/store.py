"""Play the runs anew that ship with the lesson: `python -m lessons.race.store`, after a policy has changed."""

from __future__ import annotations

from lessons.race import model
from lessons.race.lesson import RACE
from lessons.shared import stored_runs
from tvbo_core.jobs import Job, outcome
from tvbo_core.race_results import Run


def opened() -> list[Job]:
    """Return every run of the page as it opens and of its moments."""
    settings = [model.chosen({**RACE.defaults, **moment.values}) for moment in RACE.moments]
    return list(dict.fromkeys(job for setting in settings for job in model.jobs(setting)))


def main() -> None:
    """Play them all and write the file."""
    played = [(job, run) for job in opened() if isinstance(run := outcome(job), Run)]
    stored_runs.store(played, stored_runs.FILE)
    print(f"{len(played)} runs, {stored_runs.FILE.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
