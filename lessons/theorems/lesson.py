"""Theorems: the lesson's knobs and moments."""

from __future__ import annotations

from lessons.record import UNDERSTAND, Bet, Lesson, Moment
from lessons.shared.knobs import KNOBS
from lessons.theorems.knobs import KEYS, OWN, RATES, ROAMING
from lessons.theorems.model import ALPHAS, NUS, OPENING_FRAMES
from lessons.theorems.recipe import recipe
from lessons.theorems.scene import frame, scene
from lessons.theorems.thumbnail import thumbnail
from lessons.theorems.truth import truth
from tvbo_core.theory import THEOREMS

THEOREMS_BET = Bet(
    question="At smoothness ν = 5/2, in d = 2 dimensions and with a fixed drift budget, the guarantee of R-GP-UCB "
    "grows like $T$ to which power?",
    options={"0.75": "0.75", "0.9": "0.9", "1": "1"},
    places=(0.75, 0.9, 1.0),
    axis="power of T",
    why="A guarantee that grows like T promises nothing: regret can never grow faster. The lower bound shows how much "
    "room is left.",
    t=OPENING_FRAMES["budget"],
    values={"view": RATES},
    own="wager",
)
LAST_HORIZON = 5  # frame of the longest of the runs' horizons
THEOREMS_LESSON = Lesson(
    number=5,
    group=UNDERSTAND,
    abreast=3,
    file="pages/5_Theorems.py",
    icon="📐",
    title="Theorems",
    question="Is this already as good as possible, or is there room to improve?",
    knobs={
        **{k: (KNOBS | OWN)[k] for k in KEYS},
        "T": KNOBS["T"].replace(default=1600, low=100, high=1600, step=100, words="Longest horizon $T$"),
        "d": KNOBS["d"].replace(default=2, help="Of the action. Every exponent depends on it."),
        "nu": KNOBS["nu"].replace(default="5/2", words="Smoothness $\\nu$"),
        "seeds": KNOBS["seeds"].replace(default=8, options=(1, 2, 4, 8)),
        **THEOREMS_BET.knobs,
    },
    moments=(
        Moment("Touching dots", "One dot sits on the ceiling: it promises nothing. Three sit near the floor: two "
               "touch it.", OPENING_FRAMES["budget"], {"view": RATES}),
        Moment("Vacuous at ν ≤ 5d/4", "Rougher rewards, and a published guarantee turns into no guarantee.",
               NUS.index(1.5), {"view": RATES}),
        Moment("Too fast to follow", "A world that changes by one every step: the floor itself is the ceiling.",
               OPENING_FRAMES["budget"], {"view": RATES, "growth": 1.0}),
        Moment("Asking again", "Past one, old answers go stale too fast: only asking again helps.",
               ALPHAS.index(1.5), {"view": RATES, "measure": "alpha", "card": "wsparq"}),
        Moment("Bound meets runs", "Nobody can promise less than the hatching; the proof of R-PERP promises "
               "millions.", LAST_HORIZON),
        Moment("A bound that says something", "A world that stands still: here the proof promises less than the most "
               "that can be lost.", LAST_HORIZON, {"case": "kernelucb"}),
    ),
    t=LAST_HORIZON,
    words="lessons/theorems/help.md",
    bet=THEOREMS_BET,
    roaming=ROAMING,
    cites=lambda: [theorem.source for theorem in THEOREMS.values()],
    recipe=recipe,
    thumbnail=thumbnail,
    scene=scene,
    frame=frame,
    follows=("d", "growth", "atil", "eps", "log_T"),
    truth=truth,
)  # fmt: skip
