"""Chase the peak: the lesson's knobs and moments."""

from __future__ import annotations

from lessons.chase.knobs import CHASE, FOLLOWS, FORGETFUL, STALE, STILL, YOURS
from lessons.chase.model import STEPS
from lessons.chase.recipe import recipe
from lessons.record import Lesson, Moment, printed_sources


def frame(round_: int, step: str) -> int:
    """Return the frame of a step of a round that counts from 1."""
    return (round_ - 1) * len(STEPS) + STEPS.index(step)


PEAK = Lesson(
    number=0,
    file="home.py",
    icon="⛰️",
    title="Chase the peak",
    question="How do you stay on a peak that you cannot see, while it moves?",
    knobs=CHASE,
    moments=(
        Moment("It stands still", "Nothing moves: a few questions, and it has found the peak and stays.",
               frame(12, "pay"), STILL),
        Moment("It moves", "Now the hill drifts, and a learner that trusts all its answers is sure of a hill that is "
               "gone.", frame(36, "pay"), STALE),
        Moment("Forget, and follow", "Same hill, same noise: left old answers fade, right they all stay.",
               frame(36, "pay"), FOLLOWS),
        Moment("Forget too much", "An answer that fades at once has to be asked for again and again.",
               frame(25, "pay"), FORGETFUL),
        Moment("Your turn", "No hill, only what it hears. Where do you ask?", frame(1, "choose"), YOURS),
    ),
    t=frame(21, "pay"),
    words="lessons/chase/help.md",
    cites=lambda: printed_sources("lessons/race/help.md"),  # its two learners are among those of the race
    recipe=recipe,
)  # fmt: skip
