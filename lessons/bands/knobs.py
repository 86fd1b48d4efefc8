"""The lesson's base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from tvbo_core import World

# Flynn & Reeb, Figure 1: the kernel, norm, noise, design and c of the caption and its appendix; delta is our default.
FLYNN = {"kind": "still", "V": 0.0, "T": 50, "nu": "3/2", "ell": 0.5, "B": 10.0, "domain": "[-1, 1]",
         "design": "clustered", "c": 0.0, "seed": 4}  # fmt: skip


BANDS_WORLD = World(kind="glide", budget=1.0, horizon=100, kernel="matern", nu=1.5, arms=101, seed=12)


BANDS_SHOWN = ("V", "Bhat", "sigma", "delta", "view")


BANDS_MORE = ("front", "kind", "data", "T", "nu", "ell", "eps", "alpha", "B", "c", "ridge", "match", "design",
              "domain", "seed")  # fmt: skip
