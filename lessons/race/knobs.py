"""The lesson's base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.shared import knobs as shared
from tvbo_core import World

# Deng et al., Figure 1a: functions as drawn, abrupt changes at T/5 and 2T/5, 100 actions, every method tuned by
# its paper's formula (WGP-UCB's discount kept at 0 or above, its width with delta/T). Their noise, ridge and failure
# probability are not stated: ours here.
FIGURE_1A = {
    "pair": "jumps",
    "scale": "drawn",
    "switches": 2,
    "T": 500,
    "m": 0,
    "seeds": 10,
    "seed": 0,
}

PROVED = {
    "beta": "theory",
    "T": 2000,
    "seeds": 8,
    "m": 0,
    "algos": ("rnd", "gp", "r", "sw", "wgp", "rperp"),
    "scale": "set",
    "switches": 1,
    "seed": 3,
}


TOLD_NOTHING = {"algos": ("gp", "r", "sw", "wgp", "tv", "et")}


RACE_WORLD = World(kind="still", budget=None, horizon=200, switches=3)


RACE_SHOWN = ("kind", "pair", "m", "T", "algos")


RACE_MORE = (
    "seeds",
    "beta",
    "V",
    "sigma",
    "ell",
    "nu",
    "switches",
    "scale",
    "alpha",
    "B",
    "seed",
)


ACTS = shared.acts_in_worlds(pair=True, scale=True)
