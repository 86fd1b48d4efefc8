"""Play the runs anew that ship with a lesson: `python -m lessons.store NAME`, after a policy has changed."""

from __future__ import annotations

import argparse

from lessons import BY_KEY, LESSONS
from lessons.record import Lesson
from lessons.shared import stored_runs
from lessons.shared.play_jobs import PlayJob, outcome
from tvbo_core.race_results import Run


def page_runs(lesson: Lesson) -> list[PlayJob]:
    """Return every run of the page as it opens and of its moments, in the order of its file."""
    assert lesson.runs is not None
    states = (lesson.settings(values) for values in ({}, *(moment.values for moment in lesson.moments)))
    settings = [setting for values in states if (setting := lesson.runs.setting(values)) is not None]
    jobs = [job for setting in settings for job in lesson.runs.jobs(setting)]
    return stored_runs.in_order(jobs, lesson.runs.file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m lessons.store")
    parser.add_argument("lesson", choices=[lesson.key for lesson in LESSONS if lesson.runs])
    chosen = BY_KEY[parser.parse_args().lesson]
    found = [(job, run) for job in page_runs(chosen) if isinstance(run := outcome(job), Run)]
    stored_runs.store(found, chosen.runs.file)
    print(f"{len(found)} runs, {chosen.runs.file.stat().st_size / 1e3:.0f} kB")
