"""Theorems: the lesson's knobs and moments."""

from __future__ import annotations

import math

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
    question="For the smoothest rewards (ν = ∞) the guarantee of R-GP-UCB grows like $T$ to the power 0.75, as the "
    "figure says. To which power does it grow for rougher ones, ν = 5/2?",
    options={"0.75": "0.75", "0.9": "0.9", "1": "1"},
    about={
        "0.75": "smoothness does not matter",
        "0.9": "the guarantee is weaker",
        "1": "nothing is promised: no regret grows faster than T",
    },
    places=(0.75, 0.9, 1.0),
    axis="power of T",
    why="A guarantee that grows like T promises nothing: regret can never grow faster. The lower bound shows how much "
    "room is left.",
    t=OPENING_FRAMES["budget"],
    before=NUS.index(math.inf),
    hides=((0.07, 0.065, 0.182, 0.805),),  # the rest of the sweep
    values={"view": RATES},
    own="wager",
)
LAST_HORIZON = 5  # frame of the longest of the runs' horizons
THEOREMS_LESSON = Lesson(
    number=5,
    group=UNDERSTAND,
    abreast=3,
    lines=2,
    file="pages/5_Theorems.py",
    icon="📐",
    title="Theorems",
    question="Is this already as good as possible, or is there room to improve?",
    knobs={
        **{k: (KNOBS | OWN)[k] for k in KEYS},
        "T": KNOBS["T"].replace(default=1600, low=100, high=1600, step=100, words="Longest horizon $T$"),
        "d": KNOBS["d"].replace(default=2, help="Dimension of the action. Every exponent depends on it."),
        "nu": KNOBS["nu"].replace(default="5/2", words="Smoothness $\\nu$"),
        "seeds": KNOBS["seeds"].replace(default=8, options=(1, 2, 4, 8)),
        **THEOREMS_BET.knobs,
    },
    moments=(
        Moment("Touching dots", "One dot is on the ceiling: it promises nothing. Three are near the lower bound, "
               "and two of them on it.", OPENING_FRAMES["budget"], {"view": RATES}),
        Moment("Vacuous at ν ≤ 5d/4", "For rougher rewards a published guarantee promises nothing any more.",
               NUS.index(1.5), {"view": RATES}),
        Moment("Too fast to follow", "In a world that changes by one in every step, the lower bound itself is linear.",
               OPENING_FRAMES["budget"], {"view": RATES, "growth": 1.0}),
        Moment("Asking again", "For α above one, old answers go stale too fast: only asking again helps.",
               ALPHAS.index(1.5), {"view": RATES, "measure": "alpha", "card": "wsparq"}),
        Moment("Bound meets runs", "No method can promise less than the thick line; the bound proved for R-PERP is "
               "in the millions.", LAST_HORIZON),
        Moment("A bound that says something", "In a world that stands still the proved bound is below the most that "
               "can be lost.", LAST_HORIZON, {"case": "kernelucb"}),
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
