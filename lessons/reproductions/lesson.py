"""Reproductions: the record of the lesson."""

from __future__ import annotations

from lessons.record import CHECK, Bet, Lesson, Moment
from lessons.reproductions.knobs import BET_PANEL, BOARD_KEYS, FILTERS, LAST, OVERVIEW, OWN
from lessons.reproductions.names import REPRODUCTIONS, SYMBOLIC
from lessons.reproductions.recipe import recipe
from lessons.reproductions.scene import scene
from lessons.reproductions.thumbnail import thumbnail
from lessons.reproductions.truth import truth

REPRODUCTIONS_BET = Bet(
    question=f"Four optimists play the same worlds with a rough kernel ({BET_PANEL}). Which band leads to the lowest "
    "regret?",
    options={"AY": "AY", "IGP": "IGP", "AMM": "AMM", "DMM": "DMM"},
    why="All four promise the same; a tighter band spends fewer rounds on actions that are not good, here as in most "
    "panels (with d = 4 and ℓ = 0.2 IGP ends below AMM).",
    t=LAST,
    values={"shown": "flynn-table-1"},
)
REPRODUCTIONS_LESSON = Lesson(
    number=9,
    group=CHECK,
    abreast=3,
    file="pages/9_Reproductions.py",
    icon="🧾",
    title="Reproductions",
    question="Do the papers' tables come out when we run them?",
    knobs={**{key: OWN[key] for key in (*BOARD_KEYS, *FILTERS, "cell")}, **REPRODUCTIONS_BET.knobs},
    moments=(
        Moment("Thirty entries", "Six kernels, five players: each printed number beside the one we measured.", LAST),
        Moment("One standard error", "Ask for one standard error: half of the entries miss; a third would if all were "
               "right.", LAST, {"within": "1"}),
        Moment("Smooth forgetting", "The claim: fade, do not cut. Count how often it comes out.", LAST,
               {"shown": "deng-figure-1a"}),
        Moment("What a constant hides", "One unstated constant: with it no better than random play, without it lower "
               "in three of four panels, once beyond chance.", LAST,
               {"shown": "iwazaki-figure-2"}),
        Moment("The whole account", "Everything that was run, and everything that was not: look for the crosses.", LAST,
               {"shown": OVERVIEW}),
    ),
    t=LAST,
    words="lessons/reproductions/help.md",
    bet=REPRODUCTIONS_BET,
    roaming=frozenset({*BOARD_KEYS, *FILTERS, "cell"}),
    cites=lambda: [title.split(":")[0] for title in (*REPRODUCTIONS.values(), *SYMBOLIC.values())],
    recipe=recipe,
    thumbnail=thumbnail,
    scene=scene,
    truth=truth,
)  # fmt: skip
