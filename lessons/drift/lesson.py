"""Drifting rewards: the lesson's record."""

from __future__ import annotations

from lessons.drift.knobs import BOGUNOVIC, DENG, DRIFT_KEYS
from lessons.drift.recipe import recipe
from lessons.drift.scene import frame, scene
from lessons.drift.thumbnail import thumbnail
from lessons.drift.truth import truth
from lessons.record import SEE, Bet, Lesson, Moment
from lessons.shared.knobs import KNOBS

DRIFT_BET = Bet(
    question="World A glides, world B jumps once; both begin and end with the same rewards. Which drifts more in all, "
    "by its drift budget $V_T$?",
    options={"a": "A, the glide", "b": "B, the jump", "equal": "Equal", "unknown": "Cannot know"},
    why="The budget adds up the largest change of every step: many small steps in one direction add up to one large "
    "one. How far the best action hops does not count.",
    about={
        "a": "moves a little in every round",
        "b": "moves once, far",
        "equal": "the changes add up to the same",
        "unknown": "the first and the last reward do not settle it",
    },
    t=119,
    hides=((0.715, 0.0, 0.285, 1.0),),  # the drift so far
)
DRIFT = Lesson(
    number=1,
    group=SEE,
    abreast=3,
    file="pages/1_Drifting_rewards.py",
    icon="🏔️",
    title="Drifting rewards",
    question="If the best action keeps moving, how much has the world really changed?",
    knobs={**{k: KNOBS[k] for k in DRIFT_KEYS}, "seed": KNOBS["seed"].replace(default=47), **DRIFT_BET.knobs},
    moments=(
        Moment("Same budget, two worlds", "The same drift in all, two very different worlds. And even where the reward "
               "glides, its peak jumps.", 119),
        Moment("Bogunovic et al., Figure 1", "One rule of change, two kernels: with the same ε the rougher reward "
               "moves more.",
               244, BOGUNOVIC),
        Moment("Deng et al., abrupt", "Two jumps in five hundred rounds; on the right the first change alone, spread "
               "over all of them.", 201, DENG),
    ),
    t=119,
    words="lessons/drift/help.md",
    bet=DRIFT_BET,
    roaming=frozenset({"data", "pair", "nu", "eps", "alpha"}),
    recipe=recipe,
    thumbnail=thumbnail,
    scene=scene,
    frame=frame,
    follows=("V", "T", "ell", "eps", "alpha", "B", "switches"),
    truth=truth,
)  # fmt: skip
