"""The lessons' fixed parts: question, knobs with their defaults here, moments with the line spoken over them."""

from __future__ import annotations

from tvbo_core import World
from ui.controls import KNOBS
from ui.lesson import Lesson, Moment

DRIFT_WORLD = World(kind="glide", budget=4.0, horizon=200, switches=1)
BOGUNOVIC = {"kind": "markov", "pair": "matern", "eps": 0.01, "ell": 0.2, "nu": "∞", "T": 300}
DENG = {"kind": "jumps", "pair": "glide", "scale": "drawn", "switches": 2, "T": 500, "ell": 0.2, "nu": "∞"}
SAME_BILL = "Same bill, two very different worlds. And look: even when the hill glides, the summit jumps."
ONE_RECIPE = "One recipe, two kernels: the rougher reward moves more for the same ε."
TWO_JUMPS = "Two jumps in five hundred rounds; on the right the same first change, spread out."
TABLE_HAS_NO = {"pair", "V", "nu", "ell", "eps", "alpha", "B", "switches", "scale"}
DRIFT_KEYS = ("kind", "pair", "V", "T", "nu", "ell", "eps", "alpha", "B", "switches", "scale", "data")
DRIFT = Lesson(
    number=1,
    title="Drifting rewards",
    question="If the best action keeps moving, how much has the world really changed?",
    knobs={**{k: KNOBS[k] for k in DRIFT_KEYS}, "seed": KNOBS["seed"].but(default=47)},
    moments=(
        Moment("Same budget, two worlds", SAME_BILL, 119),
        Moment("Bogunovic et al., Figure 1", ONE_RECIPE, 244, BOGUNOVIC),
        Moment("Deng et al., abrupt", TWO_JUMPS, 201, DENG),
    ),
    t=119,
    words="assets/words/1_drift.md",
)

# Flynn & Reeb, Figure 1: the kernel, norm, noise, design and c of the caption and its appendix; delta is our default.
FLYNN = {"kind": "still", "V": 0.0, "T": 50, "nu": "3/2", "ell": 0.5, "B": 10.0, "domain": "[-1, 1]",
         "design": "clustered", "c": 0.0, "seed": 4}  # fmt: skip
BANDS_WORLD = World(kind="glide", budget=1.0, horizon=100, kernel="matern", nu=1.5, arms=101, seed=12)
BANDS_SHOWN = ("V", "Bhat", "sigma", "delta", "view")
BANDS_MORE = ("front", "kind", "data", "T", "nu", "ell", "eps", "alpha", "B", "c", "ridge", "match", "design",
              "domain", "seed")  # fmt: skip
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
    },
    moments=(
        Moment("Tight and true", "Nothing moves, and all five bands keep their promise.", 20, {"V": 0.0}),
        Moment("First to lie", "The sharpest band is the first to be wrong once the world moves.", 70),
        Moment("The empty set", "No function fits these data: the data themselves say that the reward moved.", 65,
               {"V": 4.0, "view": "overlay", "front": "AMM"}),
        Moment("Flynn & Reeb, Figure 1", "Same data, five theorems: watch the gap in the middle.", 50, FLYNN),
    ),
    t=70,
    words="assets/words/2_bands.md",
)  # fmt: skip

# Deng et al., Figure 1a: functions as drawn, abrupt changes at T/5 and 2T/5, 100 actions, every method tuned as
# its paper says. Their noise, ridge and failure probability are not stated: ours here.
FIGURE_1A = {"pair": "jumps", "scale": "drawn", "switches": 2, "T": 500, "m": 0, "seeds": 10, "seed": 0,
             "pin1": "gp", "pin2": "wgp"}  # fmt: skip
PROVED = {"beta": "theory", "T": 2000, "seeds": 8, "m": 0, "algos": ("rnd", "gp", "r", "sw", "wgp", "rperp"),
          "pin1": "rperp", "pin2": "r"}  # fmt: skip
RACE_WORLD = World(kind="still", budget=4.0, horizon=300, switches=1)
RACE_SHOWN = ("pair", "algos", "m", "seeds", "y")
RACE_MORE = ("beta", "logs", "T", "V", "sigma", "ell", "nu", "kind", "data", "switches", "scale", "eps", "alpha",
             "B", "seed")  # fmt: skip
RACE = Lesson(
    number=4,
    title="The race",
    question="Who should I bet on if the world might move?",
    knobs={
        **{k: KNOBS[k] for k in (*RACE_SHOWN, *RACE_MORE, "pin1", "pin2")},
        "kind": KNOBS["kind"].but(default="still", words="World on the left"),
        "T": KNOBS["T"].but(default=300, low=100, high=2000),
    },
    moments=(
        Moment("Still against jumps", "The champion of the still world is near the bottom of this one.", 300),
        Moment("Deng et al., Figure 1a", "Their world, and everybody tuned by their own paper.", 500, FIGURE_1A),
        Moment("Theory meets practice", "With the widths that are proved, R-PERP pays what Random pays.", 2000, PROVED),
    ),
    t=300,
    words="assets/words/4_race.md",
)  # fmt: skip

LESSONS = (DRIFT, BANDS, RACE)
