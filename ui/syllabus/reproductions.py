"""Reproductions: the lesson's knobs and moments."""

from __future__ import annotations

from ui.knobs import KNOBS
from ui.lesson import Lesson, Moment

KEYS = ("shown", "within")
END = 999  # the last repetition, however many there are

REPRODUCTIONS_LESSON = Lesson(
    number=9,
    title="Reproductions",
    question="Do the papers' tables come out when we run them?",
    knobs={key: KNOBS[key] for key in KEYS},
    moments=(
        Moment("Thirty entries", "Six kernels, five players: each printed number beside the one we measured.", END),
        Moment("One standard error", "Ask for one standard error and about a third must miss, even if all is right.",
               END, {"within": "1"}),
        Moment("Smooth forgetting", "The claim: fade, do not cut. Count how often it comes out.", END,
               {"shown": "deng-figure-1a"}),
        Moment("What a constant hides", "One constant that is not stated: with it no better than random play, "
               "without it better.", END, {"shown": "iwazaki-figure-2"}),
    ),
    t=END,
    words="assets/words/9_reproductions.md",
)  # fmt: skip
