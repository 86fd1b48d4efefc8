"""The lesson's base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from tvbo_core import World

# Bogunovic et al., Figure 2c: a squared exponential reward with epsilon = 0.01 over 200 steps, TV-GP-UCB told
# another epsilon. Here on a line of 100 actions with width 2; there on a grid in two dimensions.
FIGURE_2C = {"kind": "markov", "eps": 0.01, "T": 200, "bowl": "tv", "m": 160}


FORGETTING_WORLD = World(kind="glide", budget=8.0, horizon=300, switches=2)


FORGETTING_SHOWN = ("m", "bowl", "kind", "place", "age")


FORGETTING_MORE = ("cover", "bet", "own_r", "own_sw", "own_wgp", "own_tv", "alpha", "design", "beta", "seeds", "V",
                   "T", "sigma", "ell", "nu", "switches", "eps", "B", "data", "seed")  # fmt: skip
