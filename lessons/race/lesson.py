"""The race: the lesson's knobs and moments."""

from __future__ import annotations

from tvbo_core import World
from shell.bets.bet import Bet
from lessons.shared.knobs import KNOBS, METHODS
from shell.page import Lesson, Moment

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
RACE_BET = Bet(
    question="The world jumps once, halfway. In which order do these four finish?",
    options={word: METHODS[word] for word in ("gp", "rnd", "tv", "wgp")},
    why="Who never forgets keeps believing in a peak that has gone; who forgets pays a little all the time and little "
    "after the jump.",
    t=300,
    ranks=True,
)
RACE = Lesson(
    number=4,
    title="The race",
    question="Who should I bet on if the world might move?",
    knobs={
        **{k: KNOBS[k] for k in (*RACE_SHOWN, *RACE_MORE, "pin1", "pin2")},
        "kind": KNOBS["kind"].but(default="still", words="World on the left"),
        "T": KNOBS["T"].but(default=300, low=100, high=2000),
        **RACE_BET.knobs,
    },
    moments=(
        Moment("Still against jumps", "The champion of the still world is near the bottom of this one.", 300),
        Moment("Deng et al., Figure 1a", "Their world, and everybody tuned by their own paper.", 500, FIGURE_1A),
        Moment("Theory meets practice", "With the widths that are proved, R-PERP pays what Random pays.", 2000, PROVED),
    ),
    t=300,
    words="lessons/race/help.md",
    bet=RACE_BET,
)  # fmt: skip
