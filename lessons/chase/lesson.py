"""Chase the peak: the lesson's knobs and moments."""

from __future__ import annotations

from lessons.chase.knobs import CHASE, FOLLOWS, FORGETFUL, STALE, STILL, YOURS
from lessons.chase.model import ROUNDS, STEPS
from lessons.chase.recipe import recipe
from lessons.record import Lesson, Moment, printed_sources

LAST = ROUNDS * len(STEPS) - 1
OPENING = 4 * 12 + 3  # the regret of round 13: every mark of the stage is on screen

PEAK = Lesson(
    number=0,
    file="home.py",
    icon="⛰️",
    title="Chase the peak",
    question="How do you stay on a peak that you cannot see, while it moves?",
    knobs=CHASE,
    moments=(
        Moment("It stands still", "Nothing moves: a few questions, and it has found the peak and stays.", 0, STILL),
        Moment("It moves", "Now the hill drifts, and a learner that trusts all its answers is sure of a hill that is "
               "gone.", 0, STALE),
        Moment("Forget, and follow", "Same hill, same noise: left old answers fade, right they all stay.", 0, FOLLOWS),
        Moment("Forget too much", "An answer that fades at once has to be asked for again and again.", 0, FORGETFUL),
        Moment("Your turn", "No hill, only what it hears. Where do you ask?", 1, YOURS),
    ),
    t=OPENING,
    words="lessons/chase/help.md",
    cites=lambda: printed_sources("lessons/race/help.md"),  # its two learners are among those of the race
    recipe=recipe,
)  # fmt: skip
