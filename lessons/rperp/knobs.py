"""The lesson's base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from tvbo_core import World

RPERP_WORLD = World(kind="still", budget=4.0, horizon=200)


RPERP_SHOWN = ("kind", "H", "order", "beta", "grain")


RPERP_MORE = ("V", "swing", "interval", "shuffle", "lam", "delta", "arms", "T", "sigma", "B", "nu", "ell", "eps",
              "alpha", "data", "seed")  # fmt: skip


THREE_BATCHES = {"kind": "glide", "V": 4.0, "H": 50, "seed": 0, "grain": "batch"}


FOLLOWS = {"H": 400, "T": 400, "seed": 3}
