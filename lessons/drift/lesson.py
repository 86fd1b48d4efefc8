"""Drifting rewards: the lesson's knobs and moments."""

from __future__ import annotations

from tvbo_core import World
from shell.bets.bet import Bet
from lessons.shared.knobs import KNOBS
from shell.page import Lesson, Moment

DRIFT_WORLD = World(kind="glide", budget=4.0, horizon=200, switches=1)
BOGUNOVIC = {"kind": "markov", "pair": "matern", "eps": 0.01, "ell": 0.2, "nu": "∞", "T": 300}
DENG = {"kind": "jumps", "pair": "glide", "scale": "drawn", "switches": 2, "T": 500, "ell": 0.2, "nu": "∞"}
SAME_BILL = "Same bill, two very different worlds. And look: even when the hill glides, the summit jumps."
ONE_RECIPE = "One recipe, two kernels: the rougher reward moves more for the same ε."
TWO_JUMPS = "Two jumps in five hundred rounds; on the right the same first change, spread out."
DRIFT_KEYS = ("kind", "pair", "V", "T", "nu", "ell", "eps", "alpha", "B", "switches", "scale", "data")
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
    title="Drifting rewards",
    question="If the best action keeps moving, how much has the world really changed?",
    knobs={**{k: KNOBS[k] for k in DRIFT_KEYS}, "seed": KNOBS["seed"].but(default=47), **DRIFT_BET.knobs},
    moments=(
        Moment("Same budget, two worlds", SAME_BILL, 119),
        Moment("Bogunovic et al., Figure 1", ONE_RECIPE, 244, BOGUNOVIC),
        Moment("Deng et al., abrupt", TWO_JUMPS, 201, DENG),
    ),
    t=119,
    words="lessons/drift/help.md",
    bet=DRIFT_BET,
    roaming=frozenset({"data", "pair", "nu", "eps", "alpha"}),
)
