"""Confidence bands: the lesson's knobs and moments."""

from __future__ import annotations

from tvbo_core import World
from shell.bets.bet import Bet
from lessons.shared.knobs import KNOBS
from shell.page import Lesson, Moment

# Flynn & Reeb, Figure 1: the kernel, norm, noise, design and c of the caption and its appendix; delta is our default.
FLYNN = {"kind": "still", "V": 0.0, "T": 50, "nu": "3/2", "ell": 0.5, "B": 10.0, "domain": "[-1, 1]",
         "design": "clustered", "c": 0.0, "seed": 4}  # fmt: skip
BANDS_WORLD = World(kind="glide", budget=1.0, horizon=100, kernel="matern", nu=1.5, arms=101, seed=12)
BANDS_SHOWN = ("V", "Bhat", "sigma", "delta", "view")
BANDS_MORE = ("front", "kind", "data", "T", "nu", "ell", "eps", "alpha", "B", "c", "ridge", "match", "design",
              "domain", "seed")  # fmt: skip
BANDS_BET = Bet(
    question="Five bands promise the same for a reward that stands still. Now it drifts slowly. Which band is the "
    "first to miss it?",
    options={"widest": "The widest", "tightest": "The tightest", "together": "All together", "none": "No band"},
    why="A width that has nothing to spare for chance has nothing to spare for drift either; the promise of all five "
    "assumes a reward that does not move.",
    t=70,
)
BANDS = Lesson(
    number=2,
    title="Confidence bands",
    question="How sure can I be about the whole curve — and am I still sure if it moves?",
    knobs={
        **{k: KNOBS[k] for k in (*BANDS_SHOWN, *BANDS_MORE, "place")},
        "V": KNOBS["V"].but(default=1.0, high=4.0, step=0.25),
        "T": KNOBS["T"].but(default=100, high=200),
        "nu": KNOBS["nu"].but(default="3/2"),
        "seed": KNOBS["seed"].but(default=12),
        **BANDS_BET.knobs,
    },
    moments=(
        Moment("Tight and true", "Nothing moves, and all five bands keep their promise.", 20, {"V": 0.0}),
        Moment("First to lie", "The sharpest band is the first to be wrong once the world moves.", 70),
        Moment("The empty set", "No function fits these data: the data themselves say that the reward moved.", 65,
               {"V": 4.0, "view": "overlay", "front": "AMM"}),
        Moment("Flynn & Reeb, Figure 1", "Same data, five theorems: watch the gap in the middle.", 50, FLYNN),
    ),
    t=70,
    words="lessons/bands/help.md",
    bet=BANDS_BET,
)  # fmt: skip
