"""Reproductions: the lesson's knobs and moments."""

from __future__ import annotations

from lessons.record import Bet, Lesson, Moment
from lessons.reproductions.knobs import BOARD_KEYS, END, FILTERS, OWN, PANEL, WALL
from lessons.reproductions.names import REPRODUCTIONS, SYMBOLIC
from lessons.reproductions.recipe import recipe
from lessons.reproductions.thumbnail import thumbnail
from lessons.reproductions.truth import truth

REPRODUCTIONS_BET = Bet(
    question=f"Four optimists play the same worlds with a rough kernel ({PANEL}). Which band leads to the lowest "
    "regret?",
    options={"AY": "AY", "IGP": "IGP", "AMM": "AMM", "DMM": "DMM"},
    why="All four promise the same; the tighter the band, the fewer rounds go to actions that are not good.",
    t=END,
    values={"shown": "flynn-table-1"},
)
REPRODUCTIONS_LESSON = Lesson(
    number=9,
    file="pages/9_Reproductions.py",
    icon="🧾",
    title="Reproductions",
    question="Do the papers' tables come out when we run them?",
    knobs={**{key: OWN[key] for key in (*BOARD_KEYS, *FILTERS, "cell")}, **REPRODUCTIONS_BET.knobs},
    moments=(
        Moment("Thirty entries", "Six kernels, five players: each printed number beside the one we measured.", END),
        Moment("One standard error", "Ask for one standard error: half of the entries miss; a third would if all were "
               "right.", END, {"within": "1"}),
        Moment("Smooth forgetting", "The claim: fade, do not cut. Count how often it comes out.", END,
               {"shown": "deng-figure-1a"}),
        Moment("What a constant hides", "One constant that is not stated: with it no better than random play, "
               "without it better in three panels of four.", END, {"shown": "iwazaki-figure-2"}),
        Moment("The whole account", "Everything that was run, and everything that was not: look for the crosses.", END,
               {"shown": WALL}),
    ),
    t=END,
    words="lessons/reproductions/help.md",
    bet=REPRODUCTIONS_BET,
    roaming=frozenset({*BOARD_KEYS, *FILTERS, "cell"}),
    cites=lambda: [title.split(":")[0] for title in (*REPRODUCTIONS.values(), *SYMBOLIC.values())],
    recipe=recipe,
    thumbnail=thumbnail,
    truth=truth,
)  # fmt: skip
