"""Chase the peak: the lesson's knobs and moments."""

from __future__ import annotations

from lessons.chase.knobs import CHASE, FOLLOWS, FORGETFUL, STALE, STILL, YOURS
from lessons.chase.model import STEPS
from lessons.chase.recipe import recipe
from lessons.chase.scene import frame, scene
from lessons.chase.truth import truth
from lessons.record import Bet, Lesson, Moment, printed_sources


def frame_of(round_: int, step: str) -> int:
    """Return the frame of a step of a round that counts from 1."""
    return (round_ - 1) * len(STEPS) + STEPS.index(step)


PEAK_BET = Bet(
    question="Same hill, same noise: one learner forgets, the other keeps every answer. The hill drifts on for 30 more "
    "rounds. Which of them has paid less in the end?",
    options={"forget": "The one that forgets", "keep": "The one that keeps all", "same": "Both about the same"},
    about={
        "forget": "an answer counts half after 3 rounds",
        "keep": "every answer counts fully, however old",
        "same": "neither has paid a quarter more than the other",
    },
    why="Answers about a hill that has moved on are worse than none: a learner that trusts them is sure of the wrong "
    "place.",
    t=frame_of(40, "pay"),
    before=frame_of(10, "pay"),
    hides=(),  # the rounds go on after the bet
    values=FOLLOWS,
)
PEAK = Lesson(
    number=0,
    file="home.py",
    icon="⛰️",
    title="Chase the peak",
    question="How do you stay on a peak that you cannot see, while it moves?",
    knobs={**CHASE, **PEAK_BET.knobs},
    moments=(
        Moment("It stands still", "Nothing moves: after a few questions the learner has found the peak, and stays "
               "there.",
               frame_of(12, "pay"), STILL),
        Moment("It moves", "Now the hill drifts. A learner that trusts all its answers is sure of a hill that has "
               "gone.", frame_of(36, "pay"), STALE),
        Moment("Forget, and follow", "Same hill, same noise: on the left old answers fade, on the right they all stay.",
               frame_of(36, "pay"), FOLLOWS),
        Moment("Forget too much", "Where an answer fades at once, the same question has to be asked again and again.",
               frame_of(25, "pay"), FORGETFUL),
        Moment("Your turn", "You see no hill, only the answers. Where do you ask?", frame_of(1, "choose"), YOURS),
    ),
    t=frame_of(14, "pay"),
    words="lessons/chase/help.md",
    cites=lambda: printed_sources("lessons/race/help.md"),  # its two learners are among those of the race
    recipe=recipe,
    bet=PEAK_BET,
    truth=truth,
    scene=scene,
    frame=frame,
    follows=("drift", "memory", "noise"),
)  # fmt: skip
