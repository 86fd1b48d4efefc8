"""Play the runs anew that ship with the lesson: `python -m lessons.forgetting.store`, after a policy has changed."""

from __future__ import annotations

from lessons.forgetting import model
from lessons.forgetting.lesson import FORGETTING
from lessons.shared import stored_runs
from tvbo_core.jobs import Job, outcome
from tvbo_core.race_results import Run


def opened() -> list[Job]:
    """Return every run of the page as it opens and of its moments."""
    settings = [model.chosen({**FORGETTING.defaults, **moment.values})[1] for moment in FORGETTING.moments]
    runs = dict.fromkeys(job for setting in settings for job in model.jobs(setting))
    return sorted(runs, key=lambda job: (repr(job.world), job.name))


def main() -> None:
    """Play them all and write the file."""
    played = [(job, run) for job in opened() if isinstance(run := outcome(job), Run)]
    stored_runs.store(played, model.FILE)
    print(f"{len(played)} runs, {model.FILE.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
