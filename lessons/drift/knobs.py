"""The lesson's base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from tvbo_core import World

DRIFT_WORLD = World(kind="glide", budget=4.0, horizon=200, switches=1)


BOGUNOVIC = {"kind": "markov", "pair": "matern", "eps": 0.01, "ell": 0.2, "nu": "∞", "T": 300}


DENG = {"kind": "jumps", "pair": "glide", "scale": "drawn", "switches": 2, "T": 500, "ell": 0.2, "nu": "∞"}


SAME_BILL = "Same bill, two very different worlds. And look: even when the hill glides, the summit jumps."


ONE_RECIPE = "One recipe, two kernels: the rougher reward moves more for the same ε."


TWO_JUMPS = "Two jumps in five hundred rounds; on the right the same first change, spread out."


DRIFT_KEYS = ("kind", "pair", "V", "T", "nu", "ell", "eps", "alpha", "B", "switches", "scale", "data")
