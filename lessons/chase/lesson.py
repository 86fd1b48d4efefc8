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
    "rounds. Who has paid less in the end?",
    options={"forget": "Who forgets", "keep": "Who keeps all", "same": "About the same"},
    about={"forget": "an answer counts half after 3 rounds", "keep": "every answer counts fully"},
    why="Answers about a hill that has moved on are worse than none: who trusts them is sure of the wrong place.",
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
        Moment("It stands still", "Nothing moves: a few questions, and it has found the peak and stays.",
               frame_of(12, "pay"), STILL),
        Moment("It moves", "Now the hill drifts, and a learner that trusts all its answers is sure of a hill that is "
               "gone.", frame_of(36, "pay"), STALE),
        Moment("Forget, and follow", "Same hill, same noise: left old answers fade, right they all stay.",
               frame_of(36, "pay"), FOLLOWS),
        Moment("Forget too much", "An answer that fades at once has to be asked for again and again.",
               frame_of(25, "pay"), FORGETFUL),
        Moment("Your turn", "No hill, only what it hears. Where do you ask?", frame_of(1, "choose"), YOURS),
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
