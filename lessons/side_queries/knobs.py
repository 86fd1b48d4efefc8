"""The lesson's base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.shared.knobs import KNOBS
from tvbo_core import World

QUERIES_WORLD = World(kind="rough", budget=None, horizon=500)


QUERIES_SHOWN = ("alpha", "atil", "q", "picker", "T")


QUERIES_MORE = ("seeds", "beta", "inputs", "papers", "kind", "data", "scale", "V", "sigma", "ell", "nu", "eps", "B",
                "seed")  # fmt: skip


PLAN = ("budget", "far", "d")


FIGURE_2 = {"papers": True, "seeds": 30, "seed": 0, "T": 500}


ALPHA = KNOBS["alpha"].default
