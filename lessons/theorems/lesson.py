"""Theorems: the lesson's knobs and moments."""

from __future__ import annotations

from shell.bets.bet import Bet
from lessons.shared.knobs import KNOBS
from shell.page import Lesson, Moment
from lessons.theorems.model import ALPHAS, OPENS, SMOOTH

OWN = {"budget": "growth", "alpha": "atil", "epsilon": "eps"}  # the knob that says how fast, by the measure of drift
RUNS = ("wager", "V", "T", "nu", "ell", "sigma", "B", "seeds", "seed")
KEYS = ("measure", "d", *OWN.values(), "log_T", "lnT", *RUNS, "card", "case", "arena")


def visible(measure: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The knobs beside the figure, and those under More."""
    rest = tuple(key for m, key in OWN.items() if m != measure)
    return ("measure", "d", OWN[measure], "log_T", "lnT"), (*RUNS, *rest)


THEOREMS_BET = Bet(
    question="At smoothness ν = 5/2, in d = 2 dimensions and with a fixed drift budget, the guarantee of R-GP-UCB "
    "grows like $T$ to which power?",
    options={"0.75": "0.75", "0.9": "0.9", "1": "1"},
    places=(0.75, 0.9, 1.0),
    axis="power of T",
    why="A guarantee that grows like T promises nothing: regret can never grow faster. The lower bound shows how much "
    "room is left.",
    t=OPENS["budget"],
    own="wager",
)
THEOREMS_LESSON = Lesson(
    number=5,
    title="Theorems",
    question="Is this already as good as possible, or is there room to improve?",
    knobs={
        **{k: KNOBS[k] for k in KEYS},
        "T": KNOBS["T"].but(default=400, low=100, high=800, step=100, words="Runs: longest horizon $T$"),
        "d": KNOBS["d"].but(default=2, help="Of the action. Every exponent depends on it."),
        "nu": KNOBS["nu"].but(default="5/2", words="Runs: smoothness $\\nu$"),
        "V": KNOBS["V"].but(words="Runs: drift budget $V_T$"),
        "seeds": KNOBS["seeds"].but(default=4, options=(1, 2, 4, 8)),
        **THEOREMS_BET.knobs,
    },
    moments=(
        Moment("Touching dots", "One dot sits on the ceiling: it promises nothing. Two sit near the floor: one "
               "touches it.", OPENS["budget"]),
        Moment("Vacuous at ν ≤ 5d/4", "Rougher rewards, and a published guarantee turns into no guarantee.",
               SMOOTH.index(1.5)),
        Moment("Too fast to follow", "A world that changes by one every step: the floor itself is the ceiling.",
               OPENS["budget"], {"growth": 1.0}),
        Moment("Asking again", "Past one, answers rot faster than you can learn; only re-asking helps.",
               ALPHAS.index(1.5), {"measure": "alpha", "card": "wsparq"}),
    ),
    t=OPENS["budget"],
    words="lessons/theorems/help.md",
    bet=THEOREMS_BET,
    roaming=frozenset(OWN.values()),
)  # fmt: skip
