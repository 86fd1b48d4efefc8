"""Drifting rewards: the lesson's knobs and moments."""

from __future__ import annotations

from lessons.drift.knobs import BOGUNOVIC, DENG, DRIFT_KEYS, ONE_RECIPE, SAME_BILL, TWO_JUMPS
from lessons.drift.recipe import recipe
from lessons.drift.thumbnail import thumbnail
from lessons.drift.truth import truth
from lessons.record import Bet, Lesson, Moment
from lessons.shared.knobs import KNOBS

DRIFT_BET = Bet(
    question="World A glides, world B jumps once; both begin and end with the same rewards. Which spends more drift "
    "budget $V_T$, A or B?",
    options={"a": "A, the glide", "b": "B, the jump", "equal": "Equal", "unknown": "Cannot know"},
    why="The budget adds up the largest change of every step: many small steps in one direction add up to one large "
    "one, and how far the best action hops does not enter.",
    t=119,
)
DRIFT = Lesson(
    number=1,
    file="pages/1_Drifting_rewards.py",
    icon="🏔️",
    title="Drifting rewards",
    question="If the best action keeps moving, how much has the world really changed?",
    knobs={**{k: KNOBS[k] for k in DRIFT_KEYS}, "seed": KNOBS["seed"].replace(default=47), **DRIFT_BET.knobs},
    moments=(
        Moment("Same budget, two worlds", SAME_BILL, 119),
        Moment("Bogunovic et al., Figure 1", ONE_RECIPE, 244, BOGUNOVIC),
        Moment("Deng et al., abrupt", TWO_JUMPS, 201, DENG),
    ),
    t=119,
    words="lessons/drift/help.md",
    bet=DRIFT_BET,
    roaming=frozenset({"data", "pair", "nu", "eps", "alpha"}),
    recipe=recipe,
    thumbnail=thumbnail,
    truth=truth,
)
