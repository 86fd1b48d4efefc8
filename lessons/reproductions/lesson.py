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
    question=f"Four methods ask where their band ends highest. In the last kernel, {BET_PANEL}, whose regret is the "
    "largest of the four?",
    options={"AY": "AY", "IGP": "IGP", "AMM": "AMM", "DMM": "DMM"},
    about={
        "AY": "adds the norm bound and the noise",
        "IGP": "adds them too, with a large regulariser",
        "AMM": "takes their hypotenuse",
        "DMM": "takes the best of five regularisers",
    },
    why="All four bands promise the same, and the tightest, DMM, leads to the least regret in every kernel of this "
    "table. AY and IGP change places: where ℓ = 0.5 IGP loses most, with a rough kernel and ℓ = 0.2 AY does.",
    t=LAST,
    hides=((0.843, 0.1, 0.157, 0.78),),  # the last kernel
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
        Moment("Thirty entries", "Six kernels, five methods: each printed number beside the one we measured.", LAST),
        Moment("One standard error", "Within one standard error, half of the entries disagree; a third would if all "
               "were right.", LAST, {"within": "1"}),
        Moment("Smooth forgetting", "The claim: it is better to let answers fade than to cut them off. Count how often "
               "it holds.", LAST,
               {"shown": "deng-figure-1a"}),
        Moment("What a constant hides", "An unstated constant: with it no better than random play; without it lower in "
               "3 of 4 panels, once beyond chance.", LAST,
               {"shown": "iwazaki-figure-2"}),
        Moment("The whole account", "Everything that was run, and everything that was not. A cross is a "
               "difference.", LAST,
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
